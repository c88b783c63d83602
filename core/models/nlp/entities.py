"""Named entities, numbers and dates of a text, found by a spaCy pipeline or by rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from core.domain.study import Span, Text
from core.errors import InputError, PyramidionError
from core.models.nlp.entity_rules import entities
from core.models.nlp.parser import Pipeline, find_pipeline
from core.progress import raise_if_cancelled
from core.text.sentences import sentence_spans_of

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
