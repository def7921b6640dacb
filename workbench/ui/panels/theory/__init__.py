"""Theory panel: fit to the target, number of dimensions, and factors of a model."""
