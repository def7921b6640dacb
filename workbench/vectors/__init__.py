"""Word vectors with their provenance: lookup, postprocessing, subwords and file formats."""
