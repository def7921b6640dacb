"""Commands about a few lines of a text: what they teach, and which of them a number comes from."""
