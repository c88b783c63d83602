"""Commands that reproduce a report's numbers, and software versions."""

from __future__ import annotations

import platform
import shlex
from collections import defaultdict
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from urllib.parse import unquote

from core.comparison.stand_ins import stand_ins_among
from core.files.study_address import command_argument
from core.formatting.tables import CellKind, Column, Table
from core.operations.options import listed_names
from core.ports import MetricConfig
from core.report.model import ReportInputs
from core.stats.correlation import CLASSIC

_PACKAGES = ("pyramidion", "numpy", "scipy", "numba", "torch", "transformers", "sentencex", "matplotlib")


def commands(inputs: ReportInputs) -> tuple[list[str], list[str]]:
    """Return notes on what cannot be reproduced by a command, and one command per line."""
    study = command_argument(inputs.study.path)
    configs = list({ref.signature: ref.config for ref in inputs.comparison.refs}.values())
    elsewhere = [config for config in configs if config.is_imported]
    own = [config for config in configs if not config.is_imported]
    texts = [
        "Each command reproduces its numbers on any copy of this study with the same texts and annotations."
    ]
    texts += stand_ins_among(inputs.comparison.refs)
    if elsewhere:
        texts += _imported(elsewhere)
    lines = [*_score_lines(study, own), *_correlate_lines(study, inputs)]
    return texts, [*lines, report_command(inputs)]


def report_command(inputs: ReportInputs) -> str:
    """Return the command that builds this report."""
    chosen = inputs.request
    words = ["pyramidion", "report", command_argument(inputs.study.path), "-o", chosen.output]
    return shlex.join([*words, *chosen.arguments()])


def _imported(configs: Sequence[MetricConfig]) -> list[str]:
    """Return a sentence for each source file of imported scores."""
    by_source: dict[str, list[str]] = defaultdict(list)
    for config in configs:
        parts = dict(part.partition(":")[::2] for part in config.signature.split("|"))
        by_source[unquote(parts.get("source", ""))] += config.measures
    return [
        f"Imported from {source or 'a file'}, so no command reproduces them: {', '.join(measures)}."
        for source, measures in by_source.items()
    ]


def versions(study_hash: str) -> Table:
    """Return the versions of the program, Python and numerical libraries, and the digest of the study."""
    rows: list[tuple[str, str]] = []
    for package in _PACKAGES:
        try:
            rows.append((package, version(package)))
        except PackageNotFoundError:
            rows.append((package, "not installed"))
    rows.insert(1, ("Python", platform.python_version()))
    rows.append(("Study (SHA-256 over texts, annotations and ratings)", study_hash))
    columns = (Column("Component", "what"), Column("Version", "version", CellKind.CODE))
    return Table("Software versions", columns, tuple(rows))


def _score_lines(study: str, configs: list[MetricConfig]) -> list[str]:
    """Return one command per set of references, with references as systems or without."""
    alike: dict[tuple[tuple[str, ...], bool], list[str]] = defaultdict(list)
    for config in configs:
        alike[config.references, config.scores_humans].append(config.spec)
    lines = []
    for (references, humans), specs in alike.items():
        chosen = ["--references", listed_names(references)] if references else []
        chosen += ["--humans"] if humans else []
        metrics = [word for spec in specs for word in ("-m", spec)]
        lines.append(shlex.join(["pyramidion", "score", study, *metrics, *chosen]))
    return lines


def _correlate_lines(study: str, inputs: ReportInputs) -> list[str]:
    humans = [word for ref in inputs.judgements for word in ("--human", ref.name)]
    if not humans or not inputs.comparison.refs:
        return []
    chosen = inputs.request
    rest = [*humans, *chosen.arguments("measures", "annotators", "systems", "undefined")]
    lines = []
    for level in chosen.levels:
        for coefficient in dict.fromkeys((chosen.coefficient, *CLASSIC)):
            inferred = ["--interval", "none"]
            if coefficient is chosen.coefficient:
                inferred = ["--interval", chosen.interval, "--compare", "best"]
                inferred += chosen.arguments("draws", "seed")
            words = ["--level", level, "--coefficient", coefficient, *inferred, *rest]
            lines.append(shlex.join(["pyramidion", "correlate", study, *words]))
    return lines
