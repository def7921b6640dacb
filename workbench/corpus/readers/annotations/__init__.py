"""Readers of texts whose tokens have annotations, such as a lemma and a part of speech."""
