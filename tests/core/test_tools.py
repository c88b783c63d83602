"""What the engine lends to metrics."""

from __future__ import annotations

from core.metrics.registry import parse
from core.planning import Config, plan
from core.ports import Incoming, NewText, NewTopic
from core.tools import EngineTools
from storage.study_file import new_study


def study_of_two_authors(path):
    study = new_study(path)
    references = {"A": NewText("A cat sat."), "B": NewText("A dog ran.")}
    summaries = {"S": NewText("A cat ran.")}
    study.bring_in(Incoming("x", [NewTopic("D1", references=references, summaries=summaries)]))
    return study


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
