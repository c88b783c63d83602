"""Novelty and repetition: n-grams of a summary that its documents lack, and those that it has again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from core.domain.study import Span
from core.metrics.base import Array, Evidence, Explanation, Need, setting
from core.metrics.kernels.ngrams import number_grams
from core.metrics.properties.text_property import (
    PreparedProperty,
    WordProperty,
    quoted,
    ratios,
    words_setting,
)
from core.metrics.registry import register
from core.text.tokenization import Ids, TokenizedText

_SUMMEVAL = "Fabbri, Kryściński, McCann, Xiong, Socher & Radev 2021 (SummEval)"


def _n_setting(default: int) -> Any:
    return setting(default, "Length of the n-grams in words.", low=1, high=9, title="N")


def novelties(summaries: Sequence[Ids], documents: Sequence[Ids], n: int) -> Array:
    """Return the share of each summary's distinct n-grams that no document contains, shape (summaries,).

    NaN for a summary without n-grams, or if no document has any.
    """
    units, total, ends = number_grams([*summaries, *documents], n)
    is_known = np.zeros(total + 1, dtype=np.bool_)
    is_known[units[ends[len(summaries)] :]] = True
    if not is_known.any():
        return np.full(len(summaries), np.nan)
    own = [np.unique(units[ends[at] : ends[at + 1]]) for at in range(len(summaries))]
    novel = np.array([len(grams) - is_known[grams].sum() for grams in own], dtype=np.float64)
    return ratios(novel, np.array([len(grams) for grams in own], dtype=np.float64))


@register
@dataclass(frozen=True)
class Novelty(WordProperty):
    """Share of a summary's distinct n-grams that are in no document, in [0, 1].

    NaN for a summary without n-grams, or if no document has any.

    Formula:
        novelty = distinct n-grams of the summary that are in no document / its distinct n-grams

    Limits:
        A new n-gram may be a paraphrase, a new combination or an error. Names that are spelled otherwise
        count as new. n-grams cross sentences.
    """

    name: ClassVar[str] = "novelty"
    about: ClassVar[str] = "Share of the summary's n-grams that are not in the documents."
    paper: ClassVar[str] = f"See, Liu & Manning 2017; {_SUMMEVAL}"
    bibliography: ClassVar[tuple[str, ...]] = ("see-2017-pointer-generator", "fabbri-2021-summeval")
    needs: ClassVar[frozenset[Need]] = frozenset({Need.DOCUMENTS})
    is_in_summeval: ClassVar[bool] = True
    default_configs: ClassVar[tuple[str, ...]] = ("", "n=1")

    n: int = _n_setting(2)
    text: str = words_setting()

    def measures(self) -> tuple[str, ...]:
        return (f"novelty-{self.n}.share",)

    def values(self, prepared: PreparedProperty) -> Array:
        return novelties(
            [words.ids for words in prepared.summaries], [words.ids for words in prepared.documents], self.n
        )

    def tree(self, prepared: PreparedProperty, system: int) -> Explanation:
        known = frozenset[bytes]().union(*(_places(words, self.n) for words in prepared.documents))
        grams = _places(prepared.summaries[system], self.n)
        novel = {gram: spans for gram, spans in grams.items() if gram not in known}
        text = prepared.topic.summaries[system]
        leaves = tuple(_leaf(text.content, text.name, spans, 1.0) for spans in novel.values())
        above = Explanation("new n-grams", "sum", children=leaves)
        below = Explanation("distinct n-grams", value=float(len(grams)))
        return Explanation(self.measures()[0], "ratio", children=(above, below))


@register
@dataclass(frozen=True)
class Repetition(WordProperty):
    """Share of a summary's n-grams that it repeats, in [0, 1]. NaN for a summary without n-grams.

    Formula:
        of=kinds   distinct n-grams that occur more than once / distinct n-grams (SummEval)
        of=tokens  1 − distinct n-grams / n-grams (Welleck et al. 2020)

    Limits:
        Short n-grams are repeated in any longer text, such as *of the*. n-grams cross sentences.
    """

    name: ClassVar[str] = "repetition"
    about: ClassVar[str] = "Share of the summary's n-grams that occur in it again."
    paper: ClassVar[str] = f"{_SUMMEVAL}; Welleck, Kulikov, Roller, Dinan, Cho & Weston 2020"
    bibliography: ClassVar[tuple[str, ...]] = ("fabbri-2021-summeval", "welleck-2020-unlikelihood")
    is_in_summeval: ClassVar[bool] = True

    n: int = _n_setting(3)
    of: str = setting(
        "kinds",
        "kinds = distinct n-grams that occur again; tokens = occurrences after the first.",
        choices=("kinds", "tokens"),
        title="Counted",
    )
    text: str = words_setting()

    def measures(self) -> tuple[str, ...]:
        return (f"repetition-{self.n}.{'share' if self.of == 'kinds' else 'tokens'}",)

    def values(self, prepared: PreparedProperty) -> Array:
        units, _, ends = number_grams([words.ids for words in prepared.summaries], self.n)
        rows = []
        for begin, end in pairwise(ends.tolist()):
            counts = np.unique(units[begin:end], return_counts=True)[1]
            again = (counts > 1).sum() if self.of == "kinds" else (counts - 1).sum()
            rows.append((again, len(counts) if self.of == "kinds" else end - begin))
        above, below = np.array(rows, dtype=np.float64).reshape(len(rows), 2).T
        return ratios(above, below)

    def tree(self, prepared: PreparedProperty, system: int) -> Explanation:
        grams = _places(prepared.summaries[system], self.n)
        text, is_kinds = prepared.topic.summaries[system], self.of == "kinds"
        leaves = tuple(
            _leaf(text.content, text.name, spans, 1.0 if is_kinds else len(spans) - 1.0)
            for spans in grams.values()
            if len(spans) > 1
        )
        above = Explanation("repeated n-grams", "sum", children=leaves)
        whole = len(grams) if is_kinds else sum(map(len, grams.values()))
        below = Explanation("distinct n-grams" if is_kinds else "n-grams", value=float(whole))
        return Explanation(self.measures()[0], "ratio", children=(above, below))


def _places(words: TokenizedText, n: int) -> dict[bytes, list[Span]]:
    """Return the spans of each n-gram of a text."""
    found: dict[bytes, list[Span]] = {}
    for at in range(len(words.ids) - n + 1):
        span = int(words.spans[at, 0]), int(words.spans[at + n - 1, 1])
        found.setdefault(words.ids[at : at + n].tobytes(), []).append(span)
    return found


def _leaf(content: str, name: str, spans: Sequence[Span], value: float) -> Explanation:
    evidence = tuple(Evidence("summary", name, span) for span in spans)
    return Explanation(quoted(content, *spans[0]), value=value, evidence=evidence)
