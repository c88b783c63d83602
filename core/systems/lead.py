"""Lead and random sentences of the documents: baselines that compare nothing."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from core.settings import setting
from core.systems.base import Summarizer
from core.systems.registry import register
from core.systems.source import Source


@register
@dataclass(frozen=True)
class Lead(Summarizer):
    """The first sentences of one document, or of all documents in turn.

    In turn: the first sentence of each document, then the second of each, and so on. The first baseline of
    DUC took the beginning of the last document (`documents=last`).

    Limits:
        Strong for news, whose first sentences say what matters; weak for other texts.
    """

    name: ClassVar[str] = "lead"
    about: ClassVar[str] = "The first sentences of the documents."
    paper: ClassVar[str] = "Baseline 1 of DUC and TAC"

    documents: str = setting(
        "in-turn",
        "first or last document only, or sentences of all documents in turn.",
        choices=("in-turn", "first", "last"),
        title="Documents",
    )

    def rank(self, source: Source) -> Iterable[int]:
        """Yield the sentences by position."""
        sentences = source.sentences
        places = range(len(sentences))
        if self.documents == "in-turn":
            return sorted(places, key=lambda i: (sentences[i].position, sentences[i].document))
        present = [sentence.document for sentence in sentences]
        chosen = min(present, default=0) if self.documents == "first" else max(present, default=0)
        return [i for i in places if sentences[i].document == chosen]


@register
@dataclass(frozen=True)
class Lead3(Lead):
    """The first three sentences of the first document (Grusky et al. 2018).

    Limits:
        Strong for news; three sentences may be much shorter or longer than other systems' summaries.
    """

    name: ClassVar[str] = "lead-3"
    about: ClassVar[str] = "The first three sentences of the first document."
    paper: ClassVar[str] = "Grusky, Naaman & Artzi 2018"
    bibliography: ClassVar[tuple[str, ...]] = ("grusky-2018-newsroom",)

    words: int = setting(0, "Maximum length in words, 0 = no limit.", low=0, title="Words")
    sentences: int = setting(3, "Maximum number of sentences, 0 = no limit.", low=0, title="Sentences")
    documents: str = setting(
        "first",
        "first or last document only, or sentences of all documents in turn.",
        choices=("in-turn", "first", "last"),
        title="Documents",
    )


@register
@dataclass(frozen=True)
class RandomSentences(Summarizer):
    """Sentences drawn without replacement; equal seeds give equal summaries of a topic.

    Limits:
        A lower bound: a metric that ranks it high is suspicious. One seed is one draw.
    """

    name: ClassVar[str] = "random"
    about: ClassVar[str] = "Random sentences of the documents."

    seed: int = setting(0, "Seed of the draw.", low=0, title="Seed")

    def rank(self, source: Source) -> Iterable[int]:
        """Yield the sentences in random order."""
        order = list(range(len(source.sentences)))
        random.Random(f"{self.seed} {source.name}").shuffle(order)
        return order
