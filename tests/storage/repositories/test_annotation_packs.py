"""Annotation packs: what is exported is merged elsewhere, in any order, as often as one likes."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.adjudication.topics import AdjudicationSelection, adjudication_of, read_topic, sides_of
from core.comparison.judgements import judgements
from core.domain.annotation_merge import DetachedMatches, MergeOutcome, conflict_name, join
from core.domain.annotation_pack import AnnotationPack, PackedRating, TopicWork, WorkContent, parse_pack
from core.domain.decisions import RESULT_GROUP, Choice
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.pyramid import (
    UnitKind,
    add_contributor,
    add_match,
    add_scu,
    new_id,
    remove_scu,
    set_comment,
    set_label,
    set_summary_state,
)
from core.domain.ratings import Dimension
from core.errors import BadImport, EditConflict, InputError
from core.json_schema import from_json
from storage.study_file import StudyFile, check, new_study, open_study
from tests.conftest import examples
from tests.storage.conftest import open_editor


class Copies:
    """Copies of one study."""

    def __init__(self, original: Path, folder: Path) -> None:
        self.original, self.folder, self.opened = original, folder, []

    def open(self, of: Path | None = None) -> StudyFile:
        """Open a new copy of the original, or of another closed copy."""
        path = self.folder / f"copy-{len(self.opened)}.pyramidion"
        shutil.copyfile(of or self.original, path)
        self.opened.append(open_study(path))
        return self.opened[-1]

    def close(self) -> None:
        for study in self.opened:
            study.close()


@pytest.fixture
def copies(small_file, tmp_path):
    """Copies of a study with a rating scale, in which Ann has an SCU."""
    original = tmp_path / "original.pyramidion"
    shutil.copyfile(small_file, original)
    with open_study(original) as study:
        study.ratings.add_dimension("quality")
        ann = open_editor(study)
        reference = ann.topic.references[0].id
        ann.apply(lambda a: add_scu(a, "ban", reference, [(0, 9)], "a" * 32))
    held = Copies(original, tmp_path)
    yield held
    held.close()


def annotate(study: StudyFile, name: str, label: str, system: str = "lead") -> None:
    """Make an SCU, a nugget, a match against Ann's pyramid, a state and a rating."""
    editor = open_editor(study, name, name)
    first, second = editor.topic.references[:2]
    scu_id = new_id()
    editor.apply(lambda a: add_scu(a, label, first.id, [(4, 9)], scu_id), "new SCU", 3.0)
    editor.apply(lambda a: add_contributor(a, scu_id, second.id, [(0, 7)]))
    before = study.nuggets.annotation(editor.topic.id, editor.annotator_id)
    summary = next(one.id for one in editor.topic.summaries if one.name == system)
    nugget, who = add_scu(before, f"nugget {label}", first.id, [(0, 3)]), editor.annotator_id
    nugget = add_match(nugget, summary, who, nugget.pyramid.scus[-1].id, [(0, 3)])
    nugget = set_summary_state(nugget, summary, who, is_done=True, is_flagged=False)
    study.nuggets.commit(before, nugget, "new nugget", who).result()
    matching = open_editor(study, name, "Ann")
    matching.apply(lambda a: add_match(a, summary, matching.annotator_id, "a" * 32, [(0, 3)]))
    matching.apply(
        lambda a: set_summary_state(
            a, summary, matching.annotator_id, is_done=True, is_flagged=True, note=label
        )
    )
    scale = study.ratings.dimensions()[0].id
    study.ratings.rate(summary, scale, matching.annotator_id, 4.0).result()


def pack_of(study: StudyFile, *names: str) -> AnnotationPack:
    return parse_pack(study.annotation_pack(names or None).to_text(), "a.pack")


def merge(study: StudyFile, *packs: AnnotationPack):
    return study.merge_annotations([(f"{number}.pack", pack) for number, pack in enumerate(packs)])


def state(study: StudyFile) -> dict[tuple[str, str], object]:
    """Return every annotator's work, without the edits that it results from."""
    pack = study.annotation_pack()
    found = {(work.topic, work.annotator): work.content for work in pack.works if not work.content.is_empty}
    for person in study.annotators.all():  # also those of conflicts, which no pack holds
        for annotation in (*study.pyramids.annotations(), *study.nuggets.annotations()):
            if annotation.pyramid.annotator_id == person.id and "conflict" in person.name:
                labels = tuple(scu.label for scu in annotation.pyramid.scus)
                found[annotation.pyramid.kind, annotation.pyramid.topic_id, person.name] = labels
    return found


