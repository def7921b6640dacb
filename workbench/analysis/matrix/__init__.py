"""Co-occurrence matrices for display: values, row order and comparison with a model."""
