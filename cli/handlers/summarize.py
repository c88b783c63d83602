"""`pyramidion summarize`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from cli.console import Lines, print_json, print_message, print_table, run_with_progress
from cli.errors import require_writable
from core.domain.annotator_filter import unknown_name_message
from core.errors import InputError
from core.files.allowed_names import allowed_names
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from core.models.runtime.devices import check_name
from core.settings import format_setting, setting_default
from core.systems import registry
from core.systems.base import Summarizer
from core.systems.external import ExternalProgram
from core.systems.run import SystemReport, SystemRequest, summarize_study
from storage.study_file import open_study


def summarize(
    path: StudyAddress,
    chosen: Sequence[str],
    command: str,
    topics: Sequence[str],
    device: str,
    *,
    as_json: bool,
) -> None:
    """Make systems of a study.

    chosen: lists of summarizers. command: ``NAME=PROGRAM ARGUMENTS``, may be empty.
    Raises InputError for unknown summarizers and topics, and names that are used.
    """
    check_name(device)
    requests = [SystemRequest(*one) for text in chosen for one in registry.parse_list(text)]
    if command:
        name, separator, program = command.partition("=")
        if not separator:
            raise InputError(f"{command!r} has no name. Write it as NAME=PROGRAM ARGUMENTS.")
        requests.append(SystemRequest(name.strip(), ExternalProgram(command=program.strip())))
    for request in requests:
        allowed_names().named_settings(request.summarizer)
    with open_study(path) as study:
        require_writable(study)
        known = [topic.name for topic in study.texts.topics()]
        for topic in topics:
            if topic not in known:
                raise InputError(unknown_name_message("topic", topic, known))
        work = summarize_study(study, requests, topics, device)
        kept = "The summaries made so far are stored; the same command goes on."
        reports = run_with_progress(work, "Summarizing", kept)
    if as_json:
        print_json({"study": str(path), "systems": [asdict(report) for report in reports]})
        return
    for report in reports:
        print_message(_sentence(report))


def list_summarizers(*, as_json: bool) -> None:
    """List every summarizer with its settings."""
    rows = [_row(cls) for cls in registry.summarizers()]
    failed = {plugin.name: plugin.message for plugin in registry.PLUGINS.plugins() if plugin.error}
    if as_json:
        print_json({"summarizers": rows, "failed": failed})
        return
    cells = [
        {**row, "settings": Lines(f"{s['name']}={s['default']}  {s['help']}" for s in row["settings"])}
        for row in rows
    ]
    print_table(cells, {"name": "Summarizer", "about": "Description", "settings": "Settings"})
    for message in failed.values():
        print_message(message)


def _row(cls: type[Summarizer]) -> dict[str, Any]:
    return {
        "name": cls.name,
        "about": cls.about,
        "paper": cls.paper,
        "package": cls.package,
        "oracle": bool(cls().upper_bound_by),
        "settings": [
            {
                "name": f.name,
                "default": format_setting(setting_default(f)),
                "help": f.metadata["help"],
                "choices": list(f.metadata["choices"]),
            }
            for f in fields(cls)
        ],
    }


def _sentence(report: SystemReport) -> str:
    parts = [f"{report.name}: {pluralize(report.made, 'summary', 'summaries')} in {report.seconds:.1f} s"]
    if report.kept:
        parts.append(f"{report.kept} were there already")
    if report.cut:
        parts.append(f"the end of the documents did not fit in the model for {report.cut}")
    if report.without:
        parts.append(f"none of {', '.join(report.without[:5])}{' …' if len(report.without) > 5 else ''}")
    return "; ".join(parts) + "."
