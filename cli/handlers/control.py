"""`pyramidion control`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from cli.console import print_json, print_message, print_table, run_with_progress
from cli.errors import require_writable
from cli.opening import editor_id
from core.annotation.control_topics import (
    ControlAccuracy,
    KnownUse,
    control_accuracy,
    known_annotators,
    set_known_annotators,
    wilson_interval,
)
from core.domain.annotator_filter import unknown_name_message
from core.errors import InputError
from core.files.study_address import StudyAddress
from core.ports import Study
from storage.study_file import open_study

NOBODY = "none"
_HEADS = {
    "annotator": "Annotator",
    "ratings": "Ratings right",
    "matches": "Decisions right",
    "interval": "95 %",
}
_TITLES = {KnownUse.CONTROL: "Control topics", KnownUse.TRAINING: "Training topics"}


def check_control_topics(
    path: StudyAddress,
    changes: Mapping[KnownUse, Sequence[str]],
    tolerance: float,
    editor: str,
    *,
    as_json: bool,
) -> None:
    """Print each annotator's accuracy on control and training topics, after changing which these are.

    changes: ``TOPIC=NAME`` of the known annotation, or ``TOPIC=none``. editor: who changes them.
    Raises InputError for unknown names.
    """
    if not 0 <= tolerance <= 1:
        raise InputError(f"The tolerance {tolerance:g} is not a share. Use a number from 0 to 1.")
    found: dict[KnownUse, list[ControlAccuracy]] = {}
    with open_study(path) as study:
        changed = {use: _changed(study, use, of) for use, of in changes.items() if of}
        if changed:
            require_writable(study)
            author = editor_id(study, editor)
            for use, known in changed.items():
                for edit in set_known_annotators(study, use, known, author):
                    edit.result()
        topics = {use: known_annotators(study, use) for use in KnownUse}
        for use in KnownUse:
            steps = control_accuracy(study, tolerance, use)
            found[use] = run_with_progress(steps, "checking", "Nothing was printed.")
    if as_json:
        control, training = KnownUse.CONTROL, KnownUse.TRAINING
        print_json(
            {
                "topics": topics[control],
                "tolerance": tolerance,
                "annotators": [_row(one) for one in found[control]],
                "training": {
                    "topics": topics[training],
                    "annotators": [_row(one) for one in found[training]],
                },
            }
        )
        return
    if not any(topics.values()):
        print_message("There are no control topics. Name the known annotation of one: --set TOPIC=NAME.")
    for use, known in topics.items():
        if known:
            _print(use, known, found[use])


def _print(use: KnownUse, known: Mapping[str, str], found: Sequence[ControlAccuracy]) -> None:
    listed = ", ".join(f"{topic} (as {name})" for topic, name in known.items())
    print_message(f"{_TITLES[use]}: {listed}")
    if not found:
        print_message("Nobody else has annotated them yet.")
        return
    cells = [
        {
            "annotator": one.annotator,
            "ratings": _part(one.ratings_right, one.ratings),
            "matches": _part(one.matches_right, one.matches),
            "interval": _interval(one),
        }
        for one in found
    ]
    print_table(cells, _HEADS, right=("ratings", "matches", "interval"))


def _changed(study: Study, use: KnownUse, changes: Sequence[str]) -> dict[str, str]:
    known = known_annotators(study, use)
    topics = [topic.name for topic in study.texts.topics()]
    people = [person.name for person in study.annotators.all()]
    for change in changes:
        topic, separator, name = change.rpartition("=")
        if not separator:
            raise InputError(f"{change!r} is not a {use} topic. Write it as TOPIC=NAME.")
        if topic not in topics:
            raise InputError(unknown_name_message("topic", topic, topics))
        if name not in (*people, NOBODY):
            raise InputError(unknown_name_message("annotator", name, people))
        known.pop(topic, None)
        if name != NOBODY:
            known[topic] = name
    return known


def _row(one: ControlAccuracy) -> dict[str, Any]:
    return {**asdict(one), "interval": wilson_interval(one.right, one.total) if one.total else None}


def _interval(one: ControlAccuracy) -> str:
    if not one.total:
        return ""
    low, high = wilson_interval(one.right, one.total)
    return f"{low:.0%} to {high:.0%}"


def _part(right: int, total: int) -> str:
    return f"{right} of {total} ({right / total:.0%})" if total else ""
