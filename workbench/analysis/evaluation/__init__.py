"""Evaluation of vectors: word similarity, leaderboard, confidence intervals and scores by
frequency.
"""
