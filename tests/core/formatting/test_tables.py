"""Formats of numbers and tables."""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.formatting.numbers import format_correlation, format_count, format_p, format_score, pluralize
from core.formatting.tables import (
    CellKind,
    Column,
    Table,
    escape_data,
    escape_formula,
    latex_text,
    to_csv,
    to_latex,
    to_markdown,
    unescape_data,
)

TABLE = Table(
    "Measures & people",
    (
        Column("Measure", "measure"),
        Column("r", "r", CellKind.CORRELATION),
        Column("p", "p", CellKind.P),
        Column("n", "n", CellKind.COUNT),
    ),
    (("rouge_2|f", 0.973, 0.0001, 1600), ("=cmd", -0.04, math.nan, 8), ("empty", math.nan, None, 0)),
)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.974, ".97"), (-0.044, "−.04"), (1.0, "1.00"), (-1.0, "−1.00"), (-0.001, ".00"), (math.nan, "–")],
)
def test_correlations_have_no_leading_zero_and_a_true_minus(value, text):
    assert format_correlation(value) == text


def test_other_numbers_are_formatted_by_kind():
    assert [format_p(p) for p in (0.0339, 0.00049, 1.0, math.nan)] == [".034", "< .001", "1.000", "–"]
    assert [format_score(s) for s in (0.87, -1.25, -0.0001)] == ["0.870", "−1.250", "0.000"]
    assert format_count(1600) == "1,600"


def test_one_item_is_singular():
    assert pluralize(1, "text") == "1 text"
    assert [pluralize(n, "text") for n in (0, 1600)] == ["0 texts", "1,600 texts"]
    assert pluralize(2, "system takes", "systems take") == "2 systems take"


def test_csv_keeps_numbers_in_full_and_makes_formulas_harmless():
    rows = list(csv.reader(io.StringIO(to_csv(TABLE))))
    assert rows[0] == ["measure", "r", "p", "n"]
    assert rows[1] == ["rouge_2|f", "0.973", "0.0001", "1600"]
    assert rows[2] == ["'=cmd", "-0.04", "", "8"]


SIGNS = (*"=+-@", *"\uff1d\uff0b\uff0d\uff20")


@given(st.one_of(st.text(), st.text(st.sampled_from((*SIGNS, "a", " ")))))
def test_no_text_cell_starts_like_a_formula(text):
    assert escape_formula(text)[:1] not in SIGNS
    assert escape_formula(text).removeprefix("'") == text.removeprefix("'")


@given(st.text(st.sampled_from("'\u2060=+\uff1d\uff20ax\t")))
def test_data_come_back_and_no_cell_starts_like_a_formula(text):
    assert unescape_data(escape_data(text)) == text
    assert escape_data(text).lstrip()[:1] not in SIGNS


@pytest.mark.parametrize("text", ["'-tis the season", "'=x", "'@home", "''+1", "'"])
def test_an_apostrophe_of_another_project_stays(text):
    assert unescape_data(text) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_survive_csv_exactly(number):
    assert float(escape_formula(number)) == number


def test_markdown_is_escaped():
    assert to_markdown(TABLE).splitlines() == [
        "| Measure | r | p | n |",
        "| --- | ---: | ---: | ---: |",
        r"| rouge_2\|f | .97 | < .001 | 1,600 |",
        "| =cmd | −.04 | – | 8 |",
        "| empty | – | – | 0 |",
    ]


def test_latex_uses_booktabs_and_is_escaped():
    assert to_latex(TABLE).splitlines() == [
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"Measure & r & p & n \\",
        r"\midrule",
        r"rouge\_2\textbar{}f & .97 & \textless{} .001 & 1,600 \\",
        r"=cmd & $-$.04 & -- & 8 \\",
        r"empty & -- & -- & 0 \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@given(st.sets(st.tuples(st.integers(0, 2), st.integers(0, 3))), st.lists(st.sampled_from("XY"), max_size=4))
def test_bold_cells_and_headings_of_groups_are_the_same_in_markdown_and_latex(bold, groups):
    columns = tuple(
        replace(column, group=group)
        for column, group in zip(TABLE.columns, [*groups, "", "", "", ""], strict=False)
    )
    table = replace(TABLE, columns=columns, bold=frozenset(bold))
    latex = to_latex(table).splitlines()
    markdown = [line[2:-2].replace(r"\|", "/").split(" | ") for line in to_markdown(table).splitlines()]
    assert latex[2].removesuffix(r" \\").split(" & ") == markdown[0]
    for row, cells in enumerate(markdown[2:]):
        shown = latex[4 + row].removesuffix(r" \\").split(" & ")
        assert [cell.startswith(r"\textbf{") for cell in shown] == [cell.startswith("**") for cell in cells]
        assert {place for at, place in bold if at == row} == {
            place for place, cell in enumerate(shown) if cell.startswith(r"\textbf{")
        }


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("[12pt]gone", "{[}12pt]gone"),
        ("* best", "{*} best"),
        ("a--b", "a-{}-b"),
        ("?`say", "?{}`say"),
        (" [A] ", "{[}A]"),
        ("\N{EN DASH}", "--"),
        ("Żurek ŉ", r"Żurek \ifdefined\Umathchar\iffontchar\font 329 ŉ\else U+0149\fi\else U+0149\fi{}"),
        ("\u2023", r"\ifdefined\Umathchar\iffontchar\font 8227 ‣\else U+2023\fi\else U+2023\fi{}"),
    ],
)
def test_names_that_latex_would_read_as_commands_are_shown(name, shown):
    assert latex_text(name) == shown


@given(st.lists(st.text("[]*\\{}&%$#_^~|-`'?!, ab\n\t\u200b\u2009é摘"), min_size=2, max_size=5))
def test_any_name_stays_in_its_row_of_latex(names):
    """Parsed as LaTeX does: signs after a row's end that begin options, ends of cells, braces."""
    table = Table("t", (Column("Name", "n"), Column("r", "r")), tuple((name, "x") for name in names))
    body = to_latex(table).partition("\\midrule")[2].partition("\\bottomrule")[0]
    rows = re.split(r"(?<!\\)(?:\\\\\\\\)*\\\\(?![a-zA-Z])", body)
    assert len(rows) == len(names) + 1
    for row in rows:
        assert not row.lstrip().startswith(("[", "*"))
        plain = re.sub(r"\\.", "", row)
        assert plain.count("{") == plain.count("}")
        assert plain.count("&") == (1 if row.strip() else 0)
        assert not set(plain) & set("%#~^")


def test_a_row_that_does_not_fit_is_refused():
    with pytest.raises(ValueError, match="does not fit"):
        Table("t", TABLE.columns, (("a", 1.0),))


def test_csv_has_plain_names_and_the_stand_in_in_its_own_column():
    note = "All topics. † b ran on x, a stand-in for y."
    columns = (Column("Measure", "measure"), Column("r", "r", CellKind.CORRELATION))
    table = Table("Marked", columns, (("a", 0.5), ("b†", 0.4)), note)
    assert to_csv(table) == 'measure,r,stand_in\na,0.5,\nb,0.4,"b ran on x, a stand-in for y."\n'
    headings = Table(
        "Headings", (Column("System", "system"), Column("b†", "b†", CellKind.SCORE)), (("s", 1),), note
    )
    assert to_csv(headings) == 'system,b,stand_in\ns,1,"b ran on x, a stand-in for y."\n'


def test_csv_does_not_change_names_of_a_study_that_contain_a_dagger():
    table = Table("No footnote", (Column("System", "system"),), (("mine†",),))
    assert to_csv(table) == "system\nmine†\n"
