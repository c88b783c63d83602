"""Values of the tab Training."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic. use: Control, Training or empty. known: annotator of the known annotation, may be empty."""

    topic: str
    use: str = ""
    known: str = ""


@dataclass(frozen=True, slots=True)
class AccuracyRow:
    """An annotator's accuracy. ratings, matches: such as ``8 of 10 (80%)``. interval: of both together."""

    annotator: str
    use: str
    ratings: str
    matches: str
    interval: str
