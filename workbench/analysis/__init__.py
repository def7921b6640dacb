"""Pure functions on corpora and vectors: neighbours, analogies, projections, theory and
evaluation.
"""
