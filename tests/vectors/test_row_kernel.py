"""The kernel that parses rows of text: every number as Python's float and float32 find it, or left
to them.
"""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import line_blocks, load_vectors, text_rows
from workbench.vectors.formats.row_kernel import parse_rows

ODD_NUMBERS = (
    *("0", "-0", "+0", "0.0", "-0.0e5", ".5", "5.", "+.5", "-5.", "1e5", "1E5", "1e+05", "1e-05"),
    *("1.5e-0", "00000000000000000000001", "0.00000000000000000000000000000000000000000001"),
    *("0000.1000", "1" * 40, "0." + "3" * 60, "12345678901234567890.5", "9" * 19, "9" * 20),
    # In the middle of two float32, as 2²⁴ + 1 is, and beside it.
    *("16777217", "16777217.0000000001", "16777216.9999999999", "1.00000005960464477539062"),
    *("1.000000059604644775390625", "1.00000005960464477539063"),
    # The largest numbers, the smallest, and what rounds to infinity or zero.
    *("3.4028234663852886e38", "3.4028235677973366e38", "3.4028235677973367e38", "-1e39", "1e400"),
    *("1.401298464324817e-45", "7.006492321624085e-46", "7.006492321624086e-46", "1e-400"),
    *("1.1754943508222875e-38", "1.1754942807573643e-38", "5e-324", "2.5e80", "1e-80", "1e81"),
    # Beyond the numbers that the kernel reads, or not numbers.
    *(
        "nan",
        "-inf",
        "infinity",
        "1_000",
        "1_0.5",
        "0x10",
        "1e",
        "1e+",
        "e5",
        ".",
        "-",
        "+-1",
        "1.2.3",
    ),
    *("--1", "1-", "1,5", "1e5.5", "1e1000000000000", "\u0661", "1\u00a0", "\x1f1", "1\x0b", "1f"),
)


def parsed(text: str) -> np.float32 | None:
    """What the kernel finds, or None if it leaves the number to Python."""
    line = f"a {text}\n".encode()
    data = np.frombuffer(bytearray(line), np.uint8)
    vectors = np.empty((1, 1), np.float32)
    names = np.empty(len(line) + 1, np.uint8)
    # Where kernels aren't compiled, numpy warns of infinite numbers.
    with np.errstate(all="ignore"):
        at, row, used = parse_rows(data, 0, len(line), vectors, 0, names)
    if row == 0:
        assert (at, used) == (0, 0)
        return None
    assert (at, names[:used].tobytes()) == (len(line), b"a ")
    return np.float32(vectors[0, 0])


def expected(text: str) -> np.float32 | None:
    row = text_rows.parse_row(f"a {text}\n".encode(), 1)
    if row is None:
        return None
    with np.errstate(over="ignore"):
        return np.float32(row[1][0])


def bits(number: np.float32) -> int:
    return int(number.view(np.uint32))


@pytest.mark.parametrize("text", ODD_NUMBERS)
def test_an_odd_number_is_read_as_python_reads_it_or_left_to_python(text: str) -> None:
    found = parsed(text)
    if found is not None:
        wanted = expected(text)
        assert wanted is not None
        assert bits(found) == bits(wanted)


def test_random_numbers_are_read_as_python_reads_them() -> None:
    random_state = random.Random(7)
    left = 0
    for _ in range(20_000):
        single = struct.unpack("<f", struct.pack("<I", random_state.getrandbits(32)))[0]
        if single != single or single in (float("inf"), float("-inf")):
            continue
        style = random_state.choice(("%.9g", "%.17g", "%.6f", "%r", "%.4e", "%.25e"))
        text = style % (single if random_state.random() < 0.5 else random_state.gauss(0, 1))
        found = parsed(text)
        if found is None:
            left += 1
        else:
            wanted = expected(text)
            assert wanted is not None
            assert bits(found) == bits(wanted), text
    # Only those between two float32, or with a power of ten beyond 80.
    assert left < 100


