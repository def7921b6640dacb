"""Session files: content, zip archive, and migrations from older versions."""
