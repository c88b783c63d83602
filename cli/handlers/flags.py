"""`pyramidion flags`."""

from __future__ import annotations

from dataclasses import asdict

from cli.console import print_json, print_message, print_table, run_with_progress
from core.annotation.flag_list import FlaggedItem, flag_list
from core.files.study_address import StudyAddress
from storage.study_file import open_study

_HEADS = {
    "kind": "Kind",
    "topic": "Topic",
    "system": "System",
    "about": "About",
    "annotator": "Annotator",
    "text": "Text",
}


def show_flags(path: StudyAddress, *, all_comments: bool, as_json: bool) -> None:
    """Print what annotators flagged, noted or commented on. all_comments: resolved threads too."""
    with open_study(path) as study:
        found = run_with_progress(flag_list(study), "reading", "Nothing was printed.")
    items = [item for item in found if all_comments or item.is_open]
    if as_json:
        print_json({"study": str(path), "items": [_as_json(item) for item in items]})
        return
    if not items:
        print_message("Nothing is flagged, noted or commented on.")
        return
    cells = [{key: str(value) for key, value in _as_json(item).items()} for item in items]
    print_table(cells, _HEADS)


def _as_json(item: FlaggedItem) -> dict[str, object]:
    values = asdict(item)
    del values["subject"]
    return {**values, "kind": item.kind.value}
