"""Corpora whose PMI is a picture: images, drawings and the text sampled from them."""
