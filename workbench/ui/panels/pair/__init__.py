"""Pair panel: likelihood of one word pair under negative sampling, and the text behind it."""
