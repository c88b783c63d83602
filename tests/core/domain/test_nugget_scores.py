"""Nugget scores against values worked by hand, one by one, and those of nuggetizer."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.domain.pyramid import Contributor, Match, Part, Pyramid, Scu, UnitKind
from core.domain.pyramid.nugget_scores import NUGGET_KINDS, count_nuggets
from core.domain.pyramid.subset_scores import leave_one_out

REFERENCES = ("a", "b", "c")
ALL = np.ones((1, 3), dtype=bool)


def nugget(name, references, importance=""):
    part = (Part(f"{name}-part", 0, 1),)
    contributors = tuple(Contributor(f"{name}{at}", r, part) for at, r in enumerate(references))
    return Scu(name, name.upper(), contributors, "", importance)


def hits(*names, partial=()):
    return tuple(
        Match(f"m{at}", "summary", "annotator", name, is_partial=name in partial)
        for at, name in enumerate(names)
    )


NUGGETS = Pyramid(
    "p",
    "topic",
    "annotator",
    (nugget("u", "aabc", "vital"), nugget("v", "ab", "okay"), nugget("w", "bcc", "vital"), nugget("x", "c")),
    kind=UnitKind.NUGGET,
)
"""Tiers 3 2 2 1 by references, 4 2 3 1 by occurrences."""


def scores(text, **settings):
    counts = count_nuggets(NUGGETS, REFERENCES, [text], **settings)
    return dict(zip(NUGGET_KINDS, counts.scores(ALL)[0, 0], strict=True))


def test_scores_equal_those_worked_by_hand():
    """v and w found (weight 4), w repeated, one unit outside: X is 4 units or 2 nuggets."""
    text = scores(hits("v", "w", "w", None, partial=["v"]))
    assert text["units"] == pytest.approx(4 / (3 + 2 + 2 + 1))
    assert text["found"] == pytest.approx(4 / (3 + 2))
    assert text["strict_vital"] == pytest.approx(1 / 2)
    assert text["strict_all"] == pytest.approx(1 / 4)
    assert text["vital"] == pytest.approx(1 / 2)
    assert text["all"] == pytest.approx((1 + 0.5) / 4)


def test_tiers_may_be_numbers_of_occurrences():
    text = scores(hits("v", "w"), by_occurrences=True)
    assert text["units"] == text["found"] == pytest.approx((2 + 3) / (4 + 3))


def test_more_units_than_nuggets_are_compared_with_the_whole_weight():
    text = scores(hits("u", None, None, None, None, None, None))
    assert text["units"] == pytest.approx(3 / (3 + 2 + 2 + 1))
    assert text["found"] == 1


def test_a_summary_without_units_scores_zero():
    assert set(scores(()).values()) == {0.0}


def test_full_support_outweighs_a_partial_repetition():
    both = (Match("m0", "s", "x", "u", is_partial=True), Match("m1", "s", "x", "u"))
    assert scores(both)["strict_vital"] == pytest.approx(1 / 2)


def test_without_nuggets_or_vital_nuggets_a_score_is_undefined():
    empty = count_nuggets(replace(NUGGETS, scus=()), REFERENCES, [hits(None)]).scores(ALL)
    assert np.isnan(empty).all()
    plain = replace(NUGGETS, scus=(nugget("y", "ab"),))
    values = count_nuggets(plain, REFERENCES, [hits("y")]).scores(ALL)[0, 0]
    assert np.isnan(values[[2, 4]]).all()
    assert values[[0, 1, 3, 5]].tolist() == [1, 1, 1, 1]


def test_references_are_scored_as_systems_by_the_others():
    """Of b and c alone, a's nuggets u (2) and v (1) are compared with u and w (2 each)."""
    counts = count_nuggets(NUGGETS, REFERENCES, [], humans=REFERENCES)
    folds = counts.scores(leave_one_out(3))
    assert folds[0, 0, NUGGET_KINDS.index("found")] == pytest.approx((2 + 1) / (2 + 2))


def nuggetizer_scores(nuggets):
    """As castorini/nuggetizer's calculate_nugget_scores at 1.0: strict vital, strict all, vital, all."""
    value = {"support": (1, 1), "partial_support": (0, 0.5), "not_support": (0, 0)}
    result = []
    for strict in (0, 1):
        for group in ([n for n in nuggets if n[0] == "vital"], nuggets):
            result.append(sum(value[n[1]][strict] for n in group) / len(group))
    return result


ASSIGNED = st.tuples(
    st.sampled_from(["vital", "okay"]), st.sampled_from(["support", "partial_support", "not_support"])
)


@given(st.lists(ASSIGNED, min_size=1, max_size=8).filter(lambda each: any(n[0] == "vital" for n in each)))
def test_vital_and_all_scores_are_those_of_nuggetizer(assigned):
    pyramid = replace(
        NUGGETS, scus=tuple(nugget(f"n{at}", "a", importance) for at, (importance, _) in enumerate(assigned))
    )
    text = tuple(
        Match(f"m{at}", "s", "x", f"n{at}", is_partial=support == "partial_support")
        for at, (_, support) in enumerate(assigned)
        if support != "not_support"
    )
    values = count_nuggets(pyramid, REFERENCES, [text]).scores(ALL)[0, 0]
    assert values[2:] == pytest.approx(nuggetizer_scores(assigned))


@given(
    st.lists(st.text("abc", min_size=1, max_size=5), min_size=1, max_size=6),
    st.lists(st.one_of(st.none(), st.integers(0, 5)), max_size=9),
    st.sets(st.sampled_from(REFERENCES), min_size=1),
    st.booleans(),
)
def test_any_subset_is_scored_as_the_paper_writes_it(expressed, units, chosen, by_occurrences):
    """Cohan & Goharian 2016: P by tiers T_i, j and X, in the paper's notation."""
    pyramid = replace(NUGGETS, scus=tuple(nugget(f"n{at}", held) for at, held in enumerate(expressed)))
    text = tuple(
        Match(f"m{at}", "s", "x", None if n is None else f"n{n % len(expressed)}")
        for at, n in enumerate(units)
    )
    mask = np.array([[reference in chosen for reference in REFERENCES]])
    counts = count_nuggets(pyramid, REFERENCES, [text], by_occurrences=by_occurrences)
    values = counts.scores(mask)[0, 0]
    counted = [[r for r in held if r in chosen] for held in expressed]
    tier = [len(held) if by_occurrences else len(set(held)) for held in counted]
    own = [int(m.scu_id[1:]) for m in text if m.scu_id is not None and tier[int(m.scu_id[1:])]]
    if not any(tier):
        assert np.isnan(values[:2]).all()
        return
    outside = sum(m.scu_id is None for m in text)
    for value, x in ((values[0], len(own) + outside), (values[1], len(set(own)))):
        assert value == pytest.approx(paper_score([tier[n] for n in set(own)], tier, x))


def paper_score(weights, tiers, x):
    size = Counter(tier for tier in tiers if tier)
    if not x:
        return 0.0
    x = min(x, sum(size.values()))
    j = max(i for i in size if sum(size[t] for t in size if t >= i) >= x)
    above = sum(size[t] for t in size if t > j)
    p_max = sum(t * size[t] for t in size if t > j) + j * (x - above)
    return sum(weights) / p_max
