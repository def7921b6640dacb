"""Corpora whose PMI is a picture: images, drawings and the text that is drawn from them."""
