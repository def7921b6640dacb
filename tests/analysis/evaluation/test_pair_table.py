"""Layouts of published sets of word pairs, written again with few lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from workbench.analysis.evaluation.pair_table import UnclearColumn
from workbench.analysis.evaluation.similarity import WordPairs, load_pairs
from workbench.core.errors import UserError

LAYOUTS = {
    "SimLex": (
        "word1\tword2\tPOS\tSimLex999\tconc(w1)\tconc(w2)\tconcQ\t"
        "Assoc(USF)\tSimAssoc333\tSD(SimLex)\n"
        "calm\tquiet\tA\t8.5\t2.7\t2.8\t2\t7.2\t1\t0.4\n"
        "oak\tspoon\tN\t0.5\t4.9\t5\t4\t0\t0\t0.9\n"
        "rise\tclimb\tV\t7\t3\t3.6\t2\t1.1\t0\t1.2\n",
        "SimLex999",
    ),
    "SimVerb": (
        "calm\tquiet\tV\t8.5\tSYNONYMS\noak\tspoon\tV\t0.5\tNONE\nrise\tclimb\tV\t7\tCOHYPONYMS\n",
        "4",
    ),
    "MEN": ("calm-j quiet-j 8.500000\noak-n spoon-n 0.500000\nrise-v climb-v 7.000000\n", "3"),
    "mean before raters": (
        "calm\tquiet\t8.5\t9\t8\t8\t9\noak\tspoon\t0.5\t0\t1\t1\t0\nrise\tclimb\t7.0\t7\t7\t6\t8\n",
        "3",
    ),
    "mean without some raters": (
        "calm\tquiet\t8.5\t9\t8\t2\t9\noak\tspoon\t0.5\t0\t1\t9\t0\nrise\tclimb\t7.0\t7\t7\t3\t8\n",
        "3",
    ),
    "mean after raters, rounded": (
        "calm;quiet;9;8;8,4;8,5\noak;spoon;0;1;0,6;0,5\nrise;climb;7;7;6,9;7,0\n",
        "6",
    ),
    "a rater left some out": (
        "calm\tquiet\t8.5\t9\t8\t\noak\tspoon\t0.5\t0\t1\nrise\tclimb\t7.0\t7\t\t7\n",
        "3",
    ),
    "numbered raters": (
        "\ufeffWord 1,Word 2,1,2,3,4,Human (mean)\n"
        "calm,quiet,9,8,8,2,8.5\noak,spoon,0,1,3,0,0.5\nrise,climb,7,7,6,8,7.0\n",
        "Human (mean)",
    ),
    "German titles": (
        "Wort1;Wort2;Streuung;Bewertung\ncalm;quiet;0,4;8,5\noak;spoon;0,9;0,5\nrise;climb;1,2;7\n",
        "Bewertung",
    ),
    "deviation": (
        "first,second,value,std\ncalm,quiet,8.5,1.5\noak,spoon,0.5,0.7\nrise,climb,7,2\n",
        "value",
    ),
    "numbered rows": (
        ",verb1,verb2,relatedness\n0,calm,quiet,8.5\n1,oak,spoon,0.5\n2,rise,climb,7\n",
        "relatedness",
    ),
    "number in the header": (
        "word1\tword2\t2014\ncalm\tquiet\t8.5\noak\tspoon\t.5\nrise\tclimb\t7\n",
        "2014",
    ),
}


def load(folder: Path, text: str, column: str = "") -> WordPairs:
    path = folder / "set.txt"
    path.write_text(text, encoding="utf-8")
    return load_pairs(path, column)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_column_of_the_score_is_found_for_the_whole_file(tmp_path: Path, layout: str) -> None:
    text, column = LAYOUTS[layout]
    pairs = load(tmp_path, text)
    assert pairs.words == (("calm", "quiet"), ("oak", "spoon"), ("rise", "climb"))
    assert pairs.scores == (8.5, 0.5, 7.0)
    assert pairs.column == column


@pytest.mark.parametrize(
    "text",
    [
        "calm quiet x 3 9\noak spoon y 8 1\nrise climb z 4 4\n",
        "calm\tquiet\t9\t8\t8\noak\tspoon\t0\t1\t1\nrise\tclimb\t7\t7\t6\n",
        "w,v,mean similarity,mean relatedness\ncalm,quiet,8.1,9.2\noak,spoon,1.5,2.4\n",
    ],
    ids=["unknown numbers", "raters without a mean", "two means"],
)
def test_an_unclear_column_is_refused_until_it_is_chosen(tmp_path: Path, text: str) -> None:
    with pytest.raises(UnclearColumn, match=r"several columns of numbers: “(4|3|mean sim)"):
        load(tmp_path, text)
    assert load(tmp_path, text, "4").scores[0] in (3, 8, 9.2)
    with pytest.raises(UnclearColumn, match="doesn’t have a column of numbers “1”"):
        load(tmp_path, text, "1")


@pytest.mark.parametrize("clear", [True, False])
def test_of_means_on_two_scales_the_first_is_read(tmp_path: Path, clear: bool) -> None:
    """HyperLex has AVG_SCORE from 0 to 6, AVG_SCORE_0_10, and raters with gaps."""
    means = (5.33, 0.17, 2.5, 4.83, 1.67, 3.0)
    lines = ["WORD1\tWORD2\tPOS\tAVG_SCORE\tAVG_SCORE_0_10\tSTD\tSCORE_1\tSCORE_2"]
    for row, mean in enumerate(means):
        other = mean / 0.6 if clear else 10 - row
        lines.append(f"a{row}\tb{row}\tN\t{mean}\t{other:.2f}\t0.{row}\t{row % 4}\t{5 - row}")
    text = "\n".join(lines) + "\n"
    if clear:
        pairs = load(tmp_path, text)
        assert (pairs.column, pairs.scores) == ("AVG_SCORE", means)
    else:
        with pytest.raises(UnclearColumn, match="several columns of numbers"):
            load(tmp_path, text)


def test_a_column_is_chosen_by_its_title_or_number(tmp_path: Path) -> None:
    text = LAYOUTS["SimLex"][0]
    assert load(tmp_path, text, "assoc(usf)").scores == (7.2, 0, 1.1)
    assert load(tmp_path, text, "10").scores == (0.4, 0.9, 1.2)
    # A title that is a number comes before the number of a column.
    assert load(tmp_path, LAYOUTS["numbered raters"][0], "4").scores == (2, 0, 8)


def test_a_line_without_the_score_is_named(tmp_path: Path) -> None:
    lines = LAYOUTS["SimVerb"][0].splitlines()
    with pytest.raises(UserError, match="line 3: expected two words and a score"):
        load(tmp_path, "\n".join([*lines[:2], "rise\tclimb\tV\thigh\tNONE", *lines]))


def test_hyphens_are_kept_unless_every_word_has_a_part_of_speech(tmp_path: Path) -> None:
    assert load(tmp_path, "plan-b oak-n 3\nx-v y-v 1\n").words[0] == ("plan-b", "oak-n")


KINDS = """# i: identical
t\tcalm\tquiet\t8.5
s\toak\tspoon\t0.5
M\trise\tclimb\t7
"""
SENTENCES = "".join(
    f"{at}\t{a}\tn\t{b}\tv\tthe {a} of 3\tone {b} more\t{score}\t{score}\t{score}\n"
    for at, (a, b, score) in enumerate(
        [("calm", "quiet", 8.5), ("oak", "spoon", 0.5), ("rise", "climb", 7.0)], 1
    )
)


@pytest.mark.parametrize(
    ("text", "column"),
    [
        (KINDS, "4"),
        (SENTENCES, "8"),
        ("WORD1:POS1:WORD2:POS2\ncalm:A:quiet:A:8.5\noak:N:spoon:N:0.5\nrise:V:climb:V:7\n", "5"),
        (
            "ID,Word 1,Word 2,Annotator 1,Annotator 2,Annotator 3\n"
            "1,calm,quiet,9,8,8.5\n2,oak,spoon,0,1,\n3,rise,climb,7,6,8\n",
            "mean of Annotator 1 to Annotator 3",
        ),
    ],
    ids=["a relation first", "parts of speech and sentences", "colons", "raters alone"],
)
def test_parts_of_speech_arent_words_and_raters_have_a_mean(
    tmp_path: Path, text: str, column: str
) -> None:
    pairs = load(tmp_path, text, "8" if column == "8" else "")
    assert pairs.words == (("calm", "quiet"), ("oak", "spoon"), ("rise", "climb"))
    assert pairs.scores == (8.5, 0.5, 7.0)
    assert pairs.column == column


def test_pairs_whose_scores_are_in_another_file(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no column of numbers.*in another file"):
        load(tmp_path, "calm\tquiet\noak\tspoon\n" * 3)


DISTANCES = "w1,w2,distance\ncalm,quiet,0.5\noak,spoon,9\nrise,climb,1\n"


@pytest.mark.parametrize(
    ("text", "scores", "column"),
    [
        (DISTANCES, (-0.5, -9, -1), "distance"),
        (DISTANCES.replace("distance", "Mean_Dissimilarity"), (-0.5, -9, -1), "Mean_Dissimilarity"),
        (
            "Wort1;Wort2;n;Abstand\ncalm;quiet;3;0,5\noak;spoon;4;9\nrise;climb;2;1\n",
            (-0.5, -9, -1),
            "Abstand",
        ),
        (
            "a,b,x,distance\ncalm,quiet,3,0\noak,spoon,4,9\nrise,climb,2,1\n",
            (0, -9, -1),
            "distance",
        ),
        (
            DISTANCES.replace(",0.5", ",-0.5").replace(",9", ",-9").replace(",1", ",-1"),
            None,
            "distance",
        ),
        (
            DISTANCES.replace("distance", "similarity (1 - distance)"),
            None,
            "similarity (1 - distance)",
        ),
        (
            DISTANCES.replace("w2,distance", "w2,distance,similarity")
            .replace("\ncalm,quiet,0.5", "\ncalm,quiet,0.5,8")
            .replace("spoon,9", "spoon,9,2")
            .replace("climb,1", "climb,1,7"),
            (8, 2, 7),
            "similarity",
        ),
    ],
)
def test_scores_are_the_negatives_of_distances(
    tmp_path: Path, text: str, scores: tuple[float, ...] | None, column: str
) -> None:
    """Both correlations then have the sign of those with similarities."""
    pairs = load(tmp_path, text)
    assert pairs.column == column
    assert pairs.negated == (scores is not None and max(scores) <= 0)
    if scores is not None:
        assert pairs.scores == scores
    else:
        assert [abs(score) for score in pairs.scores] == [0.5, 9, 1]
        assert pairs.scores[1] == float(text.splitlines()[2].split(",")[-1])


def test_the_columns_that_can_be_chosen_are_listed(tmp_path: Path) -> None:
    titled = load(tmp_path, LAYOUTS["SimLex"][0])
    assert titled.choices[:2] == ("SimLex999", "conc(w1)")
    assert titled.detected == "SimLex999"
    twice = "w1,w2,mean,x,x,\ncalm,quiet,8.5,1,2,3\noak,spoon,0.5,4,5,6\n"
    assert load(tmp_path, twice).choices == ("mean", "x", "5", "6")
    assert load(tmp_path, twice, "5").scores == (2, 5)
    raters = "a,b,Rater 1,Rater 2,Rater 3\ncalm,quiet,9,8,7\noak,spoon,0,1,2\n"
    mean = "mean of Rater 1 to Rater 3"
    other = load(tmp_path, raters, "Rater 3")
    assert other.scores == (7, 2)
    assert other.detected == other.choices[0] == mean
    assert load(tmp_path, raters, mean).scores == (8, 1)
    with pytest.raises(UnclearColumn) as caught:
        load(tmp_path, "w,v,a,b\ncalm,quiet,1,9\noak,spoon,2,1\n")
    assert caught.value.choices == ("a", "b")


@pytest.mark.parametrize("missing", ["NA", "", "-"])
def test_pairs_without_a_score_are_left_out_and_counted(tmp_path: Path, missing: str) -> None:
    text = f"w1,w2,score\ncalm,quiet,8.5\noak,spoon,{missing}\nrise,climb,7\n"
    pairs = load(tmp_path, text)
    assert pairs.words == (("calm", "quiet"), ("rise", "climb"))
    assert (pairs.scores, pairs.unscored) == ((8.5, 7), 1)


def test_lines_may_be_numbered_before_raters_and_contexts(tmp_path: Path) -> None:
    """Stanford's contextual word similarities have both."""
    rows = ""
    for at, (first, second, mean) in enumerate(
        [("calm", "quiet", 8), ("oak", "spoon", 2), ("rise", "climb", 7), ("hen", "egg", 5),
         ("tea", "cup", 6), ("sun", "moon", 4)], 1
    ):  # fmt: skip
        raters = "\t".join(str(mean + step) for step in (-1, 1, 0, 0, -2, 2, 0, 1, -1, 0))
        rows += f"{at}\t{first}\tn\t{second}\tv\tA <b> {first} </b> .\tA <b> {second} </b> ."
        rows += f"\t{mean}.0\t{raters}\n"
    pairs = load(tmp_path, rows)
    assert pairs.words[1] == ("oak", "spoon")
    assert pairs.scores == (8, 2, 7, 5, 6, 4)
    assert pairs.detected == "8"


@pytest.mark.parametrize(
    "text",
    [
        # R's write.table, with names of rows and without, and titles after the sign of a comment.
        '"word1" "word2" "score"\n"1" "sun" "moon" 9.5\n"2" "sun" "New York" 2\n'
        '"3" "sea" "tree" 4\n',
        '"word1" "word2" "score"\n"sun" "moon" 9.5\n"sun" "New York" 2\n"sea" "tree" 4\n',
        "#Word1\tWord2\tscore\nsun\tmoon\t9.5\nsun\tNew York\t2\nsea\ttree\t4\n",
    ],
)
def test_quoted_words_between_spaces_and_titles_with_a_sign(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pairs.txt"
    path.write_text(text)
    pairs = load_pairs(path)
    assert pairs.words == (("sun", "moon"), ("sun", "New York"), ("sea", "tree"))
    assert (pairs.scores, pairs.column) == ((9.5, 2.0, 4.0), "score")
