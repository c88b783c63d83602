"""A package for Pyramidion with the mistakes that packages have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pyramidion.plugins import ImportFormat, Metric, Prepared, Summarizer, TopicScores


@dataclass(frozen=True)
class NoWork(Metric):
    """Fails while it scores."""

    name: ClassVar[str] = "nowork"
    family: ClassVar[str] = "Broken"
    about: ClassVar[str] = "Fails while it scores."

    def measures(self):
        return (f"{self.name}.score",)

    def prepare(self, topic, resources):
        return Prepared(topic)

    def score(self, prepared):
        return TopicScores(np.array(1 / len(prepared.topic.humans)))


@dataclass(frozen=True)
class NoShape(NoWork):
    """Returns too few values."""

    name: ClassVar[str] = "noshape"

    def score(self, prepared):
        return TopicScores(np.zeros(1))


@dataclass(frozen=True)
class Clash(NoWork):
    """Has the name of another metric."""

    name: ClassVar[str] = "rouge-n"


@dataclass(frozen=True)
class Undeclared(NoWork):
    """Has a field that is no setting."""

    name: ClassVar[str] = "undeclared"
    size: int = 3


@dataclass(frozen=True)
class NoSummary(Summarizer):
    """Fails while its sentences are taken."""

    name: ClassVar[str] = "nosummary"
    about: ClassVar[str] = "Fails."

    def rank(self, source):
        yield source.sentences[10_000]


def read(path, options, study):
    """Return something else."""
    return path.read_text("utf-8")


FORMATS = ImportFormat("bad", "Bad", "Fails.", read, lambda path: path / 0, (".bad",))
