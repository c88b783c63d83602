"""Blind studies: nobody learns who wrote a summary, and only who is done what others did or is suggested.

It is a setting of the study, so that it holds for everybody who opens it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future

from core.domain.pyramid import TopicAnnotation
from core.ports import EditReceipt, StudySettings

SETTING = "blind"
_YES = "yes"


def is_blind(study: StudySettings) -> bool:
    """Whether a study is blind."""
    return study.setting(SETTING) == _YES


def make_blind(study: StudySettings, *, is_wanted: bool) -> Future[EditReceipt]:
    """Make a study blind, or open it again; an edit without an annotator, so it stands in the history."""
    return study.save_setting(SETTING, _YES if is_wanted else "no")


def visible_pyramids(annotations: Sequence[TopicAnnotation], annotator_id: str) -> list[TopicAnnotation]:
    """Of one topic's pyramids in a blind study: one's own, and all once that is done.

    Who makes none marks it done without an SCU.
    """
    own = [a for a in annotations if a.pyramid.annotator_id == annotator_id]
    return list(annotations) if any(a.pyramid.is_done for a in own) else own


def completed_summaries(annotation: TopicAnnotation, summary_ids: Iterable[str], annotator_id: str) -> int:
    """How many of these summaries an annotator has marked done."""
    states = (annotation.state_of(summary_id, annotator_id) for summary_id in summary_ids)
    return sum(state is not None and state.is_done for state in states)
