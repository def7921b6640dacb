"""Two- and three-dimensional projections of the vectors: PCA, UMAP, word axes, and their quality."""
