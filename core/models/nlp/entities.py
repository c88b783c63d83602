"""Named entities, numbers and dates of a text, found by a spaCy pipeline or by rules."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from core.domain.study import Span, Text
from core.errors import InputError, PyramidionError
from core.models.nlp.parser import Pipeline, find_pipeline
from core.progress import raise_if_cancelled
from core.text.sentences import sentence_spans_of
from core.text.word_lists import load_word_list

_MONTH = (
    r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
    r"|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)"
)
_ALONE = "January|February|April|June|July|August|September|October|November|December"  # “May” can be a verb
_WEEKDAY = "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:,?\s+\d{4}\b)"
_SCALES = "hundred|thousand|million|billion|trillion"

_DATE = re.compile(
    rf"\b(?:{_WEEKDAY},?\s+)?(?:{_MONTH}\s+{_DAY}\b{_YEAR}?|{_DAY}\s+{_MONTH}{_YEAR}?|{_MONTH}{_YEAR})"
    rf"|\b{_WEEKDAY}\b|\b\d{{4}}-\d\d-\d\d\b|\b(?:1[5-9]|20)\d\d(?:s\b|\b(?![.,]?\d))|\b(?:{_ALONE})\b"
)
_UNIT = rf"(?:(?:st|nd|rd|th|bn|[mk])\b|\s?%|\s+(?:percent|per cent|{_SCALES})\b)"
_NUMBER = re.compile(rf"(?<![\w.,])[$€£¥]?\d+(?:[.,:]\d+)*{_UNIT}?(?!\w)")
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?(?=\W|$)")
_TITLES = frozenset({"Mr.", "Mrs.", "Ms.", "Dr.", "Prof.", "St.", "Gov.", "Sen.", "Rep.", "Gen."})
_LINKS = frozenset({"of", "de", "del", "der", "van", "von", "bin", "al", "la", "le", "du", "da"})


def entities(content: str, sentences: Sequence[Span]) -> list[Span]:
    """Return spans of entities in order, without overlaps. sentences: spans of the text's sentences in order.

    Dates are found first, then numbers, then runs of capitalized words. A single word at the beginning of a
    sentence counts only if the text capitalizes it elsewhere too; function words never count.
    """
    accepted: list[Span] = []
    seen = _capitalized_inside(content, sentences)
    for start, end in sentences:
        for spans in (_matches(_DATE, content, start, end), _matches(_NUMBER, content, start, end)):
            accepted += [span for span in spans if not _overlaps(span, accepted)]
        accepted += [span for span in _names(content, start, end, seen) if not _overlaps(span, accepted)]
    return sorted(accepted)


def _matches(pattern: re.Pattern[str], content: str, start: int, end: int) -> list[Span]:
    return [match.span() for match in pattern.finditer(content, start, end)]


def _overlaps(span: Span, others: Sequence[Span]) -> bool:
    return any(span[0] < end and start < span[1] for start, end in others)


def _capitalized_inside(content: str, sentences: Sequence[Span]) -> frozenset[str]:
    """Return capitalized words that do not begin a sentence."""
    words = [list(_words(content, start, end))[1:] for start, end in sentences]
    return frozenset(_bare(content, span) for each in words for span in each if _is_capital(content, span))


def _words(content: str, start: int, end: int) -> Iterator[Span]:
    for match in _WORD.finditer(content, start, end):
        a, b = match.span()
        is_short = content[b - 1] == "." and not _is_abbreviation(content[a:b], b == end)
        yield a, b - is_short


def _is_abbreviation(word: str, is_last: bool) -> bool:
    """Return whether a full stop belongs to the word, as in *U.S.* and *J.*"""
    return "." in word[:-1] or word in _TITLES or (len(word) == 2 and not is_last)


def _names(content: str, start: int, end: int, seen: frozenset[str]) -> Iterator[Span]:
    """Yield runs of capitalized words; words such as *of* may join two."""
    words = list(_words(content, start, end))
    run: list[int] = []
    for place in range(len(words) + 1):
        if place < len(words) and _continues_name(content, words, run, place):
            run.append(place)
            continue
        if run and (span := _trimmed(content, words, run, seen)):
            yield span
        run = [place] if place < len(words) and _is_capital(content, words[place]) else []


def _continues_name(content: str, words: Sequence[Span], run: Sequence[int], place: int) -> bool:
    if not run or content[words[place - 1][1] : words[place][0]].strip():
        return False
    if _is_capital(content, words[place]):
        return True
    is_link = content[slice(*words[place])] in _LINKS
    return is_link and place + 1 < len(words) and _is_capital(content, words[place + 1])


def _is_capital(content: str, span: Span) -> bool:
    return content[span[0]].isupper()


def _trimmed(content: str, words: Sequence[Span], run: Sequence[int], seen: frozenset[str]) -> Span | None:
    """Return a run without function words at its ends, or None if nothing is left."""
    words_left = list(run)
    while words_left and content[slice(*words[words_left[0]])].lower() in _function_words():
        words_left.pop(0)
    if not words_left or (words_left == [0] and _bare(content, words[0]) not in seen):
        return None
    start, end = words[words_left[0]][0], words[words_left[-1]][1]
    return start, start + len(_bare(content, (start, end)))


def _bare(content: str, span: Span) -> str:
    """Return a name without the genitive ending."""
    return re.sub(r"['’]s$", "", content[slice(*span)])


@cache
def _function_words() -> frozenset[str]:
    return frozenset(load_word_list("stop_words_153.txt"))


RULES = "rules"
"""Name of the rule-based finder."""

PUBLISHED = "en_core_web_sm"
"""The pipeline used in papers."""

_NOT_NEEDED = ("tagger", "morphologizer", "lemmatizer", "trainable_lemmatizer", "textcat", "entity_linker")


@dataclass(frozen=True, slots=True)
class Entity:
    """A name, number or date. span: in its text. sentence: span of its sentence."""

    span: Span
    sentence: Span


class EntityFinder(Protocol):
    """Finds entities in texts."""

    def entities(self, text: Text) -> list[Entity]:
        """Return a text's entities in order; none crosses a sentence boundary."""
        ...


