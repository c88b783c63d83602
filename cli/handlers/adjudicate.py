"""`pyramidion adjudicate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from cli.console import print_json, print_message, print_table, run_with_progress
from cli.errors import require_writable
from core.adjudication.topics import AdjudicationSelection, merge_all_agreements, survey
from core.domain.decisions import Annotation
from core.errors import InputError
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from storage.study_file import open_study

SCHEMA_VERSION = 1
"""Version of the JSON document; raised when a key changes its meaning."""

_HEADS = {"topic": "Topic", "items": "Items", "open": "To decide", "later": "Later", "agreed": "Not merged"}


def adjudicate_study(
    path: StudyAddress,
    annotation: Annotation,
    annotators: Sequence[str],
    result: str,
    merge_as: str,
    *,
    as_json: bool,
) -> None:
    """Print where annotators differ, after merging what they agree on if `merge_as` names who does it.

    Raises InputError for unknown names.
    """
    selection = AdjudicationSelection(annotation, tuple(annotators), result)
    merged = 0
    with open_study(path) as study:
        if merge_as:
            require_writable(study)
            person = next((one for one in study.annotators.all() if one.name == merge_as), None)
            if person is None:
                raise InputError(
                    f"The study has no annotator named {merge_as!r}. Use a name of the study, or give yours "
                    "at an edit in the window first."
                )
            work = merge_all_agreements(study, selection, person)
            merged = run_with_progress(work, "merging", "Topics that were finished stay merged.")
        topics = run_with_progress(survey(study, selection), "comparing", "Nothing was printed.")
    if as_json:
        rows = [asdict(topic) for topic in topics]
        print_json({"schema_version": SCHEMA_VERSION, "merged": merged, "topics": rows})
        return
    if merge_as:
        print_message(f"Merged {pluralize(merged, 'agreement')} into {result}.")
    if not topics:
        print_message("No two of the annotators have made the same annotations.")
        return
    cells = [{key: str(value) for key, value in asdict(topic).items()} for topic in topics]
    print_table(cells, _HEADS, right=tuple(_HEADS)[1:])
    to_decide = sum(topic.open + topic.later for topic in topics)
    if to_decide:
        print_message(f"{pluralize(to_decide, 'item')} to decide, on the page Adjudication.")
