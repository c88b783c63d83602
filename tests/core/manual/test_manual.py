"""The manual as a whole: nothing is missing, every link leads somewhere, foreign texts are inert."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import partial
from typing import ClassVar

import pytest
from markdown_it import MarkdownIt

from cli.app import command_line
from cli.command_pages import command_pages
from core.errors import InputError, PluginFailed
from core.experiments import registry as experiments
from core.formatting.coefficients import coefficient_title
from core.manual.contents import GUIDES, find_page, manual_files, manual_pages
from core.manual.page import ManualPage, anchor, inert, page_key, resolve
from core.manual.reference import metric_page, reference_pages, summarizer_page
from core.metrics import registry as metrics
from core.metrics.base import Metric
from core.settings import setting
from core.stats.types import Coefficient, Level
from core.systems import registry as summarizers
from core.systems.base import Summarizer
from tests.conftest import ROOT

HOSTILE = (
    "<img src='file:///etc/hostname'> **bold** [a](b.md) `c` | d ![e](f.png) http://g.example @h $i$ # j"
)
HELP = ROOT / "resources" / "help"
COINED = (
    "afresh", "anew", "at hand", "deed", "gather", "lent", "mend", "whereabouts", "house rules", "amiss",
    "worth", "taking part", "beside", "brought", "wish", "told",
)  # fmt: skip
"""Words that the project's style replaces and that no page of the manual needs."""


@pytest.fixture(scope="module")
def pages() -> dict[str, ManualPage]:
    return {page.key: page for page in manual_pages("| Key |\n| --- |", command_pages())}


def test_every_link_and_picture_leads_somewhere(pages) -> None:
    files, broken = manual_files(), []
    for page in pages.values():
        for key, fragment in page.links():
            if key not in files and (key not in pages or (fragment and fragment not in pages[key].anchors())):
                broken.append(f"{page.key}: {key}#{fragment}")
    assert broken == []


def test_every_picture_and_guide_is_used(pages) -> None:
    linked = {key for page in pages.values() for key, _ in page.links()}
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [name for name in manual_files() if name not in linked and name not in readme] == []
    listed = {name for _, names in GUIDES for name in names}
    assert listed == {path.stem for path in HELP.glob("*.md")}


def test_every_metric_has_its_settings_measures_and_source(pages) -> None:
    for kind in metrics.metrics():
        text = pages[f"metrics/{kind.name}"].text
        assert all(f"`{measure}`" in text for measure in kind().measures())
        for one in fields(kind):
            assert f"| `{one.name}` |" in text
            assert inert(one.metadata["help"]) in text
        assert kind.name == "external" or all(f"{{{key}," in text for key in kind.bibliography)
        assert kind.bibliography or not kind.paper


def test_metrics_and_experiments_have_formula_and_limits_and_summarizers_limits(pages) -> None:
    for kind in metrics.metrics():
        text = pages[f"metrics/{kind.name}"].text
        assert "\n## Limits\n\n" in text
        assert kind.name == "external" or "\n## Formula\n\n    " in text
        assert "tatistics per reference" not in text
    for summarizer in summarizers.summarizers():
        assert "\n## Limits\n\n" in pages[f"summarizers/{summarizer.name}"].text
    for key, page in pages.items():
        if key.startswith("experiments/") and key not in ("experiments/index", "experiments/recipes"):
            assert "\n## Formula\n\n    " in page.text, key
            assert "\n## Limits\n\n" in page.text, key


def test_every_summarizer_experiment_recipe_and_coefficient_has_its_place(pages) -> None:
    for kind in summarizers.summarizers():
        text = pages[f"summarizers/{kind.name}"].text
        assert all(f"| `{one.name}` |" in text for one in fields(kind))
        assert ("```bibtex" in text) == bool(re.search(r"\d{4}", kind.paper)), kind.name
    recipes = pages["experiments/recipes"].text
    for recipe in experiments.all_recipes():
        assert f"`{recipe.name}`" in recipes
    own = {type(recipe.experiment) for recipe in experiments.all_recipes()}
    for experiment in experiments.all_experiments():
        assert f"experiments/{experiment.name}" in pages or experiment in own
    coefficients = pages["statistics/coefficients"].text
    for coefficient in Coefficient:
        assert f"## {coefficient_title(coefficient)}\n" in coefficients
        assert coefficient_title(coefficient).casefold() in pages["statistics"].text.casefold()
    assert all(f"`--level {level}`" in coefficients for level in Level)


def test_every_command_has_its_arguments_options_choices_and_ranges(pages) -> None:
    group = command_line()
    for name, command in group.commands.items():
        text = pages[f"commands/{name}"].text
        for one in (command, *getattr(command, "commands", {}).values()):
            for parameter in one.params:
                assert parameter.param_type_name == "argument" or all(
                    f"`{option}" in text for option in parameter.opts
                )
    correlate = pages["commands/correlate"].text
    assert "One of `system`, `topic`, `global`." in correlate
    assert "From 0.5 to 0.9999." in correlate
    assert "| `system` |" in correlate
    assert "| `STUDY` | required |" in correlate
    assert all(f"| {code} |" in pages["command-line"].text for code in (0, 1, 2, 70, 130))


