"""Topics, their texts, and who wrote and annotates them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from core.domain.import_batch import ImportContent, ImportCounts
from core.domain.study import Annotator, System, Text, TopicHeader, TopicTexts


class TextStore(Protocol):
    """Texts, topics, systems, people."""

    def topics(self) -> Sequence[TopicHeader]:
        """Every topic without its texts, by name in natural order (D2 before D10)."""
        ...

    def topic(self, topic_id: str) -> TopicTexts:
        """One topic with its texts. Raises InputError where it is gone."""
        ...

    def texts(self, topic_ids: Sequence[str] | None = None) -> Iterator[TopicTexts]:
        """Topics with their texts, in order, loaded in few queries."""
        ...

    def systems(self) -> Sequence[System]:
        """Every system, by name."""
        ...

    def reference_authors(self) -> Sequence[str]:
        """Every author of a reference, by name."""
        ...

    def annotators(self) -> Sequence[Annotator]:
        """Everybody who annotates or rates, by name."""
        ...

    def annotator(self, name: str, group: str = "") -> Annotator:
        """The annotator of that name, made if new."""
        ...

    def reference_sets(self) -> Sequence[Sequence[Text]]:
        """Each topic's references, topics in order; those without any are left out."""
        ...

    def import_data(self, incoming: ImportContent, *, dry_run: bool = False) -> ImportCounts:
        """Write an import in one transaction, or only count what it would do. Raises BadImport."""
        ...
