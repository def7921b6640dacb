"""The panel time, and all that only it uses."""
