"""word2vec's text format: a line ``V d``, then one line per word."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import text_rows
from workbench.vectors.formats.base import Format
from workbench.vectors.undecoded import BEYOND, escaped, raw_words

_UNKNOWN = "<unk>"


class Word2vecText(Format):
    """The text files of word2vec.c, gensim and fastText (.vec). Words may contain spaces, because
    numbers are counted from the right.
    """

    key = "word2vec-text"
    title = tr("word2vec text")
    suffixes = (".vec", ".txt")
    ambiguous_suffixes = frozenset({".txt"})
    order = 10

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        reason = text_rows.cannot_hold(cls.title, embeddings)
        if reason is not None:
            return reason
        words = [escaped(word) for word in raw_words(embeddings)]
        if text_rows.words_end_in_numbers(
            words, np.asarray(embeddings.vectors)
        ) or text_rows.without_numbers(words):
            return tr(
                "{title} can’t store words which all begin or end with a number, such as “{word}”.",
                title=cls.title,
                word=embeddings.words[0],
            )
        return None

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        first, newline, rest = head.partition(b"\n")
        header = text_rows.parse_header(first)
        if header is None or not newline:
            return False
        line, newline, _ = rest.lstrip().partition(b"\n")
        if newline or len(head) == path.stat().st_size:
            return text_rows.parse_row(line, header.dim) is not None
        # If one row is longer than the head, its visible part must be numbers after the word.
        fields = line.split()[1:-1]
        return (
            bool(fields) and text_rows.parse_row(line.rsplit(None, 1)[0], len(fields)) is not None
        )

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        with path.open("rb") as file:
            header = text_rows.read_header(file, path, least_row=2, per_number=2, limit=limit)
            size = min(header.size, limit) if limit else header.size
            # GloVe's program writes one row more than its header says.
            whole = not limit or limit > header.size
            most = size + 1 if whole else size
            words, vectors, lines = text_rows.read_rows(file, path, header.dim, most, first_line=2)
            if len(words) < size:
                raise UserError(
                    tr(
                        "{name} ends after {number:,} of the {size:,} words that its "
                        "header specifies.",
                        name=path.name,
                        number=len(words),
                        size=header.size,
                    ),
                    tr("Download or export the file again."),
                )
            if text_rows.words_end_in_numbers(words, vectors):
                raise UserError(
                    tr(
                        "{name} contains more numbers in each row than the {dim:,} that its "
                        "header specifies.",
                        name=path.name,
                        dim=header.dim,
                    ),
                    tr("Correct the first line, or export it again."),
                )
            beyond = len(words) > size
            if (beyond and words[-1] != _UNKNOWN) or (whole and file.read(65536).strip()):
                raise UserError(
                    tr(
                        "{name} contains more rows than the {size:,} that its header specifies.",
                        name=path.name,
                        size=header.size,
                    ),
                    tr("Correct the first line, or export it again."),
                )
        found = text_rows.checked_embeddings(path, words, vectors, "line", lines, columns=True)
        if beyond:
            return dataclasses.replace(found, metadata={**found.metadata, BEYOND: 1})
        return found

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        with path.open("wb") as file:
            file.write(f"{len(embeddings)} {embeddings.dim}\n".encode())
            text_rows.write_rows(file, embeddings)
