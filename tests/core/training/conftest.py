"""A study whose ratings follow how much of its references summaries hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from storage.study_file import StudyFile, new_study

THINGS = ("bridge", "ferry", "school", "museum", "harbour")
SYSTEMS = {"full": 5.0, "half": 3.0, "poor": 2.0, "off": 1.0}


@pytest.fixture
def rated(tmp_path: Path) -> Iterator[StudyFile]:
    """Five topics, four systems, two references; rated by ann, but for one summary of the last topic."""
    with new_study(tmp_path / "rated.pyramidion") as study:
        study.import_data(_texts())
        yield study


def _texts() -> ImportContent:
    topics = [_topic(i, thing) for i, thing in enumerate(THINGS)]
    ratings = [
        NewRating(topic.name, system, "relevance", "ann", value - 0.2 * i)
        for i, topic in enumerate(topics)
        for system, value in SYSTEMS.items()
        if (topic.name, system) != ("D5", "off")
    ]
    dimensions = {"relevance": (0.0, 5.0)}
    return ImportContent("made", topics, annotators={"ann": ""}, dimensions=dimensions, ratings=ratings)


def _topic(i: int, thing: str) -> NewTopic:
    number = ("two", "three", "four", "five", "six")[i]
    whole = f"The council closed the old {thing} on Monday for {number} months of costly repairs."
    other = f"Costly repairs close the {thing} for {number} months, the council said."
    summaries = {
        "full": f"The council closed the old {thing} for {number} months of costly repairs.",
        "half": f"The old {thing} was closed on Monday.",
        "poor": f"People liked the {thing} a lot." + " They did." * i,
        "off": "Prices of wheat rose again." + " Again." * i,
    }
    return NewTopic(
        f"D{i + 1}",
        references={"A": NewText(whole), "B": NewText(other)},
        summaries={system: NewText(text) for system, text in summaries.items()},
    )
