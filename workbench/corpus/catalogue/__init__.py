"""Catalogue of public corpora for download: descriptions, licences and checksums.

A download starts only on request (:mod:`workbench.corpus.catalogue.download`).
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.paths import cache_folder
from workbench.corpus.corpus import CorpusOptions


@dataclass(frozen=True)
class CatalogueEntry:
    """A public corpus.

    url : address of the download; ``mirrors`` are tried after it
    size : published size of the download in bytes, 0 if it changes from time to time
    licence, source : licence of the text, and the page that describes it
    checksum : "md5:…" or "sha1:…", published at ``checksum_source``; "" if none is published for
    the current file: then that of the first download is recorded
    member : the member of the archive that has this checksum, "" for the download itself
    include : members with the text, as in ``CorpusOptions.include``
    """

    key: str
    title: str
    summary: str
    url: str
    file: str
    size: int
    licence: str
    source: str
    checksum: str = ""
    checksum_source: str = ""
    member: str = ""
    include: str = ""
    mirrors: tuple[str, ...] = ()

    @property
    def place(self) -> Path:
        """Path of the downloaded file."""
        return cache_folder("downloads", self.key) / self.file

    @property
    def here(self) -> bool:
        """Whether it was downloaded."""
        return self.place.is_file()

    def prove_here(self) -> None:
        """Raise UserError if the corpus isn’t downloaded."""
        if not self.here:
            raise UserError(
                tr("{title} hasn’t been downloaded yet.", title=self.title),
                tr("Download the corpus with: workbench corpora get {key}.", key=self.key),
            )


_MAHONEY = "http://mattmahoney.net/dc/textdata.html"
_TORCHTEXT = "torchtext/datasets/wikitext{}.py in github.com/pytorch/text"
_GLUON = "gluonnlp/data/corpora/large_text_compression_benchmark.py in github.com/dmlc/gluon-nlp"
_WIKIPEDIA = "CC BY-SA 3.0 and GFDL (Wikipedia)"

CATALOGUE: Mapping[str, CatalogueEntry] = MappingProxyType(
    {
        entry.key: entry
        for entry in (
            CatalogueEntry(
                key="text8",
                title="text8",
                summary=tr(
                    "17 million words of the English Wikipedia from 2006, lowercase and without "
                    "punctuation: the corpus of word2vec’s demo."
                ),
                url="https://mattmahoney.net/dc/text8.zip",
                file="text8.zip",
                size=31_344_016,
                licence=_WIKIPEDIA,
                source=_MAHONEY,
                checksum="sha1:6c70299b93b7e1f927b42cd8f6ac1a31547c7a2e",
                checksum_source=_GLUON,
            ),
            CatalogueEntry(
                key="enwik9",
                title="enwik9",
                summary=tr(
                    "The first gigabyte of the English Wikipedia dump of March 2006. "
                    "Markup is stripped while reading."
                ),
                url="https://mattmahoney.net/dc/enwik9.zip",
                file="enwik9.zip",
                size=322_592_222,
                licence=_WIKIPEDIA,
                source=_MAHONEY,
                checksum="sha1:2996e86fb978f93cca8f566cc56998923e7fe581",
                checksum_source=_MAHONEY,
                member="enwik9",
            ),
            CatalogueEntry(
                key="wikitext-2",
                title="WikiText-2",
                summary=tr(
                    "2 million words of good and featured Wikipedia articles, tokenised. "
                    "Only the training part is read."
                ),
                url="https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-2-v1.zip",
                file="wikitext-2-v1.zip",
                size=4_475_746,
                licence="CC BY-SA 3.0 (Wikipedia)",
                source="https://arxiv.org/abs/1609.07843",
                checksum="md5:542ccefacc6c27f945fb54453812b3cd",
                checksum_source=_TORCHTEXT.format(2),
                include="*.train.tokens",
                mirrors=("https://wikitext.smerity.com/wikitext-2-v1.zip",),
            ),
            CatalogueEntry(
                key="wikitext-103",
                title="WikiText-103",
                summary=tr(
                    "103 million words of good and featured Wikipedia articles, tokenised. "
                    "Only the training part is read."
                ),
                url="https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-103-v1.zip",
                file="wikitext-103-v1.zip",
                size=190_229_076,
                licence="CC BY-SA 3.0 (Wikipedia)",
                source="https://arxiv.org/abs/1609.07843",
                checksum="md5:9ddaacaf6af0710eda8c456decff7832",
                checksum_source=_TORCHTEXT.format(103),
                include="*.train.tokens",
                mirrors=("https://wikitext.smerity.com/wikitext-103-v1.zip",),
            ),
            CatalogueEntry(
                key="simple-wikipedia",
                title="Simple English Wikipedia",
                summary=tr(
                    "Articles of the Simple English Wikipedia from the latest monthly "
                    "dump, about 300 MB. The checksum changes every month and is recorded "
                    "at the first download."
                ),
                url="https://dumps.wikimedia.org/simplewiki/latest/simplewiki-latest-pages-articles-multistream.xml.bz2",
                file="simplewiki-latest-pages-articles-multistream.xml.bz2",
                size=0,
                licence="CC BY-SA 4.0 (Wikipedia)",
                source="https://dumps.wikimedia.org/simplewiki/",
            ),
        )
    }
)


def entry_of(key: str) -> CatalogueEntry:
    """The entry with this key. Raises UserError listing the known keys."""
    try:
        return CATALOGUE[key]
    except KeyError:
        raise UserError(
            tr("Unknown corpus “{key}”.", key=key),
            tr("Choose one of: {names}.", names=", ".join(CATALOGUE)),
        ) from None


def sample_key(paths: Sequence[str | Path]) -> str:
    """The key of the bundled corpus that ``paths`` name, or "" if they name files."""
    if len(paths) != 1 or os.sep in str(paths[0]) or Path(paths[0]).exists():
        return ""
    from workbench.corpus.samples import SAMPLES

    key = str(paths[0])
    if key not in SAMPLES:
        return ""
    return key


def public_entry(paths: Sequence[str | Path]) -> CatalogueEntry | None:
    """The entry of the catalogue that ``paths`` name, or None if they name files."""
    if len(paths) != 1 or os.sep in str(paths[0]) or Path(paths[0]).exists():
        return None
    return CATALOGUE.get(str(paths[0]))


def refuse_similar_key(paths: Sequence[str | Path]) -> None:
    """Raise UserError for the name of no file that is nearly the key of a bundled corpus."""
    if len(paths) != 1 or os.sep in str(paths[0]) or Path(paths[0]).exists():
        return
    from workbench.corpus.samples import SAMPLES

    found = difflib.get_close_matches(str(paths[0]), [*SAMPLES, *CATALOGUE], 1, 0.8)
    if found:
        raise UserError(
            tr("The file or folder {given} doesn’t exist.", given=paths[0]),
            tr("Did you mean “{name}”?", name=found[0]),
        )


def options_for_entry(entry: CatalogueEntry, options: CorpusOptions | None) -> CorpusOptions:
    """Options for reading a public corpus: only the part of its archive that is the text."""
    options = options or CorpusOptions()
    if options.include:
        return options
    return options.replace(include=entry.include)
