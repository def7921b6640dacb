"""Session files: their content, their zip archive, and names of files."""
