"""The order in which an annotator meets summaries, so that it tells nothing of who wrote them."""

from __future__ import annotations

import random
from collections.abc import Iterable


def blind_order(summary_ids: Iterable[str], annotator_id: str, topic_id: str) -> tuple[str, ...]:
    """The summaries of a topic in an order of the annotator's own, the same at each call.

    It does not depend on the order given.
    """
    shuffled = sorted(summary_ids)
    random.Random(f"{annotator_id} {topic_id}").shuffle(shuffled)
    return tuple(shuffled)
