"""Exports from the Study menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gui.background.jobs import JobQueue
from gui.session.context import Context

Kinds = Sequence[tuple[str, str]]
"""Titles and endings of what can be written."""

CSV, JSON_LINES = ("CSV", ".csv"), ("JSON lines (sacrerouge)", ".jsonl")
XLSX, PARQUET = ("Excel workbook", ".xlsx"), ("Parquet", ".parquet")
TABLE = (CSV, XLSX, PARQUET)
NUGGETS, PACK = ("JSON lines", ".jsonl"), ("Annotation pack", ".pack")
TABLES: Mapping[str, Kinds] = {
    "texts": (*TABLE, JSON_LINES),
    "scores": (*TABLE, JSON_LINES),
    "judgements": (*TABLE, JSON_LINES),
    "ratings": (*TABLE, JSON_LINES),
    "scales": TABLE,
    "spans": TABLE,
    "preferences": TABLE,
    "comments": TABLE,
    "nuggets": (NUGGETS, *TABLE),
    "annotations": (PACK,),
}
"""Contents of a study that can be exported to one file, with their formats."""
_FORMATS = {
    CSV: "csv",
    XLSX: "xlsx",
    PARQUET: "parquet",
    JSON_LINES: "sacrerouge",
    NUGGETS: "jsonl",
    PACK: "pack",
}
QUESTION = "Choose a folder for the pyramids"


def export_pyramids(context: Context, ask_folder: Callable[[str], Path | None]) -> None:
    """Ask for a folder and export all pyramids and matches as DUCView files.

    ask_folder: returns None if cancelled.
    """
    folder = ask_folder(QUESTION)
    if folder is None:
        return
    work = context.export("pyramids", "ducview", folder)
    job = context.jobs.start("Writing pyramids", work, JobQueue.FILES)
    job.finished.connect(
        lambda files: context.show_message(f"{folder.name} holds {files:,} files for DUCView.")
    )


def export_table(context: Context, what: str, ask_path: Callable[[str, str, Kinds], Path | None]) -> None:
    """Ask for a file and export texts, scores, judgements, ratings, scales, nuggets or annotations.

    ask_path: takes a title, a suggested name and file types; returns None if cancelled.
    """
    kinds = TABLES[what]
    suggested = f"{context.study.path.stem}-{what}{kinds[0][1]}"
    path = ask_path(f"Export {what}", suggested, kinds)
    if path is None:
        return
    kind = next(kind for kind in kinds if kind[1] == path.suffix.lower())
    work = context.export(what, _FORMATS[kind], path)
    job = context.jobs.start(f"Exporting {what}", work, JobQueue.FILES)
    contents = "all annotations of this study" if what == "annotations" else ""
    job.finished.connect(
        lambda rows: context.show_message(f"{path.name} holds {contents or f'{rows:,} rows of {what}'}.")
    )
