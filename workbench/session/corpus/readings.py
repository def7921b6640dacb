"""Reading options of each text, kept by its files so that choices for one text don’t carry over to
the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.core.setting import Setting
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.stored_options import without_missing
from workbench.session.settings.settings_file import Settings

_MOST = 200

Entries = tuple[Mapping[str, Any], ...]


def _entries_by(key: str, kind: type) -> Callable[[Any], Entries | None]:
    """Decoder of a list of objects that have ``options`` for a value of ``key``."""

    def decode(value: Any) -> Entries | None:
        if not isinstance(value, list):
            return None
        return tuple(
            entry
            for entry in value
            if isinstance(entry, dict)
            and isinstance(entry.get(key), kind)
            and isinstance(entry.get("options"), dict)
        )

    return decode


READINGS = Setting[Entries]("corpus.readings", _entries_by("paths", list), ())
CHOICES = Setting[Entries]("corpus.choices", _entries_by("digest", str), ())


class Readings:
    """Last reading options of files, and options chosen for an open corpus that has not yet been
    read with them.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def of(self, paths: Sequence[str]) -> CorpusOptions | None:
        """Options with which these files were last read, without packages and word lists that no
        longer exist; None if they were never read.
        """
        return self._find(READINGS, "paths", list(paths))

    def keep(self, paths: Sequence[str], options: CorpusOptions) -> None:
        """Remember the options with which these files were read."""
        self._put(READINGS, "paths", list(paths), options.non_defaults())

    def choice(self, digest: str) -> CorpusOptions | None:
        """Chosen options of a corpus that differ from those it was read with."""
        return self._find(CHOICES, "digest", digest)

    def choose(self, digest: str, options: CorpusOptions | None) -> None:
        """Choose other options for a corpus, without applying them; None discards the choice."""
        self._put(
            CHOICES,
            "digest",
            digest,
            None if options is None else options.lasting().non_defaults(),
        )

    def _find(self, setting: Setting[Entries], key: str, value: object) -> CorpusOptions | None:
        for entry in self._settings[setting]:
            if entry[key] == value:
                return without_missing(entry["options"])
        return None

    def _put(
        self,
        setting: Setting[Entries],
        key: str,
        value: object,
        options: Mapping[str, Any] | None,
    ) -> None:
        entries = [entry for entry in self._settings[setting] if entry[key] != value]
        if options is not None:
            entries = [{key: value, "options": dict(options)}, *entries]
        self._settings[setting] = tuple(entries[:_MOST])
