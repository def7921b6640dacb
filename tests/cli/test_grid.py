"""Grids and the list of runs on the command line."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
from pathlib import Path
from typing import Any

import pytest
from tables import dense

from workbench.__main__ import main
from workbench.cli import grid
from workbench.cli.runs import _sort_rows
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.session.runs.store import Store
from workbench.session.training.job import TrainingResult, train_and_keep
from workbench.session.training.request import TrainingRequest
from workbench.vectors.formats import load_vectors

Capture = pytest.CaptureFixture[str]
GRID = ["grid", "text.txt", "--algorithm", "step", "--min-count", "1"]


def output_of(capsys: Capture, *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    out, err = capsys.readouterr()
    assert err == ("" if code == 0 else err)
    return out if code == 0 else err


@pytest.mark.usefixtures("gate")
def test_files_of_a_grid_differ_by_more_than_capitals_and_are_allowed_everywhere(
    text: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = {2: "Con", 3: "con", 4: "a/b, c d"}
    monkeypatch.setattr(grid, "name_of", lambda kind, values: names[values["dim"]])
    out = output_of(
        capsys, *GRID, "--dim", "2,3,4", "--output", "made", "--suffix", ".vec", "--json"
    )
    files = [Path(run["file"]).name for run in json.loads(out)["runs"]]
    assert files == ["_Con.vec", "_con-2.vec", "a-b_c-d.vec"]
    assert [load_vectors(Path("made", file)).dim for file in files] == [2, 3, 4]


@pytest.mark.usefixtures("gate")
def test_a_grid_is_trained_into_the_store_and_printed(text: Path, capsys: Capture) -> None:
    out = output_of(
        capsys,
        *GRID,
        "--dim",
        "2,3",
        "--seed",
        "1..3",
        "--output",
        "made",
        "--suffix",
        ".vec",
        "--json",
    )
    document = json.loads(out)
    assert [run["parameters"] for run in document["runs"]] == [
        {"dim": dim, "seed": seed} for dim in (2, 3) for seed in (1, 2, 3)
    ]
    assert all(run["outcome"] == "done" for run in document["runs"])
    assert all(
        run["final_loss"]
        == {"value": run["loss"], "kind": "objective", "error": 0.0, "epochs": 1.0}
        for run in document["runs"]
    )
    records, problems = Store().load()
    assert problems == []
    assert [record.identifier for record in records] == [run["id"] for run in document["runs"]]
    assert {record.group for record in records} == {document["group"]}
    assert records[0].name == "Step dim 2, seed 1"
    assert load_vectors(document["runs"][3]["file"]).dim == 3

    table = output_of(capsys, *GRID, "--dim", "2,3")
    assert table.splitlines()[0].split() == [
        "dim",
        "name",
        "loss",
        "±",
        "loss",
        "type",
        "floor",
        "gap",
        "seconds",
        "tokens/s",
        "words",
        "outcome",
    ]
    assert table.count("objective of the final model") == 2
    assert len(table.splitlines()) == 4


@pytest.mark.usefixtures("gate")
def test_a_plan_trains_nothing_and_names_what_is_left_out(text: Path, capsys: Capture) -> None:
    document = json.loads(
        output_of(capsys, *GRID[:4], "--min-count", "1,1000", "--dim", "2,3", "--plan", "--json")
    )
    assert [run["parameters"] for run in document["runs"]] == [
        {"min_count": 1, "dim": 2},
        {"min_count": 1, "dim": 3},
    ]
    assert [out["parameters"]["min_count"] for out in document["left_out"]] == [1000, 1000]
    out = output_of(capsys, *GRID[:4], "--min-count", "1,1000", "--dim", "2,3", "--plan")
    assert out.count("Skipped") == 1
    assert "2 runs" in out
    assert Store().load()[0] == []


@pytest.mark.usefixtures("gate")
def test_a_plan_in_words_matches_its_json(text: Path, capsys: Capture) -> None:
    for dims, ending in (("2,3,4", "dim 4): "), ("2,3,4,5", "dim 4 and 1 more): ")):
        arguments = [*GRID[:4], "--min-count", "1,1000", "--dim", dims, "--plan"]
        out = output_of(capsys, *arguments).splitlines()
        document = json.loads(output_of(capsys, *arguments, "--json"))
        assert ending in out[-1]
        for line, run in zip(out[1:], document["runs"], strict=False):
            assert run["seconds"] is None
            assert line.split()[-2:] == ["?", f"{run['memory_bytes'] / 1e6:,.0f}"]
        assert out[-2].endswith(
            f"in total, {document['memory_bytes'] / 1e6:,.0f} MB of memory at most."
        )


@pytest.mark.usefixtures("gate")
def test_runs_of_a_grid_have_colours_and_find_their_text(text: Path, capsys: Capture) -> None:
    words = [*GRID, "--preset", "quick", "--seed", "1,2", "--output", "made", "--suffix", "vec"]
    out = output_of(capsys, *words)
    records, _ = Store().load()
    assert len({record.colour for record in records}) == 2
    assert f"Saved the runs as “{records[0].group}”." in out
    for record in records:
        assert record.parameters["dim"] == 7
        assert record.summary["source"]["paths"] == [str(text)]
    assert {path.suffix for path in Path("made").iterdir()} == {".vec"}
    # Running the grid again gives different names.
    output_of(capsys, *words)
    assert len({record.name for record in Store().load()[0]}) == 4
    assert len(list(Path("made").iterdir())) == 4


@pytest.mark.usefixtures("gate")
def test_a_grid_with_an_unsaved_run_fails(
    text: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(request: TrainingRequest, store: Store, run: JobControl) -> TrainingResult:
        outcome = train_and_keep(request, store, run)
        failure = UserError("The disk is full.") if request.record.parameters["dim"] == 3 else None
        return dataclasses.replace(outcome, not_saved=failure)

    monkeypatch.setattr("workbench.cli.grid.train_and_keep", full)
    assert "The disk is full." in output_of(capsys, *GRID, "--dim", "2,3", code=2)


@pytest.mark.usefixtures("gate")
def test_a_failed_run_is_reported_and_the_next_starts(text: Path, capsys: Capture) -> None:
    document = json.loads(
        output_of(capsys, *GRID, "--failing", "user,memory,diverge", "--steps", "20", "--json")
    )
    assert [run["outcome"].split(":")[0] for run in document["runs"]] == [
        "failed",
        "failed",
        "stopped",
    ]
    # The last run made ten of its twenty steps.
    (record,) = Store().load()[0]
    tokens = record.summary["tokens_per_pass"] * record.parameters["epochs"]
    assert document["runs"][2]["rate"] == pytest.approx(
        0.5 * tokens / document["runs"][2]["seconds"]
    )


@pytest.mark.usefixtures("gate")
@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--dim", "2,x"], "dim must be a whole number"),
        (["--dim", "1,000"], "Write thousands without commas"),
        (["--nothing", "1"], "step doesn’t have the option --nothing"),
        (["--preset", "nobody's"], "Unknown preset"),
    ],
)
def test_errors_are_on_one_line(
    text: Path, capsys: Capture, words: list[str], problem: str
) -> None:
    err = output_of(capsys, *GRID, *words, code=2)
    assert problem in err
    assert err.count("\n") == 1


@pytest.mark.usefixtures("gate")
def test_stars_can_be_removed_and_names_are_never_empty(text: Path, capsys: Capture) -> None:
    output_of(capsys, *GRID, "--seed", "1,2")
    name = "Step seed 1"
    assert "star on" in output_of(capsys, "runs", "star", name)
    assert "★" in output_of(capsys, "runs").splitlines()[1]
    assert "star off" in output_of(capsys, "runs", "unstar", name)
    assert not any(record.star for record in Store().load()[0])
    assert "The new name is missing." in output_of(capsys, "runs", "rename", name, "  ", code=2)
    assert {record.name for record in Store().load()[0]} == {name, "Step seed 2"}
    output_of(capsys, "runs", "rename", name, " a \n\t name ")
    assert {record.name for record in Store().load()[0]} == {"a name", "Step seed 2"}
    # Names in a grid contain seeds, but the table has columns only for parameters that define a
    # model.
    assert "seed" not in output_of(capsys, "runs").splitlines()[0].split()


@pytest.mark.usefixtures("gate")
def test_names_are_sorted_as_people_do(text: Path, capsys: Capture) -> None:
    output_of(capsys, *GRID, "--seed", "1..3")
    for number, name in enumerate(("banana", "Cherry", "apple"), 1):
        output_of(capsys, "runs", "rename", f"Step seed {number}", name)
    for sort, names in (
        ("name", ["apple", "banana", "Cherry"]),
        ("-name", ["Cherry", "banana", "apple"]),
    ):
        rows = list(
            csv.DictReader(io.StringIO(output_of(capsys, "runs", f"--sort={sort}", "--csv")))
        )
        assert [row["name"] for row in rows] == names


@pytest.mark.usefixtures("gate")
def test_runs_are_listed_marked_and_deleted(text: Path, capsys: Capture) -> None:
    output_of(capsys, *GRID, "--dim", "2,3,4")
    assert "star on" in output_of(capsys, "runs", "star", "Step dim 3")
    output_of(capsys, "runs", "note", "Step dim 3", "=for\nclass")
    output_of(capsys, "runs", "rename", "Step dim 4", "Four")
    runs = json.loads(output_of(capsys, "runs", "--json"))["runs"]
    assert [(run["name"], run["star"], run["note"]) for run in runs] == [
        ("Step dim 2", False, ""),
        ("Step dim 3", True, "=for class"),
        ("Four", False, ""),
    ]
    table = output_of(capsys, "runs", "--filter", "star:yes")
    assert "★" in table
    assert "=for class" in table
    assert "Four" not in table
    names = [
        run["name"]
        for run in json.loads(output_of(capsys, "runs", "--json", "--sort=-dim"))["runs"]
    ]
    assert names == ["Four", "Step dim 3", "Step dim 2"]
    # The start of an id is enough if it is unique.
    assert "“Step dim 2”" in output_of(capsys, "runs", "star", runs[0]["id"][:-1])
    assert "star on" in output_of(capsys, "runs", "star", runs[0]["id"])
    # Ids start with the date.
    assert "matches 3 runs" in output_of(capsys, "runs", "star", runs[0]["id"][:2], code=2)
    rows = list(csv.DictReader(io.StringIO(output_of(capsys, "runs", "--csv"))))
    # Escaped, so that a spreadsheet doesn’t take it for a formula.
    assert [row["note"] for row in rows] == ["", "'=for class", ""]
    output = output_of(capsys, "runs", "delete", "Four")
    assert len(Store().load()[0]) == 2
    output_of(capsys, "runs", "undelete", runs[2]["id"])
    assert len(Store().load()[0]) == 3
    assert "To restore it: workbench runs undelete" in output
    assert "Unknown column" in output_of(capsys, "runs", "--filter", "dmi>3", code=2)
    assert "Unknown run" in output_of(capsys, "runs", "star", "nobody", code=2)


def test_a_filter_may_name_a_column_of_no_run(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    assert "No runs found." in output_of(capsys, "runs", "--filter", "x_max>3")


@pytest.mark.usefixtures("gate")
def test_a_run_of_a_newer_version_is_listed_as_newer(text: Path, capsys: Capture) -> None:
    output_of(capsys, *GRID, "--dim", "2")
    (record,) = Store().load()[0]
    path = Store().run_folder(record.identifier) / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "format": 99}))
    assert "saved by a newer version" in output_of(capsys, "runs")
    document = json.loads(output_of(capsys, "runs", "--json"))
    assert (document["runs"], document["damaged"], len(document["newer"])) == ([], [], 1)


@pytest.mark.parametrize("sort", ["dim", "-dim"])
def test_missing_values_are_sorted_last(sort: str) -> None:
    rows: Any = [("a", {"dim": 3}), ("b", {"dim": None}), ("c", {"dim": 7}), ("d", {})]
    names = [name for name, _ in _sort_rows(rows, sort, ["dim"])]
    assert names == (["a", "c", "b", "d"] if sort == "dim" else ["c", "a", "b", "d"])


@pytest.mark.usefixtures("gate", "text")
def test_unique_beginnings_of_ids_name_runs(capsys: Capture) -> None:
    output_of(capsys, *GRID, "--dim", "2,3")
    runs = json.loads(output_of(capsys, "runs", "--json"))["runs"]
    first, second = (run["id"] for run in runs)
    same = first[: next(at for at in range(99) if first[at] != second[at])]
    assert "matches 2 runs" in output_of(capsys, "runs", "star", same, code=2)
    output_of(capsys, "runs", "star", first[: len(same) + 1])
    stars = {
        run["id"]: run["star"] for run in json.loads(output_of(capsys, "runs", "--json"))["runs"]
    }
    assert stars == {first: True, second: False}


@pytest.mark.parametrize("algorithm", ["sgns", "glove"])
def test_starts_of_a_grid_differ(algorithm: str, text: Path, capsys: Capture) -> None:
    out = output_of(
        capsys,
        *(
            "grid",
            "text.txt",
            "--algorithm",
            algorithm,
            "--min-count",
            "1",
            "--dim",
            "8",
            "--epochs",
            "1",
            "--threads",
            "1",
        ),
        *("--start", "random,counts", "--output", "made", "--suffix", ".npz", "--json"),
    )
    made = [load_vectors(Path("made", Path(run["file"]).name)) for run in json.loads(out)["runs"]]
    starts = [vectors.metadata["parameters"]["start"] for vectors in made]
    assert starts == ["random", "counts"]
    assert dense(made[0].vectors).tobytes() != dense(made[1].vectors).tobytes()
