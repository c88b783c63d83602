"""`pyramidion metrics`."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from cli.console import Lines, print_json, print_message, print_table
from core.metrics import registry
from core.metrics.base import Metric, format_setting, setting_default
from core.models.runtime.devices import check_name
from core.scoring.engine_tools import StudyResources


def list_metrics(*, as_json: bool, device: str) -> None:
    """List every metric with its settings, measures, requirements and availability."""
    check_name(device)
    tools = StudyResources(requested_device=device)
    rows = [_row(kind, tools) for kind in registry.metrics()]
    if as_json:
        print_json(rows)
        return
    cells = [
        {
            **row,
            "settings": Lines(f"{s['name']}={s['default']}  {s['help']}" for s in row["settings"]),
            "measures": Lines(row["measures"]),
            "available": "yes" if row["available"] else row["why_not"],
        }
        for row in rows
    ]
    heads = {
        "name": "Metric",
        "about": "Description",
        "settings": "Settings",
        "measures": "Measures",
        "available": "Available",
    }
    if any(row["package"] for row in rows):
        heads["package"] = "Package"
    print_table(cells, heads)
    for message in registry.PLUGINS.failures():
        print_message(message)


def _row(kind: type[Metric], tools: StudyResources) -> dict[str, Any]:
    metric = kind()
    why_not = metric.unavailable(tools)
    return {
        "name": kind.name,
        "family": kind.family,
        "about": kind.about,
        "paper": kind.paper,
        "version": kind.version,
        "package": kind.package,
        "settings": [
            {
                "name": f.name,
                "default": format_setting(setting_default(f)),
                "help": f.metadata["help"],
                "low": f.metadata["low"],
                "high": f.metadata["high"],
                "choices": list(f.metadata["choices"]),
            }
            for f in fields(kind)
        ],
        "measures": list(metric.measures()),
        "needs": sorted(metric.needs),
        "available": not why_not,
        "why_not": why_not,
    }
