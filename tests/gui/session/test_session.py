"""Writes, changes, undo, selection and failures as the window receives them."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import Future
from datetime import UTC, datetime

import pytest

from core.domain import pyramid
from core.errors import EditConflict, InputError
from core.files.crash_report import write_crash_report
from core.ports import ChangeKind, ChangeSet, EditReceipt
from gui.session.edits import Selection, WriteTracker, merge_changes
from gui.shell.error_reporting import Failures


def new_scu(context, label="Ban lifted"):
    """Save one edit by the annotator."""
    topic = context.study.texts.topic(context.study.texts.topics()[0].id)
    before = context.study.pyramids.annotation(topic.id, context.annotator.id)
    after = pyramid.add_scu(before, label, topic.references[0].id, [(0, 9)])
    return topic, context.study.pyramids.commit(before, after, "new SCU", context.annotator.id)


class TestWrites:
    def test_a_write_is_tracked_until_it_is_saved(self, qtbot) -> None:
        writes, write, got = WriteTracker(), Future(), []
        at = datetime(2026, 1, 2, 10, 42, tzinfo=UTC)
        writes.track(write, got.append)
        assert writes.is_saving
        receipt = EditReceipt("e", "new SCU", at, ChangeSet(frozenset({ChangeKind.PYRAMIDS})))
        with qtbot.waitSignal(writes.saved) as saved:
            write.set_result(receipt)
        assert got == [receipt]
        assert saved.args == [at]
        assert not writes.is_saving

    def test_a_failed_write_is_reported_to_its_caller_or_to_the_window(self, qtbot) -> None:
        writes, handled, unhandled, got = WriteTracker(), Future(), Future(), []
        writes.track(handled, on_error=got.append)
        handled.set_exception(EditConflict("Ben changed it."))
        writes.track(unhandled)
        with qtbot.waitSignal(writes.refused) as refused:
            unhandled.set_exception(EditConflict("Cleo changed it."))
        assert [str(error) for error in got] == ["Ben changed it."]
        assert str(refused.args[0]) == "Cleo changed it."


class TestChanges:
    def test_own_writes_are_announced_on_the_gui_thread(self, context, qtbot) -> None:
        threads = []
        context.changes.changed.connect(lambda _: threads.append(threading.current_thread()))
        with qtbot.waitSignal(context.changes.changed) as emitted:
            topic, write = new_scu(context)
            write.result()
        assert ChangeKind.PYRAMIDS in emitted.args[0].kinds
        assert emitted.args[0].topics == {topic.id}
        assert threads == [threading.main_thread()]

    def test_writes_by_another_program_are_announced(self, context, qtbot) -> None:
        from storage.study_file import open_study

        with (
            qtbot.waitSignal(context.changes.changed, check_params_cb=lambda c: c.is_external),
            open_study(context.study.path) as other,
        ):
            other.settings.save("guideline", "Read twice.").result()

    def test_simultaneous_changes_are_merged(self) -> None:
        one = ChangeSet(frozenset({ChangeKind.PYRAMIDS}), frozenset({"t1"}))
        two = ChangeSet(frozenset({ChangeKind.MATCHES}), frozenset({"t2"}), is_external=True)
        anywhere = ChangeSet(frozenset({ChangeKind.SCORES}))
        assert merge_changes([one, two]) == ChangeSet(
            frozenset({ChangeKind.PYRAMIDS, ChangeKind.MATCHES}), frozenset({"t1", "t2"}), is_external=True
        )
        assert merge_changes([one, anywhere]).topics == frozenset()


class TestHistory:
    def test_undo_reverts_the_edit_selects_its_topic_and_reports_it(self, context, qtbot) -> None:
        topic, write = new_scu(context)
        write.result()
        labels = []
        context.history.available.connect(lambda undo, redo: labels.append((undo, redo)))
        with qtbot.waitSignal(context.history.reported):
            context.history.undo()
        qtbot.waitUntil(lambda: labels[-1:] == [("", "new SCU")])
        assert context.selection.topic_id == topic.id
        assert context.study.pyramids.annotation(topic.id, context.annotator.id).pyramid.scus == ()
        with qtbot.waitSignal(context.history.reported) as emitted:
            context.history.redo()
        assert emitted.args == ["Redone: New SCU “Ban lifted”."]
        assert len(context.study.pyramids.annotation(topic.id, context.annotator.id).pyramid.scus) == 1

    def test_undo_labels_come_with_each_edit_without_a_read(self, context, qtbot, monkeypatch) -> None:
        monkeypatch.setattr(
            context.study.edits, "undo_labels", lambda _: pytest.fail("read on the GUI thread")
        )
        labels = []
        context.history.available.connect(lambda undo, redo: labels.append((undo, redo)))
        new_scu(context)[1].result()
        qtbot.waitUntil(lambda: labels[-1:] == [("new SCU", "")])
        context.history.undo()
        qtbot.waitUntil(lambda: labels[-1:] == [("", "new SCU")])

    def test_undo_without_an_edit_is_refused_with_a_message(self, context, qtbot) -> None:
        with qtbot.waitSignal(context.writes.refused) as refused:
            context.history.undo()
        assert str(refused.args[0]).endswith(".")


class TestSelection:
    def test_signals_are_emitted_only_on_changes_and_after_all_values_are_set(self, qapp) -> None:
        selection, received = Selection(), []
        selection.topic_changed.connect(lambda topic: received.append((topic, selection.summary_id)))
        selection.select(topic_id="t1", summary_id="s1")
        selection.select(topic_id="t1")
        assert received == [("t1", "s1")]

    def test_another_topic_clears_summary_and_scu(self, qapp) -> None:
        selection = Selection()
        selection.select(topic_id="t1", summary_id="s1", scu_id="u1", system="lead", measure="rouge-1.f")
        selection.select(topic_id="t2")
        assert (selection.summary_id, selection.scu_id) == ("", "")
        assert (selection.system, selection.measure) == ("lead", "rouge-1.f")

    def test_a_value_that_a_receiver_changes_again_is_reported_once(self, qapp) -> None:
        selection, received = Selection(), []
        selection.select(topic_id="t1", summary_id="s1")
        selection.topic_changed.connect(lambda topic: selection.select(summary_id=f"first of {topic}"))
        selection.summary_changed.connect(received.append)
        selection.select(topic_id="t2")
        assert received == ["first of t2"]


class TestFailures:
    @pytest.fixture
    def shown(self):
        return {"sentences": [], "reports": []}

    @pytest.fixture
    def failures(self, qapp, tmp_path, shown):
        failures = Failures(
            tmp_path,
            lambda error: shown["sentences"].append(str(error)),
            lambda *report: shown["reports"].append(report),
        )
        failures.install()
        yield failures
        failures.uninstall()

    def test_a_user_error_is_shown_as_its_message(self, failures, shown) -> None:
        failures.show(InputError("Line 7 has no topic. Name one."))
        assert shown == {"sentences": ["Line 7 has no topic. Name one."], "reports": []}

    def test_a_bug_is_written_to_a_report(self, failures, shown) -> None:
        try:
            raise ValueError("boom")
        except ValueError as error:
            sys.excepthook(ValueError, error, error.__traceback__)
        what, report_file = shown["reports"][0]
        assert what == "ValueError: boom"
        assert "test_a_bug_is_written_to_a_report" in report_file.read_text("utf-8")
        assert shown["sentences"] == []

    def test_a_bug_in_a_thread_is_reported_on_the_gui_thread(self, failures, shown, qtbot) -> None:
        def fail():
            raise RuntimeError("in a thread")

        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
        qtbot.waitUntil(lambda: bool(shown["reports"]))
        assert shown["reports"][0][0] == "RuntimeError: in a thread"

    def test_an_unwritable_report_folder_is_no_second_failure(self, tmp_path) -> None:
        blocking_file = tmp_path / "reports"
        blocking_file.write_text("a file, no folder", "utf-8")
        assert write_crash_report(ValueError("x"), blocking_file) is None
