"""Protocol for topics, texts, systems and annotators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from core.domain.import_batch import ImportContent, ImportCounts
from core.domain.study import Annotator, System, Text, TopicHeader, TopicTexts


class TextStore(Protocol):
    """Texts, topics, systems and annotators."""

    def topics(self) -> Sequence[TopicHeader]:
        """Return every topic without its texts, by name in natural order (D2 before D10)."""
        ...

    def topic(self, topic_id: str) -> TopicTexts:
        """Return one topic with its texts. Raises InputError if it is gone."""
        ...

    def texts(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        """Yield topics with their texts, in order, loaded in few queries."""
        ...

    def systems(self) -> Sequence[System]:
        """Return every system, by name."""
        ...

    def reference_authors(self) -> Sequence[str]:
        """Return every author of a reference, by name."""
        ...

    def annotators(self) -> Sequence[Annotator]:
        """Return everybody who annotates or rates, by name."""
        ...

    def annotator(self, name: str, group: str = "") -> Annotator:
        """Return the annotator of that name, created if new."""
        ...

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        """Return each topic's references, in topic order; topics without references are left out."""
        ...

    def import_data(self, incoming: ImportContent, *, dry_run: bool = False) -> ImportCounts:
        """Write an import in one transaction, or only count its effect. Raises BadImport."""
        ...
