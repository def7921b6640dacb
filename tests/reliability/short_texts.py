"""Short texts of many kinds, which the harnesses damage."""

from __future__ import annotations

# By suffix.
SHORT_TEXTS = {
    "bib": "@book{a, title = {Of hens}, abstract = {The hen saw a fox.}}\n",
    "mrg": "( (S (NP (DT The) (NN hen)) (VP (VBD saw) (NP (DT a) (NN fox)))) )\n",
    "gold_conll": "#begin document (a); part 000\na 0 0 hens NNS * - - - - * -\n#end document\n",
    "eaf": "<ANNOTATION_DOCUMENT><TIER><ANNOTATION_VALUE>hens</ANNOTATION_VALUE></TIER>"
    "</ANNOTATION_DOCUMENT>",
    "fb2": "<FictionBook><body><section><p>The hen saw a fox.</p></section></body></FictionBook>",
    "nxml": "<article><body><p>The hen saw a fox.</p></body></article>",
    "md": "# Hens\n\nThe [hen](http://example.org) saw *a* fox.\n\n",
    "usfm": "\\id GEN\n\\c 1\n\\v 1 The hen saw a fox.\n\\v 2 The fox ran.\n",
    "ciw": "FN ISI\nPT J\nTI Of hens\nAB The hen saw a fox.\nER\n\n",
    "wet": "WARC/1.0\r\nWARC-Type: conversion\r\nContent-Type: text/plain\r\n"
    "Content-Length: 19\r\n\r\nThe hen saw a fox.\n",
    "ris": "TY  - BOOK\nTI  - Of hens\nAB  - The hen saw a fox.\nER  - \n",
    "ttml": "<tt><body><div><p begin='1s' end='2s'>The hen saw a fox.</p></div></body></tt>",
    "eml": "From: a@example.org\nSubject: hens\n\nThe hen saw a fox.\n",
    "pos": "[ The/DT hen/NN ] saw/VBD [ a/DT fox/NN ] ./.\n",
    "sgm": "<DOC><DOCNO> 1 </DOCNO><TEXT>The hen saw a fox.</TEXT></DOC>\n",
    "wiki": "'''Hens''' see a [[fox]].{{cite|a}}\n\n== Foxes ==\n\n",
}
