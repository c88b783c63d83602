"""What the engine lends to metrics."""

from __future__ import annotations

from core.metrics.registry import parse
from core.ports import Incoming, NewText, NewTopic
from core.scoring.engine_tools import EngineTools
from core.scoring.plan import Config, plan
from storage.study_file import new_study


def study_of_two_authors(path):
    study = new_study(path)
    references = {"A": NewText("A cat sat."), "B": NewText("A dog ran.")}
    summaries = {"S": NewText("A cat ran.")}
    study.bring_in(Incoming("x", [NewTopic("D1", references=references, summaries=summaries)]))
    return study


def test_tools_that_serve_again_see_references_that_came_in_meanwhile(tmp_path):
    with study_of_two_authors(tmp_path / "a.pyramidion") as study:
        tools = EngineTools(study)
        cider = parse("cider")
        before = cider.signature(tools)
        more = {"B": NewText("A bird sang.")}
        study.bring_in(Incoming("y", [NewTopic("D2", references=more, summaries={"S": NewText("A bird.")})]))
        again = tools.afresh()
        assert again.study_references() == ("A cat sat.", "A dog ran.", "A bird sang.")
        assert again.with_references_by(("B",)).study_references() == ("A dog ran.", "A bird sang.")
        assert cider.signature(again) == cider.signature(EngineTools(study)) != before


def test_an_idf_counts_only_the_references_in_use(tmp_path):
    with study_of_two_authors(tmp_path / "a.pyramidion") as study:
        tools = EngineTools(study)
        assert tools.study_references() == ("A cat sat.", "A dog ran.")
        only_b = tools.with_references_by(("B",))
        assert only_b.study_references() == ("A dog ran.",)
        assert tools.with_references_by(("B",)) is only_b
        configs = [Config(parse("bertscore:idf=yes"), authors) for authors in ((), ("B",))]
        both, one = plan(study, configs, tools).runs
        assert both.other_inputs != one.other_inputs


def test_summaries_are_those_of_all_topics_whoever_wrote_references(tmp_path):
    with study_of_two_authors(tmp_path / "a.pyramidion") as study:
        study.bring_in(Incoming("y", [NewTopic("D2", summaries={"S": NewText("A bird."), "T": NewText("")})]))
        tools = EngineTools(study)
        assert tools.study_summaries() == ("A cat ran.", "A bird.", "")
        assert tools.with_references_by(("B",)).study_summaries() == tools.study_summaries()
    assert EngineTools().study_summaries() == ()
