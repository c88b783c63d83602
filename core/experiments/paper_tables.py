"""Tables that papers print, in `resources/datasets/papers.json`, next to those of their recipes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from core.errors import InputError
from core.experiments.analyses.studies.published import published_tables
from core.experiments.registry import parse_recipe
from core.experiments.runner import run_experiment
from core.formatting.numbers import pluralize
from core.formatting.tables import MARK, Cell, CellKind, Column, Table
from core.json_text import parse_json
from core.metrics.base import Resources
from core.names import resolve_name
from core.ports import Study
from core.progress import JobSteps
from core.results.result import Result


@dataclass(frozen=True, slots=True)
class PaperData:
    """A data set of a paper. how: to get it. format: of its file, empty = several files make a study."""

    name: str
    how: str
    format: str = ""


@dataclass(frozen=True, slots=True)
class PaperTable:
    """Numbers that a paper prints, under the names that the recipe's table has.

    recipe: that gives these numbers. source: such as ``Table 3``. data: name of the paper's data set.
    metrics: configurations whose models the paper used.
    title: of the recipe's table, empty = its first one with these columns.
    rows: first cells of each row, and a number for each column, None = the paper has none.
    note: what is known about the printed numbers.
    """

    recipe: str
    source: str
    data: str
    columns: tuple[str, ...]
    rows: tuple[tuple[tuple[str, ...], tuple[float | None, ...]], ...]
    metrics: tuple[str, ...] = ()
    title: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper whose recipes the program has."""

    name: str
    paper: str
    data: tuple[PaperData, ...]
    tables: tuple[PaperTable, ...]

    @property
    def recipes(self) -> tuple[str, ...]:
        """Return the names of its recipes with printed numbers."""
        return tuple(dict.fromkeys(table.recipe for table in self.tables))


@cache
def papers() -> tuple[Paper, ...]:
    """Return all papers."""
    text = (files("resources") / "datasets" / "papers.json").read_text(encoding="utf-8")
    return tuple(
        Paper(
            row["name"],
            row["paper"],
            tuple(PaperData(**data) for data in row["data"]),
            tuple(map(_table, row["tables"])),
        )
        for row in parse_json(text)
    )


def find_paper(name: str) -> Paper:
    """Return a paper by its name. Raises InputError that lists them."""
    known = {paper.name: paper for paper in papers()}
    return known[resolve_name("paper", name, known, "`pyramidion reproduce` lists them")]


def reproduce(
    study: Study, resources: Resources, paper: Paper, data: str = "", recipes: Sequence[str] = ()
) -> JobSteps[Result]:
    """Run a paper's recipes and return a table of its numbers and this study's for each of its tables.

    data: which of the paper's data sets the study has; may be empty if the recipes have one only.
    recipes: names; empty = all with printed numbers. What cannot be run is named in the warnings.
    Raises InputError if `data` is needed, if a name is unknown, or if no recipe can be run.
    """
    known = {one: one for one in paper.recipes}
    listing = f"Recipes with numbers of {paper.paper}"
    chosen = [resolve_name("recipe", one, known, listing) for one in recipes] or [*known]
    sets = list(dict.fromkeys(table.data for table in paper.tables if table.recipe in chosen))
    if data:
        data = resolve_name("data set", data, {one.name: one for one in paper.data})
    elif len(sets) > 1:
        listed = " or ".join(f"--data '{one}'" for one in sets)
        raise InputError(f"The paper has numbers on {' and '.join(sets)}. Say which the study has: {listed}.")
    tables = [one for one in paper.tables if one.recipe in chosen and one.data in ("", data or sets[0])]
    done, parts, problems = {}, [], []
    for name in dict.fromkeys(table.recipe for table in tables):
        try:
            done[name] = (yield from run_experiment(study, parse_recipe(name), resources)).result
        except InputError as error:
            problems.append(f"{name} is left out: {error}")
    if not done:
        raise InputError(" ".join(problems) or f"No table of {paper.paper} is about {data}.")
    for table in tables:
        if table.recipe in done:
            part, missing = _compared(paper, table, done[table.recipe])
            parts.append(part)
            problems += missing
    results = done.values()
    return Result(
        f"{paper.paper}: published numbers and this study's",
        tuple(parts),
        policy=tuple(dict.fromkeys(sentence for one in results for sentence in one.policy)),
        stand_ins=tuple(dict.fromkeys(sentence for one in results for sentence in one.stand_ins)),
        warnings=tuple(dict.fromkeys((*problems, *(text for one in results for text in one.warnings)))),
    )