def resolve_finder(name: str) -> str:
    """Resolve a setting: ``auto`` is the published pipeline if installed, else the rules."""
    if name != "auto":
        return name
    try:
        find_pipeline(PUBLISHED)
    except PyramidionError:
        return RULES
    return PUBLISHED


def load_entity_finder(name: str) -> EntityFinder:
    """Load an entity finder: rules, or the pipeline of a folder or package.

    Raises MissingResource if there is none, InputError if it is damaged or has no entity recognizer.
    """
    return RuleEntityFinder() if resolve_finder(name) == RULES else _load(find_pipeline(resolve_finder(name)))


class RuleEntityFinder:
    """Finds entities by their spelling."""

    def entities(self, text: Text) -> list[Entity]:
        sentences = sentence_spans_of(text)
        return _placed(entities(text.content, sentences), sentences)


class SpacyEntityFinder:
    """Finds entities with a spaCy pipeline, in the text's own sentences or else the pipeline's."""

    def __init__(self, loaded: Any) -> None:
        self._loaded = loaded

    def entities(self, text: Text) -> list[Entity]:
        raise_if_cancelled()
        if len(text.content) > self._loaded.max_length:
            raise InputError(
                f"{text.name} has {len(text.content):,} characters, more than the pipeline can "
                "process at once. Split the document or find entities by rules."
            )
        document = self._loaded(text.content)
        spans = [(entity.start_char, entity.end_char) for entity in document.ents]
        return _placed(spans, list(_sentences(text, document)))


def _sentences(text: Text, document: Any) -> Iterator[Span]:
    if text.sentence_spans is not None or not document.has_annotation("SENT_START"):
        yield from sentence_spans_of(text)
        return
    for sentence in document.sents:
        yield sentence.start_char, sentence.end_char


def _placed(spans: Sequence[Span], sentences: Sequence[Span]) -> list[Entity]:
    """Return entities with their sentences; both are in order."""
    placed, waiting = [], list(spans)
    for start, end in sentences:
        inside = [span for span in waiting if start <= span[0] and span[1] <= end]
        placed += [Entity(span, (start, end)) for span in inside]
        waiting = [span for span in waiting if span[0] >= end]
    return placed


def _load(pipeline: Pipeline) -> EntityFinder:
    import warnings

    import spacy

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about versions: the signature contains both
            loaded = spacy.load(pipeline.folder, exclude=list(_NOT_NEEDED))
    except Exception as error:  # a damaged pipeline component can raise anything
        message = str(error).strip().partition("\n")[0]
        raise InputError(
            f"The pipeline in {pipeline.folder} cannot be loaded ({message}). "
            "Install it again for the installed version of spaCy."
        ) from error
    if not any("doc.ents" in loaded.get_pipe_meta(part).assigns for part in loaded.pipe_names):
        raise InputError(
            f"The pipeline {pipeline.name} in {pipeline.folder} has no entity recognizer. "
            "Choose another pipeline, or rules."
        )
    return SpacyEntityFinder(loaded)
