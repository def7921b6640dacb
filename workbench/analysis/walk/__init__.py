"""A game: walk from one word to another through nearest neighbours."""
