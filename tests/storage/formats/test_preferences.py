"""Answers to comparisons: a round trip, pairs with a winner, growing plans, problems with remedies."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.annotation.comparison_plans import draw_plan
from core.comparison.preferences import answered_plan, plan_named, plan_result
from core.domain.preferences import ComparisonKind
from core.errors import BadImport
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry
from storage.study_file import StudyFile, new_study
from tests.conftest import small


def export(study: StudyFile, path: Path) -> str:
    run_to_completion(export_registry.export_steps(study, export_registry.find("preferences", "csv"), path))
    return path.read_text("utf-8")


def bring(study: StudyFile, path: Path, **options: str):
    request = import_registry.import_request(path, "", options)
    assert request.format.name == "preferences", "it is recognized by its columns"
    return run_to_completion(import_registry.import_steps(study, request))


def lines(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


@pytest.fixture
def other(tmp_path):
    with new_study(tmp_path / "other.pyramidion") as study:
        study.import_data(small())
        yield study


def answer_all(study: StudyFile, kind: ComparisonKind, name: str) -> None:
    plan, items = draw_plan(study, name, kind, per_summary=2, size=3 if "worst" in kind else 0)
    study.comparisons.add_plan(plan, items, None).result()
    for place, person in enumerate(("Ko", "Mia")):
        annotator = study.annotators.get_or_create(person, "team").id
        for item in items[place:]:
            best, worst = item.summary_ids[place], item.summary_ids[place - 1]
            study.comparisons.answer(item.id, annotator, best, worst).result()


@pytest.mark.parametrize("kind", ComparisonKind)
def test_exported_answers_are_imported_with_their_plan(study, other, tmp_path, kind):
    answer_all(study, kind, "quality")
    first = export(study, tmp_path / "one.csv")
    counts = bring(other, tmp_path / "one.csv")
    assert counts.added["plans of comparisons"] == 1
    assert counts.added["answers"] == first.count("\n") - 1
    assert export(other, tmp_path / "two.csv") == first
    assert {person.group for person in other.annotators.all() if person.name in ("Ko", "Mia")} == {"team"}
    again = bring(other, tmp_path / "one.csv")
    assert not again.added
    assert again.equal["answers"] == counts.added["answers"]


def test_pairs_with_a_winner_are_read(study, tmp_path):
    path = lines(
        tmp_path / "arena.jsonl",
        {"topic": "D1", "model_a": "good", "model_b": "bad", "winner": "model_a"},
        {"topic": "D1", "model_a": "bad", "model_b": "lead", "winner": "lead", "annotator": "Ko"},
        {"topic": "D2", "model_a": "lead", "model_b": "good", "winner": "tie (bothbad)", "annotator": "Ko"},
        {"topic": "D1", "model_a": "bad", "model_b": "good", "winner": "b", "annotator": "Ko"},
    )
    counts = bring(study, path)
    assert counts.added == {"annotators": 2, "plans of comparisons": 1, "comparisons": 3, "answers": 4}
    plan = plan_named(study, "imported comparisons")
    systems = {one.system: one for one in plan_result(study, answered_plan(study, plan)).systems}
    assert {name: (one.best, one.worst, one.ties) for name, one in systems.items()} == {
        "good": (2, 0, 1),
        "lead": (1, 0, 1),
        "bad": (0, 3, 0),
    }
    more = lines(
        tmp_path / "more.jsonl",
        {"topic": "D2", "model_a": "bad", "model_b": "good", "winner": "b", "annotator": "Ko"},
        {"topic": "D2", "model_a": "lead", "model_b": "good", "winner": "a", "annotator": "Ko"},
    )
    counts = bring(study, more)
    assert counts.added["comparisons"] == 1
    assert "answer of Ko on topic D2, lead and good differs" in counts.different[0]


def test_a_removed_answer_is_added_again(study, tmp_path):
    answer_all(study, ComparisonKind.PAIRWISE, "quality")
    text = export(study, tmp_path / "one.csv")
    ann = study.annotators.get_or_create("Ko").id
    item = study.comparisons.items(plan_named(study, "quality").id)[0]
    study.comparisons.clear(item.id, ann).result()
    assert bring(study, tmp_path / "one.csv").added == {"answers": 1}
    assert export(study, tmp_path / "two.csv") == text


PAIR = {"topic": "D1", "systems": ["good", "bad"], "annotator": "Ann", "plan": "drawn"}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**PAIR, "best": "lead"}, "'lead' is not one of the systems"),
        ({**PAIR, "systems": ["good"], "best": "good"}, "this row has 1"),
        ({**PAIR, "systems": "good, bad", "best": "good"}, "not a list of systems"),
        ({**PAIR, "kind": "triple", "best": "good"}, "'triple' is unknown"),
        ({**PAIR, "topic": "D9", "best": "good"}, "no summary of good and bad on this topic"),
        ({**PAIR, "systems": ["good", "x"], "best": "good"}, "no summary of x on this topic"),
        ({**PAIR, "kind": "best-worst", "best": "good"}, "are pairwise in the study"),
        ({**PAIR, "systems": ["lead", "good"], "best": "good"}, "drawn has no such comparison for Ann"),
        ({**PAIR, "systems": ["a", "b", "c"], "best": "a", "worst": "a", "plan": "new"}, "no summary of a"),
        (
            {**PAIR, "systems": ["lead", "good", "bad"], "best": "", "worst": "", "plan": "new"},
            "Best–worst scaling has no ties",
        ),
    ],
)
def test_rows_that_do_not_fit_are_refused_with_the_reason(study, tmp_path, row, message):
    plan, items = draw_plan(study, "drawn", ComparisonKind.PAIRWISE, per_summary=2)
    names = {text.id: text.name for topic in study.texts.load() for text in topic.summaries}
    kept = [item for item in items if {names[one] for one in item.summary_ids} == {"good", "bad"}]
    study.comparisons.add_plan(plan, kept, None).result()
    with pytest.raises(BadImport) as caught:
        bring(study, lines(tmp_path / "a.jsonl", row))
    assert message in str(caught.value.problems[0])
    assert not study.comparisons.preferences(plan.id)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("topic,systems,best,best\n", "Two columns have this name"),
        ('topic,systems,best\nD1,["good", "bad"],good\n', "4 cells, but the table has 3 columns"),
        ("topic,systems,best\n", "nothing to import"),
    ],
)
def test_damaged_tables_are_explained(study, tmp_path, text, message):
    (tmp_path / "a.csv").write_text(text, "utf-8")
    with pytest.raises(BadImport, match=message):
        bring(study, tmp_path / "a.csv")
