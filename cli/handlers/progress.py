"""`pyramidion progress`."""

from __future__ import annotations

from dataclasses import asdict

from cli.console import print_json, print_message, print_table, run_with_progress
from core.annotation.team_progress import progress_table, team_progress
from core.files.study_address import StudyAddress
from storage.study_file import open_study


def show_progress(path: StudyAddress, *, as_json: bool) -> None:
    """Print the work of each annotator."""
    with open_study(path) as study:
        people = run_with_progress(team_progress(study), "counting", "Nothing was printed.")
    if as_json:
        print_json({"study": str(path), "annotators": [asdict(one) for one in people]})
        return
    if not people:
        print_message("Nobody has annotated anything in this study yet.")
        return
    table = progress_table(people)
    rows = [
        {column.key: text for column, text in zip(table.columns, texts, strict=True)}
        for texts in table.texts()
    ]
    numbers = tuple(column.key for column in table.columns if column.is_number)
    print_table(rows, {column.key: column.title for column in table.columns}, right=numbers)
    if table.note:
        print_message(table.note)
