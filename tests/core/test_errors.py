from __future__ import annotations

from workbench.core.errors import Cancelled, ParameterError, UnknownWord, UserError


def test_a_user_error_reads_as_two_sentences() -> None:
    error = UserError("The file is empty.", "Choose another one.")
    assert (error.message, error.hint) == ("The file is empty.", "Choose another one.")
    assert str(error) == "The file is empty. Choose another one."
    assert str(UserError("The file is empty.")) == "The file is empty."


def test_kinds_of_user_errors() -> None:
    assert "“kign”" in str(UnknownWord("kign"))
    assert ParameterError({"a": "A is wrong.", "b": "B is."}).message == "A is wrong. B is."
    assert isinstance(UnknownWord("x"), UserError)


def test_cancelling_is_not_an_error_of_the_user() -> None:
    assert not issubclass(Cancelled, UserError)


def test_what_is_quoted_from_a_file_stays_one_short_line() -> None:
    error = UserError("The word “a\nb\u202e\x00\ud800” stands twice.", "x" * 5000)
    assert error.message == "The word “a b   ” stands twice."
    assert str(error).isprintable()
    assert len(error.hint) < 1000
