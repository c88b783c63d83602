"""The tokenizer of NIST's mteval-v13a, as in sacrebleu (Post 2018)."""

from __future__ import annotations

import re

_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))
_APART = r"!-&(-+/:-@\[-`{-~"
"""Punctuation that is always a word of its own, for use in a class of characters."""

_WORDS = re.compile(
    rf"[^\s.,\-{_APART}]+(?:(?:(?<![0-9])-|(?<=[0-9])[.,](?=[0-9]))[^\s.,\-{_APART}]*)*"  # usual words
    rf"|(?<![0-9])-(?:[^\s.,\-{_APART}]|(?<![0-9])-|(?<=[0-9])[.,](?=[0-9]))*"  # words that begin with a dash
    r"|\S"
)
_RUN_BEFORE_DIGIT = re.compile(r"[.,]{2}[0-9]")


def tokenize_13a(text: str) -> list[str]:
    """Return the words of a text of a western European language.

    Punctuation is split off, but for apostrophes, dashes that do not follow a digit, and full stops and
    commas between digits. The values of BLEU are published with these words.
    """
    text = text.replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    if _RUN_BEFORE_DIGIT.search(text):
        return _tokenize_slowly(text)
    return _WORDS.findall(text)


def _tokenize_slowly(text: str) -> list[str]:
    """Return the words where full stops or commas follow one another before a digit.

    Whether the last one belongs to the number depends on how many there are: rules are applied one after
    another, each to what the one before has left.
    """
    text = f" {text} ".replace("\n", " ")
    text = re.sub(rf"([ {_APART}])", r" \1 ", text)
    text = re.sub(r"([^0-9])([.,])", r"\1 \2 ", text)
    text = re.sub(r"([.,])([^0-9])", r" \1 \2", text)
    return re.sub(r"([0-9])-", r"\1 - ", text).split()
