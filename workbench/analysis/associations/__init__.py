"""Associations of two sets of words with two others, in vectors and in the counts of their text."""
