"""Results of experiments in the report, while their inputs are unchanged."""

from __future__ import annotations

import shlex
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from cli.main import main
from core.experiments.registry import parse_request
from core.experiments.runner import run_experiment
from core.progress import run_to_completion
from core.report.build import build_report
from core.report.formats.html import to_html
from core.scoring.study_resources import StudyResources
from tests.scoring import QUICK

pytestmark = pytest.mark.slow

SETTINGS = {"judgements": "rating.coherence", "measures": "rouge-2.f", "draws": "20"}

SMALL = replace(QUICK, judgements=("rating.coherence",), measures=("rouge-2.f",))
"""One judgement and one measure: the sections tested here do not depend on them."""


def chapters(study):
    report = run_to_completion(build_report(study, SMALL))
    return report, [each for each in report.sections if each.anchor.startswith("experiment-")]


def test_a_stored_result_is_a_chapter_with_its_command(changeable_study, capsys):
    assert chapters(changeable_study)[1] == []
    outcome = run_to_completion(
        run_experiment(changeable_study, parse_request("topics", SETTINGS), StudyResources(changeable_study))
    )
    report, (chapter,) = chapters(changeable_study)
    assert chapter.title == "Experiment: Fewer topics"
    assert chapter.tables == outcome.result.tables
    assert chapter.illustrations[0].light.startswith("<svg ")
    assert chapter.illustrations[0].light != chapter.illustrations[0].draw_dark()
    page = to_html(report)
    assert page == to_html(run_to_completion(build_report(changeable_study, SMALL)))
    assert "takes the given number of topics at random" in page
    words = shlex.split(chapter.code[0])
    changeable_study.flush()
    assert main(["resample", str(changeable_study.path), *words[3:], "--csv"]) == 0
    assert "Stored result; its inputs have not changed" in capsys.readouterr().err


def test_a_stale_result_is_left_out(changeable_study):
    run_to_completion(
        run_experiment(changeable_study, parse_request("topics", SETTINGS), StudyResources(changeable_study))
    )
    topic = changeable_study.texts.topic(changeable_study.texts.topics()[0].id)
    rater = changeable_study.annotators.get_or_create("expert-1").id
    dimension = changeable_study.ratings.dimensions()[0].id
    changeable_study.ratings.rate(topic.summaries[0].id, dimension, rater, 5.0).result()
    assert chapters(changeable_study)[1] == []


def test_a_result_over_several_studies_is_stale_if_one_changes(changeable_study, tmp_path):
    from storage.study_file import open_study

    changeable_study.flush()
    other = tmp_path / "other.pyramidion"
    with closing(sqlite3.connect(changeable_study.path)) as source, closing(sqlite3.connect(other)) as copy:
        source.backup(copy)
    request = parse_request("studies", {"others": str(other), "judgements": "rating.coherence"})
    run_to_completion(run_experiment(changeable_study, request, StudyResources(changeable_study)))
    assert [each.title for each in chapters(changeable_study)[1]] == [f"Experiment: {request.title}"]
    with open_study(other) as study:
        study.scores.remove(study.scores.configs()[0].signature).result()
    assert chapters(changeable_study)[1] == []
    other.unlink()
    assert chapters(changeable_study)[1] == []
