"""Protocols for what metrics read of a study: texts, annotations, annotators, settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from core.domain.pyramid import TopicAnnotation
from core.domain.study import Annotator, System, Text, TopicHeader, TopicTexts
from core.text.languages import LANGUAGE_SETTING


class TextSource(Protocol):
    """Topics with their texts, and systems."""

    def topics(self) -> Sequence[TopicHeader]:
        """Return every topic without its texts, by name in natural order (D2 before D10)."""
        ...

    def topic(self, topic_id: str) -> TopicTexts:
        """Return one topic with its texts. Raises InputError if it is gone."""
        ...

    def load(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        """Yield topics with their texts, in order, loaded in few queries."""
        ...

    def systems(self) -> Sequence[System]:
        """Return every system, by name."""
        ...

    def reference_authors(self) -> Sequence[str]:
        """Return every author of a reference, by name."""
        ...

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        """Return each topic's references, in topic order; topics without references are left out."""
        ...


class AnnotatorSource(Protocol):
    """People who annotate or rate."""

    def all(self) -> Sequence[Annotator]:
        """Return everybody who annotates or rates, by name."""
        ...


class AnnotationSource(Protocol):
    """Pyramids and the matches against them, of one kind of content unit."""

    def annotations(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicAnnotation]:
        """Yield all pyramids with their matches, or those of some topics, in topic order."""
        ...


class SettingSource(Protocol):
    """Texts stored in a study by key, such as its annotation guidelines."""

    def get(self, key: str, default: str = "") -> str:
        """Return the text of a key."""
        ...

    def keys(self, prefix: str) -> Sequence[str]:
        """Return every key with a prefix, sorted."""
        ...


class ScoringInputs(Protocol):
    """Part of a study that metrics read."""

    @property
    def texts(self) -> TextSource: ...

    @property
    def pyramids(self) -> AnnotationSource: ...

    @property
    def nuggets(self) -> AnnotationSource:
        """Annotations whose content units are nuggets."""
        ...

    @property
    def annotators(self) -> AnnotatorSource: ...

    @property
    def settings(self) -> SettingSource: ...


def language_of(study: ScoringInputs) -> str:
    """Return the code of a study's language; empty = none is stored."""
    return study.settings.get(LANGUAGE_SETTING)
