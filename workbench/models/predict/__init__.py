"""Predictive algorithms: skip-gram and CBOW with negative sampling, hierarchical or full
softmax.
"""
