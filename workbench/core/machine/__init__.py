"""The machine: its memory, its processor, and the threads that use it."""
