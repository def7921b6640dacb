"""Vectors of new words, or of known ones in other lines, from a few lines of text."""
