"""Infrastructure for all layers: hyperparameters, job control, kernels, registries, files, errors
and languages.
"""
