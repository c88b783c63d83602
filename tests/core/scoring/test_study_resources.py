"""Resources that the engine provides to metrics."""

from __future__ import annotations

from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.metrics.registry import parse
from core.scoring.config import ScoringConfig
from core.scoring.plan import plan
from core.scoring.study_resources import StudyResources
from storage.study_file import new_study


def study_of_two_authors(path):
    study = new_study(path)
    references = {"A": NewText("A cat sat."), "B": NewText("A dog ran.")}
    summaries = {"S": NewText("A cat ran.")}
    study.import_data(ImportContent("x", [NewTopic("D1", references=references, summaries=summaries)]))
    return study


def test_reused_tools_see_new_references(tmp_path):
    with study_of_two_authors(tmp_path / "a.pyramidion") as study:
        resources = StudyResources(study)
        cider = parse("cider")
        before = cider.signature(resources)
        more = {"B": NewText("A bird sang.")}
        study.import_data(
            ImportContent("y", [NewTopic("D2", references=more, summaries={"S": NewText("A bird.")})])
        )
        again = resources.with_fresh_caches()
        assert again.study_references() == ("A cat sat.", "A dog ran.", "A bird sang.")
        assert again.with_references_by(("B",)).study_references() == ("A dog ran.", "A bird sang.")
        assert cider.signature(again) == cider.signature(StudyResources(study)) != before


def test_an_idf_counts_only_the_references_in_use(tmp_path):
    with study_of_two_authors(tmp_path / "a.pyramidion") as study:
        resources = StudyResources(study)
        assert resources.study_references() == ("A cat sat.", "A dog ran.")
        only_b = resources.with_references_by(("B",))
        assert only_b.study_references() == ("A dog ran.",)
        assert resources.with_references_by(("B",)) is only_b
        configs = [ScoringConfig(parse("bertscore:idf=yes"), authors) for authors in ((), ("B",))]
        both, one = plan(study, configs, resources).runs
        assert both.corpus_hash != one.corpus_hash


def test_summaries_are_those_of_all_topics_for_any_reference_authors(tmp_path):
    with study_of_two_authors(tmp_path / "a.pyramidion") as study:
        study.import_data(
            ImportContent("y", [NewTopic("D2", summaries={"S": NewText("A bird."), "T": NewText("")})])
        )
        resources = StudyResources(study)
        assert resources.study_summaries() == ("A cat ran.", "A bird.", "")
        assert resources.with_references_by(("B",)).study_summaries() == resources.study_summaries()
    assert StudyResources().study_summaries() == ()
