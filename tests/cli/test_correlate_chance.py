"""`pyramidion correlate`: intervals, differences, and who takes part."""

from __future__ import annotations

import json

import pytest

from cli.main import BAD_INPUT, DONE

RATING = ("--human", "rating.coherence")


@pytest.fixture
def rows(run, scored):
    def asked(*options: str) -> list[dict]:
        code, out, _ = run("correlate", scored, *RATING, *options, "--json")
        assert code == DONE
        return json.loads(out)["rows"]

    return asked


def test_intervals_hold_the_value_and_repeat_with_their_seed(rows, run, scored):
    found = rows("--interval", "bootstrap-both", "--draws", "200", "--seed", "7")
    for row in found:
        assert row["value"] is None or row["low"] <= row["value"] <= row["high"]
    assert any(row["low"] is not None for row in found)
    assert found == rows("--interval", "bootstrap-both", "--draws", "200", "--seed", "7")
    assert found != rows("--interval", "bootstrap-both", "--draws", "200", "--seed", "8")
    out, err = run("correlate", scored, *RATING, "--interval", "fisher")[1:]
    assert "Interval" in out
    assert "Intervals of 95%: Fisher's transformation" in err


@pytest.mark.parametrize("test", ["williams", "permutation-systems"])
def test_the_best_is_named_and_the_others_have_a_p(rows, test):
    found = rows("--compare", "best", "--test", test, "--draws", "50", "--adjust", "bh")
    best = max(found, key=lambda row: row["value"])["measure"]
    assert {row["compared_with"] for row in found} == {best}
    for row in found:
        assert (row["p_adjusted"] is None) == (row["measure"] == best)
        if row["measure"] != best:
            assert row["p_difference"] <= row["p_adjusted"] <= 1


def test_an_unknown_measure_to_compare_with_gives_a_sentence(run, scored):
    code, _, err = run("correlate", scored, *RATING, "--compare", "rouge-9.f")
    assert code == BAD_INPUT
    assert "'rouge-9.f' is not among the measures" in err


def test_a_table_says_what_was_tested_and_how_small_the_sample_is(run, scored):
    out, err = run("correlate", scored, *RATING, "--compare", "best")[1:]
    assert "p of difference" in out
    assert "Williams' test with n − 3 degrees of freedom, two sides, p adjusted by Holm's rule" in err
    assert "systems take part" in err


def test_weak_and_unchosen_systems_are_left_out(rows, run, scored):
    whole = rows()
    less = rows("--leave-out-weakest", "1")
    assert {row["n"] for row in less} == {row["n"] - 1 for row in whole}
    err = run("correlate", scored, *RATING, "--leave-out-weakest", "1")[2]
    gone = next(line for line in err.splitlines() if line.startswith("Left out as weak: "))
    code, _, told = run("correlate", scored, "--system", "nobody")
    assert code == BAD_INPUT
    assert gone.removeprefix("Left out as weak: ").rstrip(".") in told


def test_what_is_needed_is_asked_of_a_comparison(rows, run, scored):
    found = rows("--compare", "best", "--needed", "topics", "--draws", "60")
    best = found[0]["compared_with"]
    assert {type(row["needed"]) for row in found} <= {int, type(None)}
    assert next(row["needed"] for row in found if row["measure"] == best) is None
    code, _, err = run("correlate", scored, *RATING, "--needed", "topics")
    assert code == BAD_INPUT
    assert "say with --compare" in err


def test_people_bound_what_a_measure_reaches(run, scored):
    out, err = run("correlate", scored, *RATING, "--upper-bound", "--draws", "20", "--json")[1:]
    (bound,) = json.loads(out)["upper_bounds"]
    assert bound["human"] == "rating.coherence"
    if bound["annotators"] > 1:
        assert bound["reliability"] <= bound["ceiling"] <= 1
    assert "rating.coherence: one" in err
    code, _, err = run("correlate", scored, "--human", "pyramid.modified", "--upper-bound")
    assert code == BAD_INPUT
    assert "is about ratings" in err


def test_annotators_are_drawn_for_ratings_alone(rows, run, scored):
    found = rows("--interval", "bootstrap-annotators", "--draws", "30")
    assert all(row["low"] <= row["high"] for row in found if row["low"] is not None)
    code, _, err = run(
        "correlate", scored, "--human", "pyramid.modified", "--interval", "bootstrap-annotators"
    )
    assert code == BAD_INPUT
    assert "for ratings alone" in err


def test_measures_that_do_not_differ_are_one_cluster(rows, run, scored):
    found = sorted(rows("--clusters", "--adjust", "none"), key=lambda row: -row["value"])
    ranks = [row["cluster"] for row in found]
    assert ranks[0] == 1
    assert ranks == sorted(ranks)
    assert all(row["letters"] for row in found)
    assert found[0]["letters"].startswith("a")
    out, err = run("correlate", scored, *RATING, "--clusters")[1:]
    assert "Cluster" in out
    assert "Measures that share a letter do not differ: Williams' test" in err


def test_williams_test_is_done_as_older_programs_do_where_asked(rows, run, scored):
    usual, older = rows("--compare", "best"), rows("--compare", "best", "--freedom", "n-2")
    pairs = [(a["p_difference"], b["p_difference"]) for a, b in zip(usual, older, strict=True)]
    assert all(new >= old for new, old in pairs if new is not None)
    assert usual != older
    err = run("correlate", scored, *RATING, "--compare", "best", "--freedom", "n-2", "--magnitudes")[2]
    assert "Williams' test of the correlations without their signs with n − 2 degrees of freedom" in err
