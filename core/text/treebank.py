"""Words as the Penn Treebank divides them, with their places in the text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from core.domain.study import Span

Word = tuple[str, Span]
"""A word as the treebank writes it, which turns straight quotes, and its place."""

_QUOTES = ("``", "''")


def treebank_words(content: str, sentences: Sequence[Span]) -> list[list[Word]]:
    """The words of each sentence by NLTK's tokenizer, which takes a full stop off a sentence's end alone."""
    return [list(_words(content[start:end], start)) for start, end in sentences]


def moses_words(words: Sequence[Word]) -> list[Word]:
    """Treebank's words with ``do n't`` as ``don 't`` within a text, which is how InferSent 2 has them."""
    changed = list(words)
    for i in range(1, len(words) - 1):
        (before, (start, _)), (word, (_, end)) = changed[i - 1], words[i]
        if word == "n't":
            changed[i - 1], changed[i] = (f"{before}n", (start, end - 2)), ("'t", (end - 2, end))
    return changed


def _words(sentence: str, offset: int) -> Iterator[Word]:
    at = 0
    for word in _tokenizer().tokenize(sentence):
        start, end = _place(sentence, word, at)
        yield word, (offset + start, offset + end)
        at = end


def _place(sentence: str, word: str, at: int) -> Span:
    """Where a word lies behind `at`; an empty place where the tokenizer has changed it past recognition."""
    written = (word, '"') if word in _QUOTES else (word,)
    found = [(start, start + len(one)) for one in written if (start := sentence.find(one, at)) >= 0]
    return min(found, default=(at, at))


@cache
def _tokenizer() -> Any:
    from nltk.tokenize import NLTKWordTokenizer  # half a second that a window's start need not pay

    return NLTKWordTokenizer()
