"""Actions of the window: one module for each group."""
