"""Step panel: one training step, term by term."""
