"""A corpus as integers on disk, the input of every algorithm."""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.param_labels import param_name, quoted_param
from workbench.core.params import Params, Value, param
from workbench.corpus.tokenise.tokenisers import TOKENISERS
from workbench.corpus.tokenise.tokenisers.pattern import wrong


@dataclass(frozen=True)
class CorpusOptions(Params):
    """Options that turn text into tokens and sentences."""

    tokeniser: str = param(
        "words",
        "Tokeniser. words: runs of letters, marks and digits with single inner "
        "apostrophes; whitespace: split at spaces; characters: every character except "
        "spaces, marks with their base; regex: matches of your own pattern; chinese, "
        "japanese, korean, thai, vietnamese: dictionary words (jieba; MeCab with unidic-lite; "
        "Kiwi; PyThaiNLP; underthesea).",
        label="Tokeniser",
        choices=TOKENISERS.keys(),
        basic=True,
    )
    pattern: str = param(
        r"\w+",
        "Regular expression whose matches, or first groups, are the tokens of a line; "
        "\\p{L} matches a letter. Spaces within a match become _.",
        label="Pattern",
        source="words without apostrophes",
        basic=True,
    )
    sentences: str = param(
        "lines",
        "Sentence boundaries, which no window crosses. lines: at every line end; "
        "paragraphs: at an empty line; punctuation: at . ! ? … 。 and empty lines; auto: at "
        "punctuation in files whose lines have a fixed width, at line ends in others; none: "
        "nowhere.",
        label="Sentences",
        choices=("lines", "paragraphs", "punctuation", "auto", "none"),
        source="word2vec.c: every newline",
        basic=True,
    )
    lowercase: bool = param(
        True, "Conversion of the text to lowercase.", label="Fold capitals", basic=True
    )
    language: str = param(
        "any",
        "Language whose rules convert letters to lowercase. turkish, azerbaijani: I becomes ı, and "
        "İ becomes i; any: I and İ become i.",
        label="Text language",
        choices=("any", "turkish", "azerbaijani"),
        source="Unicode 16, SpecialCasing.txt: tr and az",
    )
    unicode_form: str = param(
        "none",
        "Unicode normalisation, applied before tokenising. NFC composes letters and marks; "
        "NFKC also unifies wide and narrow letters, ligatures and similar characters.",
        label="Unicode form",
        choices=("none", "NFC", "NFKC"),
        source="off, as in word2vec.c",
    )
    strip_accents: bool = param(
        False,
        "Removal of accents from Latin, Greek and Cyrillic letters: é becomes e.",
        label="Fold accents",
    )
    numbers: str = param(
        "keep",
        "Treatment of numbers (tokens with digits but no letters). keep: unchanged; zeros: "
        "every digit becomes 0, inside words too; token: each number becomes <num>; drop: "
        "removed.",
        label="Numbers",
        choices=("keep", "zeros", "token", "drop"),
        source="unchanged, as in word2vec.c",
    )
    stop_words: str = param(
        "",
        "Words to leave out, separated by spaces or commas; or @ and the path of a file "
        "with one word per line.",
        label="Stop words",
        source="none",
    )
    keep_words: str = param(
        "",
        "Words to keep, separated by spaces or commas; or @ and the path of a file with "
        "one word per line. Empty = all.",
        label="Keep words",
    )
    min_length: int = param(
        1,
        "Minimum length of a word in characters. Shorter words are left out.",
        label="Min length",
        low=1,
        high=100,
        grows="short words are left out",
        source="1: no words are left out",
    )
    encoding: str = param(
        "auto",
        "Character encoding. auto detects it for each file: UTF-8, UTF-16 and UTF-32 "
        "first, then the most likely legacy encoding. Or the name of one, such as "
        "windows-1252, gb18030, shift_jis or koi8-r.",
        label="Encoding",
    )
    column: str = param(
        "",
        "Column of a table (CSV, TSV) by name or number, or field of JSON objects, with "
        "dots for nested fields. Empty = the one with the longest text.",
        label="Column",
    )
    parts_of_speech: str = param(
        "",
        "Parts of speech to keep in annotated corpora (CoNLL-U, vertical files), separated by "
        "commas: NOUN, VERB. Empty = all.",
        label="Parts of speech",
        source="all",
    )
    notes: bool = param(
        True,
        "Footnotes and endnotes of TEI, LaTeX, Word, OpenDocument, EPUB and PAGE texts. They are "
        "read as paragraphs of their own.",
        label="Notes",
        source="read",
    )
    include: str = param(
        "",
        "Files of folders and archives to read, as patterns separated by commas: *.txt "
        "anywhere, books/*.txt in that folder, books/** in it and its subfolders. Empty = "
        "all text files.",
        label="Include",
    )
    exclude: str = param(
        "",
        "Files of folders and archives to leave out, as patterns of the same kind.",
        label="Exclude",
        source="nothing",
    )
    without: str = param(
        "",
        "Files, or members of archives, to leave out, by their full paths, one per line.",
        label="Without",
    )
    unreadable: str = param(
        "skip",
        "Treatment of files in folders and archives that can’t be read as text. skip: the file is "
        "passed over and named; stop: reading stops with an error.",
        label="Unreadable files",
        choices=("skip", "stop"),
    )
    phrases: int = param(
        0,
        "Number of passes that join pairs of words into phrases, such as new_york. Each "
        "pass can extend the phrases of the previous one. 0 = no phrases.",
        label="Phrases",
        low=0,
        high=8,
        grows="longer phrases, up to 2ⁿ words after n passes",
        source="0, as in word2vec.c; M13b uses 2 to 4 passes",
        basic=True,
    )
    phrase_score: str = param(
        "word2phrase",
        "Score of a pair. word2phrase: (n(ab) − δ)·N / (n(a)·n(b)); npmi: pointwise mutual "
        "information divided by −log p(ab), from −1 to 1.",
        label="Phrase score",
        choices=("word2phrase", "npmi"),
        source="M13b equation 6, times N as in word2phrase.c; Bouma 2009",
    )
    phrase_threshold: float = param(
        0.0,
        "Minimum score of a pair in the first pass. 0 = the default of the score: 100 for "
        "word2phrase, 0.5 for npmi.",
        label="Phrase threshold",
        low=-1.0,
        grows="fewer phrases",
        source="word2phrase.c -threshold 100",
    )
    phrase_fall: float = param(
        1.0,
        "Factor applied to the threshold after each pass. 1 = constant threshold.",
        label="Phrase decay",
        low=0.0,
        low_open=True,
        high=1.0,
        source=(
            "word2phrase.c run again; the demo of word2vec halves it, M13b says only that it "
            "decreases"
        ),
    )
    phrase_min_count: int = param(
        5,
        "Minimum number of times a pair must occur. word2phrase also subtracts this number "
        "(δ) from the pair’s count.",
        label="Phrase min count",
        symbol="δ",
        low=1,
        grows="rare pairs are not joined",
        source="word2phrase.c -min-count 5",
    )
    phrase_delimiter: str = param(
        "_",
        "Characters between the words of a phrase; no spaces.",
        label="Phrase delimiter",
        source="word2phrase.c",
    )

    def conflicts(self) -> dict[str, str]:
        errors = {}
        problem = wrong(self.pattern) if self.tokeniser == "regex" else ""
        if problem:
            errors["pattern"] = problem
        for name in LISTS:
            if getattr(self, name).strip() == "@":
                errors[name] = tr("{name} needs the path of a file after @.", name=param_name(name))
        threshold = self.phrase_threshold
        # Without phrase detection, the threshold need not fit the score.
        if self.phrases and self.phrase_score == "npmi" and threshold >= 1.0:
            errors["phrase_threshold"] = tr(
                "{name} must be below 1 for npmi, not {threshold:g}.",
                name=param_name("phrase_threshold"),
                threshold=threshold,
            )
        if self.phrases and self.phrase_score == "word2phrase" and threshold < 0.0:
            errors["phrase_threshold"] = tr(
                "{name} must be at least 0 for word2phrase, not {threshold:g}.",
                name=param_name("phrase_threshold"),
                threshold=threshold,
            )
        if not self.phrase_delimiter.isprintable() or any(map(str.isspace, self.phrase_delimiter)):
            errors["phrase_delimiter"] = tr(
                "{name} must not contain spaces or control characters.",
                name=param_name("phrase_delimiter"),
            )
        if self.encoding != "auto" and not _is_encoding(self.encoding):
            errors["encoding"] = tr(
                "{name} must be auto or the name of an encoding, such as koi8-r, not {encoding!r}.",
                name=param_name("encoding"),
                encoding=self.encoding,
            )
        return errors

    def reading(self) -> CorpusOptions:
        """Options without phrases, whose settings have their defaults."""
        return self.from_mapping(
            {name: value for name, value in self.to_dict().items() if "phrase" not in name}
        )

    def lasting(self) -> CorpusOptions:
        """Options without those for specific files: encoding, column and patterns."""
        plain = CorpusOptions()
        return self.replace(**{name: getattr(plain, name) for name in OF_FILES})

    def non_defaults(self) -> dict[str, Value]:
        """Settings that differ from their defaults, by name."""
        return {
            spec.name: value
            for spec in self.specs()
            if (value := getattr(self, spec.name)) != spec.default
        }

    def without_effect(self) -> frozenset[str]:
        """The names of settings that differ from their defaults, but change nothing."""
        effective = self.effective()
        return frozenset(
            name for name in self.non_defaults() if getattr(effective, name) != getattr(self, name)
        )

    def effective(self) -> CorpusOptions:
        """Options with defaults for settings without effect: equal options give equal corpora."""
        plain = CorpusOptions()
        idle = {} if self.tokeniser == "regex" else {"pattern": plain.pattern}
        return (self if self.phrases else self.reading()).replace(**idle)

    @property
    def dotless(self) -> bool:
        """Whether ı is the lowercase letter of I."""
        return self.language in ("turkish", "azerbaijani")

    @property
    def left_out(self) -> frozenset[str]:
        """The paths in ``without``."""
        return frozenset(filter(None, self.without.split("\n")))

    def thresholds(self) -> tuple[float, ...]:
        """The score to exceed, for every pass."""
        first = self.phrase_threshold or _THRESHOLDS[self.phrase_score]
        return tuple(first * self.phrase_fall**number for number in range(self.phrases))


