"""Compare panel: agreement of two models, or of several seeds of one."""
