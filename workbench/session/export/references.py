"""Citations of algorithms as BibTeX entries and in sentences."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

_CITATION = re.compile(r"(?P<authors>.+?) (?P<year>\d{4}), (?P<title>.+)")
# The part after a title: the place in the work, and the venue.
_PLACE = re.compile(r",? (eq\.|section|chapter|p\.|pp\.) ?[\d.–-]+$")
_VENUE = re.compile(r"(?P<title>.+?) \((?P<venue>[^()]+)\)$")
_JOURNAL = re.compile(r"(?P<journal>.+?) (?P<volume>\d+)$")
_ARXIV = re.compile(r"arXiv:? ?(?P<number>\d{4}\.\d{4,5})")
# Conference series; other venues with a number are journals.
_CONFERENCES = ("EMNLP", "NIPS", "NAACL", "ACL", "ICLR", "ICML", "COLING", "CoNLL", "SIGIR")
_SMALL = {"a", "an", "the", "of", "on", "for", "and", "in", "with", "by", "to", "from"}
_BRACES = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "$": r"\$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "’": "'",
}


@dataclass(frozen=True)
class Reference:
    """One work: surnames of its authors, and its venue as in the citation, or ""."""

    authors: tuple[str, ...]
    year: str
    title: str
    venue: str

    @property
    def key(self) -> str:
        """BibTeX key: ``mikolov2013distributed``."""
        words = re.findall(r"[a-z0-9]+", _to_ascii(self.title))
        first = next((word for word in words if word not in _SMALL), "")
        return re.sub(r"[^a-z0-9]", "", _to_ascii(self.authors[0])) + self.year + first

    @property
    def short_name(self) -> str:
        """Short name for a sentence: “Mikolov et al. 2013”, “Levy & Goldberg 2014”."""
        if len(self.authors) > 2:
            return f"{self.authors[0]} et al. {self.year}"
        return f"{' & '.join(self.authors)} {self.year}"

    @property
    def entry(self) -> str:
        """The BibTeX entry."""
        kind, fields = "misc", {"author": " and ".join(map(_escape_braces, self.authors))}
        fields |= {"title": "{" + _escape_braces(self.title) + "}", "year": self.year}
        arxiv, journal = _ARXIV.search(self.venue), _JOURNAL.fullmatch(self.venue)
        if arxiv:
            fields |= {"eprint": arxiv["number"], "archiveprefix": "arXiv"}
        elif self.venue.split(" ")[0] in _CONFERENCES:
            kind, fields["booktitle"] = "inproceedings", _escape_braces(self.venue)
        elif journal:
            kind = "article"
            fields |= {"journal": _escape_braces(journal["journal"]), "volume": journal["volume"]}
        elif self.venue:
            fields["note"] = _escape_braces(self.venue)
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items())
        return f"@{kind}{{{self.key},\n{lines}\n}}"


def parse(citation: str) -> list[Reference]:
    """The works that a citation names; a part that isn’t a citation is left out."""
    found: list[Reference] = []
    for part in citation.split("; "):
        match = _CITATION.fullmatch(part.strip())
        if match is None:
            continue
        title = _PLACE.sub("", match["title"])
        inner = _VENUE.fullmatch(title)
        venue = inner["venue"] if inner else ""
        authors = tuple(
            name.strip() for name in re.split(r", | & ", match["authors"]) if name.strip()
        )
        found.append(Reference(authors, match["year"], inner["title"] if inner else title, venue))
    return found


def workbench_entry(version: str) -> str:
    """The BibTeX entry for the workbench itself."""
    note = f"Version {_escape_braces(version)}" if version else "Version unknown"
    title = "@misc{embeddingworkbench,\n  title = {{Embedding Workbench}},\n"
    return f"{title}  note = {{{note}}}\n}}"


def _to_ascii(text: str) -> str:
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()


def _escape_braces(text: str) -> str:
    return "".join(_BRACES.get(letter, letter) for letter in text)
