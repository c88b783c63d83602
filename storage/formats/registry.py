"""Import and export formats of the program, and those that other packages add.

The entry point group ``pyramidion.formats`` names a `Format`, an `Export`, or a list of them
(`pyramidion.plugins.ImportFormat` and `ExportFormat`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

from core.domain.import_batch import ImportContent
from core.errors import PluginFailed
from core.plugins import PluginGroup, guarded
from core.ports import Study
from core.progress import JobSteps, Progress
from storage.formats.annotation_tools import brat, doccano, inception, label_studio, potato
from storage.formats.ducview import reader as ducview
from storage.formats.format_types import Export, Format, Options, Reader
from storage.formats.mappings import foreign_tables
from storage.formats.mappings.formats import mapped_format
from storage.formats.readers import mt_metrics_eval, nuggets, rouge_settings, scisumm, tac

log = logging.getLogger(__name__)


FORMATS = (
    *map(mapped_format, ("summeval", "sacrerouge")),
    nuggets.FORMAT,
    *map(mapped_format, ("preferences", "citations")),
    scisumm.FORMAT,
    *map(mapped_format, ("frank", "qags", "dialsummeval", "newsroom")),
    *map(mapped_format, ("xsum-hallucinations", "tofueval", "aggrefact", "squality", "scitldr", "longeval")),
    *map(mapped_format, ("feedback", "judge-bench", "mturk", "tidy")),
    *map(mapped_format, ("lm-eval", "helm", "ragas", "deepeval", "g-eval", "sacrebleu")),
    brat.FORMAT,
    label_studio.FORMAT,
    potato.FORMAT,
    doccano.FORMAT,
    inception.FORMAT,
    foreign_tables.OWN,
    *map(mapped_format, ("rose", "lite2pyramid")),
    mt_metrics_eval.FORMAT,
    tac.FORMAT,
    *map(mapped_format, ("lines", "system-folders", "folders")),
    rouge_settings.FORMAT,
    ducview.FORMAT,
    foreign_tables.FORMAT,
    foreign_tables.DATA_SET,
)
"""Import formats of the program, in the order of detection."""

ALIASES = {"csv": "table", "tsv": "table", "jsonl": "table"}


def added_formats() -> tuple[Format, ...]:
    """Return the import formats of other packages."""
    return tuple(kind for kind in PLUGINS.all().values() if isinstance(kind, Format))


def added_exports() -> tuple[Export, ...]:
    """Return the export formats of other packages."""
    return tuple(kind for kind in PLUGINS.all().values() if isinstance(kind, Export))


def _read_plugin(plugin: Any, package: str) -> dict[str, Format | Export]:
    """Return the formats of a plug-in by name. Raises an exception if it is none."""
    found: dict[str, Format | Export] = {}
    for each in plugin if isinstance(plugin, list | tuple) else [plugin]:
        if isinstance(each, Format):
            found[each.name] = _guarded_format(each, package)
        elif isinstance(each, Export):
            what = f"The export of {each.what} as {each.format} of the package {package}"
            fill = None if each.fill is None else guarded(each.fill, what)
            found[each.full_name] = replace(
                each, records=guarded(each.records, what), fill=fill, package=package
            )
        else:
            raise TypeError(f"{each!r} is no ImportFormat and no Export of pyramidion.plugins")
    return found


def _guarded_format(kind: Format, package: str) -> Format:
    what = f"The import format {kind.name} of the package {package}"
    recognises = guarded(kind.recognises, what)

    def is_recognised(path: Path) -> bool:
        try:
            return bool(recognises(path))
        except PluginFailed as error:  # reported once the format is chosen
            log.info("%s", error)
            return False

    read = guarded(_checked_reader(kind.read), what)
    return replace(kind, read=read, recognises=is_recognised, package=package)


def _checked_reader(read: Callable[..., Any]) -> Reader:
    """Return a reader that may be a generator of progress, or a function that returns the content."""

    def steps(path: Path, options: Options, study: Study | None) -> JobSteps[ImportContent]:
        yield Progress(0, 0, f"reading {path.name}")
        content = read(path, options, study)
        if isinstance(content, Generator):
            content = yield from content
        if not isinstance(content, ImportContent):
            raise TypeError(f"it read {type(content).__name__} instead of ImportContent")
        return content

    return steps


def _own_names() -> frozenset[str]:
    """Return the names that no package may give to its formats."""
    from storage.formats.export_formats import EXPORTS  # loads the report, which an import does not need

    return frozenset({*(kind.name for kind in FORMATS), *ALIASES, *(export.full_name for export in EXPORTS)})


PLUGINS: PluginGroup[Format | Export] = PluginGroup("pyramidion.formats", "format", _read_plugin, _own_names)
"""The formats of other packages."""
