"""Public texts, mostly English."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.corpus.catalogue.entry import CatalogueEntry

_MAHONEY = "http://mattmahoney.net/dc/textdata.html"
_TORCHTEXT = "torchtext/datasets/wikitext{}.py in github.com/pytorch/text"
_GLUON = "gluonnlp/data/corpora/large_text_compression_benchmark.py in github.com/dmlc/gluon-nlp"
_WIKIPEDIA = "CC BY-SA 3.0 and GFDL (Wikipedia)"

TEXTS = (
    CatalogueEntry(
        key="text8",
        title="text8",
        summary=tr(
            "17 million words of the English Wikipedia from 2006, lowercase and without "
            "punctuation: the corpus of word2vec’s demo."
        ),
        url="https://mattmahoney.net/dc/text8.zip",
        file="text8.zip",
        size=31_344_016,
        licence=_WIKIPEDIA,
        source=_MAHONEY,
        checksum="sha1:6c70299b93b7e1f927b42cd8f6ac1a31547c7a2e",
        checksum_source=_GLUON,
    ),
    CatalogueEntry(
        key="enwik9",
        title="enwik9",
        summary=tr(
            "The first gigabyte of the English Wikipedia dump of March 2006. "
            "Markup is stripped while reading."
        ),
        url="https://mattmahoney.net/dc/enwik9.zip",
        file="enwik9.zip",
        size=322_592_222,
        licence=_WIKIPEDIA,
        source=_MAHONEY,
        checksum="sha1:2996e86fb978f93cca8f566cc56998923e7fe581",
        checksum_source=_MAHONEY,
        member="enwik9",
    ),
    CatalogueEntry(
        key="wikitext-2",
        title="WikiText-2",
        summary=tr(
            "2 million words of good and featured Wikipedia articles, tokenised. "
            "Only the training part is read."
        ),
        url="https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-2-v1.zip",
        file="wikitext-2-v1.zip",
        size=4_475_746,
        licence="CC BY-SA 3.0 (Wikipedia)",
        source="https://arxiv.org/abs/1609.07843",
        checksum="md5:542ccefacc6c27f945fb54453812b3cd",
        checksum_source=_TORCHTEXT.format(2),
        include="*.train.tokens",
        mirrors=("https://wikitext.smerity.com/wikitext-2-v1.zip",),
    ),
    CatalogueEntry(
        key="wikitext-103",
        title="WikiText-103",
        summary=tr(
            "103 million words of good and featured Wikipedia articles, tokenised. "
            "Only the training part is read."
        ),
        url="https://s3.amazonaws.com/research.metamind.io/wikitext/wikitext-103-v1.zip",
        file="wikitext-103-v1.zip",
        size=190_229_076,
        licence="CC BY-SA 3.0 (Wikipedia)",
        source="https://arxiv.org/abs/1609.07843",
        checksum="md5:9ddaacaf6af0710eda8c456decff7832",
        checksum_source=_TORCHTEXT.format(103),
        include="*.train.tokens",
        mirrors=("https://wikitext.smerity.com/wikitext-103-v1.zip",),
    ),
    CatalogueEntry(
        key="simple-wikipedia",
        title="Simple English Wikipedia",
        summary=tr(
            "Articles of the Simple English Wikipedia from the latest monthly "
            "dump, about 300 MB. The checksum changes every month and is recorded "
            "at the first download."
        ),
        url="https://dumps.wikimedia.org/simplewiki/latest/simplewiki-latest-pages-articles-multistream.xml.bz2",
        file="simplewiki-latest-pages-articles-multistream.xml.bz2",
        size=0,
        licence="CC BY-SA 4.0 (Wikipedia)",
        source="https://dumps.wikimedia.org/simplewiki/",
    ),
    CatalogueEntry(
        key="20-newsgroups",
        title="20 Newsgroups",
        summary=tr(
            "18,846 posts to twenty newsgroups of the nineties, with their topic: one post per "
            "line of JSON. The column data is read."
        ),
        url="https://github.com/RaRe-Technologies/gensim-data/releases/download/20-newsgroups/"
        "20-newsgroups.gz",
        file="20-newsgroups.jsonl.gz",
        size=14_483_581,
        licence=tr("not stated"),
        source="http://qwone.com/~jason/20Newsgroups/",
        checksum="md5:c92fd4f6640a86d5ba89eaad818a9891",
        checksum_source="list.json in github.com/RaRe-Technologies/gensim-data",
        column="data",
    ),
)
