"""Reading options of each text, kept by its files so that choices for one text don’t carry over to
the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os.path import expanduser
from typing import Any

from workbench.core.errors import UserError
from workbench.core.json_text import of_json
from workbench.core.paths import cache_folder
from workbench.corpus.corpus import LISTS, OF_FILES, CorpusOptions
from workbench.corpus.tokenisers import TOKENISERS
from workbench.session.settings import Settings, exists

_READINGS, _CHOICES = "corpus.readings", "corpus.choices"
# What version 0.1.0 kept for whatever was opened next, and the digest of what was open when it was
# chosen.
_OF_ALL, _OF_ALL_OVER = "corpus.options", "corpus.options.over"
_MOST = 200


class Readings:
    """What files were read by last, and what is chosen for an open corpus that was not read again
    yet.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        _bring_up_to_date(settings)

    def of(self, paths: Sequence[str]) -> CorpusOptions | None:
        """How these were read when they were opened last, None where they never were; without
        packages and lists of words that are no longer there.
        """
        wanted = list(paths)
        kept = next(
            (
                entry["options"]
                for entry in self._entries(_READINGS, "paths", list)
                if entry["paths"] == wanted
            ),
            self._settings.recent_options(wanted),
        )
        if kept is not None:
            return without_missing(kept)
        return None

    def keep(self, paths: Sequence[str], options: CorpusOptions) -> None:
        """These files were read in this way."""
        self._put(_READINGS, "paths", list(paths), options.non_defaults())

    def choice(self, digest: str) -> CorpusOptions | None:
        """What is chosen for a corpus instead of what it was read by."""
        found = (
            entry["options"]
            for entry in self._entries(_CHOICES, "digest", str)
            if entry["digest"] == digest
        )
        kept = next(found, None)
        if kept is not None:
            return without_missing(kept)
        return None

    def choose(self, digest: str, options: CorpusOptions | None) -> None:
        """Another choice for a corpus, not applied yet; None takes it back."""
        self._put(
            _CHOICES,
            "digest",
            digest,
            None if options is None else options.lasting().non_defaults(),
        )

    def _put(self, name: str, key: str, value: object, options: Mapping[str, Any] | None) -> None:
        others = [entry for entry in self._entries(name, key, type(value)) if entry[key] != value]
        if options is None:
            own = []
        else:
            own = [{key: value, "options": dict(options)}]
        self._settings.set(name, [*own, *others][:_MOST])

    def _entries(self, name: str, key: str, kind: type) -> list[dict[str, Any]]:
        kept = self._settings.get(name, [])
        return [
            entry
            for entry in (kept if isinstance(kept, list) else [])
            if isinstance(entry, dict)
            and isinstance(entry.get(key), kind)
            and isinstance(entry.get("options"), dict)
        ]


def without_missing(kept: object) -> CorpusOptions:
    """Options as they were kept, without what is no longer there: packages, lists of words."""
    try:
        if isinstance(kept, dict):
            made = CorpusOptions.from_mapping(kept)
        else:
            made = CorpusOptions()
    except UserError:
        return CorpusOptions()
    if TOKENISERS[made.tokeniser].missing() is not None:
        made = made.replace(tokeniser=CorpusOptions().tokeniser)
    lists = {name: str(getattr(made, name)) for name in LISTS}
    return made.replace(
        **{
            name: ""
            for name, value in lists.items()
            if value[:1] == "@" and not exists(expanduser(value[1:]))
        }
    )


def _bring_up_to_date(settings: Settings) -> None:
    """Take back what 0.1.0 carried from one text to others. Only a text that the choice was made
    over keeps it.
    """
    if _OF_ALL not in settings.all():
        return
    carried = without_missing(settings.get(_OF_ALL)).lasting().effective()
    if carried != CorpusOptions():
        over = _files_of(settings.get(_OF_ALL_OVER))
        last, recent = settings.get("corpus"), settings.get("recent")
        if isinstance(last, dict):
            settings.set("corpus", _without(last, carried, over))
        if isinstance(recent, list):
            settings.set(
                "recent",
                [_without(one, carried, over) if isinstance(one, dict) else one for one in recent],
            )
    settings.forget(_OF_ALL, _OF_ALL_OVER)


def _without(
    entry: Mapping[str, Any], carried: CorpusOptions, over: Sequence[str]
) -> dict[str, Any]:
    """An entry of the settings as it would be, had the choice not been carried to it."""
    paths = entry.get("paths")
    options = without_missing(entry.get("options"))
    own = isinstance(paths, list) and any(
        file.startswith(str(path)) for file in over for path in paths
    )
    if own or options.lasting().effective() != carried:
        return dict(entry)
    # The digest is that of the other reading.
    kept = {name: value for name, value in entry.items() if name not in ("digest", "options")}
    of_files = {name: value for name, value in options.non_defaults().items() if name in OF_FILES}
    if isinstance(paths, list):
        return {**kept, "options": of_files}
    return kept


def _files_of(digest: object) -> list[str]:
    """What a corpus of the cache was read from, by the index that leads to it."""
    files: list[str] = []
    for entry in sorted(cache_folder("corpora").glob("index/*.json")):
        try:
            content = of_json(entry.read_text(encoding="utf-8"))
            if content["digest"] == digest:
                files += [str(file["path"]) for file in content["files"]]
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
    return files
