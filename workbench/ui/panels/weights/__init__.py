"""Weights panel: weights, biases, probability ratios, and cost of the algorithms’ sums and
steps.
"""
