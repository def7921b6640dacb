"""Count-based algorithms: factorisation and weighting of co-occurrence counts, and their shared
trainers.
"""
