"""Projections of vectors to two or three dimensions: PCA, UMAP, word axes, alignment and
quality.
"""
