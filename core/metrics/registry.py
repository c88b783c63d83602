"""The metric registry: look up metrics by name, configuration or signature.

Other packages add metrics by the entry point group ``pyramidion.metrics``, which names subclasses of
`core.metrics.base.Metric` (`pyramidion.plugins.Metric`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from itertools import product
from typing import Any

import numpy as np

from core import metrics as package
from core.errors import BadSetting, InputError
from core.metrics.base import Metric, Prepared, Resources, TopicScores, setting_default
from core.registry import Registry, split_settings
from core.settings import check_setting_name, join_settings, parse_settings
from core.text.languages import ENGLISH

FAMILIES = (
    "ROUGE",
    "Translation",
    "N-gram graphs",
    "WIDAR",
    "Divergence",
    "Text properties",
    "Embeddings",
    "Comprehension",
    "Consistency",
    "Retrieval",
    "Likelihood",
    "Learned",
    "Pyramid",
)
"""Headings in lists of metrics; those that need only texts come first."""


@dataclass(frozen=True, slots=True)
class Request:
    """A parsed configuration or signature.

    extras: parts of a signature other than settings, such as a model's hash or the included references.
    """

    metric: Metric
    extras: Mapping[str, str]


def metrics() -> tuple[type[Metric], ...]:
    """Return every metric class by family and name; families in the order of `FAMILIES`, others last."""
    order = {family: at for at, family in enumerate(FAMILIES)}
    every = REGISTRY.all().values()
    return tuple(sorted(every, key=lambda cls: (order.get(cls.family, len(order)), cls.family, cls.name)))


def metric(name: str, **settings: Any) -> Metric:
    """Return a metric by name. Raises InputError for an unknown name, BadSetting for a wrong setting."""
    cls = REGISTRY.named(name)
    for key in settings:
        check_setting_name(cls.name, cls, key)
    return cls(**settings)


def parse(text: str) -> Metric:
    """Return the metric of ``name:key=value,...`` or of a signature."""
    return parse_with_extras(text).metric


def parse_varied(text: str, varied: Mapping[str, Sequence[str]]) -> tuple[Metric, ...]:
    """Return the metric with every combination of values of some settings, the last varying fastest.

    A setting applies to the combinations that use it. Raises as `parse` does, also for a setting of the text,
    or a varied one, that no combination uses.
    """
    cls, fixed = _class_and_pairs(text)
    points = [{**fixed, **dict(zip(varied, point, strict=True))} for point in product(*varied.values())]
    found, used = [], set[str]()
    for point in points:
        values = parse_settings(cls.name, cls, point)
        probe = object.__new__(cls)  # without the checks: it only answers which settings are in use
        for f in fields(cls):
            object.__setattr__(probe, f.name, values.get(f.name, setting_default(f)))
        in_use = values.keys() - probe.unused().keys()
        used |= in_use
        found.append(cls(**{key: values[key] for key in in_use}))
    if values.keys() - used:
        cls(**values)  # raises
    return tuple(found)


def parse_with_extras(text: str) -> Request:
    """Parse ``name:key=value,...`` or a signature, and return its metric and extras.

    Raises InputError for an unknown name or another version, BadSetting for a wrong setting; messages
    name the closest match.
    """
    if "|" in text:
        return _read_signature(text)
    cls, pairs = _class_and_pairs(text)
    return Request(cls(**parse_settings(cls.name, cls, pairs)), {})


def _class_and_pairs(text: str) -> tuple[type[Metric], dict[str, str]]:
    """Return the metric and the settings of a configuration, or of a signature without other parts."""
    name = text.partition(":")[0].strip()
    cls, pairs = REGISTRY.split(text, f" If a value contains a comma, write {name}|key:value instead.")
    return cls, _in_full(cls, pairs)


def parse_reproducible(signature: str, resources: Resources) -> Metric:
    """Return the metric of a signature. Raises InputError if a run here would have another signature."""
    request = parse_with_extras(signature)
    check_extras(request.metric, request.extras, resources)
    return request.metric


def check_extras(metric: Metric, extras: Mapping[str, str], resources: Resources) -> None:
    """Raise InputError unless the extras of a signature are the same on this machine.

    extras: for example the hash of a model, as in `Request`.
    """
    here = metric.extras(resources) if extras else {}
    for key, value in extras.items():
        if here.get(key) != value:
            actual = f"here it is {here[key]}" if key in here else f"{metric.name} has no such part"
            raise InputError(
                f"This signature contains {key}:{value}, but {actual}. Install what it was computed with, or "
                f"remove this part to score with what is installed."
            )


def localize(text: str, language: str, *, replaces: bool = False) -> str:
    """Return a configuration with the default settings of a language for settings that it does not name.

    replaces: also replace settings that it names; used for built-in configurations.
    A signature is returned unchanged, and a default that conflicts with the other settings is skipped.
    """
    name = text.strip().partition(":")[0]
    if "|" in text or language in ("", ENGLISH) or (cls := REGISTRY.find(name)) is None:
        return text
    _, pairs = REGISTRY.split(text)
    for key, value in cls.language_settings(language).items():
        if key in pairs and not replaces:
            continue
        tried = {**pairs, key: value}
        try:
            parse(join_settings(name, tried))
        except BadSetting:
            continue
        pairs = tried
    return join_settings(name, pairs)


def split_label(label: str) -> tuple[str, str]:
    """Split a measure's label at its last dot: ``rouge-2[stem:no].f`` into ``rouge-2[stem:no]`` and ``f``.

    A dot between brackets does not count, as in ``length[source:lengths.csv]``.
    Returns an empty first part if there is no dot.
    """
    depth = 0
    for at in range(len(label) - 1, -1, -1):
        depth += (label[at] == "]") - (label[at] == "[")
        if label[at] == "." and depth <= 0:
            return label[:at], label[at + 1 :]
    return "", label


def _read_signature(text: str) -> Request:
    name, *parts = text.strip().split("|")
    cls = REGISTRY.named(name, is_stored=True)
    pairs = split_settings(cls.name, parts, ":")
    version = pairs.pop("version", str(cls.version))
    if version != str(cls.version):
        raise InputError(
            f"This signature is of version {version} of {name}; this program computes version {cls.version}. "
            f"Remove the version to score with that one."
        )
    known = {f.name for f in fields(cls)}
    settings = {key: value for key, value in pairs.items() if key in known}
    extras = {key: value for key, value in pairs.items() if key not in known}
    return Request(cls(**parse_settings(cls.name, cls, settings)), extras)


def _in_full(cls: type[Metric], pairs: Mapping[str, str]) -> dict[str, str]:
    """Return keys and values with shorthands replaced by the settings they stand for."""
    full: dict[str, str] = {}
    for key, value in pairs.items():
        name, prefix = cls.shorthands.get(key, (key, ""))
        if name in full:
            raise BadSetting(f"{cls.name}: {name} is set twice; keep one.")
        full[name] = f"{prefix}{value}"
    return full


def _check_plugin(plugin: type[Metric], made: Metric) -> None:
    """Raise TypeError unless a metric of another package is complete; then its scores are checked too."""
    for attribute in ("name", "family", "about"):
        if not (isinstance(text := getattr(made, attribute, None), str) and text):
            raise TypeError(f"{plugin.__name__} needs a text {attribute!r}")
    if not (made.measures() and all(isinstance(one, str) and one for one in made.measures())):
        raise TypeError(f"{plugin.__name__}.measures() must return the names of its measures")
    for usual in made.default_configs:
        pairs = _in_full(plugin, split_settings(plugin.name, filter(None, usual.split(",")), "="))
        plugin(**parse_settings(plugin.name, plugin, pairs))
    if "package" not in vars(plugin):  # else it was loaded before
        plugin.score = _with_checked_scores(plugin.score)  # type: ignore[method-assign]


def _with_checked_scores(score: Callable[[Metric, Prepared], TopicScores]) -> Any:
    """Return a method `score` that raises TypeError where the scores do not have the shape of the topic."""

    @wraps(score)
    def checked(metric: Metric, prepared: Prepared) -> TopicScores:
        scores, topic = score(metric, prepared), prepared.topic
        if not isinstance(scores, TopicScores):
            raise TypeError(f"score() returned {type(scores).__name__} instead of TopicScores")
        shape = len(topic.summaries), len(metric.measures())
        if np.shape(scores.values) != shape:
            raise TypeError(f"values have the shape {np.shape(scores.values)} instead of {shape}")
        stats = None if scores.stats is None else np.asarray(scores.stats, np.float64)
        expected = len(topic.summaries), len(topic.references)
        if stats is not None and (stats.ndim != 3 or stats.shape[:2] != expected):
            raise TypeError(f"stats have the shape {stats.shape} instead of {(*expected, '…')}")
        return TopicScores(np.asarray(scores.values, np.float64), stats, dict(scores.notes))

    return checked


REGISTRY: Registry[Metric] = Registry(
    "metric", package, Metric, _check_plugin, "`pyramidion metrics` lists them"
)
PLUGINS = REGISTRY.plugins
register = REGISTRY.register
