"""Tables as text: special characters are escaped, and spreadsheets compute nothing."""

from __future__ import annotations

import csv
import io
import math

import pytest

from workbench.core.table_export import format_cell, safe_cell, to_csv, to_latex, to_markdown


@pytest.mark.parametrize("text", ["=1+1", "+a", "-cmd", "@x", "\u2212a", "\tx", "\rx"])
def test_texts_that_begin_like_formulas_are_escaped(text: str) -> None:
    assert safe_cell(text) == "'" + text
    assert next(csv.reader(io.StringIO(to_csv([text], [])))) == ["'" + text.replace("\r", " ")]


@pytest.mark.parametrize("text", ["-1.5", "+3", "-2e-4", "king", "a=b", ""])
def test_numbers_and_plain_words_stay(text: str) -> None:
    assert safe_cell(text) == text


def test_csv_has_full_numbers_and_empty_cells() -> None:
    text = to_csv(["run", "ρ"], [["a, b", 0.1 + 0.2], ['"q"', None], ["-x", math.nan], ["t", True]])
    assert list(csv.reader(io.StringIO(text))) == [
        ["run", "ρ"],
        ["a, b", "0.30000000000000004"],
        ['"q"', ""],
        ["'-x", ""],
        ["t", "true"],
    ]


def test_latex_is_escaped_and_ruled_as_booktabs_does() -> None:
    text = to_latex(
        ["name_1", "ρ"], [["50% & {x}\\y", -0.12345], ["#1 $2 ~^", None]], caption="A_b"
    )
    assert "\\begin{tabular}{lr}" in text
    assert "    name\\_1 & $\\rho$ \\\\" in text
    assert "50\\% \\& \\{x\\}\\textbackslash{}y & $-$0.1235 \\\\" in text or "$-$0.1234" in text
    assert "\\#1 \\$2 \\textasciitilde{}\\textasciicircum{} & -- \\\\" in text
    assert "\\caption{A\\_b}" in text
    assert [rule for rule in ("toprule", "midrule", "bottomrule") if f"\\{rule}" in text] == [
        "toprule",
        "midrule",
        "bottomrule",
    ]


def test_markdown_keeps_its_columns() -> None:
    lines = to_markdown(["a|b", "n"], [["x|y *z*\nnext", 3], ["`c`", 4]]).splitlines()
    assert lines == [
        "| a\\|b | n |",
        "| --- | ---: |",
        "| x\\|y \\*z\\* next | 3 |",
        "| \\`c\\` | 4 |",
    ]


def test_cells_are_read_by_people() -> None:
    assert [format_cell(cell) for cell in (None, math.nan, True, 3, -2, 0.123456, "x")] == [
        "–",
        "–",
        "yes",
        "3",
        "−2",
        "0.1235",
        "x",
    ]
