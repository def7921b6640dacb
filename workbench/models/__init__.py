"""Algorithms that learn word vectors from a corpus or its counts, with checkpoints and threads."""
