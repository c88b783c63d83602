"""Protocol for citances."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from core.domain.citations import TopicCitations


class CitationStore(Protocol):
    """Citing papers and citances of topics; they are imported, not edited."""

    def counts(self) -> Mapping[str, int]:
        """Return the number of citances by id of topic; topics without any are left out."""
        ...

    def of_topic(self, topic_id: str) -> TopicCitations:
        """Return the citing papers and citances of a topic, in the order of import."""
        ...
