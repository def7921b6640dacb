"""Editions in TEI: apparatus, milestones and speech."""

from __future__ import annotations

import io

import pytest

from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.readers import Document
from workbench.corpus.readers.tei import Tei


@pytest.mark.parametrize(
    ("content", "text"),
    [
        # Parallel segmentation: every witness is a reading, and the first one is the text.
        (
            "Of <app><rdg wit='#A'>arms</rdg><rdg wit='#B'>armes</rdg></app> and "
            "<app>\n<lem>men</lem>\n<rdg>man</rdg></app>",
            "Of arms and men",
        ),
        (
            "a <app><rdgGrp><rdg>grey <app><rdg>hen</rdg><rdg>cock</rdg></app></rdg><rdg>gray"
            "</rdg></rdgGrp><rdg>white</rdg><wit>A</wit></app> sits",
            "a grey hen sits",
        ),
        ("k<app><rdg>ee</rdg> <rdg>e</rdg></app>p", "keep"),
        # The text itself contains a reading, and the entry follows.
        ("arms<app from='#n1'><rdg>armes</rdg></app> <app loc='2'><rdg>x</rdg></app>", "arms"),
        (
            "one<milestone unit='card' n='2'/>two thr<milestone unit='f' break='no'/>ee",
            "one two three",
        ),
        (
            "<q>Come</q><q>in</q>, <name>Ann</name><persName>Lee</persName> <hi>N</hi><hi>o</hi>w",
            "Come in, Ann Lee Now",
        ),
        ("<persName><forename>Ann</forename><surname>Lee</surname></persName>s", "Ann Lees"),
    ],
)
def test_witnesses_milestones_and_speech_of_an_edition(content: str, text: str) -> None:
    body = f"<TEI><text><body><p>{content}</p></body></text></TEI>"
    raw = body.encode()
    document = Document("a.xml", "a.xml", len(raw), raw, io.BytesIO(), CorpusOptions())
    assert Tei.detect(document)
    assert b"".join(Tei.read(document)).decode() == f"{text}\n\n"
