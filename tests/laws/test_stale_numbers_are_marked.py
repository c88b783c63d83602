"""Law: wherever numbers of scores are shown whose inputs have changed since, a sentence says what has.

Tried to be broken by every experiment, a report without its appendix, exported scores, figures and tables of
notebooks, measures that only an experiment has scored, and other studies that are compared. (The window's
tables and figures: tests/gui/pages/compare.)
"""

from __future__ import annotations

import csv
import json
import shutil
from dataclasses import fields, replace

import numpy as np
import pytest

import pyramidion
from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.errors import InputError
from core.experiments.registry import all_experiments
from core.formatting.tables import to_csv
from core.operations.correlate import correlate, correlate_topics
from core.operations.options import CorrelateRequest, ReportRequest
from core.progress import run_to_completion
from core.report.build import build_report
from core.scoring.study_resources import StudyResources
from core.stats.types import Level
from storage.study_file import new_study, open_study
from tests.scoring import score_all

SYSTEMS = [f"s{n:02}" for n in range(12)]
JUDGED = SYSTEMS[:6]
WORDS = ("court", "met", "on", "monday", "and", "lifted", "an", "old", "ban", "bridge", "near", "port")
CHOSEN = {
    "judges": {"judges": "rouge-1.f", "judgements": "rating.quality"},
    "studies": {"others": "other.pyramidion"},
    "meta-analysis": {"others": "other.pyramidion"},
}
SLOW = ("power",)
"""Simulates studies; its measures are loaded as those of `bootstrap`."""


def text(random):
    return NewText(f"{' '.join(random.choice(WORDS, 9))}.")


@pytest.fixture(scope="module", params=["changed", "as scored"])
def stale(request, tmp_path_factory):
    """A scored study with a reference that was added since, or without; whether it was; and a copy of it."""
    random, folder = np.random.default_rng(5), tmp_path_factory.mktemp("law")
    names = [f"D{n}" for n in range(8)]
    topics = [
        NewTopic(
            name,
            set="update" if name > "D2" else "initial",
            documents={"news": text(random)},
            references={author: text(random) for author in "AB"},
            summaries={system: text(random) for system in SYSTEMS},
        )
        for name in names
    ]
    ratings = [
        NewRating(name, system, "quality", who, float(random.integers(1, 6)))
        for name in names
        for system in JUDGED
        for who in ("ann", "ben")
    ]
    content = ImportContent(
        "made",
        topics=topics,
        annotators={"ann": "", "ben": ""},
        dimensions={"quality": (1.0, 5.0)},
        ratings=ratings,
    )
    with new_study(folder / "s.pyramidion") as study:
        study.import_data(content)
        score_all(study, "rouge-n:n=1", "js")
        if request.param == "changed":
            added = NewTopic("D1", references={"Z": text(random)})
            study.import_data(ImportContent("made", topics=[added]))
    shutil.copy(folder / "s.pyramidion", folder / "other.pyramidion")
    return folder / "s.pyramidion", request.param == "changed"


def is_marked(sentences, measure="rouge-1.f"):
    marks = [one for one in sentences if "out of date. Reference Z of D1 was added" in one]
    return any(measure in one for one in marks)


def test_results_of_experiments(stale):
    path, is_changed = stale
    shown = []
    with open_study(path) as study:
        for cls in all_experiments():
            one = cls()
            settings = {f.name: f for f in fields(one)}
            given = dict(CHOSEN.get(cls.name, {}))
            if "draws" in settings:
                given["draws"] = max(20, settings["draws"].metadata.get("low") or 0)
            if "others" in settings and "others" not in given:
                continue
            one = replace(one, **given)
            if one.scores_texts or cls.name in SLOW or one.missing_requirements(study):
                continue
            try:
                result = run_to_completion(one.run(study, StudyResources(study, "cpu")))
            except InputError:  # it needs other data
                continue
            cells = {str(cell) for table in result.tables for row in table.rows for cell in row}
            cells |= {column.title for table in result.tables for column in table.columns}
            if "rouge-1.f" in cells:
                shown.append(cls.name)
                assert is_marked(result.warnings) == is_changed, cls.name
    assert {*CHOSEN, "articles", "measures", "ranking", "thresholds", "bootstrap"} <= set(shown)


def test_correlations(stale):
    """Of measures that were chosen by name, too: an experiment alone may have scored them."""
    path, is_changed = stale
    with open_study(path) as study:
        for measures in ((), ("rouge-1.f",)):
            found = run_to_completion(correlate(study, CorrelateRequest(measures=measures)))
            assert is_marked(found.notes) == is_changed
            marks = {record.get("out_of_date", "") for record in found.records()}
            assert marks == ({*found.changed.values()} if is_changed else {""})


