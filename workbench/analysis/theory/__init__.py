"""Theoretical targets of models and fits to them: targets, loss weights, probability ratios and
softmax trees.
"""
