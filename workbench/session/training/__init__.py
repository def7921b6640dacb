"""Training in a session: the queue, grids, continued trainings, and their checks."""
