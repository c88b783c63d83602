"""`pyramidion control`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from cli.console import print_json, print_message, print_table, run_with_progress
from cli.errors import require_writable
from core.annotation.control_topics import control_accuracy, control_topics, set_control_topics
from core.domain.annotator_filter import unknown_name_message
from core.errors import InputError
from core.files.study_address import StudyAddress
from core.ports import Study
from storage.study_file import open_study

NOBODY = "none"
_HEADS = {"annotator": "Annotator", "ratings": "Ratings right", "matches": "Decisions right"}


def check_control_topics(
    path: StudyAddress, changes: Sequence[str], tolerance: float, *, as_json: bool
) -> None:
    """Print each annotator's accuracy on the control topics, after changing which these are.

    changes: ``TOPIC=NAME`` of the known annotation, or ``TOPIC=none``. Raises InputError for unknown names.
    """
    if not 0 <= tolerance <= 1:
        raise InputError(f"The tolerance {tolerance:g} is not a share. Use a number from 0 to 1.")
    with open_study(path) as study:
        if changes:
            require_writable(study)
            set_control_topics(study, _changed(study, changes), None).result()
        known = control_topics(study)
        found = run_with_progress(control_accuracy(study, tolerance), "checking", "Nothing was printed.")
    if as_json:
        print_json({"topics": known, "tolerance": tolerance, "annotators": [asdict(one) for one in found]})
        return
    if not known:
        print_message("There are no control topics. Name the known annotation of one: --set TOPIC=NAME.")
        return
    print_message("Control topics: " + ", ".join(f"{topic} (as {name})" for topic, name in known.items()))
    if not found:
        print_message("Nobody else has annotated them yet.")
        return
    cells = [
        {
            "annotator": one.annotator,
            "ratings": _part(one.ratings_right, one.ratings),
            "matches": _part(one.matches_right, one.matches),
        }
        for one in found
    ]
    print_table(cells, _HEADS, right=("ratings", "matches"))


def _changed(study: Study, changes: Sequence[str]) -> dict[str, str]:
    known = control_topics(study)
    topics = [topic.name for topic in study.texts.topics()]
    people = [person.name for person in study.annotators.all()]
    for change in changes:
        topic, separator, name = change.rpartition("=")
        if not separator:
            raise InputError(f"{change!r} is not a control topic. Write it as TOPIC=NAME.")
        if topic not in topics:
            raise InputError(unknown_name_message("topic", topic, topics))
        if name not in (*people, NOBODY):
            raise InputError(unknown_name_message("annotator", name, people))
        known.pop(topic, None)
        if name != NOBODY:
            known[topic] = name
    return known


def _part(right: int, total: int) -> str:
    return f"{right} of {total} ({right / total:.0%})" if total else ""
