"""Everything published, with a loop of its own: matching, mapping, content, navigation.

Nobody outside needs it but whoever asks for paper mode, and the evaluation of the papers.
"""
