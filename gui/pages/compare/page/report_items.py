"""Report items of the Compare page, each with its method and the command that reproduces it."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from core.comparison.options import SystemSelection
from core.figures.palette import Palette
from core.files.study_address import command_argument
from core.formatting.tables import Table
from core.stats.correlation import UndefinedPolicy
from gui.pages.compare.correlations.choices import Choices
from gui.pages.compare.correlations.inference import Method
from gui.pages.compare.figure.figures import FigureContent
from gui.pages.compare.figure.scatter_view import DrawSized
from gui.pages.compare.table.table_content import TableContent, export_of
from gui.pages.compare.table.texts import formula_text
from gui.pages.compare.values import View
from gui.results.report_items import PAPER_SIZE, AddToReport
from gui.session.context import Context

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_OF_ONE = frozenset({View.SCATTER, View.RANKS, View.DISTRIBUTION, View.TOPICS, View.DISAGREEMENT})
"""Figures about the current measure only."""


class CompareReport:
    """Adds the displayed figure or table to the report."""

    def __init__(self, context: Context) -> None:
        self._context, self._report = context, AddToReport(context)

    def add_table(self, content: TableContent, choices: Choices, method: Method) -> None:
        """Put the table of measures into the report."""
        command = self.command(content, choices, method, choices.humans, is_tested=True)
        self._report.table(export_of(content), formula_text(content), command, is_stale=bool(content.stale))

    def add_figure(
        self, content: TableContent, choices: Choices, method: Method, figure: FigureContent, cell: tuple[str,
        str],
        kind: View, inches: tuple[float, float],
    ) -> None:  # fmt: skip
        """Put the displayed figure into the report, at least as large as on screen."""
        head, (measure, human) = figure.head, cell
        size = max(PAPER_SIZE[0], inches[0]), max(PAPER_SIZE[1], inches[1])
        policy = (f"{head.result}: {head.rest}" if head.rest else head.result, *formula_text(content))
        command = self.command(content, choices, method, [human], measure if kind in _OF_ONE else "")
        title = f"{head.title} {head.fact}".strip()
        draw = partial(_sized, figure.draw, size)
        self._report.figure(title, policy, command, draw, is_stale=measure in content.stale)

    def add_list(
        self,
        content: TableContent,
        choices: Choices,
        method: Method,
        table: Table,
        cell: tuple[str, str],
        kind: View = View.DISAGREEMENT,
    ) -> None:
        """Put a list into the report as a table."""
        command = self.command(content, choices, method, [cell[1]], cell[0], per_topic=kind is View.TOPICS)
        self._report.table(table, formula_text(content), command, is_stale=cell[0] in content.stale)

    def command(
        self,
        content: TableContent,
        choices: Choices,
        method: Method,
        humans: Sequence[str],
        measure: str = "",
        *,
        is_tested: bool = False,
        per_topic: bool = False,
    ) -> str:
        """Return the command that prints the same correlations."""
        words = ["pyramidion", "correlate", command_argument(self._context.study.path)]
        words += ["--level", choices.level.value, "--coefficient", choices.coefficient.value]
        words += [word for human in humans for word in ("--human", human)]
        words += ["--measure", measure] if measure else []
        words += ["--all"] if choices.with_made else []
        words += _filter_options(content, choices)
        if choices.undefined is not UndefinedPolicy.SKIP:
            words += ["--undefined", choices.undefined.value]
        if per_topic:
            return shlex.join([*words, "--per-topic"])
        words += ["--interval", method.interval.value, "--interval-method", method.ends.value]
        test = method.test_for(choices.level, choices.coefficient)
        if is_tested and test is not None:
            words += ["--compare", "best", "--test", test.value, "--family", method.variants.value]
            words += ["--adjust", method.adjustment.value]
        return shlex.join(words)


def _filter_options(content: TableContent, choices: Choices) -> list[str]:
    """Return the command line options that select systems and topics."""
    words: list[str] = []
    if choices.systems is not SystemSelection.AUTOMATIC:
        words += ["--systems", choices.systems.value]
    if choices.scope.without:
        words += [word for name in content.numbers.system_names() for word in ("--system", name)]
    if choices.scope.topic_set:
        words += ["--set", choices.scope.topic_set]
    if choices.scope.common:
        words += ["--common-topics"]
    return words


def _sized(draw: DrawSized, size: tuple[float, float], palette: Palette) -> Figure:
    return draw(palette, size)