@pytest.mark.slow
def test_merged_work_is_equal_and_gives_equal_judgements(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    annotate(theirs, "Ko", "verdict")
    report = merge(ours, pack_of(theirs, "Ko"))
    assert [(work.annotator, work.outcome) for work in report.works] == [("Ko", MergeOutcome.ADDED)]
    assert state(ours) == state(theirs)
    here, there = ({ref.name: ref for ref in judgements(study)} for study in (ours, theirs))
    assert here == there
    assert any(name.startswith("nugget") for name in here)
    assert check(ours.path) == []


def test_a_second_merge_changes_nothing(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    annotate(theirs, "Ko", "verdict")
    pack = pack_of(theirs)
    merge(ours, pack)
    before, edits = state(ours), len(ours.edits.history(limit=1000))
    report = merge(ours, pack)
    assert {work.outcome for work in report.works} == {MergeOutcome.EQUAL}
    assert (state(ours), len(ours.edits.history(limit=1000))) == (before, edits)


@pytest.mark.slow
def test_a_later_pack_continues_an_earlier_one_and_not_the_reverse(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    annotate(theirs, "Ko", "verdict")
    early = pack_of(theirs, "Ko")
    annotate(theirs, "Ko", "appeal", "good")
    late = pack_of(theirs, "Ko")
    merge(ours, early)
    assert merge(ours, late).works[0].outcome is MergeOutcome.UPDATED
    assert state(ours) == state(theirs)
    assert merge(ours, early).works[0].outcome is MergeOutcome.CONTAINED
    assert state(ours) == state(theirs)


@pytest.mark.slow
def test_work_in_two_copies_at_once_is_kept_twice(copies) -> None:
    one, two, ours = copies.open(), copies.open(), copies.open()
    annotate(one, "Ko", "verdict")
    annotate(two, "Ko", "appeal")
    merge(ours, pack_of(one, "Ko"))
    report = merge(ours, pack_of(two, "Ko"))
    assert report.works[0].outcome is MergeOutcome.CONFLICT
    (conflict,) = report.conflicts
    work = pack_of(one, "Ko").works[0]
    assert conflict.kept_as == conflict_name(work), "the newest version is the current one"
    labels = {
        person.name: [scu.label for scu in ours.pyramids.annotation(topic.id, person.id).pyramid.scus]
        for topic in ours.texts.topics()[:1]
        for person in ours.annotators.all()
    }
    assert (labels["Ko"], labels[conflict.kept_as]) == (["appeal"], ["verdict"])
    assert check(ours.path) == []


def test_a_version_that_continues_both_ends_the_conflict(copies) -> None:
    one, two, ours = copies.open(), copies.open(), copies.open()
    annotate(one, "Ko", "verdict")
    annotate(two, "Ko", "appeal")
    packs = pack_of(one, "Ko"), pack_of(two, "Ko")
    merge(ours, *packs)
    union = packs[0].works[0].history | packs[1].works[0].history | {"f" * 32}
    final = TopicWork("D1", "Ko", packs[1].works[0].content, frozenset(union), "9999", 0.0)
    pack = AnnotationPack(
        "x", packs[0].references, packs[0].summaries, packs[0].scales, packs[0].groups, (final,)
    )
    assert merge(ours, pack).conflicts == ()
    left = [name for *_, name in state(ours) if "conflict" in name]
    assert left == []


def test_merged_work_is_undone_like_any_other_edit(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    annotate(theirs, "Ko", "verdict")
    merge(ours, pack_of(theirs, "Ko"))
    ko = next(person.id for person in ours.annotators.all() if person.name == "Ko")
    while ours.edits.undo_labels(ko)[0]:
        assert ours.edits.undo_labels(ko)[0] == "merge annotations"
        ours.edits.undo(ko).result()
    assert ("D1", "Ko") not in state(ours)


def test_time_is_counted_once(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    annotate(theirs, "Ko", "verdict")
    merge(ours, pack_of(theirs, "Ko"))
    annotate(theirs, "Ko", "appeal", "good")
    merge(ours, pack_of(theirs, "Ko"))
    assert pack_of(ours, "Ko").works[0].active_seconds == pytest.approx(6.0)


def test_a_pack_of_other_texts_is_refused_with_every_difference(copies, tmp_path) -> None:
    theirs = copies.open()
    annotate(theirs, "Ko", "verdict")
    with new_study(tmp_path / "other.pyramidion") as other:
        other.import_data(
            ImportContent(
                "other", topics=[NewTopic("D1", references={"A": NewText("Another text.")}, summaries={})]
            )
        )
        with pytest.raises(BadImport) as refused:
            merge(other, pack_of(theirs, "Ko"))
        assert [problem.field for problem in refused.value.problems] == [
            *("reference A", "reference B", "summary bad", "summary good", "summary lead")
        ]
        assert list(other.pyramids.annotations()) == []
        assert [person.name for person in other.annotators.all()] == []


def test_matches_without_their_content_unit_are_kept_aside_until_it_comes(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    bob = open_editor(theirs, "Bob", "Bob")
    bob.apply(lambda a: add_scu(a, "bob's", bob.topic.references[0].id, [(0, 9)], "b" * 32))
    ko = open_editor(theirs, "Ko", "Bob")
    ko.apply(lambda a: add_match(a, ko.topic.summaries[0].id, ko.annotator_id, "b" * 32, [(0, 3)]))
    pack = pack_of(theirs, "Ko")
    report = merge(ours, pack)
    assert report.detached == (DetachedMatches("D1", "Ko", "Bob", 1),)
    assert not [match for one in ours.pyramids.annotations() for match in one.matches]
    assert merge(ours, pack).works[0].outcome is MergeOutcome.EQUAL
    assert pack_of(ours, "Ko").works == pack.works, "another copy gets them too"
    assert merge(ours, pack_of(theirs, "Bob")).detached == ()
    assert state(ours) == state(theirs)


@pytest.mark.slow
def test_a_match_against_a_unit_that_its_owner_removed_is_kept_aside_in_either_order(copies) -> None:
    kos, anns = copies.open(), copies.open()
    annotate(kos, "Ko", "verdict")
    ann = open_editor(anns)
    ann.apply(lambda a: remove_scu(a, "a" * 32))
    packs = pack_of(kos, "Ko"), pack_of(anns, "Ann")
    results = []
    for order in (packs, packs[::-1]):
        ours = copies.open()
        for pack in order:
            report = merge(ours, pack)
        assert report.detached == (DetachedMatches("D1", "Ko", "Ann", 1),)
        assert {work.outcome for pack in packs for work in merge(ours, pack).works} == {MergeOutcome.EQUAL}
        results.append({work.annotator: work.content.digest for work in pack_of(ours).works})
        assert check(ours.path) == []
    assert results[0] == results[1]
    ann.undo()
    assert merge(ours, pack_of(anns, "Ann")).detached == (), "the unit is back"
    assert state(ours)["D1", "Ko"] == state(kos)["D1", "Ko"]


def test_a_dry_run_reports_the_same_and_writes_nothing(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    annotate(theirs, "Ko", "verdict")
    packs = [("ko.pack", pack_of(theirs, "Ko"))]
    before = state(ours)
    planned = ours.merge_annotations(packs, dry_run=True)
    assert state(ours) == before
    assert [person.name for person in ours.annotators.all()] == ["Ann", "Ben"]
    assert ours.merge_annotations(packs) == planned


def test_a_new_scale_comes_with_its_ratings_and_another_range_is_refused(copies) -> None:
    theirs, ours, others = copies.open(), copies.open(), copies.open()
    before = theirs.ratings.dimensions()
    scale = Dimension("5" * 32, "style", 1.0, 7.0, "How?", "Read first.", ((1.0, "bad"), (7.0, "good")))
    theirs.ratings.edit_dimensions(before, [*before, scale], None).result()
    others.ratings.add_dimension("style", 0, 100)
    ko = open_editor(theirs, "Ko", "Ko")
    theirs.ratings.rate(ko.topic.summaries[0].id, scale.id, ko.annotator_id, 6.0).result()
    pack = pack_of(theirs, "Ko")
    merge(ours, pack)
    assert replace(ours.ratings.dimensions()[-1], id=scale.id) == scale
    kept = ours.ratings.dimensions()
    ours.ratings.edit_dimensions(kept, [*kept[:-1], replace(kept[-1], question="Why?")], None).result()
    assert "another question" in merge(ours, pack).notes[0]
    assert state(ours) == state(theirs)
    with pytest.raises(BadImport, match="scale style: It has the range 1 to 7, here 0 to 100"):
        merge(others, pack)


def test_ratings_on_a_removed_scale_are_left_out_until_it_is_added_again(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    ours.ratings.add_dimension("style", 1, 7)
    theirs.ratings.add_dimension("style", 1, 7)
    ko = open_editor(theirs, "Ko", "Ko")
    for scale in theirs.ratings.dimensions():
        theirs.ratings.rate(ko.topic.summaries[0].id, scale.id, ko.annotator_id, 3.0).result()
    pack = pack_of(theirs, "Ko")
    merge(ours, pack)
    with_style, merged = ours.ratings.dimensions(), state(ours)
    ours.ratings.edit_dimensions(with_style, with_style[:-1], None).result()
    without, later = state(ours), pack_of(ours, "Ko")
    report = merge(ours, pack)
    assert (
        "The scale style was removed from this study, so 0.pack is merged without its 1 rating"
        in report.notes[0]
    )
    assert not report.conflicts
    assert state(ours) == without
    assert not merge(theirs, later).conflicts
    assert state(theirs) == merged
    ours.ratings.edit_dimensions(with_style[:-1], with_style, None).result()
    assert not merge(ours, pack).conflicts
    assert state(ours) == merged


def test_unknown_annotators_and_empty_studies_are_refused(copies) -> None:
    study = copies.open()
    with pytest.raises(InputError, match=r"named 'Nobody'\. Choose one of: Ann, Ben"):
        study.annotation_pack(["Nobody"])
    with pytest.raises(InputError, match="Ben has no annotations"):
        study.annotation_pack(["Ben"])


def edit_randomly(study: StudyFile, name: str, choice: random.Random) -> None:
    """Make one edit of the annotator's pyramid, matches, states or ratings, or undo one."""
    editor = open_editor(study, name, name)
    scus, topic = editor.annotation.pyramid.scus, editor.topic
    summary = choice.choice(topic.summaries).id
    owner = open_editor(study, name, choice.choice(["Ann", name]))
    match choice.randrange(8):
        case 0 | 1:
            start = choice.randrange(10)
            editor.apply(lambda a: add_scu(a, f"unit {start}", topic.references[0].id, [(start, start + 3)]))
        case 2 if scus:
            editor.apply(lambda a: remove_scu(a, choice.choice(scus).id))
        case 3 if scus:
            editor.apply(lambda a: set_label(a, scus[0].id, f"label {choice.randrange(9)}"))
        case 4 if owner.annotation.pyramid.scus:
            unit = choice.choice(owner.annotation.pyramid.scus).id
            owner.apply(lambda a: add_match(a, summary, owner.annotator_id, unit, [(0, 2)]))
        case 5:
            owner.apply(
                lambda a: set_summary_state(
                    a, summary, owner.annotator_id, is_done=choice.random() < 0.5, is_flagged=False
                )
            )
        case 6 if study.edits.undo_labels(editor.annotator_id)[0]:
            with suppress(EditConflict):  # others have changed the same rows
                study.edits.undo(editor.annotator_id).result()
        case _:
            value = choice.choice([None, 1.0, 3.0])
            scale = study.ratings.dimensions()[0].id
            study.ratings.rate(summary, scale, editor.annotator_id, value).result()


@pytest.mark.slow
@settings(
    max_examples=examples(4), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)
@given(seed=st.integers(0, 10**6))
def test_merging_is_commutative_and_idempotent(copies, seed) -> None:
    """Three packs of three annotators from copies that were edited at random, some continuing another.

    Ann removes SCUs that others match.
    """
    choice = random.Random(seed)
    packs, path = [], None
    for _ in range(3):
        study = copies.open(path)
        for _ in range(choice.randrange(1, 7)):
            edit_randomly(study, choice.choice(["Ann", "Ko", "Li"]), choice)
        names = [person.name for person in study.annotators.all() if person.name in ("Ann", "Ko", "Li")]
        packs.append(study.annotation_pack(names))
        study.close()
        path = choice.choice([None, study.path])
    results = []
    for order in list(permutations(packs))[:: 5 if seed % 2 else 2]:
        ours = copies.open()
        for pack in order:
            merge(ours, pack)
        before = state(ours)
        for pack in packs:
            merge(ours, pack)
        assert state(ours) == before, "merging again changes nothing"
        results.append(before)
        ours.close()
        assert check(ours.path) == []
    assert all(result == results[0] for result in results)


def version(edits: str, value: int) -> TopicWork:
    content = WorkContent(ratings=(PackedRating("q", "s", float(value)),) if value else ())
    return TopicWork("T", "Ko", content, frozenset(edits), max(edits, default=""))


@pytest.mark.slow
@given(
    st.lists(st.tuples(st.frozensets(st.sampled_from("abcd"), min_size=1), st.integers(0, 4)), max_size=4),
    st.randoms(use_true_random=False),
)
def test_joining_versions_is_commutative_and_idempotent(drawn, chance) -> None:
    """A version is determined by its edits, as in practice."""
    versions = [version("".join(sorted(edits)), value) for edits, value in dict(drawn).items()]
    outcomes = []
    for _ in range(3):
        joined: tuple[TopicWork, ...] = ()
        for one in (*versions, *versions[: len(versions) // 2]):
            joined, _ = join(joined, one)
        outcomes.append(Counter(joined))
        chance.shuffle(versions)
    assert outcomes.count(outcomes[0]) == 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-20], "JSON cannot be read"),
        (lambda text: text.replace("verdict", "vrdict"), "its digest does not fit"),
        (lambda text: "[" * 100_000, "JSON cannot be read"),
        (lambda text: '{"format":"other"}', "is not an annotation pack"),
        (lambda text: text.replace('"version":1', '"version":2'), "Update the program"),
        (lambda text: '{"format":"pyramidion-annotations","format":"x"}', "JSON cannot be read"),
    ],
)
def test_damaged_packs_are_refused(copies, change, message) -> None:
    study = copies.open()
    annotate(study, "Ko", "verdict")
    text = study.annotation_pack(["Ko"]).to_text()
    assert parse_pack(text, "a.pack") == study.annotation_pack(["Ko"])
    with pytest.raises(InputError, match=message):
        parse_pack(change(text), "a.pack")


def forged(document: dict[str, object]) -> str:
    """Return a document with the digest that fits it."""
    import hashlib

    body = {key: value for key, value in document.items() if key != "digest"}
    dump = {"ensure_ascii": False, "sort_keys": True, "separators": (",", ":")}
    digest = hashlib.sha256(json.dumps(body, **dump).encode("utf-8", "surrogatepass")).hexdigest()
    return json.dumps({**body, "digest": digest}, **dump)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("work", 0, "content", "pyramids", 0, "units", 0, "contributors", 0, "parts", 0, 2), -1),
        (("work", 0, "content", "pyramids", 0, "units", 0, "contributors", 0, "parts", 0, 2), 10**6),
        (("work", 0, "content", "pyramids", 0, "units", 0, "contributors", 0, "reference"), "Z"),
        (("work", 0, "content", "pyramids", 0, "units", 0, "id"), "x"),
        (("work", 0, "content", "pyramids", 0, "units", 0, "label"), "\ud800"),
        (("work", 0, "content", "pyramids", 0, "kind"), "other"),
        (("work", 0, "content", "matches", 0, "owner"), "Nobody"),
        (("work", 0, "content", "matches", 0, "unit"), "c"),
        (("work", 0, "content", "ratings", 0, "value"), 99),
        (("work", 0, "content", "ratings", 0, "scale"), "unknown"),
        (("work", 0, "annotator"), "a\0b"),
        (("work", 0, "history"), "abc"),
        (("work",), {"a": 1}),
        (("scales", "quality", "low"), 9),
        (("scales", "quality", "anchors"), [[1]]),
        (("texts", "D1", "summaries"), []),
    ],
)
def test_forged_packs_are_refused_and_change_nothing(copies, path, value) -> None:
    theirs, ours = copies.open(), copies.open()
    annotate(theirs, "Ko", "verdict")
    document = json.loads(theirs.annotation_pack(["Ko"]).to_text())
    place = document
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    before = state(ours)
    with pytest.raises(InputError):
        merge(ours, parse_pack(forged(document), "forged.pack"))
    assert state(ours) == before
    assert check(ours.path) == []


def test_comments_and_kinds_survive(copies) -> None:
    theirs, ours = copies.open(), copies.open()
    annotate(theirs, "Ko", "verdict")
    ko = open_editor(theirs, "Ko", "Ko")
    ko.apply(lambda a: set_comment(a, a.pyramid.scus[0].id, "unsure 🌉"))
    merge(ours, pack_of(theirs, "Ko"))
    (nuggets,) = ours.nuggets.annotations()
    assert nuggets.pyramid.kind is UnitKind.NUGGET
    merged = next(one for one in ours.pyramids.annotations() if one.pyramid.scus[0].label == "verdict")
    assert merged.pyramid.scus[0].comment == "unsure 🌉"


def adjudicate(study: StudyFile, number: int, choice: Choice) -> None:
    """Decide on one rating of the first topic as Mia."""
    mia, result = (
        study.annotators.get_or_create("Mia"),
        study.annotators.get_or_create("adjudicated", RESULT_GROUP),
    )
    selection = AdjudicationSelection(annotators=("Ann", "Ben"))
    sides = sides_of(study.annotators.all(), selection, mia.name)
    head = study.texts.topics()[0]
    topic = adjudication_of(read_topic(study, head.id, result.id), selection, sides)
    study.adjudication.commit(topic.decide(topic.items[number], choice), mia.id).result()


@pytest.fixture
def rated_copies(copies):
    """Two copies of a study in which Ann and Ben rated two summaries differently."""
    with open_study(copies.original) as study:
        scale, topic = study.ratings.dimensions()[0].id, study.texts.topic(study.texts.topics()[0].id)
        for value, name in enumerate(("Ann", "Ben"), 2):
            for summary in topic.summaries[:2]:
                study.ratings.rate(summary.id, scale, study.annotators.get_or_create(name).id, value).result()
    return copies.open(), copies.open()


def decisions(study: StudyFile):
    return [
        (one.choice.value, one.source, one.decided_by)
        for one in study.adjudication.decisions(study.texts.topics()[0].id)
    ]


def test_decisions_come_with_the_adjudicated_work_and_continue_it(rated_copies) -> None:
    first, second = rated_copies
    adjudicate(second, 0, Choice.ACCEPT)
    adjudicate(second, 1, Choice.NEITHER)
    report = merge(first, pack_of(second, "adjudicated"))
    assert report.count(MergeOutcome.ADDED) == 1
    assert sorted(decisions(first)) == [("accept", "Ann", "Mia"), ("neither", "", "Mia")]
    adjudicate(second, 1, Choice.BOTH)
    report = merge(first, pack_of(second, "adjudicated"))
    assert (report.count(MergeOutcome.UPDATED), report.conflicts) == (1, ())
    assert sorted(decisions(first)) == [("accept", "Ann", "Mia"), ("both", "", "Mia")]
    assert state(first)["D1", "adjudicated"] == state(second)["D1", "adjudicated"]
    assert merge(second, pack_of(first, "adjudicated")).count(MergeOutcome.EQUAL) == 1
    assert check(first.path) == []


def test_undone_decisions_are_newer_than_the_decisions(rated_copies) -> None:
    first, second = rated_copies
    adjudicate(second, 0, Choice.ACCEPT)
    merge(first, pack_of(second, "adjudicated"))
    second.edits.undo(second.annotators.get_or_create("Mia").id).result()
    adjudicate(second, 0, Choice.BOTH)
    report = merge(first, pack_of(second, "adjudicated"))
    assert report.conflicts == ()
    assert decisions(first) == [("both", "", "Mia")]


def test_adjudication_in_two_copies_at_once_is_a_conflict(rated_copies) -> None:
    first, second = rated_copies
    adjudicate(first, 0, Choice.ACCEPT)
    adjudicate(second, 0, Choice.BOTH)
    report = merge(first, pack_of(second, "adjudicated"))
    (conflict,) = report.conflicts
    assert conflict.annotator == "adjudicated"
    assert len(decisions(first)) == 2


def test_an_adjudicators_own_work_does_not_grow_with_decisions(rated_copies) -> None:
    _, second = rated_copies
    adjudicate(second, 0, Choice.ACCEPT)
    with pytest.raises(InputError, match="no annotations"):
        second.annotation_pack(["Mia"])


def test_packs_without_decisions_are_as_before() -> None:
    content = WorkContent(ratings=(PackedRating("quality", "lead", 4.0),))
    assert "decisions" not in json.loads(content.to_text())
    assert from_json(WorkContent, content.to_text()) == content
