"""Export of an experiment's result: tables, figures and JSON."""

from __future__ import annotations

import io
import json
from pathlib import Path

from core.files.atomic_write import atomic_folder, atomic_open, atomic_write_bytes, check_folder
from core.formatting.tables import to_csv, to_latex, to_markdown
from core.json_schema import to_plain
from core.results.result import Chart, Result


def write_result(result: Result, folder: Path, name: str) -> list[Path]:
    """Write tables as CSV, LaTeX and Markdown, charts as SVG and PDF, and everything as JSON.

    name: common prefix of the files. The folder is created if necessary; it receives all files or none.
    Raises InputError if they cannot be written.
    """
    result = result.with_footnotes()
    check_folder(folder)
    with atomic_folder(folder) as part:
        names = _write_files(result, part, name)
    return [folder / written for written in names]


def _write_files(result: Result, folder: Path, name: str) -> list[str]:
    """Write the files and return their names."""
    figures = []
    texts = {f"{name}.json": json.dumps(to_plain(result), ensure_ascii=False, indent=1)}
    for index in range(len(result.tables)):
        place, table = f"{name}-table-{index + 1}", result.table_alone(index)
        texts |= {
            f"{place}.csv": to_csv(table),
            f"{place}.tex": to_latex(table),
            f"{place}.md": to_markdown(table),
        }
    for index in range(len(result.charts)):
        place, drawn = f"{name}-figure-{index + 1}", result.chart_alone(index)
        texts[f"{place}.svg"], pdf = _pictures(drawn)
        figures.append(f"{place}.pdf")
        atomic_write_bytes(folder / figures[-1], pdf)
    for file, text in texts.items():
        with atomic_open(folder / file) as out:
            out.write(text)
    return sorted([*texts, *figures])


def _pictures(drawn: Chart) -> tuple[str, bytes]:
    """Return a chart as SVG and as PDF, which have the same layout."""
    from core.figures.canvas import fixed_layout
    from core.figures.charts import chart
    from core.figures.palette import LIGHT
    from core.figures.scatter_and_heatmap import to_svg

    figure, pdf = chart(drawn, LIGHT), io.BytesIO()
    with fixed_layout(figure):
        svg = to_svg(figure, drawn.title)
        figure.savefig(pdf, format="pdf", metadata={"CreationDate": None})
    return svg, pdf.getvalue()
