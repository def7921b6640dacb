"""Nearest neighbours of words, and what is computed from lists of them."""
