"""Reference pages of metrics, summarizers, experiments and recipes, from fields and docstrings.

A docstring of this program is Markdown. Its paragraphs come first; a part that begins with a line such as
``Formula:`` becomes a section of the page. Texts of other packages are displayed as they are.
"""

from __future__ import annotations

import inspect
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from itertools import groupby
from typing import Any

from core.errors import PluginFailed
from core.experiments import registry as experiment_registry
from core.experiments.experiment import Experiment
from core.experiments.registry import Recipe
from core.formatting.coefficients import coefficient_title, explanation, p_test
from core.manual.page import ManualPage, inert, page_key
from core.metrics import registry as metric_registry
from core.metrics.base import Metric, Need, Pool
from core.metrics.base.needs import MODELS
from core.models.catalogue.entries import CATALOGUE
from core.report.bibliography import entries
from core.settings import format_setting, setting_default
from core.stats.types import Coefficient, Level, UndefinedPolicy
from core.systems import registry as summarizer_registry
from core.systems.base import Summarizer

REFERENCE = "Reference"
PARTS = ("Formula", "Modes", "Limits")
"""Sections that a docstring may have."""

_POOLING = {
    Pool.SUM: "counts are added over the references, then divided",
    Pool.MEAN: "the mean over the references",
    Pool.MAX: "the best reference counts, measure by measure",
    Pool.JOINT: "all references are used together, so another choice of references is scored again",
}
_GUIDES = {
    "alignscore": "consistency-with-the-documents",
    "ancr": "anchored-rouge",
    "auto-pyramid": "proposed-pyramids",
    "bartscore": "likelihood",
    "be": "basic-elements",
    "bertscore": "bertscore",
    "bleurt": "bleurt",
    "blanc-help": "blanc",
    "blanc-tune": "blanc",
    "comet": "comet",
    "cosine": "embedding-similarity",
    "cosine-tokens": "embedding-similarity",
    "cosine-words": "embedding-similarity",
    "enc-avg": "embedding-similarity",
    "external": "programs-and-packages-of-your-own",
    "fact-precision": "consistency-with-the-documents",
    "factcc": "consistency-with-the-documents",
    "likelihood": "likelihood",
    "lite-pyramid": "lite³pyramid",
    "minicheck": "consistency-with-the-documents",
    "moverscore": "moverscore",
    "pyramid": "pyramid-scores-as-a-metric",
    "qafacteval": "qafacteval",
    "questeval": "questeval",
    "rouge-l": "rouge",
    "rouge-n": "rouge",
    "rouge-s": "rouge",
    "rouge-su": "rouge",
    "rouge-w": "rouge",
    "rouge-we": "rouge-by-word-vectors",
    "s3": "metrics-learned-from-judgements-s3",
    "sera": "sera",
    "sms": "sentence-movers-similarity",
    "summac": "consistency-with-the-documents",
    "summaqa": "summaqa",
    "unieval": "likelihood",
}
"""Sections of the guide *Metrics*."""
_SECTION = re.compile(rf"^({'|'.join(PARTS)}):$")
_STATISTICS = re.compile(r"\s*(Statistics|The statistic) per reference[^.]*\.")
_DOI = re.compile(r"^\s*(doi|url)\s*=\s*\{(.+?)\}", re.MULTILINE)


def metric_page(kind: type[Metric]) -> ManualPage:
    """Return the page of a metric."""
    metric, show = kind(), inert if kind.package else str
    lines = _head(kind, show)
    direction = "Higher is better" if metric.higher_is_better else "Lower is better"
    direction = direction if metric.has_direction else "A property: neither high nor low is better"
    facts = [
        ("Measures", ", ".join(_code(name) for name in metric.measures()) + f". {direction}."),
        ("Needs", _needs(metric.needs)),
        ("Several references", f"{_POOLING[metric.pool]}." if Need.REFERENCES in metric.needs else ""),
        ("Models of the paper", _models(metric)),
        ("Usual settings", ", ".join(_usual(kind))),
        ("Family", inert(kind.family)),
        ("Package", inert(kind.package)),
        ("Version of the definition", str(kind.version)),
    ]
    lines += ["", *(f"- **{name}:** {text}" for name, text in facts if text), ""]
    lines += _sections(kind, show)
    lines += _settings(kind, f"-m {kind.name}:NAME=VALUE", show)
    lines += _source(kind.paper, () if kind.package else kind.bibliography)
    if kind.name in _GUIDES:
        lines += [f"More in [Metrics](../metrics.md#{_GUIDES[kind.name]}).", ""]
    return ManualPage(page_key("metrics", kind.name), kind.name, "\n".join(lines), REFERENCE, "Metrics")


