"""Edits: what they write, how they are taken back, what stops them."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain import pyramid as p
from core.domain.study import TYPING
from core.errors import EditConflict, InputError
from core.files.study_address import ServerAddress
from core.ports import ChangeKind
from tests.conftest import examples
from tests.postgres import rows_of_server

SEVERAL_TIMES = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
"""The tests run here and, by import, on a server."""


def rows(study, query, *arguments):
    """What stands in the database, asked past the program."""
    if isinstance(study.path, ServerAddress):
        return rows_of_server(study.path, query, *arguments)
    with closing(sqlite3.connect(study.path)) as connection:
        connection.row_factory = sqlite3.Row
        return [dict(row) for row in connection.execute(query, arguments)]


def new_scu(editor, label="ban lifted", author=0, spans=((0, 9),)):
    scu_id = p.new_id()
    reference = editor.topic.references[author]
    editor.apply(lambda a: p.add_scu(a, label, reference.id, list(spans), scu_id), "new SCU")
    return scu_id


def summary(editor, system):
    return next(s.id for s in editor.topic.summaries if s.name == system)


class TestCommit:
    def test_an_edit_is_read_back_as_it_was(self, ann):
        new_scu(ann, spans=((4, 9), (0, 3)))
        ann.apply(
            lambda a: p.add_match(a, summary(ann, "good"), ann.annotator_id, a.pyramid.scus[0].id, [(0, 9)])
        )
        ann.apply(lambda a: p.add_match(a, summary(ann, "bad"), ann.annotator_id, None, [(0, 7)]))
        ann.apply(
            lambda a: p.set_summary_state(a, summary(ann, "bad"), ann.annotator_id, is_done=True, note="ok")
        )
        ann.apply(lambda a: p.mark_pyramid_done(a, True))
        assert ann.study.pyramids.annotation(ann.topic.id, ann.owner_id) == ann.annotation
        assert list(ann.study.pyramids.annotations()) == [ann.annotation]

    def test_it_stores_the_rows_before_and_after_with_who_when_and_how_long(self, ann):
        scu_id = new_scu(ann)
        receipt = ann.apply(lambda a: p.set_label(a, scu_id, "new label"), "rename", seconds=3.5)
        (edit,) = rows(ann.study, "SELECT * FROM edits WHERE id = ?", receipt.edit_id)
        (change,) = json.loads(edit["delta"])
        assert change["table"] == "scus"
        assert (change["before"]["label"], change["after"]["label"]) == ("ban lifted", "new label")
        assert (change["before"]["version"], change["after"]["version"]) == (1, 2)
        assert (edit["verb"], edit["annotator_id"], edit["active_seconds"]) == (
            "rename",
            ann.annotator_id,
            3.5,
        )
        assert edit["at"] == receipt.at.isoformat()

    def test_it_states_what_changed_and_where(self, ann):
        heard = []
        stop = ann.study.subscribe(heard.append)
        scu_id = new_scu(ann)
        ann.apply(lambda a: p.add_match(a, summary(ann, "good"), ann.annotator_id, scu_id, [(0, 9)]))
        ann.study.flush()
        stop()
        new_scu(ann)
        assert [set(changes.kinds) for changes in heard] == [{ChangeKind.PYRAMIDS}, {ChangeKind.MATCHES}]
        assert {topic for changes in heard for topic in changes.topics} == {ann.topic.id}

    def test_one_that_changes_nothing_writes_nothing_and_is_answered(self, ann):
        scu_id = new_scu(ann)
        before = rows(ann.study, "SELECT * FROM edits")
        receipt = ann.apply(lambda a: p.set_label(a, scu_id, "ban lifted"), "rename")
        assert (receipt.verb, receipt.edit_id, receipt.changes.kinds) == ("rename", "", frozenset())
        assert rows(ann.study, "SELECT * FROM edits") == before

    def test_it_touches_no_row_but_its_own(self, ann):
        first, second = new_scu(ann, "one"), new_scu(ann, "two")
        new_scu(ann, "three")
        receipt = ann.apply(lambda a: p.remove_scu(a, first))
        (edit,) = rows(ann.study, "SELECT delta FROM edits WHERE id = ?", receipt.edit_id)
        assert {c["table"] for c in json.loads(edit["delta"])} == {
            "scus",
            "contributors",
            "contributor_parts",
        }
        assert len(json.loads(edit["delta"])) == 3
        assert second not in edit["delta"]

    def test_what_is_removed_leaves_a_tombstone(self, ann):
        scu_id = new_scu(ann)
        ann.apply(lambda a: p.remove_scu(a, scu_id))
        (row,) = rows(ann.study, "SELECT label, is_deleted, version FROM scus WHERE id = ?", scu_id)
        assert row == {"label": "ban lifted", "is_deleted": 1, "version": 2}

    def test_edits_may_be_queued_without_waiting(self, ann):
        waiting, state = [], ann.annotation
        for label in ("a", "b", "c", "d"):
            after = p.add_scu(state, label, ann.topic.references[0].id, [(0, 3)])
            waiting.append(ann.study.pyramids.commit(state, after, "new SCU", ann.annotator_id))
            state = after
        assert all(future.result(10).edit_id for future in waiting)
        assert ann.reload() == state

    def test_a_moved_scu_stays_where_it_was_put(self, ann):
        for label in "abc":
            new_scu(ann, label)

        def reverse(a):
            return replace(a, pyramid=replace(a.pyramid, scus=a.pyramid.scus[::-1]))

        ann.apply(reverse)
        assert [
            scu.label for scu in ann.study.pyramids.annotation(ann.topic.id, ann.owner_id).pyramid.scus
        ] == list("cba")

    def test_a_part_outside_its_text_is_refused(self, ann):
        with pytest.raises(InputError, match=r"outside its text of 62 characters"):
            new_scu(ann, spans=((50, 63),))
        assert ann.reload().pyramid.scus == ()

    def test_a_part_in_another_topic_is_refused(self, ann, study):
        other = study.texts.topic(next(head.id for head in study.texts.topics() if head.name == "D2"))
        with pytest.raises(InputError, match="another topic"):
            ann.apply(lambda a: p.add_scu(a, "x", other.references[0].id, [(0, 3)]))

    def test_everybody_sees_one_and_the_same_empty_pyramid_before_it_is_begun(self, ann, ben):
        assert ann.annotation == ben.annotation
        new_scu(ann)
        assert ben.reload() == ann.annotation


class TestConflict:
    def test_it_states_who_changed_what_by_which_edit_and_nothing_is_written(self, ann, ben):
        scu_id = new_scu(ann)
        ben.reload()
        ann.apply(lambda a: p.set_label(a, scu_id, "by Ann"), "rename")
        edits = rows(ann.study, "SELECT * FROM edits")
        with pytest.raises(
            EditConflict, match=r"^Ann changed this SCU by “rename” \(\d{4}-\d\d-\d\d \d\d:\d\d\)\. "
        ):
            ben.apply(lambda a: p.set_label(a, scu_id, "by Ben"))
        assert rows(ann.study, "SELECT * FROM edits") == edits
        assert ben.reload().pyramid.scus[0].label == "by Ann"

    def test_two_edits_of_different_rows_do_not_meet(self, ann, ben):
        first, second = new_scu(ann, "one"), new_scu(ann, "two")
        ben.reload()
        ann.apply(lambda a: p.set_label(a, first, "uno"))
        ben.apply(lambda a: p.set_label(a, second, "due"))
        assert [scu.label for scu in ann.reload().pyramid.scus] == ["uno", "due"]

    def test_additions_at_one_place_both_stand(self, ann, ben):
        new_scu(ann, "by Ann")
        new_scu(ben, "by Ben")
        assert [scu.label for scu in ann.reload().pyramid.scus] == ["by Ann", "by Ben"]

    def test_an_scu_matched_meanwhile_is_not_removed_from_under_the_match(self, ann, ben):
        scu_id = new_scu(ann)
        ben.reload()
        ben.apply(lambda a: p.add_match(a, summary(ben, "good"), ben.annotator_id, scu_id, [(0, 9)]), "match")
        with pytest.raises(EditConflict, match="Ben changed a match by “match”"):
            ann.apply(lambda a: p.remove_scu(a, scu_id))
        assert len(ann.reload().matches) == 1

    def test_an_scu_removed_meanwhile_is_not_matched(self, ann, ben):
        scu_id = new_scu(ann)
        ben.reload()
        ann.apply(lambda a: p.remove_scu(a, scu_id), "remove")
        with pytest.raises(EditConflict, match="Ann removed this SCU by “remove”"):
            ben.apply(lambda a: p.add_match(a, summary(ben, "good"), ben.annotator_id, scu_id, [(0, 9)]))

    def test_one_summary_marked_twice_at_once_is_marked_once(self, ann, study):
        seen = ann.reload()
        ann.apply(lambda a: p.set_summary_state(a, summary(ann, "good"), ann.annotator_id, is_done=True))
        other = p.set_summary_state(seen, summary(ann, "good"), ann.annotator_id, is_flagged=True)
        with pytest.raises(EditConflict, match="the marks of this summary at the same time"):
            study.pyramids.commit(seen, other, "flag", ann.annotator_id).result()
        assert study.pyramids.annotation(ann.topic.id, ann.owner_id) == ann.annotation

    def test_an_edit_on_one_that_failed_fails_too(self, ann, ben):
        scu_id = new_scu(ann)
        seen = ben.reload()
        ann.apply(lambda a: p.remove_scu(a, scu_id), "remove")
        first = p.add_contributor(seen, scu_id, ben.topic.references[1].id, [(0, 7)])
        contributor = first.pyramid.scus[0].contributors[1]
        second = p.remove_part(first, scu_id, contributor.parts[0].id)
        waiting = [ben.study.pyramids.commit(seen, first, "a", ben.annotator_id)]
        waiting += [ben.study.pyramids.commit(first, second, "b", ben.annotator_id)]
        assert all(isinstance(future.exception(10), EditConflict) for future in waiting)


class TestUndo:
    def test_receipts_state_what_can_be_undone_now_as_the_study_does(self, ann):
        me, reference = ann.annotator_id, ann.topic.references[0].id
        for verb in ("first", "second"):
            receipt = ann.apply(lambda a, verb=verb: p.add_scu(a, verb, reference, [(0, 3)]), verb)
            assert receipt.changes.undo_labels == {me: ann.study.edits.undo_labels(me)} == {me: (verb, "")}
        for move, labels in (
            ("undo", ("first", "second")),
            ("undo", ("", "first")),
            ("redo", ("first", "second")),
        ):
            receipt = getattr(ann, move)()
            assert receipt.changes.undo_labels == {me: ann.study.edits.undo_labels(me)} == {me: labels}
        assert receipt.what == ann.study.edits.history(limit=2)[1].what

    def test_decisions_that_change_no_row_are_announced_as_they_can_be_undone(self, ann):
        study, me, told = ann.study, ann.annotator_id, []
        study.subscribe(lambda changes: told.append(changes.undo_labels[me]))
        topic_id = study.texts.topics()[0].id
        study.edits.record_decision(topic_id, me, "dismiss suggestion", "{}").result()
        study.edits.undo(me).result()
        study.close()
        assert told == [("dismiss suggestion", ""), ("", "dismiss suggestion")]

    def test_edits_of_one_stay_in_a_field_are_undone_and_redone_together(self, ann):
        scu_id = new_scu(ann)
        states = [ann.annotation]
        for stay, words in (("1", "v"), ("1", "vag"), ("1", "vague"), ("2", "vague, see 4"), ("2", "vaguer")):
            ann.apply(
                lambda a, words=words: p.set_comment(a, scu_id, words),
                "comment",
                details=json.dumps({TYPING: stay}),
            )
            states.append(ann.annotation)
        for expected in (states[3], states[0]):
            ann.undo()
            assert ann.reload() == expected
        for expected in (states[3], states[5]):
            ann.redo()
            assert ann.reload() == expected

    def test_removing_an_scu_and_undoing_restores_everybodys_matches(self, ann, ben):
        scu_id = new_scu(ann)
        ben.reload()
        ben.apply(
            lambda a: p.add_match(a, summary(ben, "good"), ben.annotator_id, scu_id, [(0, 9), (10, 16)])
        )
        before = ann.reload()
        ann.apply(lambda a: p.add_match(a, summary(ann, "lead"), ann.annotator_id, scu_id))
        full = ann.annotation
        ann.apply(lambda a: p.remove_scu(a, scu_id), "remove")
        assert (ann.reload().matches, ann.reload().pyramid.scus) == ((), ())
        assert ann.undo().verb == "remove"
        assert ann.reload() == full
        ann.undo()
        assert ann.reload() == before

    def test_it_is_refused_where_somebody_changed_the_row_since(self, ann, ben):
        scu_id = new_scu(ann)
        ben.reload()
        ben.apply(lambda a: p.set_comment(a, scu_id, "why?"), "comment")
        with pytest.raises(
            EditConflict, match=r"Ben changed this SCU by “comment” .*“new SCU” cannot be undone"
        ):
            ann.undo()
        assert len(ann.reload().pyramid.scus) == 1
        ben.undo()
        ann.undo()
        assert ann.reload().pyramid.scus == ()

    def test_it_is_refused_where_somebody_built_on_it(self, ann, ben):
        scu_id = new_scu(ann)
        ben.reload()
        ben.apply(lambda a: p.add_match(a, summary(ben, "good"), ben.annotator_id, scu_id), "match")
        with pytest.raises(EditConflict, match="Ben changed a match by “match”"):
            ann.undo()

    def test_redo_is_refused_where_its_ground_was_taken_back(self, ann, ben):
        scu_id = new_scu(ann)
        ben.reload()
        ben.apply(lambda a: p.set_label(a, scu_id, "B"), "rename")
        ann.reload()
        ann.apply(lambda a: p.set_comment(a, scu_id, "c"), "comment")
        ann.undo()
        ben.undo()
        with pytest.raises(
            EditConflict, match=r"Ben undid “rename” on this SCU .*“comment” cannot be redone"
        ):
            ann.redo()

    def test_what_somebody_put_in_the_same_words_again_is_not_what_was_there(self, ann, ben):
        scu_id = new_scu(ann)
        ann.apply(lambda a: p.set_label(a, scu_id, "one"), "first")
        ann.apply(lambda a: p.set_label(a, scu_id, "two"), "second")
        ben.reload()
        ben.apply(lambda a: p.set_label(a, scu_id, "three"))
        ben.apply(lambda a: p.set_label(a, scu_id, "two"), "back")
        with pytest.raises(EditConflict, match="Ben changed this SCU by “back”"):
            ann.undo()

    def test_a_new_edit_ends_redo(self, ann):
        new_scu(ann, "one")
        ann.undo()
        ann.reload()
        new_scu(ann, "two")
        with pytest.raises(InputError, match="Nothing to redo"):
            ann.redo()
        ann.undo()
        assert ann.study.edits.undo_labels(ann.annotator_id) == ("", "new SCU")

    def test_redo_restores_the_last_thing_undone_not_an_older_one(self, ann):
        new_scu(ann, "one")
        ann.undo()
        ann.reload()
        new_scu(ann, "two")
        ann.undo()
        ann.redo()
        assert [scu.label for scu in ann.reload().pyramid.scus] == ["two"]
        with pytest.raises(InputError, match="Nothing to redo"):
            ann.redo()

    def test_nothing_left_is_said(self, ann):
        with pytest.raises(InputError, match="Nothing to undo"):
            ann.undo()
        assert ann.study.edits.undo_labels(ann.annotator_id) == ("", "")

    def test_it_goes_over_all_pages_in_the_order_of_work(self, ann, study):
        scale = study.ratings.add_dimension("coherence")
        new_scu(ann)
        study.ratings.rate(summary(ann, "good"), scale.id, ann.annotator_id, 4).result()
        assert study.edits.undo_labels(ann.annotator_id) == ("rate coherence", "")
        assert ann.undo().topic_id == ann.topic.id
        assert study.ratings.of_topic(ann.topic.id) == []
        assert ann.undo().verb == "new SCU"

    def test_each_annotator_has_their_own_line(self, ann, ben):
        new_scu(ann, "by Ann")
        ben.reload()
        new_scu(ben, "by Ben")
        ann.undo()
        assert [scu.label for scu in ann.reload().pyramid.scus] == ["by Ben"]

    def test_history_shows_what_is_undone(self, ann, study):
        new_scu(ann, "one")
        new_scu(ann, "two")
        ann.undo()
        newest, older, *rest = study.edits.history()
        assert (newest.is_undone, older.is_undone, newest.annotator) == (True, False, "Ann")
        assert [record.verb for record in rest] == ["import"], "naming a new study is no edit"
        assert len(study.edits.history(ann.topic.id)) == 2
        assert len(study.edits.history(limit=1)) == 1


class TestWhatChangedNoRow:
    DISMISSED = '{"suggestion": "contributor", "scu": "", "words": ["lifted the ban"]}'

    def dismiss(self, editor):
        return editor.study.edits.record_event(
            editor.topic.id, editor.annotator_id, "dismiss suggestion", self.DISMISSED
        ).result()

    def test_it_is_in_the_history_and_can_be_read_back(self, ann, ben, study):
        receipt = self.dismiss(ann)
        assert study.edits.history()[0].edit_id == receipt.edit_id
        assert study.edits.history(ann.topic.id)[0].verb == "dismiss suggestion"
        assert study.edits.events(ann.topic.id, ann.annotator_id, "dismiss suggestion") == [self.DISMISSED]
        assert study.edits.events(ann.topic.id, ben.annotator_id, "dismiss suggestion") == []

    def test_the_history_states_what_was_suggested(self, ann, study):
        self.dismiss(ann)
        after = p.add_scu(ann.annotation, "one", ann.topic.references[0].id, [(0, 9)])
        verb = "take suggestion: new SCU"
        study.pyramids.commit(ann.annotation, after, verb, ann.annotator_id, details=self.DISMISSED).result()
        taken, dismissed = study.edits.history(ann.topic.id)
        assert taken.what == "New SCU “one”, as suggested"
        assert dismissed.what == "Dismissed a suggestion: “lifted the ban”"

    def test_undo_and_redo_pass_over_it(self, ann, study):
        new_scu(ann, "one")
        self.dismiss(ann)
        assert study.edits.undo_labels(ann.annotator_id) == ("new SCU", "")
        ann.undo()
        self.dismiss(ann)
        assert study.edits.undo_labels(ann.annotator_id) == ("", "new SCU")
        ann.redo()
        assert [scu.label for scu in ann.reload().pyramid.scus] == ["one"]

    def test_an_edit_keeps_what_it_was_made_on_through_undo_and_redo(self, ann, study):
        after = p.add_scu(ann.annotation, "one", ann.topic.references[0].id, [(0, 9)])
        verb = "take suggestion: new SCU"
        study.pyramids.commit(ann.annotation, after, verb, ann.annotator_id, details=self.DISMISSED).result()
        ann.undo()
        ann.redo()
        assert study.edits.events(ann.topic.id, ann.annotator_id, verb) == [self.DISMISSED]


CHOICES = st.tuples(st.integers(0, 13), st.integers(0, 99), st.integers(0, 99), st.integers(0, 99))


def random_edit(editor, other_id, choice):
    """One of the ways to change an annotation, on whatever is there."""
    kind, one, two, three = choice
    references, summaries = editor.topic.references, editor.topic.summaries
    reference, text = references[one % len(references)], summaries[one % len(summaries)]
    who = (editor.annotator_id, other_id)[two % 2]

    def span(content):
        start = two % (len(content) - 1)
        return start, start + 1 + three % (len(content) - start)

    def edit(a):
        scus, matches = a.pyramid.scus, a.matches
        if kind <= 1 or not scus:
            return p.add_scu(a, f"SCU {two} 🌉", reference.id, [span(reference.content)])
        scu = scus[two % len(scus)]
        parts = [part for c in scu.contributors for part in c.parts]
        match kind:
            case 2 | 3:
                return p.add_contributor(a, scu.id, reference.id, [span(reference.content), (0, 2)])
            case 4 if parts:
                return p.remove_part(a, scu.id, parts[three % len(parts)].id)
            case 5:
                return p.set_label(a, scu.id, f"e\u0301 {three}")
            case 6:
                return p.remove_scu(a, scu.id)
            case 7 if len(scus) > 1:
                return p.merge_scus(a, scu.id, next(s.id for s in scus if s is not scu))
            case 8 | 9:
                return p.add_match(a, text.id, who, scu.id, [span(text.content)], repeats=three % 2 == 0)
            case 10:
                return p.add_match(a, text.id, who, None, [span(text.content)])
            case 11 if matches:
                return p.remove_match(a, matches[three % len(matches)].id)
            case 12:
                return p.set_summary_state(a, text.id, who, is_done=three % 2 == 0, note=str(two))
        turned = three % len(scus)
        return replace(a, pyramid=replace(a.pyramid, scus=scus[turned:] + scus[:turned][::-1]))

    return edit


@pytest.mark.slow
@settings(max_examples=examples(15), deadline=None, suppress_health_check=SEVERAL_TIMES)
@given(choices=st.lists(CHOICES, min_size=1, max_size=14))
def test_any_edits_are_undone_to_the_start_and_redone_to_the_end(ann, ben, choices):
    states = [ann.reload()]
    texts = {text.id: text.content for text in (*ann.topic.references, *ann.topic.summaries)}
    for choice in choices:
        edit = random_edit(ann, ben.annotator_id, choice)
        if ann.apply(edit).edit_id:
            states.append(ann.annotation)
        assert ann.reload() == states[-1]
    for scu in states[-1].pyramid.scus:
        for contributor in scu.contributors:
            assert all(
                0 <= s.start < s.end <= len(texts[contributor.reference_id]) for s in contributor.parts
            )
    ann.check_undo_and_redo(states)


def test_the_time_worked_is_summed_by_topic_for_one_persons_edits_of_some_verbs(ann, ben):
    scu = new_scu(ann)
    for verb, seconds in (("match", 4.0), ("unmatch", 2.5), ("rename", 100.0)):
        ann.apply(lambda a, verb=verb: p.set_comment(a, scu, verb), verb, seconds=seconds)
    ben.apply(lambda a: p.mark_pyramid_done(a, True), "match", seconds=50.0)
    worked = ann.study.edits.seconds_worked(ann.annotator_id, {"match", "unmatch"})
    assert worked == {ann.topic.id: 6.5}
    assert ann.study.edits.seconds_worked(ann.annotator_id, ()) == {}
