"""The language of everything a person reads: ``tr`` around every such text, and the catalogue it is
looked up in.

A process speaks one language. It is chosen at the first text that is asked for, which may be while
modules are imported: ``WORKBENCH_LANGUAGE``, else what the preferences say, else the system's, else
English, in which the texts of the source are written. A translation is a gettext catalogue,
``resources/translations/<language>.mo``; docs/translating.md explains how to make and maintain it.
"""

from __future__ import annotations

import gettext
import os
import string
import threading
from functools import cache
from pathlib import Path
from typing import Any

from workbench.core.json_text import json_of_file
from workbench.core.operating_system import system

MINUS = "\u2212"
ENGLISH = "en"
# In which every text is put between brackets: what has none on the screen was forgotten.
PSEUDO = "pseudo"
# Key of the setting.
LANGUAGE_KEY = "language"
# The context of values that hyperparameters can have.
CHOICE = "choice"
# Languages with decimal commas: a narrow space separates thousands in them. The point stays, as in
# the fields where numbers are typed, in files and in the papers.
_COMMA = frozenset({"de"})
_NARROW_BLANK = "\u202f"
# Stands before a percent sign there; no line breaks at it.
_BLANK = "\u00a0"
# Whether this thread is about to read the language from the settings.
_looking = threading.local()


def tr(text: str, /, **values: Any) -> str:
    """``text`` in the language of the process. With values it is a template as of ``str.format``:
    ``tr("{n:,} words", n=3)``; a literal brace is doubled. The text must be a literal in the call:
    it is found by reading the source. Keys in it, such as Ctrl+O, are named as on this system.
    """
    translation = text
    if text:
        translation = system().write_keys(_catalogue().gettext(text))
    if values:
        return _FORMAT.vformat(translation, (), values)
    return translation


def trc(context: str, text: str, /, **values: Any) -> str:
    """``tr`` of a text that other languages say in several ways, by what it is here: ``trc("verb",
    "Count")``.
    """
    translation = _catalogue().pgettext(context, text)
    if values:
        return _FORMAT.vformat(translation, (), values)
    return translation


def choice_text(value: str) -> str:
    """One of a hyperparameter's ``choices`` as people read it; files and command lines hold
    ``value`` itself.
    """
    if value:
        return _catalogue().pgettext(CHOICE, value)
    return value


def trn(one: str, more: str, number: int, /, **values: Any) -> str:
    """``tr`` of one of two templates, as the language has it for ``number``, by which name they may
    show it.
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


def digits(text: str) -> str:
    """A number that was written the English way ("1,204.5"), so that no reader of the language
    takes it for another.
    """
    if language() in _COMMA:
        return text.replace(",", _NARROW_BLANK)
    return text


def percent(number: str) -> str:
    """A number with the percent sign: "50%" in English, "50 %" in German."""
    if language() in _COMMA:
        return f"{number}{_BLANK}%"
    return f"{number}%"


@cache
def language() -> str:
    """The language of this process: "en", the name of a catalogue, or ``PSEUDO``."""
    try:
        known = {ENGLISH, *languages()}
    except ImportError:
        # Of the packages that lead to the folders one is not installed, which launch.py is about to
        # say.
        return ENGLISH
    setting = os.environ.get("WORKBENCH_LANGUAGE", "")
    for wanted in (setting, _language_setting(), _system_language()):
        if wanted == PSEUDO or wanted in known:
            return wanted
    return ENGLISH


def languages() -> dict[str, str]:
    """The languages there are catalogues of, by key, each named in itself."""
    from workbench.core import paths  # which tells its own errors in words of this module

    names = {"de": "Deutsch"}
    folder = paths.resources() / "translations"
    return {path.stem: names.get(path.stem, path.stem) for path in sorted(folder.glob("*.mo"))}


def source_text(text: str) -> str:
    """The English text of which ``text``, without values in it, is the translation; itself where
    there is none.
    """
    return _sources_by_translation().get(text, text)


def localised_path(path: Path) -> Path:
    """The file of the language that stands for ``path``, an English one: ``lessons/de/x.md`` for
    ``lessons/x.md``, where there is one.
    """
    other = path.parent / language() / path.name
    if other.exists():
        return other
    return path


def _language_setting() -> str:
    from workbench.core import paths
    from workbench.core.errors import UserError

    if getattr(_looking, "now", False):
        # Problems with the settings folder are reported in words of this module.
        return ""
    _looking.now = True
    try:
        read = json_of_file(paths.settings_folder() / "settings.json")
    except (OSError, ValueError, UserError):
        return ""
    finally:
        _looking.now = False
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
    # A text with a context follows the context and this sign.
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
    chosen = language()
    if chosen == PSEUDO:
        return _Pseudo()
    if chosen != ENGLISH:
        from workbench.core import paths

        try:
            with (paths.resources() / "translations" / f"{chosen}.mo").open("rb") as file:
                return gettext.GNUTranslations(file)
        except (OSError, ValueError, UnicodeDecodeError):
            # It comes with the program; without it all is said in English.
            pass
    return gettext.NullTranslations()


class _Formatter(string.Formatter):
    """Numbers come out as ``digits`` and ``percent`` have them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        text = str(super().format_field(value, format_spec))
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if format_spec.endswith("%"):
                return percent(digits(text.removesuffix("%")))
            return digits(text)
        return text


_FORMAT = _Formatter()
