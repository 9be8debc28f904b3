"""What is taken from a page: its content, headlines, facts about it, rows of a list."""
