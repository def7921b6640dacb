"""The language of all texts for users: ``tr`` around every such text, and the catalogue of
translations.

A process uses one language. It is chosen at the first request for a text, which may be while
modules are imported: ``WORKBENCH_LANGUAGE``, else the language in the preferences, else the
system's, else English, the language of the texts in the source. A translation is a gettext
catalogue, ``resources/translations/<language>.mo``; docs/translating.md explains how to make and
maintain it.
"""

from __future__ import annotations

import gettext
import os
import string
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from workbench.core import folders
from workbench.core.json_text import json_of_file
from workbench.core.operating_system import system

MINUS = "\u2212"
ENGLISH = "en"
# A language that puts every text between brackets: texts without brackets lack ``tr``.
PSEUDO = "pseudo"
# Key of the setting.
LANGUAGE_KEY = "language"
# The context of values of hyperparameters.
CHOICE = "choice"
# Languages with decimal commas: a narrow space separates thousands.
_COMMA = frozenset({"de"})
_NARROW_BLANK = "\u202f"
# Precedes a percent sign in these languages, without a line break.
_BLANK = "\u00a0"
# An entry for each ``decimal_points`` in force.
_keeping_points: list[bool] = []


def tr(text: str, /, **values: Any) -> str:
    """``text`` in the language of the process. With values, it is a template for ``str.format``:
    ``tr("{n:,} words", n=3)``; literal braces are doubled. The text must be a literal in the call,
    because it is extracted from the source. Keys such as Ctrl+O are named as on this system.
    """
    translation = system().write_keys(_catalogue().gettext(text)) if text else text
    if values:
        return _FORMAT.vformat(translation, (), values)
    return translation


def trc(context: str, text: str, /, **values: Any) -> str:
    """``tr`` for a text with several translations, chosen by a context: ``trc("verb",
    "Count")``.
    """
    translation = _catalogue().pgettext(context, text)
    if values:
        return _FORMAT.vformat(translation, (), values)
    return translation


def mark(text: str) -> str:
    """The text itself. Modules that import it as ``tr`` mark texts for the catalogues that
    ``translation`` looks up later, in several languages.
    """
    return text


def translation(text: str, language: str) -> str:
    """A text of the source in any language that has a catalogue, whatever the language of the
    process; the text itself if it isn’t translated.
    """
    if text:
        return _catalogue_of(language).gettext(text)
    return text


def choice_text(value: str, language: str = "") -> str:
    """The text of one of a hyperparameter's ``choices``, in the language of the process or another;
    files and command lines contain ``value`` itself.
    """
    if value:
        known = _catalogue_of(language) if language else _catalogue()
        return known.pgettext(CHOICE, value)
    return value


def trn(one: str, more: str, number: int, /, **values: Any) -> str:
    """``tr`` of one of two templates, the singular or plural form for ``number``, which the
    templates may contain under that name.
    """
    return _FORMAT.vformat(
        _catalogue().ngettext(one, more, number), (), {"number": number, **values}
    )


def plural(number: int, noun: str, nouns: str = "") -> str:
    """ "1 word", "1,843 words"; looked up as ``trn("{number:,} word", "{number:,} words",
    number)``.
    """
    one = f"{{number:,}} {noun}"
    more = f"{one}s"
    if nouns:
        more = f"{{number:,}} {nouns}"
    text = trn(one, more, number)
    # The noun may contain a hyphen.
    if number < 0:
        return text.replace("-", MINUS, 1)
    return text


def digits(text: str, name: str = "") -> str:
    """A number in English notation ("1,204.5") in the notation of the language: "1 204,5" in
    German. All numbers for people go through this function, once; files and scripts keep points.

    name : code of another language than the process’s, for pages in several languages; its decimal
    mark is used on command lines, too
    """
    if (name or language()) in _COMMA:
        text = text.replace(",", _NARROW_BLANK)
        if name or not _keeping_points:
            return text.replace(".", ",")
    return text


