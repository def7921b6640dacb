"""Changes of vectors during training: replay of recorded states and trajectories of words."""
