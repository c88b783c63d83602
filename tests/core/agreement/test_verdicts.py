"""Verdicts on agreement: thresholds, the main coefficient of each kind, the table."""

from __future__ import annotations

import math

import pytest

from core.agreement.table import AgreementRow, AgreementTable, Grouping
from core.agreement.titles import annotations_name, annotations_title, annotations_work
from core.agreement.verdicts import (
    Verdict,
    main_rows,
    ranking_effect,
    verdict_lines,
    verdict_of,
    verdict_table,
)
from core.domain.assignment import Work


def row(what: str, coefficient: str, value: float, grouping: Grouping = Grouping.ALL) -> AgreementRow:
    reason = "" if math.isfinite(value) else "nobody varied"
    return AgreementRow(what, grouping, "", coefficient, value, math.nan, math.nan, 9, ("A", "B"), reason)


@pytest.mark.parametrize(
    ("alpha", "verdict"),
    [
        (1.0, Verdict.RELIABLE),
        (0.8, Verdict.RELIABLE),
        (0.7999, Verdict.TENTATIVE),
        (0.667, Verdict.TENTATIVE),
        (0.6669, Verdict.LOW),
        (-0.3, Verdict.LOW),
        (math.nan, Verdict.UNDEFINED),
    ],
)
def test_thresholds(alpha: float, verdict: Verdict) -> None:
    assert verdict_of(alpha) is verdict


def test_each_kind_has_the_first_alpha_over_all_items() -> None:
    table = AgreementTable(
        (
            row("rating.tone", "alpha-ordinal", 0.1, Grouping.TOPIC),
            row("rating.tone", "raw", 0.9),
            row("rating.tone", "alpha-ordinal", 0.7),
            row("rating.tone", "alpha-interval", 0.9),
            row("rating.tone spans", "f1-words", 0.9),
            row("matches", "alpha-nominal", math.nan),
        )
    )
    assert [one.what for one in main_rows(table)] == ["rating.tone", "matches"]
    shown = verdict_table(verdict_lines(table, {"rating.tone": 4}))
    assert shown is not None
    first, second = shown.texts()
    assert first == ["Ratings of tone", ".700", "tentative", "4", "9", "2", "Krippendorff's α, ordinal"]
    assert second[0] == "Matches"
    assert second[2] == "nobody varied", "the reason instead of a verdict"
    assert second[3] == "–"
    assert "Krippendorff 2004" in shown.note


def test_the_effect_on_the_ranking_is_a_sentence() -> None:
    same = row("matches", "ranking-kendall", 1.0)
    other = AgreementRow("matches", Grouping.ALL, "", "ranking-kendall", 0.86, 0.71, 0.96, 8, ("A", "B"))
    assert ranking_effect(same).endswith("in the same order with either annotator, Kendall's τ-b 1.00.")
    assert ranking_effect(other).endswith("one annotator and another, Kendall's τ-b .86 [.71, .96].")
    assert "nobody varied" in ranking_effect(row("matches", "ranking-kendall", math.nan))


def test_marks_of_a_scale_are_decided_together_for_each_of_its_lines() -> None:
    rows = row("rating.errors", "alpha-ordinal", 0.7), row("rating.errors sentences", "alpha-nominal", 0.6)
    lines = verdict_lines(AgreementTable(rows), {"rating.errors": 4})
    assert [(line.decided_with, line.differences) for line in lines] == [("rating.errors", 4)] * 2


def test_without_alpha_there_is_no_verdict() -> None:
    assert verdict_lines(AgreementTable((row("matches", "raw", 0.9),))) == []


def test_kinds_of_annotation_have_titles_without_internal_prefixes() -> None:
    kinds = ("rating.tone", "preference.Better summary", "matches", "nugget hits")
    expected = ["Ratings of tone", "Pairs: Better summary", "Matches", "Nugget hits"]
    assert [annotations_title(what) for what in kinds] == expected
    works = [annotations_work(what) for what in kinds]
    assert works == [Work.RATINGS, Work.COMPARISONS, Work.MATCHES, Work.HITS]
    assert [annotations_name(work) for work in works] == ["rating.", "preference.", "matches", "nugget hits"]
