"""The panel inspector, and all that only it uses."""
