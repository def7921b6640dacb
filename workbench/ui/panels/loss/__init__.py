"""Loss panel: loss curves of runs."""
