"""Relations panel: analogy offsets, baselines and decomposition of scores."""
