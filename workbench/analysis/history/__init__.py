"""How vectors changed while they were trained."""
