"""What a store knows, as plain values that the web pages and the command line show.

Nothing here knows a web framework or a terminal.
"""
