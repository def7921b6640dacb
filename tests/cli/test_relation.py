from __future__ import annotations

import json

import pytest

from workbench.__main__ import main

Capture = pytest.CaptureFixture[str]


def test_a_relation_in_the_counts(capsys: Capture) -> None:
    command = ["relation", "small-world", "--pairs", "man king, woman queen", "--dim", "20"]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].startswith("2 pairs, 2 questions; ")
    assert [line.split()[0] for line in lines[2:6]] == ["2", "5", "10", "20"]
    assert lines[6].startswith("queen in ")
    assert lines[7].startswith("PPMI in ")
    assert lines[8] == "errors: too few windows contain both words of a pair"
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ranks"] == [2, 5, 10, 20]
    assert len(document["counts"]["contexts"]) > 3
    assert document["counts"]["windows"][0] == 0
    assert "errors" not in document["counts"]
    right, other = document["counts"], document["second_best"]
    assert right["ppmi_correlation"] > other["ppmi_correlation"]
    assert document["second_best"]["answer"] not in ("man", "king", "woman", "queen")


def test_one_pair_is_too_few(capsys: Capture) -> None:
    assert main(["relation", "small-world", "--pairs", "man king"]) == 2
    assert "--pairs needs two pairs or more." in capsys.readouterr().err
