"""A study with everything that annotation tools hold, and the way out of it and back."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.domain.import_batch import ImportCounts
from core.domain.preferences import ComparisonItem, ComparisonKind, ComparisonPlan
from core.domain.pyramid import (
    TopicAnnotation,
    add_contributor,
    add_match,
    add_scu,
    mark_pyramid_done,
    set_summary_state,
)
from core.domain.pyramid.nugget_edits import Occurrence, add_automatic, set_importance, set_partial
from core.domain.ratings import ScaleKind, category_scale, span_scale, text_scale
from core.progress import run_to_completion
from storage.formats import export_registry, import_registry
from storage.study_file import StudyFile, new_study, open_study
from tests.conftest import small

CATEGORIES = ("Predicate error", "Entity | number", "100 % wrong")


def annotate(study: StudyFile) -> None:
    """Mark SCUs, nuggets and errors in the small study, by two people."""
    ann, ben = (study.annotators.get_or_create(name).id for name in ("Ann", "Ben"))
    topic = study.texts.topic(study.texts.topics()[0].id)
    first, second = (reference.id for reference in topic.references)
    bad, good, lead = (summary.id for summary in topic.summaries)
    before = study.pyramids.annotation(topic.id, ann)
    value = add_scu(before, "the ban\nwas lifted ⟂ \\n", first, [(36, 43), (0, 9)], "1" * 32)
    value = add_contributor(value, "1" * 32, second, [(8, 22), (24, 31)])
    value = add_scu(value, "cafés reopened 👩‍🚀", second, [(26, 31), (48, 59)], "2" * 32)
    value = add_match(value, good, ann, "1" * 32, [(0, 23)])
    value = add_match(value, good, ann, "2" * 32, [(36, 38), (42, 47)])
    value = add_match(value, lead, ben, None, [(4, 13)])
    value = add_match(value, lead, ben, "2" * 32, [])
    value = set_summary_state(value, good, ann, is_done=True, is_flagged=False)
    value = set_summary_state(value, bad, ben, is_done=True, is_flagged=False)
    study.pyramids.commit(before, mark_pyramid_done(value, True), "units", ann).result()
    before = study.nuggets.annotation(topic.id, ben)
    value = add_scu(before, "🌉 reopened", second, [(24, 25)], "3" * 32)
    value = add_automatic(value, "3" * 32, [Occurrence(first, ((24, 30),))], [], ben)
    value = add_match(set_importance(value, "3" * 32, "vital"), lead, ben, "3" * 32, [(0, 3)])
    value = set_partial(value, [value.matches[0].id], True)
    study.nuggets.commit(before, value, "nuggets", ben).result()
    scale = study.ratings.add_dimension("errors")
    asked = span_scale(scale.id, "errors", CATEGORIES, "Which errors?")
    study.ratings.edit_dimensions([scale], [asked], ann).result()
    spans = [(0, 9, 1), (39, 42, 3), (4, 9, 2)]
    study.ratings.rate(good, scale.id, ann, 0.0, note="a\nnote", is_flagged=True, spans=spans).result()
    study.ratings.rate(bad, scale.id, ann, None, note="not rated yet").result()
    study.ratings.rate(bad, scale.id, ben, 0.0, note="none", spans=[]).result()


def rate(study: StudyFile) -> None:
    """Rate summaries on scales of each kind, and compare two pairs, by two people."""
    ann, ben = (study.annotators.get_or_create(name).id for name in ("Ann", "Ben"))
    topic = study.texts.topic(study.texts.topics()[0].id)
    bad, good, lead = (summary.id for summary in topic.summaries)
    known = list(study.ratings.dimensions())
    names = ("fluency", "stars", "tone of voice", "verdict", "remarks")
    made = {name: study.ratings.add_dimension(name) for name in names}
    asked = [
        made["fluency"],
        made["stars"],
        replace(made["tone of voice"], low=-2.0, high=2.0),
        category_scale(made["verdict"].id, "verdict", ["keep <it>", "drop & go"], "Keep it?"),
        text_scale(made["remarks"].id, "remarks"),
    ]
    study.ratings.edit_dimensions([*known, *made.values()], [*known, *asked], ann).result()
    for name, value, note in (
        ("fluency", 4, "well"),
        ("stars", 5, ""),
        ("tone of voice", -1.5, ""),
        ("verdict", 2, ""),
        ("remarks", 1, "a\nremark 👩‍🚀"),
    ):
        study.ratings.rate(good, made[name].id, ann, float(value), note=note).result()
    study.ratings.rate(lead, made["fluency"].id, ben, 2.5, is_flagged=True).result()
    study.ratings.rate(lead, made["verdict"].id, ben, None, note="unsure").result()
    pairs = [(good, lead), (bad, lead)]
    plan = ComparisonPlan("p" * 32, "which is better", ComparisonKind.PAIRWISE, "Which one?")
    items = [ComparisonItem(f"{number}" * 32, topic.id, pair) for number, pair in enumerate(pairs, 1)]
    study.comparisons.add_plan(plan, items, ann).result()
    study.comparisons.answer(items[0].id, ann, good, lead).result()
    study.comparisons.answer(items[1].id, ann, lead, bad).result()
    study.comparisons.answer(items[1].id, ben, None, None).result()


@pytest.fixture(scope="session")
def annotated_file(small_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = Path(shutil.copyfile(small_file, tmp_path_factory.mktemp("annotated") / "annotated.pyramidion"))
    with open_study(path) as study:
        annotate(study)
        rate(study)
    return path


@pytest.fixture
def annotated(annotated_file: Path, tmp_path: Path) -> Iterator[StudyFile]:
    """The small study with SCUs, nuggets and errors."""
    with open_study(Path(shutil.copyfile(annotated_file, tmp_path / "annotated.pyramidion"))) as study:
        yield study


@pytest.fixture
def other(tmp_path: Path) -> Iterator[StudyFile]:
    """Another copy of the small study, without annotations."""
    with new_study(tmp_path / "other.pyramidion") as study:
        study.import_data(small())
        yield study


def export(study: StudyFile, what: str, name: str, path: Path) -> Path:
    run_to_completion(export_registry.export_steps(study, export_registry.find(what, name), path))
    return path


def bring(study: StudyFile, path: Path, name: str = "", **options: str) -> ImportCounts:
    request = import_registry.import_request(path, name, options)
    return run_to_completion(import_registry.import_steps(study, request))


def content(study: StudyFile) -> dict[str, object]:
    """Everything that is marked in a study, by names."""
    topics = {head.id: head.name for head in study.texts.topics()}
    names = {
        text.id: text.name for topic in study.texts.load() for text in (*topic.references, *topic.summaries)
    }
    people = {person.id: person.name for person in study.annotators.all()}
    found: dict[str, object] = {}
    for store in (study.pyramids, study.nuggets):
        for one in store.annotations():
            if one.pyramid.scus or one.matches:
                where = (
                    f"{one.pyramid.kind} {topics[one.pyramid.topic_id]} {people[one.pyramid.annotator_id]}"
                )
                found[where] = _units(one, names, people)
    found["ratings"] = ratings(study)
    return found


def ratings(study: StudyFile, *kinds: ScaleKind) -> list[tuple[object, ...]]:
    """Every rating on scales of some kinds, none = of marked spans, by names."""
    wanted = kinds or (ScaleKind.SPANS,)
    scales = {one.id: one for one in study.ratings.dimensions() if one.kind in wanted}
    people = {person.id: person.name for person in study.annotators.all()}
    return sorted(
        (
            (
                *(topic.name, summary.name, scales[one.dimension_id].name, people[one.annotator_id]),
                *(one.value, one.note, one.is_flagged, one.spans),
            )
            for topic in study.texts.load()
            for one in study.ratings.of_topic(topic.id)
            for summary in topic.summaries
            if one.dimension_id in scales and one.summary_id == summary.id
        ),
        key=repr,
    )


def answers(study: StudyFile) -> list[tuple[object, ...]]:
    """Every answer to a comparison, by names."""
    names = {text.id: text.name for topic in study.texts.load() for text in topic.summaries}
    people = {person.id: person.name for person in study.annotators.all()}
    return sorted(
        (
            *(plan.name, *(names[one] for one in item.summary_ids), people[answer.annotator_id]),
            *(names.get(answer.best or "", ""), names.get(answer.worst or "", "")),
        )
        for plan in study.comparisons.plans()
        for item in study.comparisons.items(plan.id)
        for answer in study.comparisons.preferences(plan.id)
        if answer.item_id == item.id
    )


def _units(one: TopicAnnotation, names: dict[str, str], people: dict[str, str]) -> object:
    labels = {scu.id: scu.label for scu in one.pyramid.scus}
    return (
        one.pyramid.is_done,
        [
            (
                (scu.label, scu.comment, scu.importance),
                [
                    (names[c.reference_id], [p.span for p in c.parts], c.comment, c.is_confirmed)
                    for c in sorted(scu.contributors, key=lambda c: names[c.reference_id])
                ],
            )
            for scu in one.pyramid.scus
        ],
        sorted(
            (
                names[m.summary_id],
                people[m.annotator_id],
                labels.get(m.scu_id or "", ""),
                [p.span for p in m.parts],
                m.comment,
                m.is_confirmed,
                m.is_partial,
            )
            for m in one.matches
        ),
        sorted((names[s.summary_id], people[s.annotator_id]) for s in one.states if s.is_done),
    )
