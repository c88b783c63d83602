"""The command `summarize`."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.completion import completing, summarizer_names
from cli.console import print_json, print_message, print_table, setting_lines
from cli.options import Device, Json, OptionalStudy
from core.errors import InputError
from core.files.allowed_names import allowed_names
from core.formatting.numbers import pluralize
from core.names import resolve_name
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core.systems.base import Summarizer
    from core.systems.run import SystemReport


def summarize(
    path: OptionalStudy = None,
    chosen: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="SUMMARIZERS",
            autocompletion=completing(summarizer_names),
            help="Summarizers, separated by commas, with settings and names of systems: "
            "lead-3,short=lexrank:words=50,threshold=0.2. Can be repeated.",
        ),
    ] = None,
    command: Annotated[
        str,
        typer.Option(
            metavar="NAME=PROGRAM",
            help="Make a system by a program that reads and writes JSON Lines (see Help, Summarizers).",
            show_default=False,
        ),
    ] = "",
    topic: Annotated[
        list[str] | None, typer.Option(metavar="TOPIC", help="Only this topic. Can be repeated.")
    ] = None,
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Make baseline systems: summarize the documents of a study.

    Without options, lists the summarizers with their settings. Topics that have a summary of the system
    already are left out, so an interrupted run goes on where it stopped.
    """
    from core.models.runtime.devices import check_name
    from core.ports import require_writable
    from core.systems import registry
    from core.systems.external import ExternalProgram
    from core.systems.run import SystemRequest, summarize_study
    from storage.study_file import open_study

    if not chosen and not command:
        _list_summarizers(as_json=as_json)
        return
    if path is None:
        raise typer.BadParameter("Name the study before the options.")
    check_name(device)
    requests = [SystemRequest(*one) for text in chosen or () for one in registry.parse_list(text)]
    if command:
        new, separator, program = command.partition("=")
        if not separator:
            raise InputError(f"{command!r} has no name. Write it as NAME=PROGRAM ARGUMENTS.")
        requests.append(SystemRequest(new.strip(), ExternalProgram(command=program.strip())))
    for request in requests:
        allowed_names().named_settings(request.summarizer)
    with open_study(path) as study:
        require_writable(study)
        known = [one.name for one in study.texts.topics()]
        topics = [resolve_name("topic", name, known) for name in topic or ()]
        work = summarize_study(study, requests, topics, device)
        kept = "The summaries made so far are stored; the same command goes on."
        reports = run_with_progress(work, "Summarizing", kept)
    if as_json:
        print_json({"study": str(path), "systems": [asdict(report) for report in reports]})
        return
    for report in reports:
        print_message(_sentence(report))


def _list_summarizers(*, as_json: bool) -> None:
    """List every summarizer with its settings."""
    from core.systems import registry

    rows = [_row(cls) for cls in registry.summarizers()]
    failed = {plugin.name: plugin.message for plugin in registry.PLUGINS.plugins() if plugin.error}
    if as_json:
        print_json({"summarizers": rows, "failed": failed})
        return
    cells = [{**row, "settings": setting_lines(row["settings"])} for row in rows]
    print_table(cells, {"name": "Summarizer", "about": "Description", "settings": "Settings"})
    for message in failed.values():
        print_message(message)


def _row(cls: type[Summarizer]) -> dict[str, Any]:
    from core.settings import setting_records

    return {
        "name": cls.name,
        "about": cls.about,
        "paper": cls.paper,
        "package": cls.package,
        "oracle": bool(cls().upper_bound_by),
        "settings": setting_records(cls),
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
