from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ngram_toy import ngram_model

from workbench.__main__ import main
from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.neighbours.query_resolution import find
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("vectors")


def json_of(capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert main(list(arguments)) == 0
    out, err = capsys.readouterr()
    assert err == ""
    value = json.loads(out)
    assert isinstance(value, dict)
    return value


def test_neighbours(capsys: Capture) -> None:
    document = json_of(capsys, "neighbours", "v.vec", "King", "-n", "2", "--json")
    assert document.keys() == {"word", "neighbours"}
    assert document["word"] == "king"
    assert document["neighbours"] == [
        ["man", pytest.approx(0.5)],
        ["queen", pytest.approx(0.0, abs=1e-6)],
    ]
    assert main(["neighbours", "v.vec", "king"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0].split() == ["man", "0.5000"]
    assert "−" in out


def test_analogy_is_a_minus_b_plus_c(capsys: Capture) -> None:
    document = json_of(capsys, "analogy", "v.vec", "king", "man", "woman", "--json")
    assert document.keys() == {"a", "b", "c", "method", "answers"}
    assert (document["a"], document["b"], document["c"], document["method"]) == (
        "king",
        "man",
        "woman",
        "3cosadd",
    )
    answers = document["answers"]
    assert isinstance(answers, list)
    assert answers[0] == ["queen", pytest.approx(1.0)]
    assert [word for word, _ in answers] == ["queen", "frog"]
    with_all = json_of(
        capsys, "analogy", "v.vec", "king", "man", "woman", "--with-query-words", "--json"
    )
    assert len(with_all["answers"]) == 5
    other = json_of(
        capsys,
        "analogy",
        "v.vec",
        "king",
        "man",
        "woman",
        "--method",
        "3cosmul",
        "-n",
        "1",
        "--json",
    )
    assert other["method"] == "3cosmul"
    assert main(["analogy", "v.vec", "king", "man", "woman", "-n", "1"]) == 0
    assert capsys.readouterr().out.split() == ["queen", "1.0000"]


def test_analogy_names_words_that_are_too_rare(capsys: Capture) -> None:
    words = ["man", "woman", "king", "queen", "duke"]
    table = np.array([[0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [-1, 1, 0]], np.float32)
    counts = np.array([90, 80, 40, 30, 4])
    save_vectors(Embeddings(words, table, counts=counts), "rare.npz")
    assert main(["analogy", "rare.npz", "king", "man", "woman", "-n", "1"]) == 0
    assert capsys.readouterr().err == ""
    assert main(["analogy", "rare.npz", "duke", "man", "woman", "-n", "1"]) == 0
    rare, solved = capsys.readouterr().err.splitlines()
    assert rare == "“duke” occurs 4 times in the training text: too few occurrences."
    assert solved.startswith("These vectors solve: ")
    assert "king − man + woman = queen" in solved
    document = json_of(capsys, "analogy", "rare.npz", "duke", "man", "woman", "--json")
    best = document["answers"][0][0]
    number = int(counts[words.index(best)])
    assert document["occurrences"] == {"duke": 4, "man": 90, "woman": 80, best: number}
    assert document["too_few"] == ["duke"]
    # So is the best answer.
    counts[words.index("queen")] = 11
    save_vectors(Embeddings(words, table, counts=counts), "robes.npz")
    assert main(["analogy", "robes.npz", "king", "man", "woman", "-n", "1"]) == 0
    rare, *_ = capsys.readouterr().err.splitlines()
    assert rare == "“queen” occurs 11 times in the training text: too few occurrences."


def test_unseen_words_are_made_of_n_grams(capsys: Capture) -> None:
    model = ngram_model()
    save_vectors(model, "m.npz")
    document = json_of(capsys, "neighbours", "m.npz", "unhappyish", "-n", "3", "--json")
    assert document.keys() == {"word", "neighbours", "unseen", "ngrams", "known_ngrams"}
    assert (document["word"], document["unseen"]) == ("unhappyish", True)
    expected = nearest(model, "unhappyish", 3)
    assert document["neighbours"] == [[one.word, pytest.approx(one.cosine)] for one in expected]
    assert sum(part for _, part in document["ngrams"]) == pytest.approx(expected[0].cosine)
    assert main(["neighbours", "m.npz", "unhappyish", "-n", "1"]) == 0
    out, err = capsys.readouterr()
    assert out.split()[0] == expected[0].word
    assert err == (
        "“unhappyish” isn’t in the vocabulary, so its vector was computed from its n-grams "
        f"({find(model, 'unhappyish').known_ngrams}).\n"
    )
    answer = json_of(capsys, "analogy", "m.npz", "happy", "kind", "unkindest", "--json")
    assert answer.keys() == {
        *("a", "b", "c", "method", "answers", "unseen", "unseen_words"),
        *("occurrences", "too_few"),
    }
    assert (answer["unseen"], answer["unseen_words"]) == (True, ["unkindest"])
    assert (
        json_of(capsys, "analogy", "m.npz", "happy", "kind", "unkind", "--json")
        .keys()
        .isdisjoint({"unseen"})
    )


def test_evaluate(capsys: Capture, folder: Path) -> None:
    (folder / "q.txt").write_text(
        ": family\nman king woman queen\nman king woman frog\nman king woman unknown\n: gram1\n"
    )
    (folder / "s.txt").write_text(
        "man king 9\nman woman 1\nking queen 2\nman frog 0\nman absent 5\n"
    )
    arguments = ["evaluate", "v.vec", "--analogies", "q.txt", "--similarity", "s.txt"]
    document = json_of(capsys, *arguments, "--json")
    assert document.keys() == {"analogies", "similarity"}
    analogies = document["analogies"]
    assert isinstance(analogies, dict)
    assert (analogies["method"], analogies["restrict"], analogies["words"]) == ("3cosadd", 5, 5)
    # One of two answers is right: the Clopper–Pearson limits solve 1 − (1 − p)² = 0.025 and p² =
    # 0.025.
    assert (analogies["low"], analogies["high"]) == pytest.approx((1 - 0.975**0.5, 0.975**0.5))
    assert (analogies["all"], analogies["semantic"], analogies["syntactic"]) == (0.5, 0.5, None)
    assert (analogies["asked"], analogies["covered"]) == (2, pytest.approx(2 / 3))
    family = {
        "correct": 1,
        "asked": 2,
        "total": 3,
        "accuracy": 0.5,
        "low": analogies["low"],
        "high": analogies["high"],
    }
    assert analogies["sections"] == {"family": family}
    similarity = document["similarity"]
    assert isinstance(similarity, dict)
    score = similarity["s.txt"]
    assert score.keys() == {
        "rho",
        "low",
        "high",
        "pairs",
        "missing",
        "without_vector",
        "covered",
        "ranked",
        "column",
        "columns",
        "negated",
        "unscored",
    }
    assert (score["covered"], score["ranked"], analogies["ranked"]) == (0.8, False, False)
    assert (score["pairs"], score["missing"]) == (4, 1)
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "family" in out
    assert "50.0%  1.3% to 98.7%" in out
    assert "Analogies by 3CosAdd among all 5 words." in out
    assert "ρ" in out


def test_evaluate_says_which_column_it_read_and_which_lines_it_left_out(
    capsys: Capture, folder: Path
) -> None:
    (folder / "pairs.txt").write_text("man\tking/prince\nwoman\tqueen\nA line of text\n")
    (folder / "v.tsv").write_text("man\tking\tN\t9\tx\nman\twoman\tN\t1\ty\nking\tqueen\tN\t2\tz\n")
    arguments = ["evaluate", "v.vec", "--analogies", "pairs.txt", "--similarity", "v.tsv"]
    document = json_of(capsys, *arguments, "--json")
    assert document["analogies"]["left_out"] == [["pairs.txt", 3]]
    assert (document["analogies"]["asked"], document["analogies"]["covered"]) == (2, 1.0)
    assert document["similarity"]["v.tsv"]["column"] == "4"
    assert document["similarity"]["v.tsv"]["columns"] == 5
    for vectors in (["v.vec"], ["v.vec", "v.vec"]):
        assert main(["evaluate", *vectors, *arguments[2:]]) == 0
        out = capsys.readouterr().out
        assert "Scores of v.tsv: column “4” of 5." in out
        assert "Left out because they aren’t questions: 1 line, first in pairs.txt, line 3." in out


def test_the_column_of_scores_can_be_chosen(capsys: Capture, folder: Path) -> None:
    (folder / "s.csv").write_text("first,second,a,b\nman,king,1,9\nman,woman,2,1\nking,queen,2,2\n")
    arguments = ["evaluate", "v.vec", "--similarity", "s.csv", "small-world"]
    assert main(arguments) == 2
    assert (
        "s.csv has several columns of numbers: “a”, “b”. Add --score-column"
        in capsys.readouterr().err
    )
    for column in ("b", "4"):
        document = json_of(capsys, *arguments, "--score-column", column, "--json")
        assert document["similarity"]["s.csv"]["column"] == "b"
    assert main([*arguments, "--score-column", "c"]) == 2
    assert "Choose one of: “a”, “b”." in capsys.readouterr().err


def test_pairs_without_a_score_are_counted(capsys: Capture, folder: Path) -> None:
    (folder / "s.csv").write_text(
        "a,b,score\nman,king,1\nman,woman,NA\nking,queen,4\nman,queen,2\n"
    )
    arguments = ["evaluate", "v.vec", "--similarity", "s.csv"]
    found = json_of(capsys, *arguments, "--json")["similarity"]["s.csv"]
    assert (found["pairs"] + found["missing"], found["unscored"]) == (3, 1)
    assert main(arguments) == 0
    assert "Pairs of s.csv left out because their score is missing: 1." in capsys.readouterr().out


def test_distances_are_negated(capsys: Capture, folder: Path) -> None:
    lines = "man,king,1\nman,woman,2\nking,queen,4\n"
    rho = []
    for title in ("distance", "score"):
        (folder / "s.csv").write_text(f"first,second,{title}\n{lines}")
        document = json_of(capsys, "evaluate", "v.vec", "--similarity", "s.csv", "--json")
        found = document["similarity"]["s.csv"]
        rho.append(found["rho"])
        assert found["negated"] == (title == "distance")
        assert main(["evaluate", "v.vec", "--similarity", "s.csv"]) == 0
        said = (
            "Scores of s.csv: column “distance” of 3, negated, because" in capsys.readouterr().out
        )
        assert said == (title == "distance")
    assert rho[0] == -rho[1] != 0


def test_evaluate_asks_by_the_method_and_among_the_words_that_are_named(
    capsys: Capture, folder: Path
) -> None:
    """For e, f and d, sums of cosines are −0.56, −0.35 and −0.05, products 0.30, 0.04 and 0.07."""
    table = np.array(
        [[1, 2, 2], [1, 2, -2], [-1, 0, 1], [0, 1, 2], [2, 0, -1], [2, -1, -2]], dtype=np.float32
    )
    save_vectors(Embeddings(list("abcefd"), table), folder / "t.vec")
    (folder / "q.txt").write_text("".join(f": {word}\na b c {word}\n" for word in "efd"))
    for method, restrict, question_count, right in (
        ("3cosadd", "0", 3, "d"),
        ("3cosmul", "0", 3, "e"),
        ("3cosadd", "5", 2, "f"),
        ("3cosadd", "4", 1, "e"),
    ):
        arguments = [
            "evaluate",
            "t.vec",
            "--analogies",
            "q.txt",
            "--method",
            method,
            "--restrict",
            restrict,
        ]
        document = json_of(capsys, *arguments, "--json")["analogies"]
        assert isinstance(document, dict)
        assert (document["method"], document["restrict"], document["asked"]) == (
            method,
            int(restrict) or 6,
            question_count,
        )
        assert [name for name, section in document["sections"].items() if section["correct"]] == [
            right
        ]


def test_evaluate_says_how_many_words_take_part(capsys: Capture, folder: Path) -> None:
    (folder / "q.txt").write_text(": family\nman king woman queen\n")
    for arguments in (["v.vec"], ["v.vec", "v.vec"]):
        assert main(["evaluate", *arguments, "--analogies", "q.txt", "--restrict", "4"]) == 0
        out = capsys.readouterr().out
        assert out.endswith(
            "Analogies by 3CosAdd among the first 4 of 5 words (--restrict 0 for all). The vectors "
            "have no counts, so these may not be the most frequent words.\n"
        )
    with pytest.raises(SystemExit):
        main(["evaluate", "--help"])
    assert "default 30000" in " ".join(capsys.readouterr().out.split())


def test_evaluate_on_one_kind_only(capsys: Capture, folder: Path) -> None:
    (folder / "q.txt").write_text(": family\nman king woman queen\n")
    assert (
        json_of(capsys, "evaluate", "v.vec", "--analogies", "q.txt", "--json")["similarity"] == {}
    )


def test_several_vectors_side_by_side_and_as_a_table(capsys: Capture, folder: Path) -> None:
    (folder / "q.txt").write_text(": family\nman king woman queen\nman king woman frog\n")
    (folder / "s_1.txt").write_text("man king 9\nman woman 1\nking queen 2\nman frog 0\n")
    (folder / "w.vec").write_text((folder / "v.vec").read_text())
    arguments = [
        "evaluate",
        "v.vec",
        "w.vec",
        "--analogies",
        "q.txt",
        "--similarity",
        "s_1.txt",
        "general",
    ]
    document = json_of(capsys, *arguments, "--json")
    assert document.keys() == {"vectors"}
    models = document["vectors"]
    assert isinstance(models, dict)
    assert list(models) == ["v.vec", "w.vec"]
    assert models["v.vec"]["analogies"]["all"] == 0.5
    assert models["v.vec"]["similarity"].keys() == {"s_1.txt", "general"}
    assert main([*arguments, "--table", "board.csv"]) == 0
    with (folder / "board.csv").open(encoding="utf-8", newline="") as file:
        first = next(csv.DictReader(file))
    titles = ("q", "q low", "q high", "q covered")
    assert [float(first[title]) for title in titles] == pytest.approx(
        [0.5, 1 - 0.975**0.5, 0.975**0.5, 1], abs=1e-3
    )
    for suffix, part in ((".csv", "v.vec,,"), (".tex", "s\\_1"), (".md", "| v.vec |")):
        assert main([*arguments, "--table", f"board{suffix}"]) == 0
        assert part in (folder / f"board{suffix}").read_text("utf-8")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["vectors", "analogies", "s_1", "general"]
    assert "50.0% (100.0% covered)" in lines[1]
    assert main([*arguments, "--table", "board.doc"]) == 2
    assert ".csv, .tex, .md" in capsys.readouterr().err


def test_columns_of_scores_and_words_are_aligned(capsys: Capture) -> None:
    assert main(["neighbours", "v.vec", "man", "-n", "4"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert len({len(line) for line in lines}) == 1
    assert all(line[0] != " " for line in lines)


def test_unknown_words_are_counted_in_every_report(capsys: Capture, folder: Path) -> None:
    (folder / "q.txt").write_text(
        ": family\nman king woman queen\nman king woman frog\nman king woman unknown\n"
    )
    pairs = "man king 9\nman woman 1\nking queen 2\nman frog 0\nman absent 5\n"
    # A file takes precedence over a bundled set.
    (folder / "general").write_text(pairs)
    arguments = ["evaluate", "v.vec", "--analogies", "q.txt", "--similarity", "general"]
    assert main([*arguments, "--table", "board.csv"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    # Questions asked, all questions, share; or pairs, missing pairs, share.
    for name, numbers in (
        ("family", ["2", "3", "66.7%"]),
        ("all", ["2", "3", "66.7%"]),
        ("general", ["4", "1", "80.0%"]),
    ):
        assert next(line for line in lines if line[:1] == [name])[-3:] == numbers
    assert ["Scores", "too", "uncertain", "to"] in [line[:4] for line in lines]
    with (folder / "board.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (float(row["q covered"]), float(row["q asked"])) == (pytest.approx(2 / 3, abs=1e-3), 2)
    assert (float(row["general covered"]), float(row["general asked"])) == (pytest.approx(0.8), 4)
    (folder / "w.vec").write_text((folder / "v.vec").read_text())
    assert main(["evaluate", "w.vec", *arguments[1:]]) == 0
    out = capsys.readouterr().out
    assert "Scores too uncertain to rank: 4, based on less than 10% of the set" in out
    line = out.splitlines()[1]
    assert "(66.7% covered)" in line
    assert line.endswith("(4 of 5)")


def test_errors(capsys: Capture, folder: Path) -> None:
    (folder / "text.txt").write_text("just some words here\n")
    (folder / "q.txt").write_text(": family\nman king woman queen\n")
    for arguments, part in (
        (["neighbours", "v.vec", "emperor"], "“emperor” is not in the vocabulary"),
        (["neighbours", "v.vec", "quen"], "Did you mean “queen”?"),
        (["neighbours", "absent.vec", "king"], "absent.vec"),
        (["neighbours", "text.txt", "king"], "text.txt"),
        (["neighbours", "v.vec", "king", "-n", "0"], "-n must be 1 or more"),
        (["neighbours", "v.vec", "king", "-n", "x"], "invalid int value"),
        (["neighbours", "v.vec"], "WORD"),
        (["neighbours", "v.vec", "king", "--nothing"], "--nothing"),
        (["analogy", "v.vec", "king", "man"], "C"),
        (["analogy", "v.vec", "king", "man", "woman", "--method", "x"], "3cosmul"),
        (["evaluate", "v.vec"], "Nothing to evaluate."),
        (["evaluate", "v.vec", "--analogies", "absent.txt"], "absent.txt"),
        (["evaluate", "v.vec", "--similarity", "absent.txt"], "absent.txt"),
        (["evaluate", "v.vec", "--analogies", "q.txt", "--restrict", "-1"], "--restrict"),
    ):
        assert main(arguments) == 2, arguments
        out, err = capsys.readouterr()
        assert out == ""
        assert err.count("\n") == 1
        assert part in err


def test_every_command_reports_warnings_of_a_file_of_vectors(folder: Path, capsys: Capture) -> None:
    (folder / "l.vec").write_bytes(
        b"6 3\nthe 1 2 3\n\xe9 1 0 0\n\xe8 0 1 0\n\xe0 0 0 1\n\xfc 1 1 0\nthe 9 9 9\n"
    )
    (folder / "q.txt").write_text(": s\nthe the the the\n")
    notes = ["l.vec: 4 words aren’t UTF-8", "l.vec: 1 row was left out"]
    for command in (
        ["neighbours", "l.vec", "the"],
        ["analogy", "l.vec", "the", r"\xe9", r"\xe8"],
        ["evaluate", "l.vec", "--analogies", "q.txt"],
        ["project", "l.vec", "--method", "pca", "--output", "m.tsv"],
        ["share", "l.vec", "--to", "shared"],
        ["convert", "l.vec", "l.npz"],
        ["convert", "l.vec", "l.fasttext"],
    ):
        assert main(command) == 0, command
        out, err = capsys.readouterr()
        assert [
            line[: len(text)] for line, text in zip(err.splitlines(), notes, strict=True)
        ] == notes, command
        if command[0] == "convert":
            assert out == f"{command[2]}: 5 words.\n"
    assert main(["neighbours", "l.npz", r"\xfc", "-n", "2"]) == 0
    out, err = capsys.readouterr()
    assert [line.split()[0] for line in out.splitlines()] == [r"\xe9", r"\xe8"]
    assert err.startswith("l.npz: 4 words aren’t UTF-8")
    (folder / "m.vec").write_bytes(b"2 1\n\xe9 1\n\xe8 2\n")
    assert main(["evaluate", "l.vec", "m.vec", "--analogies", "q.txt", "--table", "board.csv"]) == 0
    out, err = capsys.readouterr()
    assert [line[:7] for line in err.splitlines()] == ["l.vec: ", "l.vec: ", "m.vec: "]
    assert main(["convert", "l.npz", "again.vec"]) == 0
    assert (folder / "again.vec").read_bytes().splitlines()[1:] == [
        b"the 1 2 3",
        b"\xe9 1 0 0",
        b"\xe8 0 1 0",
        b"\xe0 0 0 1",
        b"\xfc 1 1 0",
    ]


def test_a_word_that_is_not_utf8_is_found_by_its_bytes_and_as_it_is_shown(capsys: Capture) -> None:
    Path("bytes.vec").write_bytes(b"4 2\nking 1 0\n\\xf1 0 1\n\xf1 1 0.1\nqueen 1 0.2\n")
    for word in (os.fsdecode(b"\xf1"), "\\\\xf1"):
        assert main(["neighbours", "bytes.vec", word, "--json", "-n", "1"]) == 0
        assert json.loads(capsys.readouterr().out)["word"] == "\\\\xf1"
    assert main(["neighbours", "bytes.vec", os.fsdecode(b"\xf2")]) == 2
    assert "“\\xf2” is not in the vocabulary" in capsys.readouterr().err


def test_words_beside_zero_vectors_have_no_neighbours(capsys: Capture) -> None:
    table = np.array([[1, 0], [0, 0], [0, 0]], np.float32)
    save_vectors(Embeddings(["one", "two", "three"], table), "zero.npz")
    assert main(["neighbours", "zero.npz", "one"]) == 0
    assert "All other words have the zero vector." in capsys.readouterr().err


def test_an_empty_table_has_its_reason_on_stderr(capsys: Capture) -> None:
    save_vectors(Embeddings(["one"], np.ones((1, 2), np.float32)), "one.npz")
    save_vectors(Embeddings(["a", "b", "c"], np.eye(3, dtype=np.float32)), "three.npz")
    for command in (["neighbours", "one.npz", "one"], ["analogy", "three.npz", "a", "b", "c"]):
        assert main(command) == 0
        out, err = capsys.readouterr()
        assert (out, err) == ("", "The vocabulary contains no other word.\n")
        assert main([*command, "--json"]) == 0
        assert "[]" in capsys.readouterr().out


def test_a_very_long_word_moves_only_its_own_row(capsys: Capture) -> None:
    words = ["one", "x" * 5_000, "two"]
    save_vectors(Embeddings(words, np.eye(3, dtype=np.float32) + 1), "long.npz")
    assert main(["neighbours", "long.npz", "one"]) == 0
    lengths = sorted(len(line) for line in capsys.readouterr().out.splitlines())
    assert lengths[0] < 20
    assert 5_000 < lengths[1] < 5_020


# -- intervals over the documents of a text


@pytest.fixture
def trained(text: Path) -> Path:
    """Vectors of a text, with their settings."""
    settings = ("--algorithm", "ppmi", "--min-count", "1", "--output", "own.npz")
    assert main(["train", str(text), *settings]) == 0
    return text


def test_neighbours_with_intervals(capsys: Capture, trained: Path) -> None:
    capsys.readouterr()
    command = ["neighbours", "own.npz", "cat", "-n", "2", "--text", str(trained)]
    assert main([*command, "--resample", "5"]) == 0
    table, note = capsys.readouterr().out.strip().rsplit("\n", 1)
    assert table.split("\n")[0].split() == ["cosine", "95%", "rank", "95%", "among", "2"]
    assert note == "5 texts of 10 sentences, drawn with replacement."
    document = json_of(capsys, *command, "--resample", "5", "--json")
    assert document["number_of_documents"] == 10
    assert len(document["neighbours"]) == 2
    # All lines are equal, so nothing depends on which of them there are.
    for one in document["neighbours"]:
        assert one["low"] == pytest.approx(one["high"])
        assert one["stays"] == 1.0


def test_intervals_need_the_text_of_the_vectors(
    capsys: Capture, trained: Path, folder: Path
) -> None:
    (folder / "other.txt").write_text("another text\n")
    capsys.readouterr()
    for arguments, words in (
        (("own.npz", "cat", "--resample", "5"), "--resample needs --text"),
        (("own.npz", "cat", "--text", "other.txt"), "trained on another text"),
        (("v.vec", "king", "--text", str(trained)), "training settings are unknown"),
        (("own.npz", "cat", "--text", str(trained), "--documents", "files"), "only one document"),
        (("own.npz", "cat", "--text", str(trained), "--resample", "1"), "--resample must be"),
    ):
        assert main(["neighbours", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert words in err
        assert err.count("\n") == 1