def _table(row: Mapping[str, Any]) -> PaperTable:
    facts = {key: row[key] for key in ("recipe", "source", "data")} | {
        "metrics": tuple(row.get("metrics", ()))
    }
    if "published" in row:
        known = next(one for one in published_tables() if one.key == row["published"])
        rows = tuple(((name,), values) for name, values in known.rows)
        return PaperTable(**facts, columns=known.judgements, rows=rows)
    rows = tuple((tuple(labels), tuple(values)) for *labels, values in row["rows"])
    more = {key: row[key] for key in ("title", "note") if key in row}
    return PaperTable(**facts, columns=tuple(row["columns"]), rows=rows, **more)


def _compared(paper: Paper, table: PaperTable, result: Result) -> tuple[Table, list[str]]:
    """Return the numbers of a paper's table and of the recipe's, and a sentence on what the recipe lacks."""
    width = len(table.rows[0][0])
    ours = _numbers(table, result, width)
    cells: list[tuple[Cell, ...]] = []
    missing: list[str] = []
    for labels, values in table.rows:
        name = ", ".join(labels)
        label, own = ours.get(labels, (name, {}))
        if not own:
            missing.append(name)
            continue
        for column, printed in zip(table.columns, values, strict=True):
            value = own.get(column, math.nan)
            if printed is not None:
                cells.append((label, column, printed, value, value - printed))
    own_model = [abs(row[-1]) for row in cells if isinstance(row[-1], float) and MARK not in str(row[0])]
    differences = [value for value in own_model if not math.isnan(value)]
    closeness = ""
    if differences:
        mean, most = sum(differences) / len(differences), max(differences)
        counted = pluralize(len(differences), "number")
        closeness = f"Absolute difference of {counted}: mean {mean:.3f}, largest {most:.3f}."
        if len(own_model) < len(cells):
            closeness += f" Numbers of rows marked {MARK} are not counted."
    note = " ".join(
        part for part in (f"Source: {paper.paper}, {table.source}.", table.note, closeness) if part
    )
    title = f"{table.source}, {table.data}{f': {table.title}' if table.title else ''} ({table.recipe})"
    numbers = (("Published", "published"), ("This study", "this_study"), ("Difference", "difference"))
    columns = (
        Column("Row", "row"),
        Column("Column", "column"),
        *(Column(heading, key, CellKind.FINE_CORRELATION) for heading, key in numbers),
    )
    lacking = (
        [f"{table.source} ({table.recipe}): this study gives no {'; '.join(missing)}."] if missing else []
    )
    return Table(title, columns, tuple(cells), note), lacking


def _numbers(
    table: PaperTable, result: Result, width: int
) -> dict[tuple[str, ...], tuple[str, dict[str, float]]]:
    """Return each row of the recipe's table by its first cells: its label, and its numbers by column.

    A row that stands for several of the paper's, such as ``enc-2†, enc-3†``, is returned for each.
    """
    for one in result.tables:
        titles = [column.title.replace(MARK, "") for column in one.columns]
        if one.is_detail or (table.title and one.title != table.title) or not {*table.columns} & {*titles}:
            continue
        found = {}
        for row, texts in zip(one.rows, one.texts(), strict=True):
            values = {
                title: _number(cell)
                for title, cell in zip(titles, row, strict=True)
                if title in table.columns
            }
            for first in texts[0].split(", "):
                labels = (first.replace(MARK, ""), *texts[1:width])
                found[labels] = (", ".join([first, *texts[1:width]]), values)
        return found
    return {}


def _number(cell: Cell) -> float:
    """Return a cell as a number, also where a text marks its significance; NaN = none."""
    if not isinstance(cell, str):
        return math.nan if cell is None else float(cell)
    try:
        return float(cell.rstrip("*").replace("−", "-"))
    except ValueError:
        return math.nan
