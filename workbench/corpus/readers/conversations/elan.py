"""ELAN transcriptions (EAF, Max Planck Institute for Psycholinguistics): the annotations of tiers,
in order of time.

All tiers of one linguistic type are read, because each speaker has one; a column chooses a single
tier. A second without an annotation ends the paragraph.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.records import LONGEST, blocks, too_long, worth
from workbench.corpus.readers.safe_xml import parse, root_name

_PAUSE = 1.0
_ROWS = 200
# Annotations of fewer words than this on average are words, which make up one line.
_WORDS = 1.5


@dataclass
class _Tier:
    """A tier: its linguistic type, and its annotations with begin and end in seconds."""

    kind: str
    labels: list[tuple[float, float, str]] = field(default_factory=list)

    @property
    def texts(self) -> list[str]:
        return [label for _, _, label in self.labels]


class Elan(Reader):
    key = "elan"
    title = tr("ELAN transcription")
    suffixes = (".eaf",)
    columns = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        return root_name(document.head) == "ANNOTATION_DOCUMENT"

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        handler = _Annotations()
        for _ in parse(document, handler):
            if handler.size > LONGEST:
                raise too_long(document.shown, 1)
            yield b""
        names = _choose_tiers(handler.tiers, document)
        document.findings.column = ", ".join(names)
        yield from blocks(_paragraphs([handler.tiers[name] for name in names]))

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        handler = _Annotations()
        with suppress(UserError):
            for _ in parse(replace(document, rest=io.BytesIO()), handler):
                pass
        tiers = handler.tiers
        if not tiers:
            return None
        rows = min(max(len(tier.labels) for tier in tiers.values()), _ROWS)
        cells = [
            tuple(tier.texts[at] if at < len(tier.labels) else "" for tier in tiers.values())
            for at in range(rows)
        ]
        return ColumnPreview(tuple(tiers), list(tiers).index(_longest(tiers)), tuple(cells))


class _Annotations:
    """Takes a transcription. ``tiers``: by name; ``size``: number of characters."""

    def __init__(self) -> None:
        self.tiers: dict[str, _Tier] = {}
        self.size = 0
        self._slots: dict[str, float] = {}
        # Times of annotations, for others that refer to them.
        self._times: dict[str, tuple[float, float]] = {}
        self._tier = _Tier("")
        self._time = (0.0, 0.0)
        self._pieces: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "TIME_SLOT":
            with suppress(ValueError):
                milliseconds = float(attributes.get("TIME_VALUE", ""))
                self._slots[attributes.get("TIME_SLOT_ID", "")] = milliseconds / 1000
        elif name == "TIER":
            tier = _Tier(attributes.get("LINGUISTIC_TYPE_REF", ""))
            self._tier = self.tiers.setdefault(attributes.get("TIER_ID", ""), tier)
        elif name == "ALIGNABLE_ANNOTATION":
            # A slot without a time follows the one before it.
            begin = self._slots.get(attributes.get("TIME_SLOT_REF1", ""), self._time[1])
            end = self._slots.get(attributes.get("TIME_SLOT_REF2", ""), begin)
            self._time = (begin, max(begin, end))
            self._times[attributes.get("ANNOTATION_ID", "")] = self._time
        elif name == "REF_ANNOTATION":
            self._time = self._times.get(attributes.get("ANNOTATION_REF", ""), self._time)
            self._times[attributes.get("ANNOTATION_ID", "")] = self._time
        elif name == "ANNOTATION_VALUE":
            self._pieces = []

    def data(self, text: str) -> None:
        if self._pieces is not None:
            self._pieces.append(text)
            self.size += len(text)

    def end(self, name: str) -> None:
        if name == "ANNOTATION_VALUE" and self._pieces is not None:
            text = " ".join("".join(self._pieces).split())
            if text:
                self._tier.labels.append((*self._time, text))
            self._pieces = None


def _longest(tiers: dict[str, _Tier]) -> str:
    return max(tiers, key=lambda name: worth(name, tiers[name].texts), default="")


def _choose_tiers(tiers: dict[str, _Tier], document: Document) -> list[str]:
    """The tiers to read: the one that the options choose, or those of the type with the most
    text. Raises UserError.
    """
    wanted = document.options.column.strip()
    if wanted and wanted not in tiers:
        raise UserError(
            tr("{shown} has no tier “{wanted}”.", shown=document.shown, wanted=wanted),
            tr("Choose one of: {few}.", few=", ".join(tiers)),
        )
    if wanted or not tiers:
        return [wanted] if wanted else []
    sizes: dict[str, int] = {}
    for tier in tiers.values():
        words = sum(len(text.split()) for text in tier.texts)
        sizes[tier.kind] = sizes.get(tier.kind, 0) + words
    # A transcription comes before its translations.
    kind = max(sizes, key=lambda kind: sizes[kind])
    return [name for name, tier in tiers.items() if tier.kind == kind and tier.labels]


def _paragraphs(tiers: list[_Tier]) -> Iterator[str]:
    labels = sorted((label for tier in tiers for label in tier.labels), key=lambda label: label[0])
    words = sum(len(text.split()) for _, _, text in labels)
    joint = " " if words < _WORDS * len(labels) else "\n"
    waiting: list[str] = []
    spoken = 0.0
    for begin, end, text in labels:
        if waiting and begin - spoken >= _PAUSE:
            yield joint.join(waiting)
            waiting = []
        waiting.append(text)
        spoken = max(spoken, end)
    yield joint.join(waiting)
