"""Models that the papers of metrics used, as entries of the catalogue."""

from __future__ import annotations

from core.metrics import registry
from core.metrics.base import Metric, Need
from core.models.catalogue.entries import CatalogueEntry, catalogue_entry

_PARSER = "en_core_web_sm"


def models_of_paper(metric: Metric) -> tuple[CatalogueEntry, ...]:
    """Return the models that a metric needs for the numbers of its paper.

    Of several that a paper compares, the one that a setting names, else the first.
    """
    names: list[str] = [_PARSER] if Need.PARSER in metric.needs else []
    for setting, keys in metric.paper_models().items():
        value = str(getattr(metric, setting))
        is_list = ";" in value  # such as the encoders of enc-avg, all of which the paper used
        names += keys if is_list else [value if value in keys else keys[0]]
    return tuple(entry for name in dict.fromkeys(names) if (entry := catalogue_entry(name)) is not None)


def metrics_by_model() -> dict[str, list[str]]:
    """Return the names of metrics whose papers used a model, by its key in the catalogue."""
    found: dict[str, list[str]] = {}
    for kind in registry.metrics():
        for entry in models_of_paper(kind()):
            found.setdefault(entry.key, []).append(kind.name)
    return found


def metrics_named(texts: list[str]) -> list[Metric]:
    """Return metrics by their names, separated by commas, or by one configuration, ``NAME:SETTING=VALUE,…``.

    Raises InputError if there is no such metric.
    """
    specs = [spec for text in texts for spec in ([text] if ":" in text else text.split(","))]
    return [registry.parse(spec.strip()) for spec in specs if spec.strip()]
