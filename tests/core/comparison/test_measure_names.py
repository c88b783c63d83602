"""Names of measures: the short one is the default configuration's, whatever else is scored."""

from __future__ import annotations

import pytest

from core.comparison.measures import find_measure, measures
from core.domain.import_batch import ImportContent, NewScore, NewText, NewTopic
from core.errors import InputError
from core.scoring.config import ScoringConfig
from core.scoring.engine import parse_config
from core.scoring.study_resources import StudyResources
from storage.study_file import new_study
from tests.scoring import score_all


@pytest.fixture
def study(tmp_path):
    with new_study(tmp_path / "names.pyramidion", name="Names") as opened:
        references = {author: NewText(f"The {author} cat sat on a mat.") for author in "AB"}
        summaries = {system: NewText(f"A {system} cat sat.") for system in "xyz"}
        opened.import_data(
            ImportContent("texts", topics=[NewTopic("T", references=references, summaries=summaries)])
        )
        yield opened


def labels(study) -> list[str]:
    return [ref.label for ref in measures(study)]


def test_the_default_configuration_keeps_its_short_name(study):
    score_all(study, "bleu")
    assert labels(study) == ["bleu.score"]
    bleu = parse_config("bleu", StudyResources(study, "cpu"))
    score_all(
        study, "bleu:tok=none", ScoringConfig(bleu.metric, humans=True), ScoringConfig(bleu.metric, ("A",))
    )
    assert labels(study) == [
        "bleu.score",
        "bleu[tok:none].score",
        "bleu[humans:jackknife].score",
        "bleu[references:A].score",
    ]
    ref = find_measure(measures(study), "bleu.score")
    assert "tok:13a" in ref.signature
    assert not ref.config.scores_humans


def test_other_settings_are_always_part_of_the_name(study):
    score_all(study, "rouge-n:n=1,stem=yes", "rouge-n:n=3")
    assert labels(study)[0] == "rouge-1[stem:yes].recall"
    assert labels(study)[3] == "rouge-3.recall"  # the name holds n


def test_names_with_explicit_default_settings_are_accepted(study):
    score_all(study, "bleu", "rouge-n:n=1,stem=yes")
    refs = measures(study)
    assert find_measure(refs, "bleu[humans:no].score").label == "bleu.score"
    assert find_measure(refs, "bleu[tok:13a,humans:no].score").label == "bleu.score"
    assert find_measure(refs, "rouge-1[stem:yes,humans:no].f").label == "rouge-1[stem:yes].f"


def test_a_metric_stands_for_its_main_measure(study):
    score_all(study, "rouge-n:n=1", "rouge-n:n=2,stem=yes", "bleu", "bleu:tok=none")
    refs = measures(study)
    signature = refs[0].signature
    for name, label in {
        "rouge-1": "rouge-1.f",
        "rouge-n:n=1": "rouge-1.f",
        "rouge-n:stem=no,n=1": "rouge-1.f",
        signature: "rouge-1.f",
        "rouge-2[stem:yes]": "rouge-2[stem:yes].f",
        "bleu": "bleu.score",
        "bleu:tok=none": "bleu[tok:none].score",
    }.items():
        assert find_measure(refs, name).label == label, name
    with pytest.raises(InputError, match="named 'rouge-n'"):  # the default, rouge-2, is not scored
        find_measure(refs, "rouge-n")


def test_a_metric_without_a_main_measure_is_answered_with_its_measures(study):
    scores = [NewScore("T", s, f"mine.{part}", 0.5) for s in "xyz" for part in ("wide", "deep")]
    study.import_data(ImportContent("theirs.csv", scores=scores))
    with pytest.raises(InputError, match=r"mine has several measures: mine\.\w+ or mine\.\w+\."):
        find_measure(measures(study), "mine")


def test_a_short_name_without_its_default_is_answered_with_full_names(study):
    score_all(study, "bleu:tok=none")
    with pytest.raises(InputError) as raised:
        find_measure(measures(study), "bleu.score")
    (ref,) = measures(study)
    assert "has no bleu.score with the default settings of bleu" in str(raised.value)
    assert f"--measure 'bleu[tok:none].score'   ({ref.signature})" in str(raised.value)


def test_imported_scores_of_the_same_name_show_their_source(study):
    scores = [NewScore("T", system, "bleu.score", 0.5) for system in "xyz"]
    study.import_data(ImportContent("theirs.csv", scores=scores))
    assert labels(study) == ["bleu.score"]
    score_all(study, "bleu")
    assert set(labels(study)) == {"bleu.score", "bleu[source:theirs.csv].score"}
    assert find_measure(measures(study), "bleu.score").config.spec == "bleu"
