"""Detection of stand-ins: measures that ran on another model than their paper's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import InputError
from core.formatting.tables import LOWER, MARK
from core.metrics import registry
from core.metrics.base import Metric
from core.models.catalogue.entries import CATALOGUE, CatalogueEntry, catalogue_entry
from core.models.catalogue.lookup import title_of
from core.names import in_sentence

if TYPE_CHECKING:
    from core.comparison.measures import MeasureRef
    from core.ports import MetricConfig

OUTSIDE = "vectors:"
"""Prefix of a file of vectors computed elsewhere, whose model is unknown."""

_PACKED = (".gz", ".bz2", ".zip")


def stand_in_of(config: MetricConfig) -> str:
    """Return text such as ``stand-in: all-MiniLM-L6-v2 for roberta-large``; empty if there is no stand-in."""
    named = [f"{used} for {meant}" for used, meant in substitutions(config)]
    return f"stand-in: {'; '.join(named)}" if named else ""


def mark_stand_in(label: str, config: MetricConfig) -> str:
    """Return a measure's label, with `MARK` if it ran on a stand-in."""
    return f"{label}{MARK}" if substitutions(config) and not label.endswith(MARK) else label


def stand_ins_among(refs: Iterable[MeasureRef]) -> tuple[str, ...]:
    """Return a sentence for each stand-in, with the measures that ran on it."""
    labels: dict[tuple[str, str], list[str]] = defaultdict(list)
    for ref in refs:
        for pair in substitutions(ref.config):
            labels[pair].append(ref.label)
    return tuple(
        f"{in_sentence([*dict.fromkeys(named)])} ran on {used}, a stand-in for {meant}, which the paper used."
        for (used, meant), named in labels.items()
    )


def marked_labels(refs: Iterable[MeasureRef]) -> dict[str, str]:
    """Return each measure's label as tables and figures show it.

    With `LOWER` if lower is better, and with `MARK` if it ran on a stand-in.
    """
    return {
        ref.label: mark_stand_in(f"{ref.label}{'' if ref.higher_is_better else LOWER}", ref.config)
        for ref in refs
    }


def footnote_of(refs: Iterable[MeasureRef]) -> str:
    """Return the footnote that explains `MARK` below a table or figure; empty if no measure is marked."""
    sentences = stand_ins_among(refs)
    return f"{MARK} {' '.join(sentences)}" if sentences else ""


@lru_cache(maxsize=1024)
def substitutions(config: MetricConfig) -> tuple[tuple[str, str], ...]:
    """Return pairs of the model or tool that ran and the paper's, where they differ."""
    if config.is_imported:
        return ()
    try:
        metric = registry.parse(config.spec)
    except InputError:  # the metric is unknown to this version
        return ()
    settings = dict(part.partition(":")[::2] for part in config.signature.split("|")[1:])
    pairs = []
    for setting, keys in metric.paper_models().items():
        value = str(getattr(metric, setting))
        used = settings.get("model", "") if len(metric.paper_models()) == 1 else ""
        meant = [entry for key in keys for entry in CATALOGUE if entry.key == key]
        if value.startswith(OUTSIDE):
            continue
        if meant and not any(_is_of(entry, value) or _is_of(entry, used) for entry in meant):
            pairs.append((used or _name_of(value, metric), title_of(meant[0])))
    return (*pairs, *metric.substitutes())


def _is_of(entry: CatalogueEntry, name: str) -> bool:
    """Return whether a key, hub name, folder or file of this name is the entry's model."""
    kind, _, place = name.partition(":")
    if place and (kind == entry.key or kind.startswith(f"{entry.key}-")):  # such as elmo-max:FOLDER
        return True
    last = Path(name).name
    for ending in _PACKED:
        last = last.removesuffix(ending)
    own = {entry.key, *entry.repositories, *(each.rpartition("/")[2] for each in entry.repositories)}
    if len(entry.files) == 1:
        own.add(entry.files[0])
    return bool(name) and (name in own or last in own)


def _name_of(value: str, metric: Metric) -> str:
    entry = catalogue_entry(value)
    return title_of(entry) if entry else Path(value).name or f"the built-in model of {metric.name}"
