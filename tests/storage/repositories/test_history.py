"""The edit trail read, and followed back to what a pyramid was."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.domain import pyramid as p
from core.domain.import_batch import (
    ImportContent,
    NewContributor,
    NewMatch,
    NewMatches,
    NewPart,
    NewPyramid,
    NewScu,
    NewText,
    NewTopic,
)
from core.domain.pyramid import match_edits
from core.domain.pyramid.restore import restore
from core.domain.pyramid.scu_edits import move, split
from core.errors import EditConflict, InputError
from tests.conftest import examples
from tests.storage.conftest import open_editor
from tests.storage.repositories.test_edits import CHOICES, new_scu, random_edit, summary

SEVERAL_TIMES = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
"""The tests run here and, by import, on a server."""


def any_edit(editor, other_id, choice):
    """A random edit, moves of contributors and splits among them."""
    kind, one, two, _ = choice

    def regroup(a):
        scus = [scu for scu in a.pyramid.scus if scu.contributors]
        if len(scus) < 2:
            return a
        scu, other = scus[one % len(scus)], scus[(one + 1) % len(scus)]
        parts = {part.id for part in scu.contributors[two % len(scu.contributors)].parts}
        if two % 2 and len(scu.contributors) > 1:
            return split(a, scu.id, parts, "split off")
        return move(a, scu.id, parts, other.id)

    return regroup if kind in (6, 13) else random_edit(editor, other_id, choice)


def words(study, **about):
    return [record.what for record in study.edits.history(**about)]


def pyramid_of(editor):
    return {"topic_id": editor.topic.id, "pyramid_id": editor.annotation.pyramid.id}


class TestWords:
    def test_the_history_of_an_scu_is_described_newest_first(self, ann):
        scu = new_scu(ann, "Ferry stuck")
        reference = ann.topic.references[1].id
        ann.apply(lambda a: p.add_contributor(a, scu, reference, [(0, 7)]))
        ann.apply(lambda a: p.add_contributor(a, scu, reference, [(8, 14)]))
        part = ann.annotation.scu(scu).contributors[1].parts[0].id
        ann.apply(lambda a: p.remove_part(a, scu, part))
        ann.apply(lambda a: p.set_label(a, scu, "Ferry aground"))
        ann.apply(lambda a: p.set_comment(a, scu, "vague"))
        ann.apply(lambda a: p.set_comment(a, scu, ""))
        ann.apply(lambda a: p.remove_contributor(a, scu, a.scu(scu).contributors[1].id))
        ann.apply(lambda a: p.remove_scu(a, scu))
        assert words(ann.study, **pyramid_of(ann)) == [
            "Removed SCU “Ferry aground”",
            "Removed contributor B from “Ferry aground”",
            "Comment on “Ferry aground” removed",
            "Comment on “Ferry aground”: “vague”",
            "Label “Ferry stuck” → “Ferry aground”",
            "Removed a part of contributor B of “Ferry aground”",
            "Added a part to contributor B of “Ferry aground”",
            "Added contributor B to “Ferry aground”",
            "New SCU “Ferry stuck”",
        ]

    def test_what_became_of_a_unit_of_a_summary_is_reported(self, ann):
        scu, other = new_scu(ann, "Keep"), new_scu(ann, "Other", author=1)
        ann.apply(lambda a: p.add_match(a, summary(ann, "good"), ann.annotator_id, scu, [(0, 3)]))
        unit = ann.annotation.matches[0].id
        ann.apply(lambda a: match_edits.reassign(a, unit, other))
        ann.apply(lambda a: match_edits.comment_on_match(a, unit, "vague"))
        ann.apply(lambda a: match_edits.reassign(a, unit, None))
        assert words(ann.study, topic_id=ann.topic.id)[:4] == [
            "Moved a unit outside the pyramid",
            "Comment on a unit: “vague”",
            "Assigned a unit to “Other”",
            "Matched “Keep”",
        ]

    def test_a_merge_names_both(self, ann):
        keep, gone = new_scu(ann, "Keep"), new_scu(ann, "Gone", author=1)
        ann.apply(lambda a: p.merge_scus(a, keep, gone), "merge SCUs")
        assert words(ann.study, limit=1) == ["Merged “Gone” into “Keep”"]

    def test_marks_matches_and_ratings_are_reported_without_the_systems_name(self, ann, study):
        scu, me = new_scu(ann, "Ban lifted"), ann.annotator_id
        ann.apply(lambda a: p.add_match(a, summary(ann, "good"), me, scu, [(0, 9)]), "match")
        ann.apply(lambda a: p.add_match(a, summary(ann, "bad"), me, None, [(0, 7)]), "add unit")
        ann.apply(lambda a: p.set_summary_state(a, summary(ann, "bad"), me, is_done=True, note="odd"))
        ann.apply(lambda a: p.mark_pyramid_done(a, True))
        study.ratings.rate(summary(ann, "good"), study.ratings.add_dimension("coherence").id, me, 4).result()
        assert words(study, limit=6) == [
            "Rated 4",
            "New scale “coherence”, 1–5",
            "Marked the pyramid done",
            "Marked a summary done; note on a summary: “odd”",
            "Noted a unit outside the pyramid",
            "Matched “Ban lifted”",
        ]

    def test_splitting_and_moving_name_where_contributors_went(self, ann):
        first, second = new_scu(ann, "one"), new_scu(ann, "two", author=1)
        ann.apply(lambda a: p.add_contributor(a, first, ann.topic.references[1].id, [(8, 14)]))
        parts = {part.id for part in ann.annotation.scu(first).contributors[1].parts}
        ann.apply(lambda a: split(a, first, parts, "off"), "split SCU")
        off = ann.annotation.pyramid.scus[1].id
        ann.apply(lambda a: move(a, off, parts, second), "move contributor")
        assert words(ann.study, limit=2) == [
            "Merged “off” into “two”",  # it has given its last part away
            "New SCU “off”; moved contributor B from “one” to “off”",
        ]

    def test_many_changes_are_counted(self, ann):
        first, second = new_scu(ann, "one"), new_scu(ann, "two")

        def much(a):
            a = p.remove_scu(p.set_label(a, second, "2"), first)
            return p.add_scu(a, "three", ann.topic.references[0].id, [(4, 9)])

        ann.apply(much)
        assert words(ann.study, limit=1) == ["1 SCU added, 1 SCU removed, 1 SCU changed"]

    def test_a_restored_state_is_marked_in_the_history(self, ann):
        scu = new_scu(ann, "one")
        ann.apply(lambda a: p.set_label(a, scu, "two"), "restore")
        assert words(ann.study, limit=1) == ["Restored: Label “one” → “two”"]


class TestFilters:
    def test_only_what_touches_the_pyramid_is_listed(self, ann, ben, study):
        scu = new_scu(ann, "Ann's")
        ann.apply(lambda a: p.add_match(a, summary(ann, "good"), ann.annotator_id, scu, [(0, 9)]), "match")
        study.ratings.rate(
            summary(ann, "good"), study.ratings.add_dimension("coherence").id, ann.annotator_id, 4
        ).result()
        new_scu(open_editor(study, "Ben", "Ben"), "Ben's own")
        new_scu(open_editor(study, topic="D2"), "other topic")
        assert words(study, **pyramid_of(ann)) == ["New SCU “Ann's”"]

    def test_the_history_of_an_scu_has_its_contributors_parts_and_merges(self, ann):
        mine, other = new_scu(ann, "Mine"), new_scu(ann, "Other", author=1)
        third = new_scu(ann, "Third", author=1)
        ann.apply(lambda a: p.add_contributor(a, mine, ann.topic.references[0].id, [(10, 14)]))
        ann.apply(lambda a: p.set_label(a, other, "Another"))
        ann.apply(lambda a: p.merge_scus(a, mine, third), "merge SCUs")
        about = {"topic_id": ann.topic.id, "scu_id": mine}
        assert words(ann.study, **about) == [
            "Merged “Third” into “Mine”",
            "Added a part to contributor A of “Mine”",
            "New SCU “Third”",  # its contributor is one of this SCU now
            "New SCU “Mine”",
        ]

    def test_older_edits_are_listed_page_by_page(self, ann):
        for number in range(7):
            new_scu(ann, f"unit {number}")
        about = pyramid_of(ann)
        first = ann.study.edits.history(limit=4, **about)
        rest = ann.study.edits.history(limit=4, before=first[-1].edit_id, **about)
        assert [r.what for r in (*first, *rest)] == [f"New SCU “unit {n}”" for n in reversed(range(7))]
        with pytest.raises(InputError, match="not in the study"):
            ann.study.edits.history(before="nothing", **about)

    def test_what_changed_no_row_is_listed_with_its_owners_pyramid(self, ann, ben, study):
        new_scu(ann, "Mine")
        study.edits.record_event(ann.topic.id, ann.annotator_id, "dismiss suggestion", "{}").result()
        study.edits.record_event(ann.topic.id, ben.annotator_id, "dismiss suggestion", "{}").result()
        assert words(study, **pyramid_of(ann)) == ["Dismiss suggestion", "New SCU “Mine”"]

    def test_the_import_that_brought_a_pyramid_is_its_first_entry_and_leads_to_what_it_brought(self, study):
        text = "Words stand here."
        part = NewContributor("A", (NewPart(0, 5),))
        study.import_data(
            ImportContent(
                "file",
                topics=[NewTopic("D9", references={"A": NewText(text)})],
                pyramids=[NewPyramid("D9", "Ann", (NewScu("1", "Words", (part,)),))],
            )
        )
        editor = open_editor(study, topic="D9")
        brought = editor.annotation
        editor.apply(lambda a: p.set_label(a, a.pyramid.scus[0].id, "Other words"))
        assert words(study, **pyramid_of(editor)) == [
            "Label “Words” → “Other words”",
            "Imported file: 1 topic, 1 reference, 1 pyramid, 1 SCU",
        ]
        scu = editor.annotation.pyramid.scus[0].id
        assert words(study, topic_id=editor.topic.id, scu_id=scu)[-1].startswith("Imported file: ")
        imported = study.edits.history(**pyramid_of(editor))[-1]
        assert study.pyramids.annotation_at(editor.topic.id, editor.owner_id, imported.edit_id) == brought


class TestEarlierStates:
    def test_undoing_is_kept_with_its_moment_and_listed_on_demand(self, ann, study):
        new_scu(ann, "one")
        ann.undo()
        ann.redo()
        assert [r.verb for r in study.edits.history()][:1] == ["new SCU"]
        assert words(study, moves=True, limit=3) == [
            "Redid: New SCU “one”",
            "Undid: New SCU “one”",
            "New SCU “one”",
        ]

    def test_an_undone_edit_still_leads_to_what_it_had_made(self, ann, study):
        new_scu(ann, "one")
        made = ann.reload()
        edit = study.edits.history(limit=1)[0]
        ann.undo()
        assert study.pyramids.annotation_at(ann.topic.id, ann.owner_id, edit.edit_id) == made

    def test_an_edit_redone_after_somebody_elses_is_not_there_before_it(self, ann, ben, study):
        scu = new_scu(ann, "one")
        ann.apply(lambda a: p.set_comment(a, scu, "Ann's"), "comment")
        ann.undo()
        ben.reload()
        ben.apply(lambda a: p.add_match(a, summary(ben, "good"), ben.annotator_id, scu, [(0, 3)]), "match")
        matched = ben.reload()
        edit = study.edits.history(limit=1)[0]
        ann.redo()
        assert ann.reload() != matched
        assert study.pyramids.annotation_at(ann.topic.id, ann.owner_id, edit.edit_id) == matched

    def test_what_an_import_brought_was_not_there_before(self, study):
        texts = NewTopic(
            "D9", references={"A": NewText("Words stand.")}, summaries={"lead": NewText("Words.")}
        )
        scu = NewScu("1", "Words", (NewContributor("A", (NewPart(0, 5),)),))
        pyramids = (NewPyramid("D9", "Ann", (scu,)),)
        study.import_data(ImportContent("file", topics=[texts], pyramids=pyramids))
        editor = open_editor(study, topic="D9")
        lead = editor.topic.summaries[0].id
        editor.apply(lambda a: p.set_summary_state(a, lead, editor.annotator_id, is_flagged=True), "flag")
        before, edit = editor.reload(), study.edits.history(limit=1)[0]
        matches = NewMatches("D9", "lead", "Ann", "Ben", (NewMatch("1", (NewPart(0, 5),)),))
        study.import_data(ImportContent("file", topics=[texts], pyramids=pyramids, matches=[matches]))
        assert len(editor.reload().matches) == 1
        assert study.pyramids.annotation_at(editor.topic.id, editor.owner_id, edit.edit_id) == before

    def test_a_pyramid_that_was_never_begun_is_empty(self, ann, ben, study):
        new_scu(ann, "one")
        edit = study.edits.history(limit=1)[0]
        assert study.pyramids.annotation_at(ann.topic.id, ben.annotator_id, edit.edit_id).pyramid.scus == ()
        with pytest.raises(InputError, match="not in the study"):
            study.pyramids.annotation_at(ann.topic.id, ann.owner_id, "nothing")

    @pytest.mark.slow
    @settings(max_examples=examples(10), deadline=None, suppress_health_check=SEVERAL_TIMES)
    @given(steps=st.lists(st.tuples(st.booleans(), st.integers(0, 9), CHOICES), min_size=1, max_size=16))
    def test_every_state_after_an_edit_is_rebuilt_whoever_edits_undoes_and_redoes(self, ann, ben, steps):
        states = {}
        for is_ben, way, choice in steps:
            editor = ben if is_ben else ann
            editor.reload()
            try:
                if way == 0:
                    editor.undo()
                elif way == 1:
                    editor.redo()
                elif edit_id := editor.apply(any_edit(editor, ann.annotator_id, choice)).edit_id:
                    states[edit_id] = ann.reload()
            except (EditConflict, InputError):
                pass  # nothing to undo, or somebody's work is in the way: nothing was changed
        for edit_id, state in states.items():
            assert ann.study.pyramids.annotation_at(ann.topic.id, ann.owner_id, edit_id) == state


class TestRestoring:
    def test_a_restored_pyramid_is_the_earlier_one_and_undo_takes_it_back(self, ann, study):
        first = new_scu(ann, "one")
        new_scu(ann, "two", author=1)
        then = ann.reload()
        edit = study.edits.history(limit=1)[0]
        ann.apply(lambda a: p.remove_scu(p.set_label(a, a.pyramid.scus[1].id, "changed"), first))
        now = ann.reload()
        earlier = study.pyramids.annotation_at(ann.topic.id, ann.owner_id, edit.edit_id)
        ann.apply(lambda a: restore(a, earlier), "restore")
        assert ann.reload().pyramid == then.pyramid
        ann.undo()
        assert ann.reload() == now

    @pytest.mark.slow
    @settings(max_examples=examples(15), deadline=None, suppress_health_check=SEVERAL_TIMES)
    @given(choices=st.lists(CHOICES, min_size=2, max_size=10), at=st.integers(0, 9))
    def test_any_earlier_state_can_be_written_back_and_undone(self, ann, ben, choices, at):
        states = [ann.reload()]
        for choice in choices:
            if ann.apply(any_edit(ann, ben.annotator_id, choice)).edit_id:
                states.append(ann.reload())
        then, now = states[at % len(states)], states[-1]
        is_written = ann.apply(lambda a: restore(a, then), "restore").edit_id
        stored = ann.reload()
        assert stored.pyramid == then.pyramid
        assert {m.scu_id for m in stored.matches} <= {None, *(scu.id for scu in then.pyramid.scus)}
        if is_written:
            ann.undo()
        assert ann.reload() == now
