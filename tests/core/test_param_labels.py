"""Names of hyperparameters in messages, depending on the reader."""

from __future__ import annotations

import threading
from dataclasses import dataclass

import pytest

from workbench.analysis.projection.umap import UmapParams
from workbench.cli import main
from workbench.core.errors import ParameterError
from workbench.core.param_labels import (
    By,
    name_params_by,
    override_labels,
    param_name,
    quoted_param,
)
from workbench.core.params import Params, param, redeclare
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.suggestions import unknown_words
from workbench.counts.cluster.params import ClusterParams
from workbench.models.base import MODELS
from workbench.models.params import VectorParams
from workbench.session.corpus.counting import CountParams, TableParams

_FORMS: tuple[type[Params], ...] = (
    CorpusOptions,
    UmapParams,
    ClusterParams,
    CountParams,
    TableParams,
)


@dataclass(frozen=True)
class Reading(Params):
    reading_span: int = param(3, "Words read at once.", label="Span", low=1)
    reading_limit: int = param(9, "Words read in all.", low=1)


@dataclass(frozen=True)
class LongReading(Reading):
    reading_span: int = redeclare(Reading, "reading_span", 30)
    reading_limit: int = redeclare(Reading, "reading_limit", label="Most words")


def said_of(**values: object) -> str:
    with pytest.raises(ParameterError) as error:
        VectorParams.from_mapping(values)
    return str(error.value)


def test_a_name_is_a_key_an_option_or_a_label() -> None:
    wrong = {"all_but_the_top": "x"}
    assert said_of(**wrong).startswith("all_but_the_top must be")
    with name_params_by(By.OPTION):
        assert said_of(**wrong).startswith("--all-but-the-top must be")
        assert "lower --min-count and" in str(unknown_words(["x"], []))
    with name_params_by(By.LABEL):
        assert said_of(**wrong).startswith("All but the top must be")
        assert "lower “Minimum count” and" in str(unknown_words(["x"], []))
    assert said_of(**wrong).startswith("all_but_the_top must be")


def test_a_form_may_have_names_of_its_own_where_labels_are_spoken() -> None:
    with override_labels({"dim": "Breadth"}):
        assert param_name("dim") == "dim"
        with name_params_by(By.LABEL, {"dim": "Width"}):
            assert quoted_param("dim") == "“Width”"
    with name_params_by(By.LABEL), override_labels({"dim": "Breadth"}):
        assert (param_name("dim"), param_name("epochs")) == ("Breadth", "Epochs")


def test_names_of_parameters_apply_to_all_threads() -> None:
    names = []
    with name_params_by(By.LABEL):
        thread = threading.Thread(target=lambda: names.append(param_name("dim")))
        thread.start()
        thread.join()
    assert names == ["Dimensions"]


def test_the_command_line_names_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["train", "small-world", "--dim", "0", "--min-count", "x", "--output", "x.vec"]) == 2
    )
    messages = capsys.readouterr().err
    assert "--dim must be a whole number" in messages
    assert "--min-count must be" in messages


def test_errors_separate_thousands_of_large_numbers() -> None:
    assert said_of(all_but_the_top=-1_000_000_000).endswith("not -1,000,000,000.")


def test_a_label_is_declared_with_its_parameter_and_redeclared_with_it() -> None:
    assert [spec.label for spec in Reading.specs()] == ["Span", "Reading limit"]
    assert [spec.label for spec in LongReading.specs()] == ["Span", "Most words"]
    with name_params_by(By.LABEL):
        assert quoted_param("reading_span") == "“Span”"
        with pytest.raises(ParameterError, match="Most words must be"):
            LongReading(reading_limit=0)


def test_one_parameter_has_one_label_in_all_forms() -> None:
    labels: dict[str, set[str]] = {}
    for kind in (*_FORMS, *(model.params_type for model in MODELS)):
        for spec in kind.specs():
            labels.setdefault(spec.name, set()).add(spec.label)
    assert {name: names for name, names in labels.items() if len(names) > 1} == {}
