"""Presentation order of summaries that does not reveal their systems."""

from __future__ import annotations

import random
from collections.abc import Iterable


def blind_order(summary_ids: Iterable[str], annotator_id: str, topic_id: str) -> tuple[str, ...]:
    """Return the summaries of a topic in an order specific to the annotator, the same at each call.

    The order of `summary_ids` has no effect.
    """
    shuffled = sorted(summary_ids)
    random.Random(f"{annotator_id} {topic_id}").shuffle(shuffled)
    return tuple(shuffled)
