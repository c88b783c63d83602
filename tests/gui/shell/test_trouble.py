"""Faults around an open window: each is reported, and nothing is lost silently."""

from __future__ import annotations

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from gui.background.jobs import JobQueue
from gui.pages.ratings.rating_scale import RatingScale
from gui.pages.score.presenter import ScorePresenter
from storage.study_file import StudyFile, check, new_study, open_study
from tests.gui.program import Program
from tests.storage.database.other_process import edit_and_die

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def path(study: StudyFile) -> Path:
    study.flush()
    return study.path


@pytest.fixture
def program(qapp, qtbot, tmp_path):
    program = Program(qapp, qtbot, tmp_path)
    yield program
    program.controller.close()


@pytest.fixture(scope="module")
def big(tmp_path_factory) -> Path:
    """Topics whose BERTScore takes many seconds each on a CPU: 30 texts of 500 words."""
    path = tmp_path_factory.mktemp("big") / "big.pyramidion"

    def text(seed: int) -> NewText:
        return NewText(" ".join(f"word{(seed * 31 + i * i) % 997}" for i in range(500)))

    topics = [
        NewTopic(
            f"T{number}",
            references={f"ref-{i}": text(100 * number + i) for i in range(10)},
            summaries={f"system-{i}": text(100 * number + 50 + i) for i in range(20)},
        )
        for number in range(6)
    ]
    with new_study(path) as study:
        study.import_data(ImportContent("big", topics=topics))
    return path


TOPICS = 40


@pytest.fixture
def two_threads() -> Iterator[None]:
    """Models compute on two threads, however many cores there are."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


@pytest.fixture
def summaries(tmp_path) -> Path:
    """Many topics whose BERTScore takes about a tenth of a second each."""
    path = tmp_path / "many.pyramidion"

    def text(seed: int) -> NewText:
        return NewText(" ".join(f"word{(seed * 31 + i * i) % 997}" for i in range(25)))

    topics = [
        NewTopic(
            f"T{n:02d}",
            references={f"ref-{i}": text(100 * n + i) for i in range(4)},
            summaries={f"system-{i}": text(100 * n + 50 + i) for i in range(6)},
        )
        for n in range(TOPICS)
    ]
    with new_study(path) as study:
        study.import_data(ImportContent("many", topics=topics))
    return path


def prepare_scale(path: Path) -> Path:
    with open_study(path) as study:
        study.ratings.add_dimension("coherence")
    return path


def stored_labels(path: Path, program: Program) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [label for (label,) in connection.execute("SELECT label FROM scus WHERE NOT is_deleted")]


def raising(error: Exception) -> Callable[[Any], Any]:
    def fail(work: Any) -> Any:
        raise error

    return fail


PROGRAM = """
import sys, threading
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
app = QApplication([])
from gui import app as program
from gui.background.jobs import JobQueue
from gui.shell.main_window import MainWindow

def window():
    return next(w for w in app.topLevelWidgets() if isinstance(w, MainWindow))

def look():
    view = window().stack.currentWidget()
    if window().page_key == "overview":
        window().show_page("score")
    elif window().page_key == "score" and view.metrics.metrics.rows():
        rows = view.metrics.metrics.rows()
        if any(row.state.name == "LOOKING" for row in rows):
            return
        if not view.stop_button.isVisible():
            for row in rows:
                if row.is_chosen != (row.name == "bertscore"):
                    view.metrics.toggled.emit(row.key)
            view.run_button.click()
        elif "transformers" in sys.modules and not closing:
            closing.append(True)
            QTimer.singleShot(2500, close)

def close():
    print("closing", flush=True)
    window().close()

