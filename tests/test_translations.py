"""Translations: texts can be extracted, are all translated, and fill in the same values."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core import language
from workbench.core.language import choice_text, digits, plural, tr, trc, trn
from workbench.core.params import Params
from workbench.corpus.corpus import CorpusOptions
from workbench.counts.cluster import ClusterParams
from workbench.counts.params import CountWindowParams
from workbench.models.base import MODELS

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def speak(monkeypatch: pytest.MonkeyPatch):
    # Declarations use the language set when they are imported; loaded here, they stay English.
    assert len(list(MODELS)) > 10

    def choose(name: str) -> None:
        monkeypatch.setenv("WORKBENCH_LANGUAGE", name)
        _forget()

    yield choose
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for cache in (language.language, language._catalogue, language._sources_by_translation):
        cache.cache_clear()


def test_english_is_the_text_in_the_source() -> None:
    assert language.language() == "en"
    assert tr("Nothing to see") == "Nothing to see"
    assert tr("braces {stay} without values") == "braces {stay} without values"
    assert tr("{n:,} of {name}", n=1204, name="x") == "1,204 of x"
    assert trn("{number} thing", "{number} things", 1) == "1 thing"
    assert plural(1843, "word") == "1,843 words"
    assert plural(1, "entry", "entries") == "1 entry"
    assert plural(2, "entry", "entries") == "2 entries"


def test_german(speak) -> None:
    speak("de")
    assert language.language() == "de"
    assert tr("No text in any catalogue") == "No text in any catalogue"
    assert digits("1,204.5") == "1\u202f204,5"
    assert tr("{n:,} of {name}", n=1204, name="a,b") == "1\u202f204 of a,b"
    assert tr("Random errors of no text") == language.source_text("Random errors of no text")
    assert (
        language.source_text(tr("Nothing was downloaded from that address."))
        == "Nothing was downloaded from that address."
    )
    assert (
        tr("Nothing was downloaded from that address.")
        != "Nothing was downloaded from that address."
    )


def test_a_language_without_a_catalogue_is_english(speak) -> None:
    speak("xx")
    assert language.language() == "en"


def test_the_language_of_the_preferences(speak, home: Path) -> None:
    (home / "settings").mkdir()
    (home / "settings" / "settings.json").write_text('{"language": "de"}', encoding="utf-8")
    speak("")
    assert language.language() == "de"
    (home / "settings" / "settings.json").write_text("[[[", encoding="utf-8")
    speak("")
    assert language.language() in ("en", *language.languages())


def test_everything_is_translated() -> None:
    """Every catalogue contains every text, translated, with the same placeholders."""
    pytest.importorskip("babel")
    process = subprocess.run(
        [sys.executable, str(ROOT / "tests" / "tools" / "translations.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout[-3000:]


def test_words_are_quoted_in_translated_texts_only() -> None:
    """Other languages have other quotation marks: “word”, but „Wort“."""
    untranslated = []
    for path in sorted((ROOT / "workbench" / "ui").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # Errors in a declaration are for programmers.
        raised = {
            part
            for node in ast.walk(tree)
            if isinstance(node, ast.Raise)
            for part in ast.walk(node)
        }
        untranslated += [
            f"{path.name}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            and node not in raised
            and any(
                isinstance(part, ast.Constant) and "“" in str(part.value) for part in node.values
            )
        ]
    assert not untranslated


def test_a_text_with_a_context_and_values_of_choices(speak) -> None:
    assert (trc("verb", "Count"), trc("noun", "{n} of it", n=1204)) == ("Count", "1204 of it")
    assert choice_text("dynamic") == "dynamic"
    speak("de")
    assert (trc("verb", "Count"), trc("noun", "Count")) == ("Zählen", "Häufigkeit")
    assert (choice_text("dynamic"), choice_text("words"), choice_text("")) == (
        "dynamisch",
        "Wörter",
        "",
    )
    assert choice_text("of no choice") == "of no choice"
    assert language.source_text("Einpassen") == "Fit"


def test_every_choice_has_its_translation(speak) -> None:
    speak("de")
    catalogue = language._catalogue()._catalog  # type: ignore[attr-defined]
    kinds: tuple[type[Params], ...] = (
        *(kind.params_type for kind in MODELS),
        CorpusOptions,
        CountWindowParams,
        ClusterParams,
    )
    values = {value for kind in kinds for spec in kind.specs() for value in spec.choices if value}
    assert len(values) > 30
    assert not {value for value in values if f"{language.CHOICE}\x04{value}" not in catalogue}
