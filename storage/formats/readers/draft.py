"""Drafts that collect an import row by row; texts of one topic may be on different lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.domain.import_batch import (
    ImportContent,
    NewCitance,
    NewRating,
    NewScore,
    NewText,
    NewTopic,
    ScaleTexts,
)
from core.domain.study import SystemKind
from storage.formats.memory import ROW, text_size
from storage.formats.readers.fields import Problems, is_name, keep_same


@dataclass(slots=True)
class TopicDraft:
    """A topic that is being read."""

    name: str
    title: str = ""
    query: str = ""
    set: str = ""
    documents: dict[str, NewText] = field(default_factory=dict)
    references: dict[str, NewText] = field(default_factory=dict)
    summaries: dict[str, NewText] = field(default_factory=dict)
    citing_papers: dict[str, NewText] = field(default_factory=dict)

    def finish(self) -> NewTopic:
        about = self.name, self.title, self.query, self.set
        return NewTopic(*about, self.documents, self.references, self.summaries, self.citing_papers)


@dataclass(slots=True)
class ImportDraft:
    """An import that is being read.

    Every name is checked here, for all formats. What contradicts an earlier line is a problem; what repeats
    it exactly is counted in `merged`, by kind. seen: content and place by kind and names.
    """

    source: str
    problems: Problems
    topics: dict[str, TopicDraft] = field(default_factory=dict)
    systems: dict[str, SystemKind] = field(default_factory=dict)
    annotators: dict[str, str] = field(default_factory=dict)
    dimensions: dict[str, tuple[float, float]] = field(default_factory=dict)
    scale_texts: dict[str, ScaleTexts] = field(default_factory=dict)
    ratings: list[NewRating] = field(default_factory=list)
    scores: list[NewScore] = field(default_factory=list)
    citances: dict[tuple[str, str, str], NewCitance] = field(default_factory=dict)
    seen: dict[tuple[str, ...], tuple[Any, str]] = field(default_factory=dict)
    merged: Counter[str] = field(default_factory=Counter)
    checked: set[str] = field(default_factory=set)

    def topic(self, name: str) -> TopicDraft:
        if name not in self.topics:
            self.problems.memory.take(ROW)
            self.names("topic", name)
            self.topics[name] = TopicDraft(name)
        return self.topics[name]

    def document(self, topic: str, name: str, text: NewText) -> None:
        self._keep(self.topic(topic).documents, "document", name, text)

    def reference(self, topic: str, author: str, text: NewText) -> None:
        self._keep(self.topic(topic).references, "author", author, text)

    def summary(
        self, topic: str, system: str, text: NewText, kind: SystemKind = SystemKind.AUTOMATIC
    ) -> None:
        self.systems.setdefault(system, kind)
        self._keep(self.topic(topic).summaries, "system", system, text)

    def citing_paper(self, topic: str, name: str, text: NewText) -> None:
        self._keep(self.topic(topic).citing_papers, "citing paper", name, text)

    def citance(self, new: NewCitance) -> None:
        """Add a citance, or annotations to the same one; different ones by one annotator are a problem."""
        self.names("topic", new.topic)
        self.names("citing paper", new.paper)
        self.names("number", new.number)
        for annotation in new.annotations:
            self.names("annotator", annotation.annotator)
            key = new.topic, new.paper, new.number, annotation.annotator
            self._is_new("annotation of a citance", key, annotation)
            self.annotators.setdefault(annotation.annotator, "")
        new = replace(new, annotations=tuple(dict.fromkeys(new.annotations)))
        known = self.citances.setdefault((new.topic, new.paper, new.number), new)
        if known is not new:
            annotations = tuple(dict.fromkeys((*known.annotations, *new.annotations)))
            self.citances[new.topic, new.paper, new.number] = replace(known, annotations=annotations)

    def rating(self, rating: NewRating, group: str, scale: tuple[float, float]) -> None:
        self.names("topic", rating.topic)
        self.names("system", rating.system)
        self.names("dimension", rating.dimension)
        self.names("annotator", rating.annotator)
        if group:
            self.names("group", group)
        known = self.annotators.setdefault(rating.annotator, group)
        if group and known != group:
            self.annotators[rating.annotator] = known or group
            if known:
                what = f"{rating.annotator} is in two groups, {known} and {group}."
                self.problems.note(what, "The first one is imported; each annotator has one group.")
        low, high = self.dimensions.get(rating.dimension, scale)
        self.dimensions[rating.dimension] = (min(low, scale[0]), max(high, scale[1]))
        key = rating.topic, rating.system, rating.dimension, rating.annotator
        if self._is_new("rating", key, rating):
            self.ratings.append(rating)

    def scale(self, name: str, ends: tuple[float, float], texts: ScaleTexts) -> None:
        """Add a scale, with or without ratings."""
        self.names("dimension", name)
        self._is_new("description of a scale", (name,), (ends, texts))
        self.dimensions[name], self.scale_texts[name] = ends, texts

    def score(self, score: NewScore) -> None:
        self.names("topic", score.topic)
        self.names("system", score.system)
        self.names("measure", score.measure)
        if self._is_new("score", (score.topic, score.system, score.measure), score):
            self.scores.append(score)

    def names(self, what: str, name: str) -> None:
        """Check a name once; an invalid name is a problem at the current place."""
        if name not in self.checked:
            self.checked.add(name)
            is_name(name, what, self.problems)

    def _keep(self, known: dict[str, NewText], what: str, name: str, text: NewText) -> None:
        self.names(what, name)
        if name not in known:
            self.problems.memory.take(text_size(text.content, len(text.sentence_spans or ())))
        keep_same(known, name, text, self.problems, lambda: f"{_TEXTS[what]} {name}")

    def _is_new(self, what: str, key: tuple[str, ...], content: Any) -> bool:
        """Return whether nothing is known under these names; other content there is a problem."""
        if (what, *key) not in self.seen:
            self.problems.memory.take(ROW)
            self.seen[(what, *key)] = content, self.problems.place
            return True
        known, place = self.seen[(what, *key)]
        if known == content:
            self.merged[what] += 1
        else:
            both = zip(map(_value_of, (known, content)), (place, self.problems.place), strict=True)
            values = " and ".join(f"{value} in {where}" if where else value for value, where in both)
            sentence = f"Two values of the {what} for {', '.join(key)}: {values}."
            self.problems.add("", sentence, "Remove one of the two.", other_place=place)
        return False

    def finish(self, *, has_more: bool = False) -> ImportContent:
        """Return the import. Raises BadImport with all problems, if any.

        has_more: there is other content, which the caller adds.
        """
        has_own = self.topics or self.ratings or self.scores or self.scale_texts
        if not self.problems.found and not has_own and not has_more:
            self.problems.place = ""
            self.problems.add("", "There is nothing to import.", "Check the file and the selected format.")
        self.problems.stop_if_any()
        for what, count in self.merged.items():
            self.problems.note(f"Repeated exactly and merged: {count:,} {_PLURALS[what]}.", "")
        topics = [draft.finish() for draft in self.topics.values()]
        return ImportContent(
            self.source,
            topics,
            self.systems,
            self.annotators,
            self.dimensions,
            self.ratings,
            self.scores,
            scale_texts=self.scale_texts,
            citances=tuple(self.citances.values()),
            notices=tuple(self.problems.notices),
        )


def _value_of(content: Any) -> str:
    """Return a rating, a score or other content for a message."""
    value = getattr(content, "value", content)
    about = [f"“{content.note}”"] if getattr(content, "note", "") else []
    about += ["flagged"] if getattr(content, "is_flagged", False) else []
    about += [f"{len(content.spans)} marked spans"] if getattr(content, "spans", ()) else []
    shown = f"{value:g}" if isinstance(value, float | int) else "another one" if content is value else "none"
    return f"{shown} ({', '.join(about)})" if about else shown


MOST_NESTED = 20
"""Maximum nesting of metric names."""

_SCALES = ((1.0, 5.0), (0.0, 1.0), (1.0, 7.0), (0.0, 10.0), (0.0, 100.0))


def usual_scale(low: float, high: float) -> tuple[float, float]:
    """Return a scale for ratings of a format that contains none: the first usual one that they fit.

    low, high: the lowest and the highest rating; returned where no usual scale contains both.
    """
    own = low, high if high > low else low + 1
    return next((one for one in _SCALES if one[0] <= low and high <= one[1]), own)


_PLURALS = {
    "rating": "ratings",
    "score": "scores",
    "description of a scale": "descriptions of scales",
    "annotation of a citance": "annotations of citances",
}
_TEXTS = {
    "document": "document",
    "author": "reference",
    "system": "summary of",
    "citing paper": "citing paper",
}


def flatten(metrics: Mapping[str, object], problems: Problems) -> dict[str, object]:
    """Flatten nested metrics to dotted names such as ``rouge-2.recall``; a duplicate name is a problem."""
    flat: dict[str, object] = {}
    pending: list[tuple[str, object, int]] = [(name, value, 1) for name, value in metrics.items()][::-1]
    while pending:
        path, value, depth = pending.pop()
        if isinstance(value, Mapping) and depth < MOST_NESTED:
            pending += [(f"{path}.{name}", inner, depth + 1) for name, inner in value.items()][::-1]
        elif path in flat:
            problems.add("metrics", f"Two metrics have the dotted name {path}.", "Rename one of them.")
        else:
            flat[path] = value
    return flat
