"""Help in the window: the first screen, the tour and the presentation."""
