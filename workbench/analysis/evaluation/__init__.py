"""Scores of vectors: word similarity, leaderboard, confidence intervals, accuracy by frequency."""
