"""The command line: one module for each group of commands, and what the user sees."""
