"""Places of n-grams that a summary shares with references, for explanations."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from core.domain.study import Span, Text
from core.metrics.base import Evidence

Gram = str | tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedTokens:
    """The tokens of a text, words or the characters of a string, and their spans; None = not in the text."""

    text: Text
    tokens: Gram
    spans: Sequence[Span | None]
    _places: dict[int, Mapping[Gram, list[int]]] = field(default_factory=dict)

    def grams(self, n: int) -> Mapping[Gram, list[int]]:
        """Return the positions of each n-gram, in order; found once for each n."""
        if n not in self._places:
            places: dict[Gram, list[int]] = defaultdict(list)
            for at in range(len(self.tokens) - n + 1):
                places[self.tokens[at : at + n]].append(at)
            self._places[n] = dict(places)
        return self._places[n]

    def span(self, at: int, n: int) -> Span | None:
        """Return the span of the n-gram at a position; None if a token of it is not found."""
        first, last = self.spans[at], self.spans[at + n - 1]
        return None if first is None or last is None else (first[0], last[1])


def find_words(content: str, words: Sequence[str], length: int) -> list[Span | None]:
    """Return the spans of words that follow each other in a text; None if a tokenizer changed its spelling.

    content: with the letter case of the words. length: of the text; if its lower case is longer, no word is
    found.
    """
    if len(content) != length:
        return [None] * len(words)
    places: list[Span | None] = []
    at = 0
    for word in words:
        start = content.find(word, at)
        at = start + len(word) if start >= 0 else at
        places.append((start, at) if start >= 0 else None)
    return places


def matched_spans(mine: PlacedTokens, theirs: Mapping[Gram, int], n: int) -> list[Span]:
    """Return where the n-grams of a text are, each at most as often as another text has it.

    Overlapping and adjacent ones are joined.
    """
    spans = (
        mine.span(at, n)
        for gram, places in mine.grams(n).items()
        if (count := theirs.get(gram, 0))
        for at in places[:count]
    )
    return list(joined(sorted(span for span in spans if span is not None)))


def shared_evidence(summary: PlacedTokens, reference: PlacedTokens, n: int) -> tuple[Evidence, ...]:
    """Return the n-grams that a summary and a reference share, in both texts; longer ones weigh more."""
    here, there = (Counter({g: len(p) for g, p in text.grams(n).items()}) for text in (summary, reference))
    return (
        *(Evidence("summary", summary.text.name, span, n) for span in matched_spans(summary, there, n)),
        *(Evidence("reference", reference.text.name, span, n) for span in matched_spans(reference, here, n)),
    )


def joined(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield sorted spans, those that overlap or touch as one."""
    waiting: Span | None = None
    for start, end in spans:
        if waiting is not None and start <= waiting[1]:
            waiting = waiting[0], max(waiting[1], end)
            continue
        if waiting is not None:
            yield waiting
        waiting = start, end
    if waiting is not None:
        yield waiting
