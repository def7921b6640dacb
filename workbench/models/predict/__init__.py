"""Algorithms that predict words from their windows, and the trainers that they share."""
