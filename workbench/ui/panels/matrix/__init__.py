"""Matrix panel: co-occurrence matrices and models as images."""
