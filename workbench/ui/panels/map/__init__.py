"""Map panel: projection of words to two or three dimensions, with colours, search and word sets."""
