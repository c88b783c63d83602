"""Occurrences of a phrase in texts: exact, by word stems, or similar.

A phrase may be discontinuous: its parts then occur in their order with few other words between them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from core.domain.pyramid import Scu, TopicAnnotation
from core.domain.pyramid.nugget_edits import Occurrence, add_automatic
from core.domain.study import Span, Text, TopicTexts
from core.progress import JobSteps, Progress
from core.text.segmentation import word_spans
from core.text.stemming import snowball_stem

MAX_GAP = 6
"""Highest number of other words between two parts of a discontinuous phrase."""

MIN_SIMILARITY = 85.0
"""Lowest similarity of a similar occurrence, in percent of rapidfuzz's normalized Indel similarity."""

MIN_FUZZY_LENGTH = 5
"""Shortest phrase, in letters, that is searched by similarity."""


class Method(StrEnum):
    """How an occurrence equals the phrase, closest first.

    EXACT: word by word, ignoring case.
    STEMMED: stem by stem (English Snowball stems; other languages are only compared exactly).
    FUZZY: windows of words by the similarity of their letters; all numbers must be equal.
    """

    EXACT = "exact"
    STEMMED = "stemmed"
    FUZZY = "fuzzy"


@dataclass(frozen=True, slots=True)
class SearchHit(Occurrence):
    """An occurrence found by a search. similarity: in percent; 100 unless the method is FUZZY."""

    method: Method
    similarity: float = 100.0


class SearchedText:
    """The words of a text, prepared for many searches."""

    def __init__(self, text: Text) -> None:
        self.id, self.content = text.id, text.content
        self.spans = word_spans(text.content, text.language)
        self.words = [text.content[start:end].casefold() for start, end in self.spans]
        self._stem: Callable[[str], str] = snowball_stem if text.language in ("", "en") else str

    @cached_property
    def stems(self) -> list[str]:
        """The stem of every word."""
        return [self._stem(word) for word in self.words]


class Phrase:
    """A phrase to search for: one sequence of words per part."""

    def __init__(self, parts: Sequence[str], language: str = "") -> None:
        cut = (SearchedText(Text("", "", part, language=language)) for part in parts)
        self._parts = [part for part in cut if part.words]

    def __bool__(self) -> bool:
        return bool(self._parts)

    def occurrences(self, text: SearchedText, methods: Sequence[Method]) -> list[SearchHit]:
        """Return the occurrences in a text in order of position; of overlapping ones the closest."""
        if not self._parts:
            return []
        accepted: list[SearchHit] = []
        for method in (each for each in Method if each in methods):
            for spans, similarity in self._search(text, method):
                if not any(_overlap(spans, other.spans) for other in accepted):
                    accepted.append(SearchHit(text.id, spans, method, similarity))
        return sorted(accepted, key=lambda one: one.spans)

    def _search(self, text: SearchedText, method: Method) -> Iterator[tuple[tuple[Span, ...], float]]:
        if method is Method.EXACT:
            sequences = _sequences(text.words, [part.words for part in self._parts])
        elif method is Method.STEMMED:
            sequences = _sequences(text.stems, [part.stems for part in self._parts])
        else:
            yield from self._similar(text)
            return
        for runs in sequences:
            yield tuple((text.spans[first][0], text.spans[last - 1][1]) for first, last in runs), 100.0

    def _similar(self, text: SearchedText) -> Iterator[tuple[tuple[Span, ...], float]]:
        """Yield the windows of words that are similar to the phrase, the most similar first."""
        from rapidfuzz.fuzz import ratio

        stems = [stem for part in self._parts for stem in part.stems]
        phrase = " ".join(stems)
        if len(phrase) < MIN_FUZZY_LENGTH:
            return
        numbers = _numbers(stems)
        windows = []
        for size in range(max(1, len(stems) - 1), len(stems) + 2):
            for first in range(len(text.stems) - size + 1):
                window = text.stems[first : first + size]
                similarity = ratio(phrase, " ".join(window), score_cutoff=MIN_SIMILARITY)
                if similarity and _numbers(window) == numbers:
                    span = text.spans[first][0], text.spans[first + size - 1][1]
                    windows.append((-similarity, size, first, span))
        for negative, _, _, span in sorted(windows):
            yield (span,), -negative


