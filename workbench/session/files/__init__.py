"""Session files: their content, their archive, and their older versions."""
