"""`pyramidion report`."""

from __future__ import annotations

from pathlib import Path

from cli.console import follow, say
from core.report.html import write_csv, write_html
from core.report.report import ReportOptions, build_report
from core.whole_files import check_place
from storage.study_file import open_study


def report_study(path: Path, output: Path, tables: Path | None, options: ReportOptions) -> None:
    """Write a study's report as one HTML file, and its tables as CSV files where a folder is given."""
    check_place(output)
    with open_study(path) as study:
        report = follow(build_report(study, options), "making the report", "No report was written.")
    write_html(report, output)
    say(f"The report lies at {output}.")
    if tables is not None:
        say(f"Its tables lie in {tables}: {len(write_csv(report, tables))} CSV files.")
