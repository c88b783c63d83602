"""Topics put together row by row: texts of one topic may stand on many lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from core.domain.study import SystemKind
from core.ports import Incoming, NewRating, NewScore, NewText, NewTopic, ScaleTexts
from core.progress import Steps
from storage.exchange.reading import Problems, Row, json_rows, keep_same


@dataclass(slots=True)
class TopicDraft:
    """A topic in the making."""

    name: str
    title: str = ""
    query: str = ""
    set: str = ""
    documents: dict[str, NewText] = field(default_factory=dict)
    references: dict[str, NewText] = field(default_factory=dict)
    summaries: dict[str, NewText] = field(default_factory=dict)

    def finish(self) -> NewTopic:
        return NewTopic(
            self.name, self.title, self.query, self.set, self.documents, self.references, self.summaries
        )


@dataclass(slots=True)
class Draft:
    """An import in the making; a text that contradicts an earlier line is a problem."""

    source: str
    problems: Problems
    topics: dict[str, TopicDraft] = field(default_factory=dict)
    systems: dict[str, SystemKind] = field(default_factory=dict)
    annotators: dict[str, str] = field(default_factory=dict)
    dimensions: dict[str, tuple[float, float]] = field(default_factory=dict)
    scale_texts: dict[str, ScaleTexts] = field(default_factory=dict)
    ratings: list[NewRating] = field(default_factory=list)
    scores: list[NewScore] = field(default_factory=list)
    seen: set[tuple[str, ...]] = field(default_factory=set)

    def topic(self, name: str) -> TopicDraft:
        return self.topics.setdefault(name, TopicDraft(name))

    def document(self, topic: str, name: str, text: NewText) -> None:
        keep_same(self.topic(topic).documents, name, text, self.problems, lambda: f"document {name}")

    def reference(self, topic: str, author: str, text: NewText) -> None:
        keep_same(self.topic(topic).references, author, text, self.problems, lambda: f"reference {author}")

    def summary(
        self, topic: str, system: str, text: NewText, kind: SystemKind = SystemKind.AUTOMATIC
    ) -> None:
        self.systems.setdefault(system, kind)
        keep_same(self.topic(topic).summaries, system, text, self.problems, lambda: f"summary of {system}")

    def rating(self, rating: NewRating, group: str, scale: tuple[float, float]) -> None:
        self.annotators.setdefault(rating.annotator, group)
        low, high = self.dimensions.get(rating.dimension, scale)
        self.dimensions[rating.dimension] = (min(low, scale[0]), max(high, scale[1]))
        self._keep_once((rating.topic, rating.system, rating.dimension, rating.annotator), "rating")
        self.ratings.append(rating)

    def scale(self, name: str, ends: tuple[float, float], texts: ScaleTexts) -> None:
        """Add a scale itself, with or without ratings."""
        self._keep_once((name,), "description of the scale")
        self.dimensions[name], self.scale_texts[name] = ends, texts

    def score(self, score: NewScore) -> None:
        self._keep_once((score.topic, score.system, score.measure), "score")
        self.scores.append(score)

    def _keep_once(self, key: tuple[str, ...], what: str) -> None:
        if key in self.seen:
            self.problems.add("", f"A second {what} for {', '.join(key)}.", "Leave one of the two out.")
        self.seen.add(key)

    def finish(self) -> Incoming:
        """Everything read. Raises BadImport with all problems, if any."""
        if not self.problems.found and not (self.topics or self.ratings or self.scores or self.scale_texts):
            self.problems.place = ""
            self.problems.add("", "Nothing to import was found.", "Check the file and the chosen format.")
        self.problems.stop_if_any()
        topics = [draft.finish() for draft in self.topics.values()]
        return Incoming(
            self.source,
            topics,
            self.systems,
            self.annotators,
            self.dimensions,
            self.ratings,
            self.scores,
            scale_texts=self.scale_texts,
        )


def built_of_rows(path: Path, read_row: Callable[[Row, Draft], None]) -> Steps[Incoming]:
    """What the rows of a JSONL file bring together. Raises BadImport with every problem."""
    problems = Problems(path.name)
    draft = Draft(path.name, problems)
    yield from json_rows(path, problems, lambda row: read_row(row, draft))
    return draft.finish()


def flattened(metrics: Mapping[str, object], path: str = "") -> dict[str, object]:
    """Nested metrics by dotted names, as ``rouge-2.recall``."""
    flat: dict[str, object] = {}
    for name, value in metrics.items():
        full = f"{path}.{name}" if path else name
        if isinstance(value, Mapping):
            flat.update(flattened(value, full))
        else:
            flat[full] = value
    return flat