@pytest.mark.parametrize("word", COINED)
def test_no_page_uses_a_coined_word(pages, word) -> None:
    found = [page.key for page in pages.values() if re.search(rf"\b{word}\b", page.text, re.IGNORECASE)]
    assert found == []


def tokens(text: str) -> list[str]:
    """The kinds of markup in a text, as CommonMark with tables and links of bare addresses reads it."""
    reader = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(["table", "strikethrough"])
    return [
        token.type
        for block in reader.parse(text)
        for token in (block, *(block.children or ()))
        if token.type not in ("inline", "text", "paragraph_open", "paragraph_close", "text_special")
    ]


def test_a_foreign_text_is_displayed_as_it_is() -> None:
    assert tokens(inert(HOSTILE)) == []
    assert "http://" not in inert(HOSTILE)


@dataclass(frozen=True)
class Foreign(Metric):
    __doc__ = f"{HOSTILE}\n\nFormula:\n    {HOSTILE}\n\n<script>alert(1)</script>"

    name: ClassVar[str] = "../../etc/<b>x</b>"
    family: ClassVar[str] = HOSTILE
    about: ClassVar[str] = HOSTILE
    paper: ClassVar[str] = HOSTILE
    package: ClassVar[str] = HOSTILE

    size: str = setting("`<b>`", HOSTILE, choices=("`<b>`", "a|b"))

    def measures(self) -> tuple[str, ...]:
        return (f"x.{HOSTILE}",)


@dataclass(frozen=True)
class ForeignSummarizer(Summarizer):
    __doc__ = HOSTILE

    name: ClassVar[str] = "<b>x</b>"
    about: ClassVar[str] = HOSTILE
    paper: ClassVar[str] = HOSTILE
    package: ClassVar[str] = HOSTILE


@pytest.mark.parametrize("make", [partial(metric_page, Foreign), partial(summarizer_page, ForeignSummarizer)])
def test_texts_of_packages_are_inert(make: Callable[[], ManualPage]) -> None:
    page = make()
    kinds = set(tokens(page.text))
    assert not kinds & {"html_inline", "html_block", "image", "s_open", "em_open"}
    own = {"../models.md", "../metrics.md", "../summarizers.md"}
    assert {resolve(page.key, link)[0] for link in own} >= {key for key, _ in page.links()}
    assert "<script" not in page.text.replace("\\<", "")
    assert ".." not in page.key.split("/")


class Failing(Foreign):
    name: ClassVar[str] = "failing"

    def measures(self) -> tuple[str, ...]:
        raise PluginFailed("The metric failing of the package x failed: <b>")


def test_a_package_whose_code_fails_has_a_page_with_the_error(monkeypatch) -> None:
    monkeypatch.setattr(metrics, "metrics", lambda: (Failing,))
    found = {page.key: page for page in reference_pages()}
    assert "of the package x failed: \\<b>" in found["metrics/failing"].text


def test_pages_are_found_by_key_and_by_name(pages) -> None:
    assert find_page(pages.values(), "rouge-n").key == "metrics/rouge-n"
    assert find_page(pages.values(), "commands/score").key == "commands/score"
    with pytest.raises(InputError, match="Did you mean"):
        find_page(pages.values(), "rouge-m")


def test_the_program_of_the_guide_on_own_metrics_works() -> None:
    guide = (HELP / "add-metric.md").read_text("utf-8")
    program = re.search(r"^```python\n(.*?)^```", guide, re.DOTALL | re.MULTILINE)
    assert program
    task = {"id": "7", "summary": "the dam broke", "references": ["the dam", "a crack"]}
    done = subprocess.run(
        [sys.executable, "-c", program[1]], input=json.dumps(task), capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {"id": "7", "share": 2 / 3}


def test_anchors_and_links_follow_the_rules_of_the_site() -> None:
    assert anchor("n and dropped") == "n-and-dropped"
    assert anchor("Sentence Mover's Similarity") == "sentence-movers-similarity"
    text = "# A\n\n## B c\n\n## B c\n\n```\n## no heading [x](y.md)\n```\n\n"
    text += "[a](../b.md#c) `[d](e.md)` ![f](g.png)\n"
    page = ManualPage("x/y", "A", text, "S")
    assert list(page.anchors()) == ["a", "b-c", "b-c-1"]
    assert page.links() == [("b", "c"), ("x/g.png", "")]
    assert page_key("metrics", "../a b") == "metrics/-a-b"
    assert resolve("x/y", "#z") == ("x/y", "z")
