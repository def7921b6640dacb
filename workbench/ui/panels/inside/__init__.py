"""Inside panel: n-grams of fastText and the Huffman tree of hierarchical softmax."""
