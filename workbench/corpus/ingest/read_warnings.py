"""Warnings about a corpus, as sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath

from workbench.core.language import choice_text, plural, tr, trn
from workbench.core.param_labels import option, quoted_param
from workbench.corpus.columns import COLUMNS
from workbench.corpus.corpus import Corpus, SourceFile
from workbench.corpus.tokenise.kernel_tokeniser import LONGEST

# Key of the warnings that a job publishes about the corpus it has read.
NOTICED = "noticed"
# Key in the metadata of a corpus: the number of files whose sentences were split by punctuation
# because their lines are wrapped at a fixed width.
WRAPPED = "wrapped"
# Key in the metadata of a corpus: what was repaired before the text was split, as numbers by name.
REPAIRS = "repairs"
# Keys in the metadata of a corpus: files that were passed over, as SourceFiles with the reason as
# their note; and files of folders that nothing in their names identifies as text, their number and
# the first paths.
PASSED_OVER = "passed_over"
UNKNOWN = "unknown_files"
_FILES = 3
_BEGINNING = 40


def encodings(corpus: Corpus) -> str:
    """The encodings of the files, the most frequent first: "UTF-8, Windows-1252 (2 files)"."""
    counted = Counter(file.encoding for file in corpus.files if file.encoding)
    several = len(counted) > 1
    return ", ".join(
        tr("{name} ({files})", name=name, files=plural(number, "file")) if several and at else name
        for at, (name, number) in enumerate(counted.most_common())
    )


def corpus_notes(corpus: Corpus) -> tuple[str, ...]:
    """Encodings other than UTF-8 and all warnings, for places without a table of facts."""
    unusual = any(file.encoding not in ("", "UTF-8") for file in corpus.files)
    return (
        *([tr("Encodings: {encodings}.", encodings=encodings(corpus))] if unusual else []),
        *list_warnings(corpus),
    )


def passed_over(corpus: Corpus) -> tuple[SourceFile, ...]:
    """The files of folders and archives that were passed over, each with the reason as its note."""
    files = [SourceFile.from_json(file) for file in corpus.metadata.get(PASSED_OVER, ())]
    paths = corpus.metadata.get(UNKNOWN, {}).get("paths", ())
    unknown = [SourceFile(path, -1, "") for path in paths]
    reason = tr("Its name doesn’t indicate a text.")
    return tuple(
        file if file.note else replace(file, note=reason)
        for file in sorted((*files, *unknown), key=lambda file: file.path)
    )


def passed_sentences(reasons: Sequence[str], unknown: Sequence[str], number: int) -> list[str]:
    """Sentences about files that were passed over.

    reasons : one sentence for each file that couldn't be read, which names it
    unknown : paths of files that aren't read because of their names, of ``number`` altogether
    """
    sentences = []
    if unknown:
        names = ", ".join(PurePath(path).name for path in unknown[:_FILES])
        if number > _FILES:
            names = tr("{names} and others", names=names)
        sentences.append(
            trn(
                "{number:,} file was passed over, because its name doesn’t indicate a text: "
                "{names}.",
                "{number:,} files were passed over, because their names don’t indicate a text: "
                "{names}.",
                number,
                names=names,
            )
        )
    sentences += [tr("Passed over: {reason}", reason=reason) for reason in reasons[:_FILES]]
    if len(reasons) > _FILES:
        sentences.append(
            trn(
                "{number:,} more file couldn’t be read and was passed over.",
                "{number:,} more files couldn’t be read and were passed over.",
                len(reasons) - _FILES,
            )
        )
    return sentences


def list_warnings(corpus: Corpus) -> list[str]:
    """Warnings, one sentence each: guessed encodings, chosen columns, replaced characters,
    changes.
    """
    files = corpus.files
    sentences = [
        *_wrapped_sentences(corpus),
        *_encoding_sentences(corpus),
        *_columns_read(files),
        *_column_sentences(corpus),
    ]
    damaged = [file for file in files if file.undecodable]
    if damaged:
        total = sum(file.undecodable for file in damaged)
        sentences.append(
            trn(
                "{number:,} place couldn’t be decoded and became U+FFFD: {places}.",
                "{number:,} places couldn’t be decoded and became U+FFFD: {places}.",
                total,
                places=_places(damaged),
            )
        )
    sentences += _repair_sentences(corpus.metadata.get(REPAIRS, {}))
    cut = corpus.metadata.get("cut_words", 0)
    if cut:
        sentences.append(
            trn(
                "{number:,} word is longer than {longest:,} bytes and was cut{example}.",
                "{number:,} words are longer than {longest:,} bytes and were cut{example}.",
                cut,
                longest=LONGEST,
                example=_cut_word(corpus),
            )
        )
    passed = [SourceFile.from_json(file) for file in corpus.metadata.get(PASSED_OVER, ())]
    found = corpus.metadata.get(UNKNOWN, {"paths": [], "number": 0})
    unknown = [*found["paths"], *(file.path for file in passed if not file.note)]
    number = found["number"] + len(unknown) - len(found["paths"])
    sentences += passed_sentences([file.note for file in passed if file.note], unknown, number)
    noted = [file for file in files if file.note]
    sentences += [f"{PurePath(file.path).name}: {file.note}" for file in noted[:_FILES]]
    if len(noted) > _FILES:
        sentences.append(
            trn(
                "There are notes on {number:,} more file.",
                "There are notes on {number:,} more files.",
                len(noted) - _FILES,
            )
        )
    return sentences


def _wrapped_sentences(corpus: Corpus) -> list[str]:
    """About lines of a fixed width, which do not end sentences."""
    wrapped = corpus.metadata.get(WRAPPED, 0)
    if not wrapped:
        return []
    setting = quoted_param("sentences")
    # Values on the command line are the same in every language.
    lines = "lines" if setting == option("sentences") else choice_text("lines")
    if wrapped < len(corpus.files):
        found = tr(
            "{wrapped:,} of {files} have lines of a fixed width and are read by punctuation, "
            "the rest by lines.",
            wrapped=wrapped,
            files=plural(len(corpus.files), "file"),
        )
    else:
        found = tr("The lines of this text have a fixed width, so sentences end at punctuation.")
    return [
        found
        + " "
        + tr(
            "Set {setting} to {lines} to end sentences at line ends.",
            setting=setting,
            lines=lines,
        )
    ]


def _encoding_sentences(corpus: Corpus) -> list[str]:
    """About texts in another encoding than UTF-8."""
    older = [file for file in corpus.files if file.encoding and not file.encoding.startswith("UTF")]
    if not older or corpus.options.encoding != "auto":
        return []
    setting = quoted_param("encoding")
    if all(file.declared for file in older):
        sentence = tr(
            "The encoding is the one that the text declares. If letters look wrong, choose "
            "another encoding with {setting}.",
            setting=setting,
        )
    else:
        sentence = tr(
            "The encoding was detected automatically. If letters look wrong, choose another "
            "encoding with "
            "{setting}.",
            setting=setting,
        )
    return [sentence]


def _columns_read(files: Sequence[SourceFile]) -> list[str]:
    """About the columns of tables that were read."""
    columns = sorted({file.column for file in files if file.column})
    if not columns:
        return []
    named = ", ".join(tr("“{text}”", text=column) for column in columns[:_FILES])
    if len(columns) > _FILES:
        return [tr("Read from the columns {named} and others.", named=named)]
    return [
        trn(
            "Read from the column {named}.",
            "Read from the columns {named}.",
            len(columns),
            named=named,
        )
    ]


def _repair_sentences(repairs: Mapping[str, int]) -> list[str]:
    """About words that were read otherwise than they are written."""
    sentences = []
    if repairs.get("joined"):
        sentences.append(
            trn(
                "{number:,} word was cut at a line end and was joined.",
                "{number:,} words were cut at line ends and were joined.",
                repairs["joined"],
            )
        )
    if repairs.get("apart"):
        sentences.append(
            trn(
                "{number:,} hyphen at a line end still separates two words, because they don’t "
                "occur as one.",
                "{number:,} hyphens at line ends still separate two words, because they don’t "
                "occur as one.",
                repairs["apart"],
            )
        )
    if repairs.get("placeholders"):
        sentences.append(
            trn(
                "{number:,} placeholder such as <unk> isn’t a word and was left out.",
                "{number:,} placeholders such as <unk> aren’t words and were left out.",
                repairs["placeholders"],
            )
        )
    if repairs.get("ligatures"):
        sentences.append(
            trn(
                "{number:,} ligature such as ﬁ was read as letters.",
                "{number:,} ligatures such as ﬁ were read as letters.",
                repairs["ligatures"],
            )
        )
    if repairs.get("spelt_twice"):
        sentences.append(
            trn(
                "{number:,} word occurs with two spellings that look the same (é as one character, "
                "or as e and an accent). To count it as one word, set {setting} to NFC.",
                "{number:,} words occur with two spellings that look the same (é as one character, "
                "or as e and an accent). To count each as one word, set {setting} to NFC.",
                repairs["spelt_twice"],
                setting=quoted_param("unicode_form"),
            )
        )
    return sentences


def _column_sentences(corpus: Corpus) -> list[str]:
    found = corpus.metadata.get(COLUMNS)
    if not found:
        return []
    kept = [
        trn("{name} ({number:,} value)", "{name} ({number:,} values)", number, name=name)
        for name, number in found["kept"].items()
    ]
    sentences = [tr("Columns kept: {columns}.", columns=", ".join(kept))]
    if found["dropped"]:
        names = ", ".join(found["dropped"][:_FILES])
        if len(found["dropped"]) > _FILES:
            names = tr("{names} and others", names=names)
        sentences.append(
            tr("Columns with too many or too long values, left out: {names}.", names=names)
        )
    return sentences


def _cut_word(corpus: Corpus) -> str:
    """The beginning of a word that was cut, as a part of a sentence; "" if filters left it out."""
    for word in corpus.words:
        # A character has at most four bytes, so a cut word lacks at most three of all its bytes.
        if 4 * len(word) > LONGEST - 4 and len(word.encode(errors="replace")) > LONGEST - 4:
            return tr(" (for example “{text}…”)", text=word[:_BEGINNING])
    return ""


def _places(damaged: list[SourceFile]) -> str:
    def one(file: SourceFile) -> str:
        lines = ", ".join(f"{line:,}" for line in file.lines)
        name = PurePath(file.path).name
        if file.undecodable > len(file.lines):
            return trn(
                "{name}, line {lines} and more",
                "{name}, lines {lines} and more",
                len(file.lines),
                name=name,
                lines=lines,
            )
        return trn(
            "{name}, line {lines}", "{name}, lines {lines}", len(file.lines), name=name, lines=lines
        )

    damage = "; ".join(one(file) for file in damaged[:_FILES])
    if len(damaged) > _FILES:
        return trn(
            "{damage}; and in {number:,} more file",
            "{damage}; and in {number:,} more files",
            len(damaged) - _FILES,
            damage=damage,
        )
    return damage
