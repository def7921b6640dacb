"""Numbers before a noun: “1 word”, not “1 words”."""

from __future__ import annotations

import re

from tools.translations import gather_texts

NOUNS = (
    "words lines dimensions pairs tokens files runs questions sentences cells columns rows "
    "clusters seeds bytes documents regions steps modes epochs"
)
# A number at the beginning of a text, or after a comma or bracket, with its noun: ``plural`` or
# ``trn`` writes these.
PATTERN = re.compile(rf"(?:^|[(:;,·] )\{{[^{{}}]*\}} (?:\w+ )?(?:{'|'.join(NOUNS.split())})\b(?!’)")
# Numbers that are never 1, or are rounded ("1.5M"), and names of files before a verb.
SEVERAL = {
    "{seeds} seeds · {words} words · overlap@{k} {overlap:.2f}, Jaccard {jaccard:.2f}, in all "
    "seeds {everywhere:.2f}",
    "{texts} texts · {words} words · overlap@{k} {overlap:.2f}, Jaccard {jaccard:.2f}, in all "
    "texts {everywhere:.2f}",
    "{about} {level}, {minutes} minutes, {number} steps.",
    "Step {step}: {tokens} tokens are below this node, {value:.1f}% of them on the chosen side "
    "({code}). The most frequent word on the other side is “{other}”.",
    "GloVe 2024, {dimensions} dimensions",
    "GloVe 6B, {dimensions} dimensions",
    "GloVe Twitter, {dimensions} dimensions",
    "{count} random words",
    "{language} news, {number:,} sentences",
    "{words:,} words, {dimensions} dimensions, trained on {text}.",
    "{count} runs",
    "{k} clusters",
    "{k} clusters · silhouette {silhouette:.2f}",
    "{number} files",
    "{number} words",
    "{number} words selected",
    "{name} has words in its first line, and numbers, but no words, below.",
    "{seen} tokens",
    "{stem} contains pairs with colons, as in SemEval-2012 task 2, which rates how typical pairs "
    "are of a relation.",
    "{tokens} tokens · {words}",
    "Corpus: {name}, {tokens} tokens of {types}.",
    "{word}: {code}, {tokens} tokens below the top node",
    "{words} words of {types}",
}


def test_one_has_a_noun_in_the_singular() -> None:
    found = {
        text.one
        for part in gather_texts().values()
        for text in part.values()
        if not text.more and PATTERN.search(text.one)
    }
    assert found - SEVERAL == set()
    assert SEVERAL - found == set()
