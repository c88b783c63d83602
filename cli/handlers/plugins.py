"""`pyramidion plugins`."""

from __future__ import annotations

from dataclasses import asdict

from cli.console import Lines, print_json, print_message, print_table
from core.metrics import registry as metrics
from core.systems import registry as summarizers
from storage.formats import registry as formats

_HEADS = {"kind": "Kind", "name": "Plug-in", "package": "Package", "adds": "Adds", "status": "Status"}


def list_plugins(*, as_json: bool) -> int:
    """List what other packages add. Returns 1 where something could not be loaded."""
    groups = (metrics.PLUGINS, summarizers.PLUGINS, formats.PLUGINS)
    plugins = [plugin for group in groups for plugin in group.plugins()]
    if as_json:
        print_json([asdict(plugin) for plugin in plugins])
    elif plugins:
        cells = [
            {**asdict(one), "adds": Lines(one.adds), "status": "not loaded" if one.error else "loaded"}
            for one in plugins
        ]
        print_table(cells, _HEADS)
    else:
        print_message("No installed package adds metrics, summarizers or file formats.")
    failed = [plugin.message for plugin in plugins if plugin.error]
    for message in failed:
        print_message(message)
    return 1 if failed else 0
