from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.corpus.tokenise.tokenisers.pattern_bounds import (
    MOST_ELEMENTS,
    count_elements,
    has_recursion,
)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\p{L}+(?:['’\-]\p{L}+)*",
        r"\d{4}-\d{2}-\d{2}|\d{3}[-.() ]\d{3}[-.() ]\d{4}|\d{1,3}(?:\.\d{1,3}){3}|\w+" * 10,
        r"(?x) (?:[A-Z]\.)+ | \w+(?:-\w+)* | \$?\d+(?:\.\d+)?%? | \.\.\. # tokens",
        r"\p{Lu}{2,}|[^\s()\[\]{}]{1,100}|\S",
        r".{1000}",
        r"x{0,100000}",
        r"[(?1-9R&]+",
    ],
)
def test_ordinary_patterns_are_within_the_bounds(pattern: str) -> None:
    assert count_elements(pattern) <= MOST_ELEMENTS
    assert not has_recursion(pattern)


@pytest.mark.parametrize(
    "pattern",
    [
        "a{5000}",
        "a{5000,}",
        "a{00005000}",
        "a{99999999999999999999}",
        "(?:(?:ab){60}){60}",
        # Parentheses and braces in classes and escapes aren’t groups.
        r"(?:(?:xy){60}[(]b){60}",
        r"(?:(?:xy){60}\(b){60}",
        r"(?:(?:xy){60}[]()]b){60}",
        r"(?:(?:xy){60}[[:alpha:](]b){60}",
        # A number with spaces or a comment.
        "(?x)a{ 50 00 }",
        "(?x)a{50#\n00}",
        "(?#[)(?:a{90}b){90}(?#])",
        "(?V1)[[a](]]{9000}",
    ],
)
def test_repetitions_multiply(pattern: str) -> None:
    assert count_elements(pattern) > MOST_ELEMENTS


@pytest.mark.parametrize(
    "pattern", ["(?R)", "(a(?1)?b)", "(?+1)(a)", "(a)(?-1)", "(?&n)(?P<n>a)", "(?P<n>a(?P>n)?)"]
)
@pytest.mark.parametrize("around", ["{}", "(?x) # [\n {} # ]", "[(]{}[)]", "[[:alpha:](]{}"])
def test_recursion_is_found(pattern: str, around: str) -> None:
    assert has_recursion(around.replace("{}", pattern))


# A pattern and the number of its elements, each group counting as one more.
_Sized = tuple[str, int]


def _repeat(one: _Sized, count: int) -> _Sized:
    return f"(?:{one[0]}){{{count}}}", (one[1] + 1) * max(count, 1)


_PATTERNS = st.recursive(
    st.sampled_from([("a", 1), (r"\(", 1), ("[()]", 1), (r"\p{L}", 1), ("[]{2}]", 1)]),
    lambda inner: (
        st.builds(_repeat, inner, st.integers(0, 40))
        | st.builds(lambda a, b: (a[0] + b[0], a[1] + b[1]), inner, inner)
    ),
    max_leaves=12,
)


@given(_PATTERNS)
@settings(max_examples=200)
def test_the_number_of_elements_is_never_below_the_true_one(sized: _Sized) -> None:
    pattern, elements = sized
    assert count_elements(pattern) >= min(elements, MOST_ELEMENTS + 1)
