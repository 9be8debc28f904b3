"""What a store knows, ready to be shown: no web framework, no terminal."""
