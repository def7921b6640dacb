"""fastText’s CBOW and skip-gram with subword n-grams, and their kernels."""
