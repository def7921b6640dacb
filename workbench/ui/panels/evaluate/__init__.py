"""Evaluate panel: analogy and similarity scores, odd one out, leaderboard."""
