"""Texts in files: encodings, lines, Markdown, and letters that aren’t visible."""
