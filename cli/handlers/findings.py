"""`pyramidion validate --findings`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from cli.console import print_json, print_message, print_table
from cli.opening import open_sound
from core.annotation.checks import find_problems
from core.annotation.finding import Finding
from core.comparison.text_differences import text_differences, texts_of_systems
from core.domain.study import TopicTexts
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.ports import Study

_COLUMNS = {
    "topic": "Topic",
    "annotator": "Annotator",
    "kind": "Kind",
    "finding": "Finding",
    "repair": "Repair",
}


def list_findings(path: StudyAddress, *, as_json: bool) -> int:
    """List possible mistakes in pyramids and nuggets, and differences between systems' texts.

    Returns 0: the file itself is valid.
    """
    with open_sound(path) as study:
        rows = list(_rows(study))
    if as_json:
        print_json({"study": str(path), "findings": rows})
        return 0
    if rows:
        print_table(rows, _COLUMNS)
    print_message(f"{path} has {pluralize(len(rows), 'finding')}.")
    return 0


def _rows(study: Study) -> Iterator[Mapping[str, Any]]:
    nowhere = {"topic": "", "annotator": "", "scu": "", "text": "", "start": None, "end": None}
    for one in text_differences(texts_of_systems(study)):
        yield {**nowhere, "kind": one.kind, "finding": f"{one.what}. {one.remedy}", "repair": ""}
    names = {person.id: person.name for person in study.annotators.all()}
    for annotation in chain(study.pyramids.annotations(), study.nuggets.annotations()):
        topic = study.texts.topic(annotation.pyramid.topic_id)
        for finding in find_problems(annotation, topic):
            yield _row(finding, topic, names[annotation.pyramid.annotator_id])


def _row(finding: Finding, topic: TopicTexts, annotator: str) -> Mapping[str, Any]:
    place = finding.place
    return {
        "topic": topic.name,
        "annotator": annotator,
        "kind": finding.kind.value,
        "finding": finding.sentence,
        "repair": finding.repair.label if finding.repair is not None else "",
        "scu": place.scu_id,
        "text": place.text_id,
        "start": place.span[0] if place.span is not None else None,
        "end": place.span[1] if place.span is not None else None,
    }
