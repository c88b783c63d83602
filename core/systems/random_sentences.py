"""Random sentences of the documents."""

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
