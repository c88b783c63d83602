"""Names of metrics as in tables (``rouge-2``, ``rouge-2.f``), and their configurations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, replace

from core.errors import BadSetting
from core.metrics import registry
from core.metrics.base import Metric, setting_default

COMMON = {"rouge-1": "rouge-n:n=1", "rouge-2": "rouge-n"}
"""Configurations of names that are often used, for which no other metric is imported."""

_MAIN = ("f", "f1", "score")


def resolve_metric(text: str) -> tuple[str, str]:
    """Return a configuration, ``NAME:SETTING=VALUE,…``, and a measure's name or nothing.

    text: a configuration, a signature, or the name of a metric or measure in tables.
    """
    if {"|", ":"} & set(text) or text in COMMON or registry.REGISTRY.find(text) is not None:
        return COMMON.get(text, text), ""
    for metric in _common_configurations():
        measures = metric.measures()
        if text in measures or any(registry.split_label(measure)[0] == text for measure in measures):
            return _plain(metric).spec, text if text in measures else ""
    return text, ""


def _common_configurations() -> Iterator[Metric]:
    """Yield the usual configurations of every metric, then those with other small whole numbers."""
    for kind in registry.metrics():
        yield from (registry.parse(f"{kind.name}:{settings}") for settings in kind.default_configs)
    for kind in registry.metrics():
        for f in fields(kind):
            low, high = f.metadata.get("low"), f.metadata.get("high")
            if type(setting_default(f)) is int and low is not None and high is not None and high - low < 10:
                for value in range(int(low), int(high) + 1):
                    with suppress(BadSetting):  # the other settings conflict
                        yield registry.metric(kind.name, **{f.name: value})


def _plain(metric: Metric) -> Metric:
    """Return a metric with the default of every setting that its measures' names do not tell."""
    for f in fields(metric):
        with suppress(BadSetting):  # the other settings need this one
            changed = replace(metric, **{f.name: setting_default(f)})
            metric = changed if changed.measures() == metric.measures() else metric
    return metric


def chosen_measure(measures: Sequence[str]) -> str:
    """Return the measure that stands for its metric: F, the score, or the only one; empty = none does."""
    ends = {registry.split_label(measure)[1]: measure for measure in reversed(measures)}
    return next((ends[end] for end in _MAIN if end in ends), measures[0] if len(measures) == 1 else "")


def main_measure(measures: Sequence[str]) -> str:
    """Return the main one among the measures of a metric: F, else the score, else the first."""
    return chosen_measure(measures) or measures[0]
