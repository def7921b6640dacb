"""Algorithms that factorise or weight co-occurrence counts, and the trainers that they share."""
