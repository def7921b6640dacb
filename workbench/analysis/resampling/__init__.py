"""Error bars from the texts: documents are drawn again, and the counts made again."""
