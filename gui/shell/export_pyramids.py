"""Exports from the Study menu."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gui.background.jobs import JobQueue
from gui.session.context import Context
from gui.style.language import tr

Kinds = Sequence[tuple[str, str]]
"""Titles and endings of what can be written."""

CSV, JSON_LINES = ("CSV", ".csv"), (tr("JSON lines (sacrerouge)"), ".jsonl")
XLSX, PARQUET = (tr("Excel workbook"), ".xlsx"), (tr("Parquet"), ".parquet")
TABLE = (CSV, XLSX, PARQUET)
NUGGETS, PACK = (tr("JSON lines"), ".jsonl"), (tr("Annotation pack"), ".pack")
TITLES: Mapping[str, str] = {
    "texts": tr("texts"),
    "scores": tr("scores"),
    "judgements": tr("judgements"),
    "ratings": tr("ratings"),
    "scales": tr("scales"),
    "spans": tr("marked spans"),
    "preferences": tr("answers to comparisons"),
    "comments": tr("comments"),
    "nuggets": tr("nuggets"),
    "annotations": tr("annotations"),
}
"""What is exported, in words."""
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
QUESTION = tr("Choose a folder for the pyramids")


def export_pyramids(context: Context, ask_folder: Callable[[str], Path | None]) -> None:
    """Ask for a folder and export all pyramids and matches as DUCView files.

    ask_folder: returns None if cancelled.
    """
    folder = ask_folder(QUESTION)
    if folder is None:
        return
    work = context.export("pyramids", "ducview", folder)
    job = context.jobs.start(tr("Writing pyramids"), work, JobQueue.FILES)
    job.finished.connect(
        lambda files: context.show_message(
            tr("{name} holds {files:,} files for DUCView.", name=folder.name, files=files)
        )
    )


def export_table(context: Context, what: str, ask_path: Callable[[str, str, Kinds], Path | None]) -> None:
    """Ask for a file and export texts, scores, judgements, ratings, scales, nuggets or annotations.

    ask_path: takes a title, a suggested name and file types; returns None if cancelled.
    """
    kinds, title = TABLES[what], TITLES[what]
    suggested = f"{context.study.path.stem}-{what}{kinds[0][1]}"
    path = ask_path(tr("Export: {title}", title=title), suggested, kinds)
    if path is None:
        return
    kind = next(kind for kind in kinds if kind[1] == path.suffix.lower())
    work = context.export(what, _FORMATS[kind], path)
    job = context.jobs.start(tr("Exporting: {title}", title=title), work, JobQueue.FILES)
    job.finished.connect(
        lambda rows: context.show_message(
            tr("{name} holds all annotations of this study.", name=path.name)
            if what == "annotations"
            else tr("{name} holds %n rows of {title}.", "", rows, name=path.name, title=title)
        )
    )
