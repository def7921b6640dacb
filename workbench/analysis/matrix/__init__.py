"""The co-occurrence matrix under an association measure, for display."""