_THRESHOLDS = {"word2phrase": 100.0, "npmi": 0.5}


def _is_encoding(name: str) -> bool:
    """Whether Python has a codec of this name that can read files a block at a time."""
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    return (
        found._is_text_encoding
        and found.incrementaldecoder is not None
        and found.name not in _NO_TEXT
    )


_NO_TEXT = frozenset(
    ("idna", "punycode", "unicode-escape", "raw-unicode-escape", "undefined", "mbcs", "oem")
)

# Options that contain words, or the path of a file with words.
LISTS = ("stop_words", "keep_words")
OF_FILES = ("encoding", "column", "parts_of_speech", "notes", "include", "exclude", "without")


@dataclass(frozen=True)
class SourceFile:
    """One file (or member of an archive) that went into a corpus.

    size : in bytes as stored
    encoding : the encoding used, such as "UTF-8"
    tokens : number of tokens read from it, −1 if unknown
    kind : the key of its reader
    column : the column or field whose text was read
    undecodable : number of bytes that could not be decoded and were replaced
    lines : the first lines, from 1, with such bytes
    note : a further remark, a sentence
    declared : whether the file itself declares its encoding
    """

    path: str
    size: int
    encoding: str
    tokens: int = -1
    kind: str = "plain"
    column: str = ""
    undecodable: int = 0
    lines: tuple[int, ...] = ()
    note: str = ""
    declared: bool = False

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> SourceFile:
        """Read a value written by ``dataclasses.asdict`` and JSON. Raises TypeError."""
        return cls(**{**values, "lines": tuple(values.get("lines", ()))})


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words of a training: the first V types of a corpus.

    words : V strings, most frequent first
    counts : int64[V]
    tokens : their total, N
    options : how the corpus was read, None if unknown
    """

    words: Sequence[str]
    counts: npt.NDArray[np.int64]
    options: CorpusOptions | None = None

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def tokens(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}


@dataclass(frozen=True, eq=False)
class Corpus:
    """A tokenised corpus. Ids are ranks: 0 is the most frequent word, ties in order of appearance.

    ids : int32[tokens], memory-mapped, every token read
    sentences : int64[S + 1], offsets of sentences in ``ids``, first 0, last ``tokens``
    words : all types, most frequent first
    counts : int64[types]
    digest : hexadecimal, of the ids, words and sentence offsets; equal text and options give equal
    digests
    folder : its folder on disk (counts made from it are cached there), or None
    """

    name: str
    ids: npt.NDArray[np.int32]
    sentences: npt.NDArray[np.int64]
    words: Sequence[str]
    counts: npt.NDArray[np.int64]
    digest: str
    options: CorpusOptions = field(default_factory=CorpusOptions)
    files: tuple[SourceFile, ...] = ()
    folder: Path | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        return len(self.ids)

    @property
    def types(self) -> int:
        return len(self.words)

    @property
    def file_edges(self) -> npt.NDArray[np.int64] | None:
        """int64[F + 1], the first token of each file, and the end; None if it isn't known which
        text comes from which file.
        """
        sizes = [file.tokens for file in self.files]
        if not sizes or min(sizes) < 0 or sum(sizes) != self.tokens:
            return None
        return np.cumsum([0, *sizes], dtype=np.int64)

    def vocabulary(self, min_count: int = 1, max_vocab: int = 0) -> Vocabulary:
        """The words that occur at least ``min_count`` times, at most ``max_vocab`` of them (0:
        all).

        Because ids are ranks, a token is included exactly if its id is below the vocabulary's
        length. Raises UserError if no word is left.
        """
        # counts fall, so the first place where -count exceeds -min_count ends the vocabulary
        size = int(np.searchsorted(-self.counts, -min_count, side="right"))
        if max_vocab:
            size = min(size, max_vocab)
        if size == 0:
            raise UserError(
                tr(
                    "No word of {name} occurs {min_count:,} times ({setting}).",
                    name=self.name,
                    min_count=min_count,
                    setting=param_name("min_count"),
                ),
                tr(
                    "Lower {setting} to {number:,} or less.",
                    setting=quoted_param("min_count"),
                    number=int(self.counts[0]),
                ),
            )
        return Vocabulary(self.words[:size], self.counts[:size], self.options)