def summarizer_page(kind: type[Summarizer]) -> ManualPage:
    """Return the page of a summarizer."""
    show = inert if kind.package else str
    lines = _head(kind, show)
    if reads := kind().upper_bound_by:
        lines += ["", f"By default it reads {reads}: an upper bound, not a baseline."]
    if kind.package:
        lines += ["", f"- **Package:** {inert(kind.package)}"]
    lines += ["", *_sections(kind, show)]
    lines += _settings(kind, f"--with {kind.name}:NAME=VALUE", show)
    lines += _source(kind.paper, () if kind.package else kind.bibliography)
    lines += ["More in [Summarizers](../summarizers.md).", ""]
    return ManualPage(
        page_key("summarizers", kind.name), kind.name, "\n".join(lines), REFERENCE, "Summarizers"
    )


def experiment_page(kind: type[Experiment]) -> ManualPage:
    """Return the page of an experiment."""
    lines = [f"# {kind.title}", "", kind.about]
    lines += ["", *_paragraphs(kind)]
    lines += ["", f"    pyramidion resample STUDY --experiment {kind.name}", ""]
    if kind.scores_texts:
        lines += ["It scores what the study lacks for it.", ""]
    lines += _sections(kind, str)
    lines += _settings(kind, "-s NAME=VALUE", str)
    lines += ["More in [Experiments](../experiments.md).", ""]
    return ManualPage(
        page_key("experiments", kind.name), kind.title, "\n".join(lines), REFERENCE, "Experiments"
    )


def recipe_page(recipes: Sequence[Recipe]) -> ManualPage:
    """Return one page of all recipes, paper by paper."""
    lines = ["# All recipes", "", "Run one with `pyramidion resample STUDY --recipe NAME`.", ""]
    for paper, group in groupby(recipes, key=lambda recipe: recipe.paper):
        lines += [f"## {paper}", "", "| Recipe | Table or figure |", "| --- | --- |"]
        lines += [f"| `{recipe.name}` | {inert(recipe.title)} |" for recipe in group]
        lines.append("")
    lines += ["More in [Experiments](../experiments.md#recipes).", ""]
    return ManualPage("experiments/recipes", "All recipes", "\n".join(lines), REFERENCE, "Experiments")


def coefficient_page() -> ManualPage:
    """Return the page of all correlation coefficients, with their formulas, and of the levels."""
    lines = ["# Coefficients and levels", ""]
    about = (
        "x are the values of a measure, y those of a judgement. *Formula* on *Compare* shows the same there."
    )
    lines += [about, ""]
    for coefficient in Coefficient:
        formula, *_ = explanation(Level.SYSTEM, coefficient, UndefinedPolicy.SKIP)
        lines += [
            f"## {coefficient_title(coefficient)}",
            "",
            f"`--coefficient {coefficient}`",
            "",
            inert(formula),
            "",
        ]
        if test := p_test(Level.SYSTEM, coefficient):
            lines += [f"p at system level: {test}.", ""]
    lines += ["## Levels", ""]
    for level in Level:
        _, about, _, p = explanation(level, Coefficient.PEARSON, UndefinedPolicy.SKIP)
        lines += [f"- `--level {level}`: {about} {p}"]
    lines += ["", "## Undefined values", ""]
    for policy in UndefinedPolicy:
        lines += [f"- `--undefined {policy}`: {explanation(Level.TOPIC, Coefficient.PEARSON, policy)[2]}"]
    lines += ["", "More in [Statistics](../statistics.md).", ""]
    title = "Coefficients and levels"
    return ManualPage("statistics/coefficients", title, "\n".join(lines), REFERENCE, "Coefficients")


def _page_or_error(kind: type[Any], page: Callable[[Any], ManualPage], folder: str, group: str) -> ManualPage:
    """Return a page; if the code of another package fails, a page with the error."""
    try:
        return page(kind)
    except PluginFailed as error:
        text = f"# {inert(kind.name)}\n\n{inert(str(error))}\n"
        return ManualPage(page_key(folder, kind.name), kind.name, text, REFERENCE, group)


def reference_pages() -> Iterator[ManualPage]:
    """Yield the pages of all metrics, summarizers and experiments, each kind after its list."""
    metrics = metric_registry.metrics()
    rows = [(kind.name, inert(kind.about), inert(kind.family)) for kind in metrics]
    yield _list("metrics", "Metrics", "All metrics", ("Metric", "About", "Family"), rows)
    yield from (_page_or_error(kind, metric_page, "metrics", "Metrics") for kind in metrics)
    summarizers = summarizer_registry.summarizers()
    rows = [(kind.name, inert(kind.about), inert(kind.paper)) for kind in summarizers]
    yield _list("summarizers", "Summarizers", "All summarizers", ("Summarizer", "About", "Source"), rows)
    yield from (_page_or_error(kind, summarizer_page, "summarizers", "Summarizers") for kind in summarizers)
    experiments = [kind for kind in experiment_registry.all_experiments() if _is_listed(kind)]
    rows = [(kind.name, inert(kind.about), kind.title) for kind in experiments]
    yield _list("experiments", "Experiments", "All experiments", ("Experiment", "About", "Title"), rows)
    yield from map(experiment_page, experiments)
    yield recipe_page(experiment_registry.all_recipes())
    yield coefficient_page()


