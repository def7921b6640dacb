"""From files and pipes to blocks of text: discovery, decompression, decoding, and spilling of token ids."""
