"""What hyperparameters are called in sentences, by who reads them."""

from __future__ import annotations

import threading

import pytest

from workbench.cli import main
from workbench.core.errors import ParameterError, UnknownWord
from workbench.core.param_labels import (
    By,
    name_params_by,
    override_labels,
    param_name,
    quoted_param,
)
from workbench.models.postprocessing_params import VectorParams


def said_of(**values: object) -> str:
    with pytest.raises(ParameterError) as caught:
        VectorParams.from_mapping(values)
    return str(caught.value)


def test_a_name_is_a_key_an_option_or_a_label() -> None:
    wrong = {"all_but_the_top": "x"}
    assert said_of(**wrong).startswith("all_but_the_top must be")
    with name_params_by(By.OPTION):
        assert said_of(**wrong).startswith("--all-but-the-top must be")
        assert "lower --min-count and" in str(UnknownWord("x"))
    with name_params_by(By.LABEL):
        assert said_of(**wrong).startswith("All but the top must be")
        assert "lower “Minimum count” and" in str(UnknownWord("x"))
    assert said_of(**wrong).startswith("all_but_the_top must be")


def test_a_form_may_have_names_of_its_own_where_labels_are_spoken() -> None:
    with override_labels({"dim": "Breadth"}):
        assert param_name("dim") == "dim"
        with name_params_by(By.LABEL, {"dim": "Width"}):
            assert quoted_param("dim") == "“Width”"
    with name_params_by(By.LABEL), override_labels({"dim": "Breadth"}):
        assert (param_name("dim"), param_name("epochs")) == ("Breadth", "Epochs")


def test_it_holds_in_all_threads() -> None:
    heard = []
    with name_params_by(By.LABEL):
        thread = threading.Thread(target=lambda: heard.append(param_name("dim")))
        thread.start()
        thread.join()
    assert heard == ["Dimension"]


def test_the_command_line_names_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["train", "small-world", "--dim", "0", "--min-count", "x", "--output", "x.vec"]) == 2
    )
    told = capsys.readouterr().err
    assert "--dim must be a whole number" in told
    assert "--min-count must be" in told


def test_a_large_number_that_is_wrong_is_told_with_its_thousands_apart() -> None:
    assert said_of(all_but_the_top=-1_000_000_000).endswith("not -1,000,000,000.")
