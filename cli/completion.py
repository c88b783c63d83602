"""Names that the shell completes, and options that take one of a closed list of names.

Completion reads registries only: no study, no model, and none of the writers of exports, which load the
whole report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any

import typer

from core.names import fitting_names, unknown_name
from core.stats.types import WHICH_TAU, Coefficient

EXPORTS: dict[str, tuple[str, ...]] = {
    "scores": ("sacrerouge", "csv", "xlsx", "parquet"),
    "judgements": ("sacrerouge", "csv", "xlsx", "parquet"),
    "metrics": ("sacrerouge", "csv", "mt-metrics-eval", "xlsx", "parquet"),
    "humans": ("sacrerouge", "csv", "xlsx", "parquet"),
    "rouge": ("rouge-1.5.5", "rouge-1.5.5-tokens"),
    "texts": ("sacrerouge", "csv", "hashes", "rouge-settings", "xlsx", "parquet"),
    "nuggets": ("jsonl", "csv", "xlsx", "parquet"),
    "citations": ("jsonl",),
    "annotations": ("pack", "brat", "doccano", "inception-xmi", "inception-json"),
    "history": ("csv", "xlsx", "parquet"),
    "ratings": ("csv", "sacrerouge", "label-studio", "doccano", "potato", "xlsx", "parquet"),
    "comments": ("csv", "xlsx", "parquet"),
    "preferences": ("csv", "label-studio", "potato", "xlsx", "parquet"),
    "answers": ("csv", "xlsx", "parquet"),
    "spans": ("csv", "xlsx", "parquet"),
    "scales": ("csv", "xlsx", "parquet"),
    "pyramids": ("ducview", "rose", "lite2pyramid", "html", "pdf", "png"),
}
"""Formats of each content that can be exported."""


def one_of(kind: type[StrEnum]) -> dict[str, Any]:
    """Return the arguments of typer for an option that takes a member of an enumeration, or a short form."""
    names = [member.value for member in kind]

    def parse(name: str) -> StrEnum:
        fits = fitting_names(name, names)
        if len(fits) != 1:
            is_tau = kind is Coefficient and name == "tau"
            raise typer.BadParameter(WHICH_TAU if is_tau else unknown_name("value", name, names))
        return kind(fits[0])

    return {"parser": parse, "autocompletion": completing(lambda: names)}


def completing(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a callback of typer that completes one of some names."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


def export_formats(context: typer.Context, incomplete: str) -> list[str]:
    """Complete a format of the content in ``--what``, else of any."""
    formats = EXPORTS.get(context.params.get("what") or "", ())
    every = dict.fromkeys(name for each in EXPORTS.values() for name in each)
    fits = [name for name in formats if name.startswith(incomplete)]
    return fits or [name for name in every if name.startswith(incomplete)]


def import_formats() -> list[str]:
    """Return the names of import formats, with those of other packages."""
    from storage.formats.registry import FORMATS, added_formats

    return [one.name for one in (*FORMATS, *added_formats())]


def metric_names() -> list[str]:
    """Return the names of metrics, with those of other packages."""
    from core.metrics import registry

    return [kind.name for kind in registry.metrics()]


def summarizer_names() -> list[str]:
    """Return the names of summarizers, with those of other packages."""
    from core.systems import registry

    return [kind.name for kind in registry.summarizers()]


def coefficient_names() -> list[str]:
    """Return the names of coefficients of agreement."""
    from core.agreement.analysis import known_coefficients

    return list(known_coefficients())


def experiment_names() -> list[str]:
    """Return the names of experiments."""
    from core.experiments.registry import all_experiments

    return [kind.name for kind in all_experiments()]


def recipe_names() -> list[str]:
    """Return the names of recipes."""
    from core.experiments.registry import all_recipes

    return [recipe.name for recipe in all_recipes()]


def paper_names() -> list[str]:
    """Return the names of papers with published tables."""
    from core.experiments.paper_tables import papers

    return [paper.name for paper in papers()]


def template_names() -> list[str]:
    """Return the names of templates of rating scales."""
    from core.domain.scale_templates import TEMPLATES

    return [template.key for template in TEMPLATES]


def data_set_names() -> list[str]:
    """Return the names of data sets that can be downloaded."""
    from storage.datasets.catalogue import data_sets

    return [one.name for one in data_sets()]


def language_codes() -> list[str]:
    """Return the codes of languages."""
    from core.text.languages import LANGUAGE_NAMES

    return list(LANGUAGE_NAMES)
