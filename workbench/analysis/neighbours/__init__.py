"""Nearest neighbours, and results based on them: odd one out, shared contexts, stability and
n-grams.
"""
