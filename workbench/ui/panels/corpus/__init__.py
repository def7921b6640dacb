"""Corpus panel: files, reading options, preview, vocabulary, concordance and charts."""
