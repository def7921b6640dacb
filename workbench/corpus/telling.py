"""What was noticed while a corpus was read, in words."""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath

from workbench.corpus.corpus import Corpus, SourceFile

# What a run publishes of the corpus that was read in it: ``told``.
NOTICED = "noticed"
_FILES = 3


def encodings(corpus: Corpus) -> str:
    """The encodings of the files, the most frequent first: "UTF-8, Windows-1252 (2 files)"."""
    counted = Counter(file.encoding for file in corpus.files if file.encoding)
    several = len(counted) > 1
    return ", ".join(
        name + (f" ({number:,} file{'s' if number > 1 else ''})" if several and at else "")
        for at, (name, number) in enumerate(counted.most_common())
    )


def told(corpus: Corpus) -> tuple[str, ...]:
    """What to tell where no facts are shown: encodings other than UTF-8, and what was noticed."""
    unusual = any(file.encoding not in ("", "UTF-8") for file in corpus.files)
    return (*([f"Encodings: {encodings(corpus)}."] if unusual else []), *noticed(corpus))


def noticed(corpus: Corpus) -> list[str]:
    """What deserves to be known, a sentence each: columns taken, characters replaced, files that changed."""
    files = corpus.files
    sentences = []
    columns = sorted({file.column for file in files if file.column})
    if columns:
        named = "”, “".join(columns[:_FILES]) + ("” and others" if len(columns) > _FILES else "”")
        sentences.append(f"Read from the column{'s' if len(columns) > 1 else ''} “{named}.")
    damaged = [file for file in files if file.undecodable]
    if damaged:
        total = sum(file.undecodable for file in damaged)
        sentences.append(
            f"{total:,} place{'s' if total > 1 else ''} could not be decoded and became U+FFFD: {_places(damaged)}."
        )
    noted = [file for file in files if file.note]
    sentences += [f"{PurePath(file.path).name}: {file.note}" for file in noted[:_FILES]]
    if len(noted) > _FILES:
        sentences.append(f"There are notes on {len(noted) - _FILES:,} more files.")
    return sentences


def _places(damaged: list[SourceFile]) -> str:
    def one(file: SourceFile) -> str:
        lines = ", ".join(f"{line:,}" for line in file.lines)
        more = " and more" if file.undecodable > len(file.lines) else ""
        return f"{PurePath(file.path).name}, line{'s' if len(file.lines) > 1 else ''} {lines}{more}"

    told = "; ".join(one(file) for file in damaged[:_FILES])
    return told + (f"; and in {len(damaged) - _FILES:,} more files" if len(damaged) > _FILES else "")