@dataclass(frozen=True, slots=True)
class FoundOccurrences:
    """Where the texts of a topic contain one nugget."""

    references: tuple[SearchHit, ...] = ()
    summaries: tuple[SearchHit, ...] = ()


def find_occurrences(
    topic: TopicTexts, annotation: TopicAnnotation, nugget_ids: Sequence[str], methods: Sequence[Method]
) -> JobSteps[dict[str, FoundOccurrences]]:
    """Search all references and summaries of a topic for nuggets; return the occurrences by nugget id.

    A nugget is searched by the words of its confirmed occurrences, without any by its label. Nuggets that
    are gone are omitted.
    """
    references = [SearchedText(text) for text in topic.references]
    summaries = [SearchedText(text) for text in topic.summaries]
    texts = {text.id: text for text in topic.references}
    known = {nugget.id: nugget for nugget in annotation.pyramid.scus}
    found = {}
    for place, nugget in enumerate(known[each] for each in nugget_ids if each in known):
        yield Progress(place, len(nugget_ids), nugget.label)
        phrases = _phrases(nugget, texts)
        found[nugget.id] = FoundOccurrences(
            *(
                tuple(hit for text in group for hit in _first_of(phrases, text, methods))
                for group in (references, summaries)
            )
        )
    return found


def add_found(
    annotation: TopicAnnotation, found: Mapping[str, FoundOccurrences], annotator_id: str
) -> TopicAnnotation:
    """Add the results of a search as automatic occurrences and hits."""
    known = {nugget.id for nugget in annotation.pyramid.scus}
    for nugget_id, places in found.items():
        if nugget_id in known:
            annotation = add_automatic(
                annotation, nugget_id, places.references, places.summaries, annotator_id
            )
    return annotation


def _phrases(nugget: Scu, texts: Mapping[str, Text]) -> list[Phrase]:
    """Return the distinct phrases of a nugget's confirmed occurrences, else its label."""
    wordings: dict[tuple[str, ...], Phrase] = {}
    for one in nugget.contributors:
        text = texts[one.reference_id]
        parts = tuple(text.content[p.start : p.end] for p in sorted(one.parts, key=lambda p: p.span))
        if one.is_confirmed:
            wordings.setdefault(tuple(part.casefold() for part in parts), Phrase(parts, text.language))
    return list(wordings.values()) or [Phrase([nugget.label])]


def _first_of(phrases: Sequence[Phrase], text: SearchedText, methods: Sequence[Method]) -> list[SearchHit]:
    """Return the occurrences of several wordings in a text; of overlapping ones the closest."""
    hits = [hit for phrase in phrases for hit in phrase.occurrences(text, methods)]
    order = list(Method)
    accepted: list[SearchHit] = []
    for hit in sorted(hits, key=lambda one: (order.index(one.method), -one.similarity, one.spans)):
        if not any(_overlap(hit.spans, other.spans) for other in accepted):
            accepted.append(hit)
    return sorted(accepted, key=lambda one: one.spans)


def _sequences(words: Sequence[str], parts: Sequence[Sequence[str]]) -> Iterator[list[tuple[int, int]]]:
    """Yield the word ranges of every place where all parts occur in order, with gaps of MAX_GAP words."""
    for at in _places(words, parts[0], 0, len(words)):
        runs = [(at, at + len(parts[0]))]
        for part in parts[1:]:
            end = runs[-1][1]
            nearest = next(_places(words, part, end, end + MAX_GAP), None)
            if nearest is None:
                break
            runs.append((nearest, nearest + len(part)))
        else:
            yield runs


def _places(words: Sequence[str], part: Sequence[str], first: int, last: int) -> Iterator[int]:
    """Yield the positions from `first` to `last`, inclusive, at which a part starts."""
    for at in range(first, min(last, len(words) - len(part)) + 1):
        if words[at] == part[0] and list(words[at : at + len(part)]) == list(part):
            yield at


def _numbers(words: Sequence[str]) -> list[str]:
    return sorted(word for word in words if any(character.isdigit() for character in word))


def _overlap(spans: Sequence[Span], others: Sequence[Span]) -> bool:
    return any(one[0] < other[1] and other[0] < one[1] for one in spans for other in others)
