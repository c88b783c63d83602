"""Problems of an import as few lines."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from core.errors import MAX_LINES, Problem, grouped, grouped_differences

PLACES = st.integers(1, 3000).map("line {}".format) | st.sampled_from(["", "topic D1", "topic D2, system m"])
WHATS = st.sampled_from(["Bad.", "It is empty."]) | st.integers().map("“{}” is no number.".format)
PROBLEMS = st.builds(
    Problem,
    st.sampled_from(["f.csv", "g.csv"]) | st.integers(0, 99).map("f{}.csv".format),
    PLACES,
    st.sampled_from(["x", "y", ""]),
    WHATS | st.text(max_size=20),
    st.sampled_from(["Fix it.", "Leave it out."]) | st.text(max_size=3),
    st.sampled_from(["", "--encoding utf-16"]),
)


def counted(problem):
    """Return the number of problems that a line stands for."""
    match = re.match(r"([\d,]+) (places|times|more problems)", problem.place or problem.what)
    return int(match[1].replace(",", "")) if match else 1


@given(st.lists(PROBLEMS, max_size=80))
def test_any_problems_are_few_lines_that_count_all(problems):
    found = grouped(problems)
    assert len(found) <= MAX_LINES
    assert bool(found) == bool(problems)
    distinct = len(set(problems))
    assert sum(map(counted, found)) <= len(problems)
    assert sum(map(counted, found)) >= min(distinct, len(found))
    exact = {replace(one, place="", other_place="") for one in problems}
    if len(exact) <= MAX_LINES:
        assert {replace(one, place="") for one in found} == exact
    assert all(len(one.place) < 400 for one in found)


def test_one_cause_with_different_values_is_one_line():
    problems = [
        Problem(
            "f.csv", f"line {n}", "", f"Two values of the rating for D{n}, m: {n} in line 1.", "Keep one."
        )
        for n in range(2, 2248)
    ]
    (line,) = grouped(problems)
    assert line.place == "2,246 places (lines 2–2247)"
    assert line.what == "For example, this: Two values of the rating for D2, m: 2 in line 1."


def test_files_with_one_cause_are_one_line():
    (line,) = grouped([Problem(f"t{n}.pan", "", "", "It is empty.", "Remove it.") for n in range(200)])
    assert line.sentence == "200 files (t0.pan; t1.pan; t2.pan; …): It is empty. Remove it."


def test_differences_are_few_lines():
    different = [f"The {n}. title of topic D{n} differs from the study's, which stays." for n in range(99)]
    assert len(grouped_differences(different)) == MAX_LINES
    assert grouped_differences(different)[-1] == "70 more differences."
