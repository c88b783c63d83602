"""Blind mode: hide who wrote a summary, and other annotators' work until one's own is done.

It is a setting of the study, so it applies to everybody who opens it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from concurrent.futures import Future

from core.domain.pyramid import TopicAnnotation
from core.ports import EditReceipt, Study


def blind_order(summary_ids: Iterable[str], annotator_id: str, topic_id: str) -> tuple[str, ...]:
    """Return the summaries of a topic in an order specific to the annotator, the same at each call.

    The order of `summary_ids` has no effect.
    """
    shuffled = sorted(summary_ids)
    random.Random(f"{annotator_id} {topic_id}").shuffle(shuffled)
    return tuple(shuffled)


SETTING = "blind"
_YES = "yes"


def is_blind(study: Study) -> bool:
    """Return whether a study is blind."""
    return study.settings.get(SETTING) == _YES


def make_blind(study: Study, annotator_id: str | None = None, *, enabled: bool) -> Future[EditReceipt]:
    """Turn blind mode on or off, as one edit, which the annotator can undo."""
    return study.settings.save(SETTING, _YES if enabled else "no", annotator_id)


def visible_pyramids(annotations: Sequence[TopicAnnotation], annotator_id: str) -> list[TopicAnnotation]:
    """Return the pyramids of a topic that an annotator may see in a blind study.

    These are the annotator's own, and all once that is marked done. An annotator without
    a pyramid can mark an empty one as done.
    """
    own = [a for a in annotations if a.pyramid.annotator_id == annotator_id]
    return list(annotations) if any(a.pyramid.is_done for a in own) else own


def completed_summaries(annotation: TopicAnnotation, summary_ids: Iterable[str], annotator_id: str) -> int:
    """Return how many of these summaries an annotator has marked done."""
    states = (annotation.state_of(summary_id, annotator_id) for summary_id in summary_ids)
    return sum(state is not None and state.is_done for state in states)
