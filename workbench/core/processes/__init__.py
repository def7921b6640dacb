"""Child processes, tasks that they do for a window, and what a process has to import first."""
