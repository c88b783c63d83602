"""Protocols for topics, texts and systems, and for annotators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from typing import Protocol

from core.domain.study import Annotator, System, Text, TopicHeader, TopicTexts
from core.ports.changes import EditReceipt


class TextStore(Protocol):
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

    def move_to_set(
        self, topic_ids: Sequence[str], name: str, annotator_id: str | None = None
    ) -> Future[EditReceipt]:
        """Move topics to a set such as ``update``, empty = to none, as one edit.

        The Future raises InputError for an invalid name, or if a topic is gone.
        """
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


class AnnotatorStore(Protocol):
    """People who annotate or rate."""

    def all(self) -> Sequence[Annotator]:
        """Return everybody who annotates or rates, by name."""
        ...

    def with_work(self) -> frozenset[str]:
        """Return the ids of those who own annotations, ratings, answers, comments or comparisons."""
        ...

    def get_or_create(self, name: str, group: str = "") -> Annotator:
        """Return the annotator of that name, created if new."""
        ...
