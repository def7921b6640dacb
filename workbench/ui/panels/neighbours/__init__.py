"""Neighbours panel: nearest words in one run or several, and their shared contexts."""
