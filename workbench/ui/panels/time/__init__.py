"""Time panel: words, neighbours and analogies during a training."""
