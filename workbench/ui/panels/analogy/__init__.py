"""Analogy panel: solves a − b + c and shows the answers."""