def test_numbers_in_the_middle_of_two_float32_are_read_as_python_reads_them() -> None:
    random_state = random.Random(8)
    for _ in range(3000):
        # Not the largest exponent, which is infinite.
        below = random_state.getrandbits(31) % 0x7F000000
        low, high = struct.unpack("<2f", struct.pack("<2I", below, below + 1))
        middle = (low + high) / 2
        for text in (f"{middle:.60g}", f"{middle:.17g}", f"{middle:.60g}1", f"{middle:.16g}"):
            found = parsed(text)
            if found is not None:
                wanted = expected(text)
                assert wanted is not None
                assert bits(found) == bits(wanted), text


WORDS = (
    *("a", "é", "日本", "\u00a0", "x\u3000y", "\u200b", "1e5", "nan", "-0.5", "</s>", "\ufeff"),
    *("New York", ". . .", "a\x1fb", "😀", "word" * 30, "e\u0301"),
)


def read_both_ways(
    path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> tuple[Embeddings | str, Embeddings | str]:
    """The file as Python reads it, and as the kernel does in blocks of this size."""
    found: list[Embeddings | str] = []
    for numbers in (1 << 40, 0):
        monkeypatch.setattr(text_rows, "MANY_NUMBERS", numbers)
        monkeypatch.setattr(line_blocks, "_BLOCK", block)
        try:
            found.append(load_vectors(path))
        except UserError as error:
            found.append(str(error))
    return found[0], found[1]


@pytest.mark.parametrize("block", [1, 100, 1000, 1 << 18])
@pytest.mark.parametrize("header", [True, False], ids=["word2vec", "GloVe"])
def test_files_are_read_alike_by_the_kernel_and_by_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: bool, block: int
) -> None:
    random_state = random.Random(block)
    lines = []
    for number in range(300):
        word = random_state.choice(WORDS) + (str(number) if number % 3 else "")
        numbers = [
            random_state.choice((f"{random_state.gauss(0, 1):.9g}", "0", "1e-3", "16777217"))
        ]
        numbers += [f"{random_state.gauss(0, 1):.6f}" for _ in range(6)]
        space = random_state.choice((" ", "\t", "  "))
        end = random_state.choice(("\n", "\r\n", " \n", "\n\n", "\n \n"))
        lines.append(word + space + space.join(numbers) + end)
    # The first row decides which format the file has.
    lines.insert(0, "first 0.1 0.2 0.3 0.4 0.5 0.6 0.7\n")
    lines.append("caf\udce9 1.5 0.2 0.3 0.4 0.5 0.6 0.7")
    path = tmp_path / "v.txt"
    text = (f"{len(lines)} 7\n" if header else "") + "".join(lines)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    slow, fast = read_both_ways(path, monkeypatch, block)
    assert isinstance(slow, Embeddings)
    assert isinstance(fast, Embeddings)
    assert list(fast.words) == list(slow.words)
    assert "caf\\xe9" in fast.words
    assert np.asarray(fast.vectors).tobytes() == np.asarray(slow.vectors).tobytes()
    assert dict(fast.metadata) == dict(slow.metadata)


@pytest.mark.parametrize("block", [1, 40, 1 << 18])
@pytest.mark.parametrize(
    "damage",
    [
        *("b 1.5", "b 1.5 x", "b 1.5 2.5 3.5", "b 1.5 nan", "b 1.5 1e999", "", " 1.5 2.5", "b"),
        *("b 1.5 2.5\nc 1 2", "a 1 2", "<unk> 1 2"),
    ],
)
def test_damage_is_reported_alike_by_the_kernel_and_by_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, block: int
) -> None:
    path = tmp_path / "v.vec"
    path.write_text(f"4 2\na 0.5 1.5\nx 1.5 1e-3\ny 0.25 0.5\n{damage}\n", encoding="utf-8")
    slow, fast = read_both_ways(path, monkeypatch, block)
    if isinstance(slow, str):
        assert fast == slow
    else:
        assert isinstance(fast, Embeddings)
        assert list(fast.words) == list(slow.words)
        assert np.asarray(fast.vectors).tobytes() == np.asarray(slow.vectors).tobytes()
        assert dict(fast.metadata) == dict(slow.metadata)


def test_an_integer_has_the_row_of_its_first_occurrence_though_hashes_are_equal() -> None:
    assert hash(-1) == hash(-2)
    assert text_rows.first_rows([5, -1, -2, 5, -1]).tolist() == [0, 1, 2]
