"""`pyramidion report`."""

from __future__ import annotations

from pathlib import Path

from cli.console import print_message, run_with_progress
from cli.opening import open_sound
from cli.output import check_suffix
from core.files.atomic_write import STANDARD_OUTPUT, check_folder, check_writable
from core.files.study_address import StudyAddress
from core.report.build import build_report
from core.report.html import write_csv, write_html
from core.report.model import ReportOptions


def report_study(path: StudyAddress, output: Path, tables: Path | None, options: ReportOptions) -> None:
    """Write the report of a study as one HTML file, and its tables as CSV files if a folder is given."""
    check_writable(output)
    check_suffix(output, (".html", ".htm"), "the report")
    if tables is not None:
        check_folder(tables)
    with open_sound(path) as study:
        report = run_with_progress(
            build_report(study, options), "Creating the report", "No report was written."
        )
    write_html(report, output)
    if output != STANDARD_OUTPUT:
        print_message(f"Report saved to {output}.")
    if tables is not None:
        print_message(f"Wrote {len(write_csv(report, tables))} tables to {tables}.")
