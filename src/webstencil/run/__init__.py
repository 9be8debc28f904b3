"""A job as a person runs it: the command, how far it is, what it did."""
