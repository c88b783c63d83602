"""Scores as lines of ROUGE-1.5.5; tests/core/metrics/test_rouge_perl.py holds them against the script."""

from __future__ import annotations

import pytest

from core.domain.study import TopicTexts
from core.errors import InputError
from core.metrics.registry import parse
from core.report.rouge155_output import rouge_lines
from core.scoring.engine import ScoringConfig
from tests.core.scoring.conftest import WatchedStudy, texts
from tests.scoring import score_all


@pytest.fixture
def two_topics():
    """Topics 10 and 9, in alphabetical order; by number they are reversed."""
    return WatchedStudy(
        [
            TopicTexts("a", "10", references=texts(A="a b", B="c d"), summaries=texts(S="a b c x")),
            TopicTexts("b", "9", references=texts(A="a b", B="c d"), summaries=texts(S="c x", T="d")),
        ]
    )


def lines_of(study, *specs, humans=False, **options):
    score_all(study, *(ScoringConfig(parse(spec), humans=humans) for spec in specs))
    return list(rouge_lines(study, **options))


def test_each_system_has_its_averages_and_its_evaluations_by_number(two_topics):
    lines = lines_of(two_topics, "rouge-n:n=1")
    assert lines[0] == "-" * 45
    assert lines[1] == "S ROUGE-1 Average_R: 0.50000 (95%-conf.int. 0.25000 - 0.75000)"
    assert lines[4:8] == [
        "." * 45,
        "S ROUGE-1 Eval 9.S R:0.25000 P:0.25000 F:0.25000",
        "S ROUGE-1 Eval 10.S R:0.75000 P:0.37500 F:0.50000",
        "-" * 45,
    ]
    assert lines[-1] == "T ROUGE-1 Eval 9.T R:0.25000 P:0.50000 F:0.33333"


def test_token_mode_reports_counts(two_topics):
    lines = lines_of(two_topics, "rouge-n:n=1", by_tokens=True)
    assert "S ROUGE-1 Eval 10.S R:4 P:8 F:3" in lines
    assert "T ROUGE-1 Average_P: 0.50000 (95%-conf.int. 0.50000 - 0.50000)" in lines


def test_jackknifing_adds_an_evaluation_per_left_out_reference(two_topics):
    lines = lines_of(two_topics, "rouge-n:n=1", humans=True)
    assert "S ROUGE-1 Eval 10.A.S R:0.50000 P:0.25000 F:0.33333" in lines
    assert "S ROUGE-1 Eval 10.B.S R:1.00000 P:0.50000 F:0.66667" in lines
    assert [line for line in lines if line.startswith("reference A ROUGE-1 Eval")] == [
        "reference A ROUGE-1 Eval 9.A.reference A R:0.00000 P:0.00000 F:0.00000",
        "reference A ROUGE-1 Eval 10.A.reference A R:0.00000 P:0.00000 F:0.00000",
    ]


def test_configurations_of_one_measure_are_distinguished(two_topics):
    tags = {line.split()[1] for line in lines_of(two_topics, "rouge-su", "rouge-su:stem=yes") if " " in line}
    assert tags == {"ROUGE-SU4", "ROUGE-SU4[stem:yes]"}


def test_numbers_equal_the_scripts_for_unrounded_scores(two_topics):
    assert lines_of(two_topics, "rouge-l:rounding=none")[5].endswith("R:0.25000 P:0.25000 F:0.25000")


def test_output_requires_rouge_155_settings(two_topics):
    with pytest.raises(InputError, match="Score rouge-n"):
        lines_of(two_topics, "rouge-n:mode=rouge-score")


def test_basic_elements_are_among_the_script_s_lines_and_word_vectors_are_not():
    topic = TopicTexts("a", "1", references=texts(A="a|b|r\nc|d|r"), summaries=texts(S="a|b|r"))
    lines = lines_of(WatchedStudy([topic]), "be:elements=text", "rouge-we:n=1")
    assert "S ROUGE-BE-HM Eval 1.S R:0.50000 P:1.00000 F:0.66667" in lines
    assert not any("WE" in line for line in lines)
