"""Recovery after a crash: autosaved trainings and queued requests."""
