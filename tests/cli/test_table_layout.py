"""Tables for people at every width: nothing blank, nothing shredded, nothing lost."""

from __future__ import annotations

import re

import pytest
from rich.cells import cell_len

from cli.console import print_table
from cli.table_layout import layout

NAMES = [f"rouge-{n}[stem:yes,stop_words:no].{part}" for n in range(1, 9) for part in ("recall", "f")]
HEADS = {"human": "Judgement", "n": "n", **{name: name for name in NAMES}}
ROWS = [
    {"human": f"rating.coherence {i}", "n": i, **{name: f".{at}{i:02d}" for at, name in enumerate(NAMES)}}
    for i in range(4)
]
RIGHT = ("n", *NAMES)


@pytest.mark.parametrize("width", [40, 80, 120, 160, 1000])
def test_every_cell_is_printed_whole_within_the_width(width, capsys, monkeypatch):
    monkeypatch.setattr("cli.console.PIPE_WIDTH", width)
    print_table(ROWS, HEADS, title="References", right=RIGHT)
    out = capsys.readouterr().out
    assert max(map(cell_len, out.splitlines())) <= width
    found = re.findall(r"(?<![\w.])\.\d{3,4}(?!\d)", out)
    assert sorted(found) == sorted(str(row[name]) for row in ROWS for name in NAMES)
    if width >= 80:
        for name in NAMES:
            assert name in out


def test_many_measures_over_few_rows_are_transposed(capsys, monkeypatch):
    monkeypatch.setattr("cli.console.PIPE_WIDTH", 160)
    print_table(ROWS, HEADS, right=RIGHT)
    lines = capsys.readouterr().out.splitlines()
    assert sum("rouge-1[stem:yes,stop_words:no].f" in line for line in lines) == 1
    assert any(line.split() == [NAMES[0], ".000", ".001", ".002", ".003"] for line in lines)


def test_a_table_that_fits_is_printed_as_it_is():
    (block,) = layout(["Name", "Value"], [["a", "1.0"], ["bc", "12.0"]], [False, True], 80)
    assert (block.headings, block.rows) == (("Name", "Value"), (("a", "1.0"), ("bc", "12.0")))


def test_a_long_text_gives_way_before_columns_are_split():
    (block,) = layout(["Name", "Note"], [["a", "word " * 20]], [False, False], 60)
    assert block.widths[1] < 60


def test_blocks_repeat_the_first_column():
    heads = ["Name", *(f"column {i}" for i in range(20))]
    rows = [[f"row {i}", *("text" for _ in range(20))] for i in range(30)]
    blocks = layout(heads, rows, [False] * 21, 80)
    assert len(blocks) > 1
    assert all(block.headings[0] == "Name" and block.rows[5][0] == "row 5" for block in blocks)
    assert [head for block in blocks for head in block.headings[1:]] == heads[1:]


def test_blocks_repeat_all_columns_that_identify_a_row():
    heads = ["Judgement", "Measure", *(f"column {i}" for i in range(20))]
    rows = [[f"rating {i}", f"rouge-{i}.f", *(".123" for _ in range(20))] for i in range(30)]
    blocks = layout(heads, rows, [False, False] + [True] * 20, 80)
    assert len(blocks) > 1
    for block in blocks:
        assert block.headings[:2] == ("Judgement", "Measure")
        assert block.rows[5][:2] == ("rating 5", "rouge-5.f")
    assert [head for block in blocks for head in block.headings[2:]] == heads[2:]


def test_blocks_within_a_narrow_width_repeat_the_first_column_at_least():
    heads = ["Judgement", "Measure", *(f"column {i}" for i in range(20))]
    rows = [["rating.coherence", "rouge-1[stem:yes,stop_words:no].f", *(".123" for _ in range(20))]] * 30
    blocks = layout(heads, rows, [False, False] + [True] * 20, 40)
    assert all(block.headings[0] == "Judgement" for block in blocks)
    assert all(sum(block.widths) + 3 * len(block.widths) < 41 for block in blocks)


def test_an_empty_table_has_its_headings():
    (block,) = layout(["Name", "Value"], [], [False, True], 80)
    assert block.headings == ("Name", "Value")
