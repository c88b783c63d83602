"""AutoSummENG (Giannakopoulos et al. 2008): similarity of graphs of character n-grams, as by JInsect."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from core.domain.study import Span, Text, TopicTexts
from core.errors import BadSetting
from core.metrics.base import Array, Evidence, Explanation, Prepared, Resources, noted, setting
from core.metrics.base.pooling import PooledMetric
from core.metrics.kernels.ngrams import NumberedUnits, Units, Words, all_grams
from core.metrics.registry import register
from core.metrics.rouge.overlap import leaf, product, total
from core.metrics.translation.matched_grams import PlacedTokens, joined

_CHARACTER = re.compile(r"\r\n|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Graph:
    """A text's graph, whose edges join two n-grams in both directions.

    edges: numbers of those that a reference has too, shape (edges,).
    weights: how often their n-grams are within the window, shape (edges,).
    size: number of all directed edges; one from an n-gram to itself counts once.
    """

    edges: NDArray[np.int64]
    weights: Array
    size: int


@dataclass(frozen=True, slots=True)
class _Level:
    """The graphs of a topic's texts for one length of n-grams; summaries come first.

    directions: of each edge of the references, 1 for those from an n-gram to itself and 2 for others.
    """

    graphs: tuple[_Graph, ...]
    directions: Array

    def common(self, summaries: int) -> Array:
        """Return how far the common edges of each pair agree, shape (summaries, references)."""
        values = np.zeros((summaries, len(self.graphs) - summaries))
        table = np.zeros(len(self.directions))
        for column, reference in enumerate(self.graphs[summaries:]):
            table[reference.edges] = reference.weights
            for row, summary in enumerate(self.graphs[:summaries]):
                theirs = table[summary.edges]
                agreeing = np.minimum(theirs, summary.weights) / np.maximum(theirs, summary.weights)
                # of common ones and sorted, so that neither other references nor the order change a digit
                terms = (agreeing * self.directions[summary.edges])[theirs > 0.0]
                values[row, column] = np.sort(terms).sum()
            table[reference.edges] = 0.0
        return values

    def larger(self, summaries: int) -> Array:
        """Return the edges of the larger graph of each pair, at least 1, shape (summaries, references)."""
        sizes = np.array([graph.size for graph in self.graphs], np.float64)
        return np.maximum(np.maximum(sizes[:summaries, None], sizes[None, summaries:]), 1.0)


@dataclass(frozen=True, slots=True)
class PreparedGraphs(Prepared):
    """A topic with the graphs of its texts for each length of n-grams."""

    levels: tuple[_Level, ...]


@register
@dataclass(frozen=True)
class AutoSummEng(PooledMetric[PreparedGraphs]):
    """Value similarity of the character n-gram graphs of a summary and a reference, from 0 to 1.

    N-grams are the vertices; an edge joins two that begin at most `dwin` characters apart, and weighs as
    often as they do. Several references: the mean. The statistic per reference is the similarity to it. A
    line break ends each text, as in the authors' program.

    Formula:
        similarity(n) = Σ over common edges of min(w, v) / max(w, v), divided by the edges of the larger graph
        score         = Σ weight(n) · similarity(n) / Σ weight(n), with weight(n) = lmin + … + n

    Limits:
        Reads characters, in any script, with letter case, punctuation and white space. A text that is much
        shorter or longer than the reference scores low, as the edges of the larger graph are counted.
    """

    name: ClassVar[str] = "autosummeng"
    family: ClassVar[str] = "N-gram graphs"
    about: ClassVar[str] = "Common neighbours of character n-grams, for any script, as by JInsect."
    paper: ClassVar[str] = "Giannakopoulos, Karkaletsis, Vouros & Stamatopoulos 2008"
    bibliography: ClassVar[tuple[str, ...]] = ("giannakopoulos-2008-summarization",)
    default_seconds: ClassVar[float] = 2e-4

    lmin: int = setting(3, "Length of the shortest n-grams in characters.", low=1, high=12, title="Shortest")
    lmax: int = setting(3, "Length of the longest n-grams in characters.", low=1, high=12, title="Longest")
    dwin: int = setting(
        3,
        "Characters between the beginnings of two n-grams that an edge joins.",
        low=1,
        high=100,
        title="Window",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lmin > self.lmax:
            raise BadSetting(f"{self.name}: lmin={self.lmin} is more than lmax={self.lmax}. Exchange them.")

    def measures(self) -> tuple[str, ...]:
        return (f"{self.name}.value",)

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedGraphs:
        texts = *topic.summaries, *topic.references
        letters = [_letters("".join(_characters(text.content))) for text in texts]
        grams, count = all_grams(letters, self.lmax), len(topic.summaries)
        return PreparedGraphs(topic, tuple(_level(grams[n - 1], count, self.dwin) for n in self._lengths))

    def per_reference(self, prepared: PreparedGraphs) -> Array:
        count = len(prepared.topic.summaries)
        values = np.zeros((count, len(prepared.topic.references)))
        for weight, level in zip(self._weights, prepared.levels, strict=True):
            values += weight * (level.common(count) / level.larger(count))
        return values[..., None]

    def notes(self, prepared: PreparedGraphs) -> dict[str, int]:
        texts = zip(*(level.graphs for level in prepared.levels), strict=True)
        return noted(counted_as_zero=sum(not all(graph.size for graph in graphs) for graphs in texts))

    def trees(self, prepared: PreparedGraphs, system: int) -> Iterator[Sequence[Explanation]]:
        count = len(prepared.topic.summaries)
        mine = _placed(prepared.topic.summaries[system])
        numbers = [(level.common(count)[system], level.larger(count)[system]) for level in prepared.levels]
        for at, reference in enumerate(prepared.topic.references):
            theirs, name = _placed(reference), reference.name
            parts = []
            for n, weight, (common, larger) in zip(self._lengths, self._weights, numbers, strict=True):
                evidence = tuple(_shared(mine, theirs, n, self.dwin))
                shared = Explanation("common edges", value=float(common[at]), evidence=evidence)
                of = leaf("edges of the larger graph", larger[at])
                ratio = Explanation(f"{n} characters, {name}", "ratio", children=(shared, of))
                parts.append(product(f"weight of {n} characters", weight, ratio))
            yield (total(f"against {name}", parts),)

    @property
    def _lengths(self) -> range:
        return range(self.lmin, self.lmax + 1)

    @property
    def _weights(self) -> list[float]:
        """The weight of each length; longer n-grams weigh more."""
        each = [sum(range(self.lmin, n + 1)) for n in self._lengths]
        return [one / sum(each) for one in each]


def _characters(content: str) -> list[str]:
    """Return a text's characters, with the line break that ends it."""
    found = ["\n" if one in ("\r\n", "\r") else one for one in _CHARACTER.findall(content)]
    return found if not found or found[-1] == "\n" else [*found, "\n"]


