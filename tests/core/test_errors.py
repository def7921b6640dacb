from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from workbench.core.atomic import cannot_write
from workbench.core.errors import (
    Cancelled,
    ParameterError,
    UnknownWord,
    UserError,
    as_user_error,
    error_text,
)


def test_a_user_error_reads_as_two_sentences() -> None:
    error = UserError("The file is empty.", "Choose another one.")
    assert (error.message, error.hint) == ("The file is empty.", "Choose another one.")
    assert str(error) == "The file is empty. Choose another one."
    assert str(UserError("The file is empty.")) == "The file is empty."


def test_kinds_of_user_errors() -> None:
    assert "“kign”" in str(UnknownWord("kign"))
    assert ParameterError({"a": "A is wrong.", "b": "B is."}).message == "A is wrong. B is."
    assert isinstance(UnknownWord("x"), UserError)


def test_errors_cut_long_words_and_name_the_first_of_many() -> None:
    text = "lorem ipsum " * 900
    error = UnknownWord(text)
    assert error.word == text
    assert error.message.startswith("“lorem ipsum lorem")
    assert error.message.endswith(" …” is not in the vocabulary.")
    assert len(error.message) < 100
    assert UnknownWord("a", others=["b"]).message == "“a”, “b” are not in the vocabulary."
    many = UnknownWord("a", others=[*"bcdefgh"])
    assert many.message == "“a”, “b”, “c”, “d” and 4 more are not in the vocabulary."


def test_refusals_of_the_system_are_user_errors_and_others_are_defects(
    tmp_path: Path,
) -> None:
    with pytest.raises(OSError, match="too long") as error:
        (tmp_path / ("n" * 300)).stat()
    user_error = as_user_error(error.value)
    assert user_error is not None
    assert ": File name too long" in user_error.message
    full = as_user_error(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert full is not None
    assert "disk is full" in full.message
    full = as_user_error(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/home/someone/cache"))
    assert full is not None
    assert full.message == "Couldn’t write /home/someone/cache: No space left on device."
    for other in (
        OSError(errno.EACCES, "x"),
        FileNotFoundError(errno.ENOENT, "x", "file"),
        ValueError(),
        None,
    ):
        assert as_user_error(other) is None


def test_cancelling_is_not_an_error_of_the_user() -> None:
    assert not issubclass(Cancelled, UserError)


def test_quotations_from_a_file_are_one_short_line() -> None:
    error = UserError("The word “a\nb\u202e\x00\ud800” stands twice.", "x" * 5000)
    assert error.message == "The word “a b   ” stands twice."
    assert str(error).isprintable()
    assert len(error.hint) < 1000


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [
        (errno.ENOENT, "No such file or directory", "Datei oder Ordner nicht vorhanden"),
        (errno.EACCES, "Permission denied", "Zugriff verweigert"),
        (errno.ENOSPC, "No space left on device", "kein Platz mehr auf dem Datenträger"),
        (errno.EISDIR, "Is a directory", "ist ein Ordner"),
        (errno.EROFS, "Read-only file system", "Dateisystem ist schreibgeschützt"),
        (errno.ENAMETOOLONG, "File name too long", "Dateiname zu lang"),
    ],
)
def test_messages_of_the_system_are_translated(number: int, english: str, german: str) -> None:
    assert error_text(OSError(number, "whatever it says")) == english
    program = (
        f"from workbench.core.errors import error_text; print(error_text(OSError({number}, "
        f"'whatever')))"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "WORKBENCH_LANGUAGE": "de"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert process.stdout.strip() == german


def test_rare_messages_of_the_system_stay_in_english() -> None:
    assert error_text(OSError(errno.ELOOP, "Too many levels")) == "Too many levels"
    assert error_text(OSError("data stream error")) == "data stream error"
    assert error_text(ValueError("no number")) == "no number"


def test_hints_ask_for_space_only_if_the_disk_is_full(tmp_path: Path) -> None:
    assert "Free some space" in cannot_write(tmp_path, OSError(errno.ENOSPC, "")).hint
    assert "space" not in cannot_write(tmp_path, OSError(errno.EACCES, "")).hint
