"""Child processes: how they are started, and tasks that they do for a window."""