@contextmanager
def decimal_points() -> Iterator[None]:
    """Meanwhile, ``digits`` writes points in all languages, as command lines and files do."""
    _keeping_points.append(True)
    try:
        yield
    finally:
        _keeping_points.pop()


def percent(number: str, name: str = "") -> str:
    """A number with the percent sign: "50%" in English, "50 %" in German; ``name`` as for
    ``digits``.
    """
    if (name or language()) in _COMMA:
        return f"{number}{_BLANK}%"
    return f"{number}%"


@cache
def language() -> str:
    """The language of this process: "en", the name of a catalogue, or ``PSEUDO``."""
    return next_language()


def next_language() -> str:
    """The language of a process that starts now: the preferences may have changed since the start
    of this one.
    """
    known = {ENGLISH, *languages()}
    setting = os.environ.get("WORKBENCH_LANGUAGE", "")
    for wanted in (setting, _language_setting(), _system_language()):
        if wanted == PSEUDO or wanted in known:
            return wanted
    return ENGLISH


def languages() -> dict[str, str]:
    """The languages that have catalogues, by key, each with its own name for itself."""
    names = {"de": "Deutsch"}
    folder = folders.resources() / "translations"
    return {path.stem: names.get(path.stem, path.stem) for path in sorted(folder.glob("*.mo"))}


def source_text(text: str) -> str:
    """The English text whose translation is ``text``, without values in it; ``text`` itself if
    there is none.
    """
    return _sources_by_translation().get(text, text)


def localised_path(path: Path) -> Path:
    """The translated file for ``path``, an English file: ``lessons/de/x.md`` for ``lessons/x.md``,
    if it exists.
    """
    other = path.parent / language() / path.name
    if other.exists():
        return other
    return path


def _language_setting() -> str:
    try:
        settings = folders.make_folder(folders.settings_place())
        read = json_of_file(settings / "settings.json")
    except (OSError, ValueError):
        return ""
    except ImportError:
        # A package that finds the folder is not installed, which launch.py will report.
        return ""
    if isinstance(read, dict) and isinstance(read.get(LANGUAGE_KEY), str):
        return str(read[LANGUAGE_KEY])
    return ""


def _system_language() -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name, ""):
            return value.partition("_")[0].partition(".")[0].lower()
    return system().user_language()


@cache
def _sources_by_translation() -> dict[str, str]:
    """The texts of the source by their translations."""
    known = getattr(_catalogue(), "_catalog", {})
    # A text with a context follows the context and this character.
    return {
        said: text.rpartition("\x04")[2]
        for text, said in known.items()
        if isinstance(text, str) and text
    }


class _Pseudo(gettext.NullTranslations):
    def gettext(self, message: str) -> str:
        if message.startswith("⟦"):
            return message
        return f"⟦{message}⟧"

    def pgettext(self, context: str, message: str) -> str:
        return self.gettext(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        if n == 1:
            return self.gettext(msgid1)
        return self.gettext(msgid2)


@cache
def _catalogue() -> gettext.NullTranslations:
    return _catalogue_of(language())


@cache
def _catalogue_of(chosen: str) -> gettext.NullTranslations:
    if chosen == PSEUDO:
        return _Pseudo()
    if chosen != ENGLISH:
        try:
            with (folders.resources() / "translations" / f"{chosen}.mo").open("rb") as file:
                return gettext.GNUTranslations(file)
        except (OSError, ValueError, UnicodeDecodeError):
            # The catalogue comes with the program; without it, all texts are English.
            pass
    return gettext.NullTranslations()


class _Formatter(string.Formatter):
    """Formats numbers like ``digits`` and ``percent``."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = str(super().format_field(value, format_spec))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if format_spec.endswith("%"):
                return percent(digits(text.removesuffix("%")))
            return digits(text)
        return text


_FORMAT = _Formatter()
