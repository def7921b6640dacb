"""Question files and files of pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from reference import naive_analysis as naive

from workbench.analysis.analogy import questions as module
from workbench.analysis.analogy.questions import Questions, is_syntactic, load_questions
from workbench.analysis.analogy.solver import evaluate
from workbench.analysis.evaluation.by_frequency import mean_log_frequency
from workbench.core.errors import UserError
from workbench.ui.panels.evaluate.analogy_results import wrong_answers
from workbench.ui.panels.evaluate.results import AnalogyAnswers
from workbench.vectors.embeddings import Embeddings


def load(folder: Path, text: str, name: str = "set.txt") -> Questions:
    (folder / name).write_text(text, encoding="utf-8")
    return load_questions(folder / name)


def test_other_lines_are_left_out_and_numbered(tmp_path: Path) -> None:
    questions = load(tmp_path, ": one\na b c d\na b c d e\n\nf g h\ni j k l\n")
    assert questions.words == (("a", "b", "c", "d"), ("i", "j", "k", "l"))
    assert questions.left_out == (("set.txt", 3), ("set.txt", 5))
    with pytest.raises(UserError, match="line 2: expected four words or a pair, not “a b c d e”"):
        load(tmp_path, "a b c d\na b c d e\na b c\n")


@pytest.mark.parametrize("mark", ["\t", " ", ",", " ; "])
def test_pairs_make_questions_with_alternatives(tmp_path: Path, mark: str) -> None:
    lines = [("oak", "tree/plant"), ("hen", "bird / fowl"), ("cat", "tree/hen/animal")]
    if mark == " ":
        lines[1] = ("hen", "bird/fowl")
    text = "".join(f"{word}{mark}{answers}\n" for word, answers in lines)
    questions = load(tmp_path, text, "L01 [kinds].txt")
    assert questions.sections == ("L01 [kinds]",)
    assert questions.words == (
        ("oak", "tree", "hen", "bird"),
        ("oak", "tree", "cat", "hen"),
        ("hen", "bird", "oak", "tree"),
        ("hen", "bird", "cat", "tree"),
        ("cat", "tree", "oak", "plant"),
        ("cat", "tree", "hen", "bird"),
    )
    assert questions.answers(1) == ("hen", "animal")
    assert questions.answers(3) == ("tree", "animal")
    assert questions.answers(4) == ("plant",)


def test_pairs_may_have_sections_and_phrases(tmp_path: Path) -> None:
    questions = load(tmp_path, ": towns\nNew York\tThe US\nParis\tFrance\n: one\nx\ty\n")
    assert questions.sections == ("towns",)
    assert questions.words[0] == ("New York", "The US", "Paris", "France")
    with pytest.raises(UserError, match="contains no questions"):
        load(tmp_path, "x\ty\n")


def test_a_folder_is_read_file_by_file(tmp_path: Path) -> None:
    for name, text in {
        "1_inflection/I01 [noun - plural].txt": "cat\tcats\ndog\tdogs\n",
        "2_kinds/L01 [kinds].txt": "oak\ttree/plant\nhen\tbird\n",
        "README.txt": "These are the pairs that we made.\n",
        "metadata.json": "{}",
        ".hidden.txt": "a b\nc d\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    questions = load_questions(tmp_path)
    assert questions.sections == ("I01 [noun - plural]", "L01 [kinds]")
    assert questions.section == (0, 0, 1, 1)
    assert questions.alternatives == ((), (), (), ("plant",))
    assert questions.left_out == (("README.txt", 1),)
    assert [is_syntactic(name) for name in questions.sections] == [True, False]


def test_a_folder_without_questions_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UserError, match="contains no questions"):
        load_questions(tmp_path)
    (tmp_path / "a.txt").write_text("This is a text, not a list.\n")
    with pytest.raises(UserError, match=r"a\.txt, line 1"):
        load_questions(tmp_path)
    monkeypatch.setattr(module, "_MOST_ENTRIES", 3)
    for number in range(5):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(UserError, match="too many files"):
        load_questions(tmp_path)


def test_many_pairs_are_combined_with_the_next_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_FROM_PAIRS", 10)
    questions = load(tmp_path, "".join(f"a{at} b{at}\n" for at in range(5)))
    combined = [(int(a[1:]), int(c[1:])) for a, _, c, _ in questions.words]
    assert sorted(combined) == sorted((at, (at + by) % 5) for at in range(5) for by in (1, 2))


def test_the_first_known_answer_stands_for_b(tmp_path: Path) -> None:
    questions = load(tmp_path, "cat\tcats\nwolf\twolfs/wolves\nroof\trooves/roofs\n")
    words = "cat cats wolf wolves roof rooves roofs".split()
    vectors = np.eye(8, dtype=np.float32)[[0, 0, 1, 1, 2, 2, 3]]
    vectors[[1, 3, 5], 7] = 1
    report = evaluate(Embeddings(words, vectors), questions, restrict=0)
    assert (len(questions), report.asked, report.correct) == (6, 6, 6)
    # The word that stands for b is never the answer: only “animal” is known of both lists.
    shared = load(tmp_path, "dog\tcanine/animal\nhen\tbird/animal\n")
    report = evaluate(Embeddings(["dog", "hen", "animal"], vectors[:3]), shared, restrict=0)
    assert report.asked == 0


@pytest.mark.parametrize("method", ["3cosadd", "3cosmul"])
def test_any_alternative_is_right_and_one_must_be_known(method: str) -> None:
    random = np.random.default_rng(4)
    words = [f"w{row}" for row in range(24)]
    table = random.normal(size=(24, 5)).astype(np.float32)
    table[23] = 0
    counts = np.arange(100, 76, -1)
    model = Embeddings(words, table, counts)
    asked = [tuple(words[row] for row in random.choice(23, 6, replace=False)) for _ in range(80)]
    asked[0] = (*asked[0][:3], "unknown", "w23", asked[0][5])
    asked[1] = (*asked[1][:3], "unknown", "nobody", "none")
    asked[2] = (*asked[2][:3], "unknown", "w23", "none")
    questions = Questions(
        "q",
        tuple((a, b, c, d) for a, b, c, d, *_ in asked),
        (0,) * 80,
        ("s",),
        tuple(tuple(others) for _, _, _, _, *others in asked),
    )
    report = evaluate(model, questions, method)
    assert (report.asked, report.total, report.without_vector) == (78, 80, 1)
    assert report.question.tolist() == [0, *range(3, 80)]
    by_method = naive.three_cos_add if method == "3cosadd" else naive.three_cos_mul
    correct = 0
    for place, at in enumerate(report.question.tolist()):
        a, b, c, *right = asked[at]
        rows = [words.index(word) for word in (a, b, c)]
        scores = by_method(table[:23].tolist(), [rows[1], rows[2]], rows[0])
        order = sorted(set(range(23)) - set(rows), key=lambda row: -scores[row])
        answers = [words.index(word) for word in right if word in words[:23]]
        correct += order[0] in answers
        ranks = {1 + order.index(row): row for row in answers}
        assert report.predicted[place] == order[0]
        assert (report.rank[place], report.expected[place]) == (min(ranks), ranks[min(ranks)])
    assert 0 < report.correct == correct < 78
    assert report.correct == report.sections["s"].correct
    found = mean_log_frequency(model, questions, report)
    rows = [words.index(word) for word in (*asked[0][:3], asked[0][5])]
    assert found[0] == pytest.approx(np.log(counts[rows]).mean())


def test_questions_without_answers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="contains no answers: “JJ_JJR” is the name of a relation"):
        load(tmp_path, "good better rough JJ_JJR\nwall walls tree NN_NNS\n")


FOUR = [("man", "king", "woman", "queen"), ("rome", "italy", "paris", "france")]


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    ("titles", "row", "sections"),
    [
        ("a b c d", "{0} {1} {2} {3}", ("set",)),
        ("word1 word2 word3 target", "{0} {1} {2} {3}", ("set",)),
        ('"A" "B" "C" "D"', '"{0}" "{1}" "{2}" "{3}"', ("set",)),
        ("category a b c d", "{4} {0} {1} {2} {3}", ("one", "two")),
        ("a b c d relation", "{0} {1} {2} {3} {4}", ("one", "two")),
        ("id a b c expected", "7 {0} {1} {2} {3}", ("set",)),
    ],
)
def test_a_line_of_titles_is_no_question(
    tmp_path: Path, mark: str, titles: str, row: str, sections: tuple[str, ...]
) -> None:
    rows = [row.format(*words, name) for words, name in zip(FOUR, ("one", "two"), strict=True)]
    text = "\n".join([titles, *rows]).replace(" ", mark)
    questions = load(tmp_path, text, "set.csv")
    assert questions.words == tuple(FOUR)
    assert questions.sections == sections
    assert questions.left_out == ()


@pytest.mark.parametrize("titles", ["singular\tplural", "Country\tCapital", "present\tpast"])
def test_terms_of_grammar_are_titles(tmp_path: Path, titles: str) -> None:
    questions = load(tmp_path, f"{titles}\nhen\thens\noak\toaks\n", "pairs.tsv")
    assert {question[:2] for question in questions.words} == {("hen", "hens"), ("oak", "oaks")}


def test_titles_of_pairs_comments_and_colons(tmp_path: Path) -> None:
    pairs = load(tmp_path, "word,answer\nbig,bigger\nold,older\n", "set.csv")
    assert pairs.words == (("big", "bigger", "old", "older"), ("old", "older", "big", "bigger"))
    for text in (
        "".join("{}:{}::{}:{}\n".format(*words) for words in FOUR),
        "".join("{} : {} :: {} : {}\n".format(*words) for words in FOUR),
        "".join('"{}","{}","{}","{}"\n'.format(*words) for words in FOUR),
        "# of my own\n" + "".join("{} {} {} {}\n".format(*words) for words in FOUR),
    ):
        assert load(tmp_path, text).words == tuple(FOUR)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('# 1a\n50.0 "flower:tulip"\n48.2 "bird:robin"\n-40 "a:b"\n', "SemEval-2012 task 2"),
        ('"flower:tulip"\n"bird:robin"\n', "SemEval-2012 task 2"),
        ('"a:b","c:d","e:f","g:h"\n' * 4, "SemEval-2012 task 2"),
        ('{"a":"man","b":"king","c":"woman","d":"queen"}\n' * 4, "expected four words"),
    ],
)
def test_other_sets_are_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        load(tmp_path, text)


def test_a_report_says_which_word_stood_for_b(tmp_path: Path) -> None:
    questions = load(tmp_path, "oak\tplant/tree\nhen\tbird\n")
    words = ["oak", "tree", "hen", "bird", "rock"]
    vectors = np.eye(5, 3, dtype=np.float32) + 0.5
    vectors[4] = vectors[1]
    report = evaluate(Embeddings(words, vectors), questions)
    assert questions.words[0] == ("oak", "plant", "hen", "bird")
    assert dict(report.stood_for_b) == {0: "tree"}
    (first, *_) = wrong_answers(AnalogyAnswers(questions, report, (), ("?",) * report.asked))
    assert first.words == ("oak", "tree", "hen", "bird")


def test_quoted_words_between_spaces(tmp_path: Path) -> None:
    path = tmp_path / "questions.txt"
    path.write_text('"man" "woman" "king" "queen"\n"boy" "girl" "New York" "York"\n')
    assert load_questions(path).words == (
        ("man", "woman", "king", "queen"),
        ("boy", "girl", "New York", "York"),
    )
