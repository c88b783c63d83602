"""An experiment's result as files: tables for papers and programs, figures as vectors."""

from __future__ import annotations

import io
import json
from pathlib import Path

from core.errors import InputError
from core.experiments.result import Chart, Result
from core.experiments.result_json import to_document
from core.places import looking_at, make_folder
from core.report.tables import Table, to_csv, to_latex, to_markdown
from core.whole_files import whole_file, write_bytes


def check_folder(folder: Path) -> None:
    """Raise InputError where no folder of that name could be made. Long work asks this first."""
    with looking_at(folder):
        if folder.exists() and not folder.is_dir():
            raise InputError(f"{folder} is a file. Name a folder.")
        if not folder.parent.is_dir():
            raise InputError(
                f"The folder {folder.parent} does not exist. Make it first or choose another one."
            )


def write_result(result: Result, folder: Path, name: str) -> list[Path]:
    """Write tables as CSV, LaTeX and Markdown, charts as SVG and PDF, all as JSON; files' names begin alike.

    The folder is made if it is new. Raises InputError where nothing can be written.
    """
    check_folder(folder)
    make_folder(folder)
    figures = []
    texts = {f"{name}.json": json.dumps(to_document(result), ensure_ascii=False, indent=1)}
    for number, table in enumerate(result.tables, 1):
        place = f"{name}-table-{number}"
        texts |= {
            f"{place}.csv": to_csv(table),
            f"{place}.tex": to_latex(table),
            f"{place}.md": _noted(table),
        }
    for number, drawn in enumerate(result.charts, 1):
        place = f"{name}-figure-{number}"
        texts[f"{place}.svg"] = _svg(drawn)
        figures.append(folder / f"{place}.pdf")
        write_bytes(figures[-1], _pdf(drawn))
    for file, text in texts.items():
        with whole_file(folder / file) as out:
            out.write(text)
    return sorted([*(folder / file for file in texts), *figures])


def _noted(table: Table) -> str:
    return f"{to_markdown(table)}\n{table.note}\n" if table.note else to_markdown(table)


def _svg(drawn: Chart) -> str:
    from core.report.charts import chart
    from core.report.figures import to_svg
    from core.report.palette import PAPER

    return to_svg(chart(drawn, PAPER), drawn.title)


def _pdf(drawn: Chart) -> bytes:
    from core.report.charts import chart
    from core.report.palette import PAPER

    out = io.BytesIO()
    chart(drawn, PAPER).savefig(out, format="pdf", metadata={"CreationDate": None})
    return out.getvalue()
