"""fastText's two algorithms with subword n-grams, and their kernels."""