def _letters(content: str) -> Words:
    """Return the numbers of a text's characters."""
    return np.frombuffer(content.encode("utf-32-le", "surrogatepass"), np.int32)


def _level(grams: NumberedUnits, summaries: int, window: int) -> _Level:
    """Return the graphs of texts with these n-grams, text by text, as edges can be many times the n-grams."""
    texts = [grams.units[begin:end] for begin, end in pairwise(grams.ends)]
    base = max(grams.total, 1)
    references = [_edges(text, base, window) for text in texts[summaries:]]
    known = np.unique(np.concatenate([np.empty(0, np.int64), *(edges for edges, _ in references)]))
    every = chain((_edges(text, base, window) for text in texts[:summaries]), references)
    return _Level(
        tuple(_graph(edges, weights, known, base) for edges, weights in every), _directions(known, base)
    )


def _pairs(units: Units, base: int, window: int) -> Iterator[Units]:
    """Yield the edges between n-grams that begin 1, 2, … characters apart as numbers, by place."""
    for apart in range(1, min(window + 1, len(units))):
        first, second = units[:-apart], units[apart:]
        yield np.minimum(first, second) * base + np.maximum(first, second)


def _edges(units: Units, base: int, window: int) -> tuple[Units, Units]:
    """Return a text's edges, in order, and how often each occurs."""
    found = np.concatenate([np.empty(0, np.int64), *_pairs(units, base, window)])
    return np.unique(found, return_counts=True)


def _graph(edges: Units, weights: Units, known: Units, base: int) -> _Graph:
    """Return a graph with these edges. known: those of references, in order."""
    places, is_known = _found(edges, known)
    size = int(_directions(edges, base).sum())
    return _Graph(places[is_known], weights[is_known].astype(np.float64), size)


def _found(edges: Units, known: Units) -> tuple[Units, NDArray[np.bool_]]:
    """Return where edges are among known ones, which are in order, and whether they are."""
    places = np.searchsorted(known, edges)
    return places, np.append(known, -1)[places] == edges


def _directions(edges: Units, base: int) -> Array:
    """Return how many directed edges each one stands for."""
    return np.where(edges // base == edges % base, 1.0, 2.0)


def _placed(text: Text) -> PlacedTokens:
    """Return the characters of a text with their places."""
    spans: list[Span | None] = [match.span() for match in _CHARACTER.finditer(text.content)]
    end = len(text.content)
    return PlacedTokens(text, "".join(_characters(text.content)), [*spans, (end, end)])


def _shared(mine: PlacedTokens, theirs: PlacedTokens, n: int, window: int) -> Iterator[Evidence]:
    """Yield where the neighbours are that a summary and a reference share, in both texts."""
    grams = all_grams([_letters(str(text.tokens)) for text in (mine, theirs)], n)[-1]
    base, (here, there) = max(grams.total, 1), np.split(grams.units, grams.ends[1:2])
    sides: tuple[tuple[Literal["summary", "reference"], PlacedTokens, Units, Units], ...] = (
        ("summary", mine, here, there),
        ("reference", theirs, there, here),
    )
    for role, text, own, other in sides:
        known, _ = _edges(other, base, window)
        widest = np.zeros(len(own), np.int64)  # distance of the farthest shared neighbour before each n-gram
        for apart, pairs in enumerate(_pairs(own, base, window), 1):
            widest[apart:][_found(pairs, known)[1]] = apart
        spans = (text.span(at - apart, apart + n) for at, apart in enumerate(widest.tolist()) if apart)
        for span in joined(sorted(span for span in spans if span is not None)):
            yield Evidence(role, text.text.name, span, 1.0)