def test_reports_without_their_appendix(stale):
    path, is_changed = stale
    with open_study(path) as study:
        report = run_to_completion(build_report(study, ReportRequest(draws=30, has_appendix=False)))
    tables = {table.title: table for section in report.main for table in section.tables}
    for table in (one for title, one in tables.items() if "with human judgements" in title):
        assert is_marked([table.note]) == is_changed
        assert ("Z of D1 was added" in to_csv(table)) == is_changed
    limits = next(section for section in report.main if section.anchor == "limits")
    assert is_marked(limits.paragraphs, "js-1.divergence") == is_changed


def test_reports_show_the_cautions_of_correlate(stale):
    """Of the systems and topics that are judged, not of all there are."""
    path, _ = stale
    with open_study(path) as study:
        report = run_to_completion(build_report(study, ReportRequest(draws=30, has_appendix=False)))
        for level in ReportRequest().levels:
            found = run_to_completion(correlate(study, CorrelateRequest(level=level)))
            about = [
                one.removeprefix("rating.quality: ") for one in found.notes if "rating.quality: O" in one
            ]
            (note,) = (
                table.note
                for section in report.main
                for table in section.tables
                if table.title.startswith(f"{level.value.capitalize()} level")
            )
            assert all(sentence in note for sentence in about)
            assert ("Only 6 systems: " in note) == (level is not Level.GLOBAL)


def test_a_best_measure_that_is_not_significant_is_named(stale):
    """By correlate and by reports, at every level, by the p of the same method; a significant one is not."""
    path, _ = stale
    with open_study(path) as study:
        asked = ReportRequest(draws=200)
        report = run_to_completion(build_report(study, asked))
        every = [table for section in report.sections for table in section.tables]
        (limits,) = (section.paragraphs for section in report.main if section.anchor == "limits")
        for level in asked.levels:
            request = CorrelateRequest(level=level, interval=asked.interval, draws=200)
            found = run_to_completion(correlate(study, request))
            main = [one for one in found.records() if one["measure"] in ("rouge-1.f", "js-1.divergence")]
            best = max(main, key=lambda one: one["ranked_by"])
            assert best["p"] >= 0.05
            (sentence,) = (one for one in found.notes if one.startswith("The best measure of rating.quality"))
            assert f", {best['measure']}, is itself not significantly correlated with it ({level}" in sentence
            words = sentence.replace("rating.quality", "Quality")
            assert words in limits
            starts = f"{level.value.capitalize()} level", f"Quality, {level.value} level"
            notes = [table.note for table in every if table.title.startswith(starts)]
            assert [note.count(words) for note in notes] == [1, 1]
            low = replace(request, confidence=0.01)
            assert not any("is itself not" in one for one in run_to_completion(correlate(study, low)).notes)


def test_correlations_in_each_topic(stale):
    path, is_changed = stale
    with open_study(path) as study:
        found = correlate_topics(study, CorrelateRequest())
    assert ("out_of_date" in found.columns) == is_changed
    marked = {(row["topic"], row["measure"]) for row in found.records if row.get("out_of_date")}
    assert {topic for topic, _ in marked} == ({"D1"} if is_changed else set())
    assert (("D1", "rouge-1.f") in marked) == is_changed
    with pyramidion.open(path) as study:
        frame = study.correlations(per_topic=True)
    assert ("out_of_date" in frame) == is_changed


@pytest.mark.parametrize("name", ["scores.jsonl", "metrics.jsonl", "metrics.csv", "metrics.parquet"])
def test_exports_with_a_line_per_summary(stale, name, tmp_path):
    path, is_changed = stale
    with pyramidion.open(path) as study:
        study.export(name.partition(".")[0], tmp_path / name)
    if name.endswith(".jsonl"):
        rows = [json.loads(line) for line in (tmp_path / name).read_text("utf-8").splitlines()]
    elif name.endswith(".csv"):
        rows = list(csv.DictReader((tmp_path / name).read_text("utf-8").splitlines()))
    else:
        rows = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / name).to_pylist()
    assert len(rows) == 8 * len(SYSTEMS)
    marked = [row for row in rows if row.get("out_of_date")]
    assert {row.get("topic") or row["instance_id"] for row in marked} == ({"D1"} if is_changed else set())
    assert all(is_marked([row["out_of_date"]]) for row in marked)
    assert any("out_of_date" in row for row in rows) == is_changed


def test_exported_scores_and_notebooks(stale, tmp_path):
    path, is_changed = stale
    with pyramidion.open(path) as study:
        study.export("scores", tmp_path / "scores.csv")
        with (tmp_path / "scores.csv").open(encoding="utf-8", newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["measure"] == "rouge-1.f"]
        marked = {row["topic"] for row in rows if "out of date" in row["notes"]}
        assert marked == ({"D1"} if is_changed else set())
        scores = study.scores("rouge-1.f")
        assert marked == set(scores[scores["is_stale"]]["topic"])
        figures = [study.scatter("rouge-1.f", "rating.quality"), study.heatmap()]
        judged = study.judges("rouge-1.f", "rating.quality", draws=0)
        for notes in ([figures[0].caption], [figures[1].caption], judged.attrs["notes"]):
            assert is_marked(notes) == is_changed
