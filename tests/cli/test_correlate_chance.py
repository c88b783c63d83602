"""`pyramidion correlate`: intervals, differences, and who takes part."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from cli.errors import BAD_INPUT, DONE, USAGE

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
    assert "95% intervals: Fisher's transformation" in err


def test_intervals_with_few_resamples_in_a_tail_are_marked_in_every_form(run, scored, rows):
    found = rows("--interval", "bootstrap-systems", "--draws", "200")
    unsteady = [row for row in found if row["tail_draws"] is not None and row["tail_draws"] < 30]
    assert unsteady
    out, err = run("correlate", scored, *RATING, "--interval", "bootstrap-systems", "--draws", "200")[1:]
    assert out.count(" *") == len(unsteady)
    assert "with fewer than 30 of the 200 resamples beyond it" in " ".join(err.split())
    assert {row["tail_draws"] for row in rows("--interval", "fisher")} == {None}


@pytest.mark.parametrize("test", ["williams", "permutation-systems"])
def test_the_best_is_named_and_the_others_have_a_p(rows, test):
    found = rows("--compare", "best", "--test", test, "--draws", "50", "--adjust", "bh", "--family", "all")
    best = max(found, key=lambda row: row["value"])["measure"]
    assert {row["compared_with"] for row in found} == {best}
    for row in found:
        assert (row["p_adjusted"] is None) == (row["measure"] == best)
        if row["measure"] != best:
            assert row["p_difference"] <= row["p_adjusted"] <= 1


def test_an_unknown_measure_to_compare_with_gives_a_sentence(run, scored):
    code, _, err = run("correlate", scored, *RATING, "--compare", "rouge-9.f")
    assert code == BAD_INPUT
    assert "No compared measure is named 'rouge-9.f'" in err


def test_a_table_states_what_was_tested_and_how_small_the_sample_is(run, scored):
    out, err = run("correlate", scored, *RATING, "--compare", "best")[1:]
    assert "p (difference)" in out
    assert "p (difference): paired permutation of systems and topics, up to 10,000 draws, seed 0" in err
    assert re.search(r"Holm over \d+ comparisons? with the best of rating.coherence", err)
    assert "chosen on the same data" in err
    assert "systems: intervals are wide" in err


def test_a_table_marks_the_best_and_what_was_not_tested(rows, run, scored):
    out, err = run("correlate", scored, *RATING, "--compare", "best")[1:]
    found = {row["measure"]: row for row in rows("--compare", "best")}
    lines = {line.split()[1]: line for line in out.splitlines() if line.startswith("  rating.coherence")}
    for measure, row in found.items():
        assert ("(baseline)" in lines[measure]) == (measure == row["compared_with"])
        assert ("not tested" in lines[measure]) == (not row["in_family"])
    assert {row["in_family"] for row in found.values()} == {True, False}
    assert "--family all tests every measure" in err
    out, err = run("correlate", scored, *RATING, "--compare", "best", "--family", "all")[1:]
    assert "not tested" not in out
    assert "--family all" not in err


def test_the_best_of_measures_where_less_is_better_is_first(run, scored, tmp_path):
    study = shutil.copy(scored, tmp_path / "sample.pyramidion")
    assert run("score", study, "-m", "js")[0] == DONE
    out, err = run("correlate", study, "--human", "pyramid.modified", "--compare", "best")[1:]
    first = next(line for line in out.splitlines() if line.startswith("  pyramid.modified"))
    assert first.split()[1] == "js-1.divergence"
    assert "(baseline)" in first
    assert "Lower is better: js-1.divergence" in err


def test_help_names_judgements_by_some_references(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    assert "pyramid.modified[references:A+B]" in run("correlate", "--help")[1]


def test_weak_and_unchosen_systems_are_left_out(rows, run, scored):
    whole = rows()
    less = rows("--leave-out-weakest", "1")
    assert {row["n"] for row in less} == {row["n"] - 1 for row in whole}
    err = run("correlate", scored, *RATING, "--leave-out-weakest", "1")[2]
    gone = next(line for line in err.splitlines() if line.startswith("Excluded weak systems: "))
    code, _, err = run("correlate", scored, "--system", "nobody")
    assert code == BAD_INPUT
    assert gone.removeprefix("Excluded weak systems: ").rstrip(".") in err


def test_what_is_needed_is_asked_of_a_comparison(rows, run, scored):
    found = rows("--compare", "best", "--needed", "topics", "--draws", "60")
    best = found[0]["compared_with"]
    assert {type(row["needed"]) for row in found} <= {int, type(None)}
    assert next(row["needed"] for row in found if row["measure"] == best) is None
    code, _, err = run("correlate", scored, *RATING, "--needed", "topics")
    assert code == BAD_INPUT
    assert "--needed requires --compare" in err


def test_people_bound_what_a_measure_reaches(run, scored):
    out, err = run("correlate", scored, *RATING, "--upper-bound", "--draws", "20", "--json")[1:]
    (bound,) = json.loads(out)["upper_bounds"]
    assert bound["human"] == "rating.coherence"
    assert bound["annotators"] == 2
    assert bound["reliability"] <= bound["ceiling"] <= 1
    assert "rating.coherence, 2 annotators: one" in err
    alone = "--upper-bound", "--draws", "20", "--annotator", "Annotator A"
    assert "rating.coherence: only one" in run("correlate", scored, *RATING, *alone)[2]
    code, _, err = run("correlate", scored, "--human", "pyramid.modified", "--upper-bound")
    assert code == BAD_INPUT
    assert "--upper-bound requires a rating" in err


def test_annotators_are_drawn_for_ratings_alone(rows, run, scored):
    found = rows("--interval", "bootstrap-annotators", "--draws", "30")
    assert all(row["low"] <= row["high"] for row in found if row["low"] is not None)
    code, _, err = run(
        "correlate", scored, "--human", "pyramid.modified", "--interval", "bootstrap-annotators"
    )
    assert code == BAD_INPUT
    assert "for ratings only" in err


def test_measures_that_do_not_differ_are_one_cluster(rows, run, scored):
    asked = ("--clusters", "--adjust", "none", "--family", "all", "--test", "williams")
    found = sorted(rows(*asked), key=lambda row: -row["value"])
    ranks = [row["cluster"] for row in found]
    assert ranks[0] == 1
    assert ranks == sorted(ranks)
    assert all(row["letters"] for row in found)
    assert found[0]["letters"].startswith("a")
    out, err = run("correlate", scored, *RATING, "--clusters")[1:]
    assert "Cluster" in out
    assert "Measures that share a letter do not differ significantly: paired permutation" in err


def test_williams_test_is_done_as_older_programs_do_where_asked(rows, run, scored):
    asked = ("--compare", "best", "--test", "williams")
    usual, older = rows(*asked), rows(*asked, "--freedom", "n-2")
    pairs = [(a["p_difference"], b["p_difference"]) for a, b in zip(usual, older, strict=True)]
    assert all(new >= old for new, old in pairs if new is not None)
    assert usual != older
    err = run("correlate", scored, *RATING, *asked, "--freedom", "n-2", "--magnitudes")[2]
    assert "Williams' test on absolute correlations with n − 2 degrees of freedom" in err


@pytest.mark.parametrize("other", [("--level", "topic"), ("--coefficient", "kendall"), ("--level", "global")])
def test_williams_test_elsewhere_is_a_matter_of_usage(run, scored, other):
    code, out, err = run("correlate", scored, *RATING, "--compare", "best", "--test", "williams", *other)
    assert (code, out) == (USAGE, "")
    assert "Choose a permutation test" in " ".join(err.replace("│", " ").split())


@pytest.mark.parametrize("interval", ["bootstrap-both", "bootstrap-systems", "bootstrap-topics", "fisher"])
def test_p_and_interval_of_a_row_agree(rows, interval):
    for confidence in ("0.95", "0.8"):
        for row in rows("--interval", interval, "--draws", "400", "--confidence", confidence):
            excludes_zero = row["low"] > 0 or row["high"] < 0
            assert excludes_zero == (row["p"] < 1 - float(confidence))
            assert row["p_method"] == ("Fisher's z" if interval == "fisher" else f"bca {interval}")


def test_p_without_an_interval_is_labelled_with_its_test(rows, run, scored):
    assert {row["p_method"] for row in rows()} == {"t-test"}
    assert {row["p_method"] for row in rows("--coefficient", "kendall")} == {"Kendall's test"}
    assert "p (t-test)" in run("correlate", scored, *RATING)[1]


def test_accuracy_shows_its_tie_threshold_and_its_name(rows, run, scored):
    found = rows("--coefficient", "accuracy")
    assert all(row["tie_threshold"] >= 0 and row["p"] is None for row in found)
    assert {row["tie_threshold"] for row in rows()} == {None}
    out = run("correlate", scored, *RATING, "--coefficient", "accuracy")[1]
    assert "Pairwise accuracy at system level" in out
    assert "Correlation" not in out


def test_what_is_needed_has_an_interval(rows):
    for row in rows("--compare", "best", "--needed", "systems", "--draws", "200"):
        if row["needed"] is not None and row["needed_low"] is not None:
            assert row["needed_low"] <= row["needed"]
        if row["needed"] is not None and row["needed_high"] is not None:
            assert row["needed"] <= row["needed_high"]


def test_a_family_is_one_measure_per_metric_unless_measures_are_named(rows):
    tested = [row for row in rows("--compare", "best", "--draws", "50") if row["p_adjusted"] is not None]
    every = [r for r in rows("--compare", "best", "--draws", "50", "--family", "all") if r["p_adjusted"]]
    assert 0 < len(tested) < len(every)
    assert {row["adjusted_over"] for row in tested} == {len(tested)}
    two = ("--measure", "rouge-1.recall", "--measure", "rouge-1.precision")
    named = [row for row in rows(*two, "--compare", "best", "--draws", "50") if row["p_adjusted"] is not None]
    assert len(named) == 1


def test_correlations_in_each_topic_average_to_the_topic_level(run, scored):
    measure = ("--measure", "rouge-1.f")
    code, out, _ = run("correlate", scored, *RATING, *measure, "--per-topic", "--json")
    assert code == DONE
    rows = json.loads(out)["rows"]
    values = [row["value"] for row in rows if row["value"] is not None]
    assert values == sorted(values)
    assert all(bool(row["reason"]) == (row["value"] is None) for row in rows)
    level = json.loads(run("correlate", scored, *RATING, *measure, "--level", "topic", "--json")[1])["rows"][
        0
    ]
    assert level["value"] == pytest.approx(sum(values) / len(values))
    assert level["n"] == len(values)
    out, err = run("correlate", scored, *RATING, *measure, "--per-topic", "--csv")[1:]
    assert out.splitlines()[0] == "human,measure,topic,coefficient,value,n,reason,stand_in"
    assert len(out.splitlines()) == len(rows) + 1
    assert "rating.coherence:" in err


def test_soft_accuracy_has_intervals_and_tests(run, scored):
    soft = ("--coefficient", "soft-accuracy")
    chance = ("--interval", "bootstrap-both", "--compare", "best", "--draws", "60", "--json")
    code, out, _ = run("correlate", scored, *RATING, *soft, *chance)
    assert code == DONE
    rows = json.loads(out)["rows"]
    assert all(0 <= row["low"] <= row["high"] <= 1 for row in rows if row["low"] is not None)
    assert any(row["low"] is not None for row in rows)
    assert any(row["p_difference"] is not None for row in rows)
    assert all(row["p"] is None for row in rows)
    code, _, err = run("correlate", scored, *RATING, *soft, "--level", "topic")
    assert code == BAD_INPUT
    assert "at system level only" in " ".join(err.split())


def test_correlations_in_each_topic_refuse_intervals(run, scored):
    code, _, err = run("correlate", scored, "--per-topic", "--interval", "fisher")
    assert code == USAGE
    assert "--per-topic shows values only" in " ".join(err.split())
