"""The filter of runs, against an independent oracle and by hand."""

from __future__ import annotations

import random

import pytest

from workbench.core.errors import UserError
from workbench.core.table_export import Cell
from workbench.session.runs.filter import number_of, read_filter

Row = dict[str, Cell]
ROWS: list[Row] = [
    {
        "name": "SGNS 1",
        "algorithm": "sgns",
        "corpus": "Novels",
        "state": "done",
        "dim": 50,
        "window": 2,
        "loss": 2.5,
        "rate": 1.5e6,
        "star": True,
        "note": "for class",
        "created": "2026-11-20 10:00",
        "group": "",
        "analogies": 0.4,
    },
    {
        "name": "GloVe small",
        "algorithm": "glove",
        "corpus": "novels",
        "state": "failed",
        "dim": 100,
        "window": 5,
        "loss": None,
        "star": False,
        "note": "",
        "created": "2026-11-22 09:30",
        "group": "glove-1",
        "hs": True,
    },
    {
        "name": "dim",
        "algorithm": "file",
        "corpus": "",
        "state": "done",
        "dim": 200,
        "star": False,
        "note": "SGNS-like; 50",
        "created": "2026-12-01 00:00",
        "group": "",
        "analogies": 0.75,
        "rate": 9e5,
    },
]
NAMES = list(dict.fromkeys(name for row in ROWS for name in row))


def found(text: str) -> list[int]:
    passes = read_filter(text, NAMES)
    return [at for at, row in enumerate(ROWS) if passes(row)]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("", [0, 1, 2]),
        ("   ", [0, 1, 2]),
        ("sgns", [0, 2]),
        ("novels", [0, 1]),
        ("novels dim>50", [1]),
        ("dim>=50 dim<200", [0, 1]),
        ("dim:50,200", [0, 2]),
        ("dim=100", [1]),
        ("dim!=100", [0, 2]),
        ("window:2..5", [0, 1]),
        ("window!=2", [1, 2]),
        ("window<100", [0, 1]),
        ("-window<100", [2]),
        ("loss<3", [0]),
        ("star:yes", [0]),
        ("-star:yes", [1, 2]),
        ("hs:on", [1]),
        ('note:"for class"', [0]),
        ('"for class"', [0]),
        ("note:for class", [0]),
        ("note=", [1]),
        ("note!=", [0, 2]),
        ("algorithm=s", []),
        ("algorithm:s", [0]),
        ("state=FAILED", [1]),
        ("rate>1M", [0]),
        ("rate>=900k", [0, 2]),
        ("analogies>=40%", [0, 2]),
        ("analogies>0.5", [2]),
        ("created>2026-11-21", [1, 2]),
        ("created:2026-11", [0, 1]),
        # A plain word doesn’t match digits of the creation time.
        ("2026", []),
        ("-00", [0, 1, 2]),
        ("DIM:200", [2]),
        ("-sgns", [1]),
        ('name:"dim"', [2]),
        ("dim>", [0, 1, 2]),
    ],
)
def test_terms_by_hand(text: str, rows: list[int]) -> None:
    assert found(text) == rows


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dmi>50", "Unknown column “dmi”"),
        ("dim>abc", "must be compared with a number, not “abc”"),
        ("star>x", "must be compared with a number, not"),
    ],
)
def test_what_is_not_understood_is_said(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_filter(text, NAMES)


def test_a_slip_of_the_pen_is_guessed() -> None:
    with pytest.raises(UserError) as failure:
        read_filter("widnow:5", NAMES)
    assert failure.value.hint == "Did you mean window?"


def oracle(row: Row, key: str, sign: str, bound: float) -> bool:
    cell = row.get(key)
    if cell is None or isinstance(cell, (str, bool)):
        return sign == "!="
    return {
        "<": cell < bound,
        ">": cell > bound,
        "<=": not cell > bound,
        ">=": not cell < bound,
        "=": cell == bound,
        "!=": cell != bound,
        ":": cell == bound,
    }[sign]


def test_conjunctions_of_comparisons_agree_with_the_oracle() -> None:
    chance = random.Random(7)
    rows: list[Row] = [
        {
            "a": chance.choice([None, 1, 2, 3, 50]),
            "b": chance.choice([None, 0.5, 0.025, 1e-3]),
            "name": "x",
        }
        for _ in range(60)
    ]
    for _ in range(300):
        terms, wanted = [], []
        for _ in range(chance.randint(1, 3)):
            key, sign = chance.choice("ab"), chance.choice(["<", ">", "<=", ">=", "=", "!=", ":"])
            bound = chance.choice([1, 2, 3, 50] if key == "a" else [0.5, 0.025, 1e-3])
            minus = chance.random() < 0.3
            terms.append(f"{'-' if minus else ''}{key}{sign}{bound}")
            wanted.append((minus, key, sign, bound))
        passes = read_filter(" ".join(terms), ["a", "b", "name"])
        for row in rows:
            assert passes(row) is all(
                oracle(row, k, s, b) is not minus for minus, k, s, b in wanted
            ), terms


def test_no_text_at_all_raises_anything_else() -> None:
    chance = random.Random(3)
    letters = [*'ab:<>=!-"., \t%kM*()\\\x00é', "dim", "window", "..", "star"]
    for _ in range(3000):
        text = "".join(chance.choice(letters) for _ in range(chance.randint(0, 12)))
        try:
            passes = read_filter(text, NAMES)
        except UserError:
            continue
        for row in ROWS:
            assert passes(row) in (True, False)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("50", 50),
        ("0.025", 0.025),
        (".5", 0.5),
        ("1e-3", 1e-3),
        ("1.5M", 1.5e6),
        ("2k", 2e3),
        ("40%", 0.4),
        ("−2", -2),
        ("x", None),
        ("", None),
        ("1.2.3", None),
        ("inf", None),
        ("nan", None),
    ],
)
def test_numbers(text: str, value: float | None) -> None:
    assert number_of(text) == value
