"""Newsroom's oracle of extractive fragments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.metrics.kernels import fragments as kernel
from core.settings import setting
from core.systems.base import Summarizer
from core.systems.registry import register
from core.systems.source import Source
from core.text.tokenization import word_pattern

Fragment = tuple[int, int]
"""Start in the documents and length, both in tokens."""


@register
@dataclass(frozen=True)
class Fragments(Summarizer):
    """The parts of a reference that are copied from the documents, one after the other.

    The greedy algorithm of the paper: from each token of the reference the longest sequence that the
    documents have too. The first reference is used; the limit of length is off by default.

    Limits:
        Reads a reference, so its scores are no result of a system. May be ungrammatical.
    """

    name: ClassVar[str] = "fragments"
    about: ClassVar[str] = "Oracle: the parts of a reference that occur in the documents."
    paper: ClassVar[str] = "Grusky, Naaman & Artzi 2018"
    bibliography: ClassVar[tuple[str, ...]] = ("grusky-2018-newsroom",)
    is_oracle: ClassVar[bool] = True

    def unused(self) -> dict[str, str]:
        return dict.fromkeys(("sentences", "cut"), "fragments, which are no sentences")

    words: int = setting(0, "Maximum length in words, 0 = no limit.", low=0, title="Words")

    def summarize(self, source: Source) -> tuple[str, ...]:
        """Return the fragments as one sentence, as the documents write them."""
        if not source.references:
            return ()
        contents = [document.content for document in source.documents]
        tokens, here = [], []
        for place, content in enumerate(contents):
            spans = _token_spans(content)
            tokens += [(place, *span) for span in (*spans, (0, 0))]
            here += [content[start:end].lower() for start, end in spans]
            here.append("")  # no fragment goes on in the next document
        reference = source.references[0].content
        there = [reference[start:end].lower() for start, end in _token_spans(reference)]
        parts = []
        for start, length in fragments(here, there):
            place, first, _ = tokens[start]
            end = tokens[start + length - 1][2]
            parts.append(" ".join(contents[place][first:end].split()))
        text = " ".join(parts)
        words = text.split()
        text = " ".join(words[: self.words]) if self.words else text
        return (text[: self.characters].rstrip() if self.characters else text,) if text else ()


def fragments(article: Sequence[str], summary: Sequence[str]) -> list[Fragment]:
    """Return the shared token sequences of figure 3 of the paper, in the order of the summary."""
    numbers: dict[str, int] = {}
    mine, theirs = (
        np.array([numbers.setdefault(token, len(numbers)) for token in tokens], dtype=np.int32)
        for tokens in (summary, article)
    )
    (found,) = kernel.fragments([mine], [theirs])
    return [(start, length) for _, start, length in found.tolist()]


def _token_spans(content: str) -> list[tuple[int, int]]:
    return [found.span() for found in word_pattern("unicode").finditer(content)]