def _is_listed(kind: type[Experiment]) -> bool:
    """Return whether an experiment is no table or figure of a paper, which are recipes."""
    return all(type(recipe.experiment) is not kind for recipe in experiment_registry.all_recipes()) or (
        kind.__module__.startswith("core.experiments.analyses")
    )


def _list(folder: str, group: str, title: str, heads: Sequence[str], rows: Sequence[Any]) -> ManualPage:
    lines = [f"# {title}", "", f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}"]
    for name, about, last in rows:
        link = posixpath.basename(page_key(folder, name))
        lines.append(f"| [{inert(name)}]({link}.md) | {about} | {last} |")
    return ManualPage(f"{folder}/index", title, "\n".join([*lines, ""]), REFERENCE, group)


def _head(kind: type[Any], show: Callable[[str], str]) -> list[str]:
    about = _paragraphs(kind) if show is str else [_shown(text, show) for text in _text(kind).split("\n\n")]
    return [f"# {inert(kind.name)}", "", inert(kind.about), "", *about]


def _text(kind: type[Any]) -> str:
    """Return the docstring that a class itself has, without what it says on stored statistics."""
    return _STATISTICS.sub("", inspect.cleandoc(kind.__dict__.get("__doc__") or ""))


def _paragraphs(kind: type[Any]) -> list[str]:
    """Return the docstring's lines before its first section."""
    lines = []
    for line in _text(kind).splitlines():
        if _SECTION.match(line):
            break
        lines.append(line.replace("``", "`"))
    return lines


def _sections(kind: type[Any], show: Callable[[str], str]) -> list[str]:
    """Return the docstring's sections with headings; a package's docstring has none."""
    if show is not str:
        return []
    lines: list[str] = []
    for line in _text(kind).splitlines():
        if heading := _SECTION.match(line):
            lines += ["", f"## {heading[1]}", ""]
            is_formula = heading[1] == "Formula"
        elif lines:
            lines.append(line if is_formula else line.strip())
    return [*_trimmed(lines), ""] if lines else []


def _trimmed(lines: list[str]) -> list[str]:
    return "\n".join(lines).strip("\n").splitlines()


def _shown(text: str, show: Callable[[str], str]) -> str:
    return f"{show(text)}\n" if text.strip() else ""


def _code(text: str) -> str:
    """Return a text as code; a text with a backquote or bar is displayed as text."""
    return inert(text) if "`" in text or "|" in text else f"`{text}`"


def _needs(needs: frozenset[Need]) -> str:
    names = [f"[{need.value}](../models.md)" if need in MODELS else need.value for need in sorted(needs)]
    return f"{', '.join(names)}." if names else "only the summaries."


def _models(metric: Metric) -> str:
    known = {model.key: model for model in CATALOGUE}
    found = [name for names in metric.paper_models().values() for name in names]
    return ", ".join(_code(name) if name in known else inert(name) for name in found)


def _usual(kind: type[Metric]) -> Iterator[str]:
    for usual in kind.default_configs:
        yield _code(f"-m {kind.name}:{usual}" if usual else f"-m {kind.name}")


def _settings(kind: type[Any], option: str, show: Callable[[str], str]) -> list[str]:
    """Return a table of the settings of a dataclass."""
    listed = fields(kind)
    if not listed:
        return ["## Settings", "", "It has no settings.", ""]
    lines = ["## Settings", "", f"Given as {_code(option)}.", ""]
    lines += ["| Setting | Values | Default | Meaning |", "| --- | --- | --- | --- |"]
    for one in listed:
        default = format_setting(setting_default(one))
        cells = (_code(one.name), _values(one), _code(default) if default else "none")
        lines.append(f"| {' | '.join(cells)} | {inert(one.metadata['help'])} |")
    return [*lines, ""]


def _values(one: Any) -> str:
    choices, low, high = (one.metadata.get(key) for key in ("choices", "low", "high"))
    if choices:
        return ", ".join(_code(str(choice)) for choice in choices)
    default = setting_default(one)
    if isinstance(default, bool):
        return "yes, no"
    if isinstance(default, str):
        return "text"
    number = "number" if isinstance(default, float) else "whole number"
    if low is not None and high is not None:
        return f"{number}, {low:g} to {high:g}"
    if low is not None:
        return f"{number}, at least {low:g}"
    return f"{number}, at most {high:g}" if high is not None else number


def _source(paper: str, keys: Sequence[str]) -> list[str]:
    """Return a paper and BibTeX entries."""
    if not paper:
        return []
    lines = ["## Source", "", inert(paper), ""]
    known = entries()
    for entry in map(known.__getitem__, keys):
        for found in _DOI.finditer(entry):
            address = f"https://doi.org/{found[2]}" if found[1] == "doi" else found[2]
            lines += [f"[{address}]({address})", ""]
        lines += ["```bibtex", entry, "```", ""]
    return lines