closing = []
timer = QTimer(interval=50)
timer.timeout.connect(look)
timer.start()
status = program.open_window(Path({path!r}))
print("ended", flush=True)
sys.exit(status)
"""


def copy_of(path: Path, folder: Path) -> Path:
    target = folder / path.name
    target.write_bytes(path.read_bytes())
    return target


def is_encoding(program: Program) -> bool:
    """Whether the encoder is loaded: then the first topic is under way."""
    running = program.page.findChild(ScorePresenter)._running
    return any(resources._encoders for resources in running._tools.values())


class TestScoring:
    def test_it_is_cancelled_in_the_middle_of_a_topic(self, program, big, tmp_path, two_threads) -> None:
        program.open(copy_of(big, tmp_path))
        program.score("bertscore")
        program.wait(lambda: is_encoding(program), 60)
        program.qtbot.mouseClick(program.page.stop_button, Qt.MouseButton.LeftButton)
        program.wait(lambda: program.controller.jobs.current(JobQueue.SCORING) is None, 120)
        assert "Cancelled" in program.page.run_panel.beside_labels[1].text()
        assert not program.context.study.scores.configs(), "the first topic was not finished"

    def test_closing_the_window_ends_it_and_keeps_what_is_done(
        self, program, summaries, qtbot, two_threads
    ) -> None:
        program.open(summaries)
        program.score("bertscore")
        program.wait(lambda: bool(program.context.study.scores.configs()), 60)
        program.window.close()
        assert program.controller.context is None
        qtbot.wait(100)  # the job's own end comes through its timer
        assert program.message() == ""
        with open_study(summaries) as study:
            (config,) = study.scores.configs()
            assert 1 <= len(study.scores.input_hashes(config.signature)) < TOPICS

    def test_another_study_opens_while_it_runs(self, program, summaries, path, qtbot) -> None:
        program.open(summaries)
        program.score("bertscore")
        program.wait(lambda: bool(program.context.study.scores.configs()), 60)
        program.open(path)
        assert program.context.study.path == path
        qtbot.wait(200)
        assert program.message() == ""
        assert program.controller.jobs.current(JobQueue.SCORING) is None
        program.score("rouge-1")
        program.wait(lambda: bool(program.context.study.scores.configs()), 20)

    def test_the_program_ends_by_itself_when_its_window_is_closed_meanwhile(self, big, tmp_path) -> None:
        code = PROGRAM.format(path=str(copy_of(big, tmp_path)))
        environment = os.environ | {"PYRAMIDION_CONFIG": str(tmp_path), "QT_QPA_PLATFORM": "offscreen"}
        ended = subprocess.run(
            [sys.executable, "-X", "faulthandler", "-c", code],
            capture_output=True,
            text=True,
            timeout=600,
            cwd=ROOT,
            env=environment,
            check=False,
        )
        assert (ended.returncode, ended.stdout.split()) == (0, ["closing", "ended"]), ended.stderr


class TestTheFile:
    def test_a_deleted_study_is_reported_at_once_and_takes_no_edit(self, program, study, path) -> None:
        study.close()
        program.open(path)
        program.make_scu()
        program.settle()
        kept = program.labels()
        for file in path.parent.glob(f"{path.name}*"):
            file.unlink()
        program.wait(lambda: "it was moved or deleted" in program.message())
        program.dismiss()
        program.make_scu(10, 15)
        program.wait(program.page.notice.isVisible)
        assert "Nothing can be saved" in program.page.notice.text_label.text()
        assert program.labels() == kept, "what is not on the disk is not shown"
        assert not path.exists(), "no empty file in its place"

    def test_a_study_that_is_put_back_takes_edits_again(self, program, path) -> None:
        program.open(path)
        program.make_scu()
        program.settle()
        away = path.with_name("away")
        path.rename(away)
        program.wait(lambda: "it was moved or deleted" in program.message())
        program.dismiss()
        away.rename(path)
        program.make_scu(10, 15)
        program.settle()
        assert len(program.labels()) == 2
        program.controller.show_welcome()
        with open_study(path) as study:
            topic = study.texts.topics()[0].id
            owner = study.annotators.all()[-1].id
            assert len(study.pyramids.annotation(topic, owner).pyramid.scus) == 2

    def test_a_study_whose_log_was_deleted_is_rescued_opened_again_and_takes_edits(
        self, program, study, qtbot
    ) -> None:
        path = study.path
        study.close()
        program.open(path)
        program.make_scu()
        program.settle()
        path.with_name(f"{path.name}-wal").unlink()
        program.wait(program.window.notice.isVisible)
        program.wait(lambda: program.controller.context is not None)
        (copy,) = path.parent.glob("*(rescued *).pyramidion")
        text = program.window.notice.text_label.text()
        assert f"A copy with every saved change is at {copy}. The study was opened again." in text
        program.wait(lambda: program.window.page_key == "pyramids")
        program.wait_for_page()
        program.wait(lambda: len(program.labels()) == 1)
        program.make_scu(10, 15)
        program.settle()
        assert program.window.notice.isVisible(), "it stays until the user closes it"
        qtbot.mouseClick(program.window.notice.close_button, Qt.MouseButton.LeftButton)
        assert not program.window.notice.isVisible()
        program.controller.show_welcome()
        assert check(path) == []
        with open_study(path) as opened:
            (annotation,) = opened.pyramids.annotations()
            assert len(annotation.pyramid.scus) == 2

    def test_a_study_that_was_replaced_is_shown_as_it_is_now_with_the_copy_named(
        self, program, study, tmp_path
    ) -> None:
        path, other = study.path, tmp_path / "other.pyramidion"
        with new_study(other, "Other"):
            pass
        study.close()
        program.open(path)
        program.make_scu()
        program.settle()
        other.replace(path)
        program.wait(lambda: program.controller.context is not None and program.context.study.name == "Other")
        text = program.window.notice.text_label.text()
        assert "somebody replaced it" in text
        assert "A copy with every saved change is at" in text
        assert check(path) == []

    def test_a_loss_that_only_closing_discovers_is_shown(self, program, study, path) -> None:
        study.close()
        program.open(path)
        program.make_scu()
        program.settle()
        path.unlink()
        program.controller.show_welcome()
        (copy,) = path.parent.glob("*(rescued *).pyramidion")
        assert str(copy) in program.message()
        assert program.controller.context is None
        assert not program.controller.backup_controller.is_busy, (
            "what is there now is not a state of the study"
        )

    def test_the_window_stays_until_a_loss_discovered_on_closing_was_read(self, program, study, path) -> None:
        study.close()
        program.open(path)
        program.make_scu()
        program.settle()
        path.unlink()
        program.window.close()
        assert "it was moved or deleted" in program.message()
        assert program.window.isVisible()
        program.controller.dialog.accept()
        program.wait(lambda: not program.window.isVisible())

    def test_a_log_of_another_file_that_was_set_aside_is_named_in_the_window(
        self, program, study, tmp_path
    ) -> None:
        path, other = study.path, tmp_path / "other.pyramidion"
        study.close()
        with new_study(other, "Other"):
            pass
        edit_and_die(path, "a")
        other.replace(path)
        program.open(path)
        (log,) = path.parent.glob(f"{path.name}-wal-set-aside-*")
        assert log.name in program.window.notice.text_label.text()

    @pytest.mark.parametrize(
        ("make_trouble", "cause"),
        [
            (lambda connection: connection.exec_driver_sql("PRAGMA query_only=ON"), "readonly"),
            (lambda connection: connection.exec_driver_sql("PRAGMA max_page_count=1"), "full"),
        ],
        ids=["read-only", "full"],
    )
    def test_a_file_that_takes_nothing_more_is_reported_and_the_edit_is_not_shown_any_longer(
        self, program, path, make_trouble, cause
    ) -> None:
        program.open(path)
        program.make_scu()
        program.settle()
        kept = program.labels()
        writer = program.context.study._writer
        with writer._gate:
            make_trouble(writer.session.connection)
            writer.session.connection.rollback()
        for _ in range(40):  # a full file takes what fits into its free places
            program.make_scu(10, 15)
            program.settle()
            if program.page.notice.isVisible():
                break
        assert cause in program.page.notice.text_label.text()
        assert "Nothing was changed" in program.page.notice.text_label.text()
        stored = stored_labels(path, program)
        program.wait(lambda: sorted(program.labels()) == sorted(stored))  # it is drawn anew a tick later
        assert set(kept) <= set(stored)

    def test_an_error_of_the_system_in_the_writer_is_reported_in_its_words(
        self, program, path, monkeypatch
    ) -> None:
        program.open(path)
        program.make_scu()
        program.settle()
        fail = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        monkeypatch.setattr(program.context.study._writer.session, "transaction", raising(fail))
        program.make_scu(10, 15)
        program.wait(program.page.notice.isVisible)
        assert os.strerror(errno.ENOSPC) in program.page.notice.text_label.text()
        assert len(program.labels()) == 1

    def test_a_bug_in_the_writer_leaves_no_edit_on_the_page_that_is_not_on_the_disk(
        self, program, path, monkeypatch, qtbot
    ) -> None:
        program.open(path)
        program.make_scu()
        program.settle()
        with monkeypatch.context() as patched, qtbot.capture_exceptions() as bugs:
            patched.setattr(
                program.context.study._writer.session, "transaction", raising(RuntimeError("a bug"))
            )
            program.make_scu(10, 15)
            program.wait(program.page.notice.isVisible)
        assert [str(error) for _, error, _ in bugs] == ["a bug"]
        assert len(program.labels()) == 1
        program.make_scu(10, 15)
        program.settle()
        assert len(program.labels()) == 2


class TestOthers:
    def test_who_changed_the_scu_meanwhile_is_named_and_the_newest_is_shown(self, program, path) -> None:
        program.open(path)
        program.make_scu()
        program.settle()
        me, topic = program.context.annotator.id, program.context.study.texts.topics()[0].id
        with program.context.study._writer._gate:  # this window's write comes second
            program.press(Qt.Key.Key_L)
            QApplication.focusWidget().selectAll()
            program.qtbot.keyClicks(QApplication.focusWidget(), "Mine")
            program.press(Qt.Key.Key_Return)
            with open_study(path) as other:
                before = other.pyramids.annotation(topic, me)
                theirs = pyramid.set_label(before, before.pyramid.scus[0].id, "Theirs")
                other.pyramids.commit(
                    before, theirs, "change label", other.annotators.get_or_create("Ben").id
                ).result()
        program.wait(program.page.notice.isVisible)
        assert "Ben changed" in program.page.notice.text_label.text()
        assert program.labels() == ["Theirs"]


class TestUndo:
    def test_it_goes_to_the_page_and_the_topic_of_what_it_takes_back(self, program, path) -> None:
        study = prepare_scale(path)
        program.open(study)
        first, second = (head.id for head in program.context.study.texts.topics())
        program.context.selection.select(topic_id=first)
        program.show("ratings")
        program.wait(lambda: bool(program.page.findChildren(RatingScale)))
        program.page.findChildren(RatingScale)[0].setFocus()
        program.press(Qt.Key.Key_4)
        program.settle()
        assert len(program.context.study.ratings.of_topic(first)) == 1
        program.context.selection.select(topic_id=second)
        program.make_scu()
        program.settle()
        program.show("overview")
        program.press(Qt.Key.Key_Z, CTRL)
        program.wait(lambda: program.window.page_key == "pyramids")
        program.settle()
        assert (program.context.selection.topic_id, program.labels()) == (second, [])
        program.press(Qt.Key.Key_Z, CTRL)
        program.wait(lambda: program.window.page_key == "ratings")
        assert program.context.selection.topic_id == first
        assert program.context.study.ratings.of_topic(first) == []
