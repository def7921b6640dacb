"""What students hand in after a lesson, and what a class handed in."""
