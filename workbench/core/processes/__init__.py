"""Child processes and their tasks, signals that end a process, and early imports."""
