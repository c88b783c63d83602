"""Rows, marks and blocks of summaries, compared with the score and with each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.annotation.match_order import repeats_of
from core.annotation.word_coverage import words
from core.domain import pyramid as p
from core.domain.pyramid.scores import score_summary
from core.domain.study import Text, TopicTexts
from gui.pages.match.presenter import SummaryBlocks
from gui.pages.match.progress import others_of
from gui.pages.match.rows import MatchRows, MatchScores

ME = "me"
CONTENT = "Ferry ran aground off Brennick in thick fog."
TOPIC = TopicTexts(
    "t",
    "T",
    references=(Text("A", "A", "A ferry ran aground."), Text("B", "B", "Fog was thick.")),
    summaries=tuple(Text(f"s{n}", f"system-{n}", CONTENT) for n in range(4)),
)
SPAN = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], sum(pair)))
UNITS = st.lists(
    st.tuples(st.sampled_from(["x", "y", None]), st.lists(SPAN, max_size=2)).filter(lambda u: u[0] or u[1]),
    max_size=8,
)


def annotation(units=(), summary="s0", annotator=ME):
    """Return an annotation with SCUs x (weight 2) and y (weight 1) and these units of a summary."""
    a = p.add_scu(p.empty("t", ME), "Ferry aground", "A", [(2, 18)], "x")
    a = p.add_contributor(a, "x", "B", [(0, 3)])
    a = p.add_scu(a, "Fog", "B", [(0, 14)], "y")
    for scu_id, spans in units:
        a = p.add_match(a, summary, annotator, scu_id, spans, repeats=True, text=CONTENT)
    return a


@given(UNITS)
def test_repetitions_are_those_that_the_score_counts(units):
    a = annotation(units)
    score = score_summary(a.pyramid, a.matches, ["A", "B"])
    assert len(repeats_of(a.matches)) == score.repeats
    lines = MatchRows(TOPIC).units(a, a.matches, CONTENT)
    assert sum(line.is_repeat for line in lines) == score.repeats
    assert sum(not line.scu_id for line in lines) == score.outside
    assert len(lines) == len(units)


@given(UNITS)
def test_the_first_unit_in_text_order_is_the_match_and_others_repetitions(units):
    a = annotation(units)
    backwards = MatchRows(TOPIC).units(a, tuple(reversed(a.matches)), CONTENT)
    for scu_id in ("x", "y"):
        of_it = [line for line in backwards if line.scu_id == scu_id]
        assert [line.is_repeat for line in of_it] == [False, *[True] * (len(of_it) - 1)][: len(of_it)]


def joined(spans):
    """Join the spans of one unit that overlap or have only white space between them."""
    found = []
    for start, end in sorted(spans):
        if found and not CONTENT[found[-1][1] : start].strip():
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


@given(UNITS)
def test_marks_have_every_span_and_determine_the_uncovered_share(units):
    a, lines = annotation(units), MatchRows(TOPIC)
    marks = lines.marks(a, a.matches)
    spans = sorted(span for mark in marks for span in mark.spans)
    assert spans == sorted(span for _, each in units for span in joined(each))
    fact = lines.units_fact(a.matches, CONTENT)
    known = words(CONTENT)
    bare = [(b, e) for b, e in known if not any(b < end and start < e for start, end in spans)]
    assert fact.uncovered == pytest.approx(len(bare) / len(known))
    assert fact.units == len(units)


def test_rows_of_one_summary_do_not_keep_matches_of_another():
    lines = MatchRows(TOPIC)
    matched = annotation([("x", [(0, 5)]), ("x", [(10, 17)])])
    assert [(line.is_matched, line.note) for line in lines.scu_rows(matched, matched.matches, CONTENT)] == [
        (True, "2× · 2 parts"),
        (False, ""),
    ]
    assert [(line.is_matched, line.note) for line in lines.scu_rows(matched, (), CONTENT)] == [
        (False, "")
    ] * 2
    renamed = p.set_label(matched, "y", "Thick fog")
    assert [line.label for line in lines.scu_rows(renamed, (), CONTENT)] == ["Ferry aground", "Thick fog"]


@pytest.fixture
def blocks():
    lines = MatchRows(TOPIC)
    return SummaryBlocks(lines, MatchScores(TOPIC), ["s2", "s0", "s3", "s1"], ME)


def always(summary_id: str, is_done: bool) -> bool:
    """The scores of all summaries are open."""
    return True


def when_done(summary_id: str, is_done: bool) -> bool:
    return is_done


def test_blocks_have_scores_only_where_those_are_open(blocks):
    a = annotation([("x", [(0, 5)])])
    assert {block.result for block in blocks.blocks(a, when_done, shows_names=False)} == {""}
    a = p.set_summary_state(a, "s0", ME, is_done=True)
    assert [b.result for b in blocks.blocks(a, when_done, shows_names=False)] == ["", "0.667", "", ""]


def test_an_edit_recomputes_only_its_own_block(blocks):
    before = blocks.blocks(annotation(), always, shows_names=False)
    a = annotation([("x", [(0, 5)])], "s3")
    empty = blocks.blocks(a, always, shows_names=False)  # another pyramid: all blocks are recomputed
    after = blocks.blocks(p.add_match(a, "s3", ME, "y"), always, shows_names=False)
    assert [one is two for one, two in zip(empty, after, strict=True)] == [True, True, False, True]
    assert [block.id for block in after] == ["s2", "s0", "s3", "s1"]
    assert (before[2].result, empty[2].result, after[2].result) == ("0.000", "0.667", "1.000")
    assert after[2].expressed == {"x", "y"}


def test_blocks_have_system_names_only_when_requested(blocks):
    a = annotation()
    assert [block.summary.system for block in blocks.blocks(a, always, shows_names=True)][:2] == [
        "system-2",
        "system-0",
    ]
    assert {block.summary.system for block in blocks.blocks(a, always, shows_names=False)} == {""}


def test_the_note_of_an_scu_counts_each_summary_once(blocks):
    a = annotation([("x", [(0, 5)]), ("x", [(6, 9)])])
    a = p.add_match(a, "s1", ME, "x")
    a = p.add_match(a, "s2", "somebody", "x")
    assert blocks.notes(a) == {"x": "2 of 4"}


def test_others_are_named_with_their_number_of_done_summaries():
    a = annotation([("x", [(0, 5)])], annotator="b")
    a = p.set_summary_state(a, "s1", "c", is_done=True)
    names = {ME: "Me", "b": "Ben", "c": "Cleo"}
    assert others_of([a], ME, names) == "Also matched by Ben (started), Cleo (1 done)"
    assert others_of([annotation([("x", [(0, 5)])])], ME, names) == ""
