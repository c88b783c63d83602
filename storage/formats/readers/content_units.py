"""Content units of data sets that give them as sentences, without their places in the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache

from core.domain.import_batch import NewContributor, NewMatch, NewPart, NewScu, NewText
from core.domain.study import Span
from core.errors import Problem
from core.text.segmentation import word_spans
from core.text.sentences import sentence_spans
from core.text.stemming import snowball_stem
from core.text.word_lists import load_word_list


class ReferenceSearch:
    """Finds the words of content units in one reference."""

    def __init__(self, text: NewText) -> None:
        self._content = text.content
        self._sentences = [
            _stems(text.content, span) for span in text.sentence_spans or sentence_spans(text.content)
        ]

    def span_of(self, unit: str) -> Span | None:
        """Return the words of a unit: from the first to the last in the sentence that has most of them.

        Returns None where no sentence has a word of the unit, other than a function word.
        """
        words = unit.strip(" .")
        if words and (start := self._content.find(words)) >= 0:
            return start, start + len(words)
        stems = {stem for _, stem in _stems(unit, (0, len(unit)))}
        best: list[Span] = []
        most = 0
        for sentence in self._sentences:
            shared = [(span, stem) for span, stem in sentence if stem in stems]
            if (number := len({stem for _, stem in shared})) > most:
                best, most = [span for span, _ in shared], number
        return (best[0][0], best[-1][1]) if best else None

    @property
    def whole(self) -> Span:
        """The whole text."""
        return 0, len(self._content)


def _stems(content: str, span: Span) -> list[tuple[Span, str]]:
    """Return the words of a part of a text other than function words: their spans and stems."""
    start, end = span
    words = [(first + start, last + start) for first, last in word_spans(content[start:end])]
    folded = [((first, last), content[first:last].casefold()) for first, last in words]
    return [(place, snowball_stem(word)) for place, word in folded if word not in _function_words()]


@cache
def _function_words() -> frozenset[str]:
    return frozenset(load_word_list("stop_words_153.txt"))


@dataclass(slots=True)
class LocatedUnits:
    """Units that were placed in references by their words. whole: how many have no word there."""

    count: int = 0
    whole: list[str] = field(default_factory=list)

    def units(self, author: str, text: NewText, labels: Sequence[str]) -> tuple[NewScu, ...]:
        """Return the content units of one reference; their keys are numbers from 1."""
        search = ReferenceSearch(text)
        return tuple(
            NewScu(str(number), label, (NewContributor(author, (self._part(search, label),)),))
            for number, label in enumerate(labels, 1)
        )

    def _part(self, search: ReferenceSearch, label: str) -> NewPart:
        self.count += 1
        span = search.span_of(label)
        if span is None:
            self.whole.append(label)
        return NewPart(*(span or search.whole))

    def notices(self, file: str) -> tuple[Problem, ...]:
        """Return what to know about the places of the units."""
        if not self.count:
            return ()
        what = f"The places of {self.count:,} content units in the references are not in the data."
        remedy = "Each is shown where most of its words are in one sentence of the reference."
        notices = [Problem(file, "", "", what, remedy)]
        if self.whole:
            listed = "; ".join(f"“{label[:60]}”" for label in self.whole[:3])
            what = f"{len(self.whole):,} of them have no word in the reference: {listed}."
            notices.append(Problem(file, "", "", what, "They are shown as the whole reference."))
        return tuple(notices)


def matches(units: Sequence[NewScu], labels: Sequence[bool]) -> tuple[NewMatch, ...]:
    """Return a match for each unit that a summary has, by labels in the order of the units."""
    return tuple(NewMatch(unit.key) for unit, present in zip(units, labels, strict=True) if present)
