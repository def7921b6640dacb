"""Corpora: documents from files, tokenisation, phrases, the cache on disk, concordance and
samples.
"""
