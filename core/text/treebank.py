"""Penn Treebank tokenization with spans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from core.domain.study import Span
from core.text.nltk_parts import nltk_parts

Word = tuple[str, Span]
"""A word as the treebank writes it, with straight quotes replaced, and its span."""

_QUOTES = ("``", "''")


def treebank_words(content: str, sentences: Sequence[Span]) -> list[list[Word]]:
    """Return the words of each sentence by NLTK's tokenizer.

    It splits off a full stop only at the end of a sentence.
    """
    return [list(_words(content[start:end], start)) for start, end in sentences]


def moses_words(words: Sequence[Word]) -> list[Word]:
    """Return treebank words with ``do n't`` as ``don 't`` within a text, as InferSent 2 needs them."""
    changed = list(words)
    for i in range(1, len(words) - 1):
        (before, (start, _)), (word, (_, end)) = changed[i - 1], words[i]
        if word == "n't":
            changed[i - 1], changed[i] = (f"{before}n", (start, end - 2)), ("'t", (end - 2, end))
    return changed


def _words(sentence: str, offset: int) -> Iterator[Word]:
    at = 0
    for word in _tokenizer().tokenize(sentence):
        start, end = _locate(sentence, word, at)
        yield word, (offset + start, offset + end)
        at = end


def _locate(sentence: str, word: str, at: int) -> Span:
    """Return the span of a word after `at`; an empty span if the tokenizer changed it beyond recognition."""
    written = (word, '"') if word in _QUOTES else (word,)
    spans = [(start, start + len(one)) for one in written if (start := sentence.find(one, at)) >= 0]
    return min(spans, default=(at, at))


@cache
def _tokenizer() -> Any:
    return nltk_parts().word_tokenizer()
