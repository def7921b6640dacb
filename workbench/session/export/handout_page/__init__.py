"""The page of a handout: sections, their numbers, and one HTML file of them."""
