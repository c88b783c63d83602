"""Comments and flags with real widgets: threads on topics, summaries and units; the list for the manager."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.annotation.assignment import set_role
from core.annotation.blind_mode import blind_order, make_blind
from core.domain.assignment import Role
from core.domain.pyramid import add_scu, set_summary_state
from gui.dialogs.comments.presenter import CommentsPresenter
from gui.dialogs.comments.view import CommentsDialog


class Opened:
    """The dialog over a page, whose key is `page`."""

    def __init__(self, context, qtbot) -> None:
        self.context, self.page, self.qtbot = context, "texts", qtbot
        self.dialog = CommentsDialog()
        qtbot.addWidget(self.dialog)
        self.presenter = CommentsPresenter(self.dialog, context, lambda: self.page)

    def write(self, text) -> None:
        self.dialog.field.setFocus()
        self.qtbot.keyClicks(self.dialog.field, text)
        before = len(self.context.study.comments.all())
        self.qtbot.keyClick(self.dialog.field, Qt.Key.Key_Return)
        self.context.study.flush()
        assert len(self.context.study.comments.all()) == before + 1

    def rows(self):
        model = self.dialog.table.rows
        return [tuple(model.index(row, at).data() for at in (0, 1, 2, 4)) for row in range(model.rowCount())]

    def wait(self, count) -> None:
        self.qtbot.waitUntil(lambda: len(self.dialog.table.rows.rows()) == count)


@pytest.fixture
def opened(context, qtbot):
    topic = context.study.texts.topics()[0]
    context.selection.select(topic_id=topic.id)
    opened = Opened(context, qtbot)
    opened.presenter.open()
    opened.wait(0)
    return opened


def test_a_comment_is_on_the_current_item_and_becomes_a_thread(opened, context, qtbot):
    assert opened.dialog.target_label.text() == "On topic D1"
    opened.write("Is the text complete?")
    opened.wait(1)
    assert opened.rows() == [("Comment", "D1", "topic", "Is the text complete?")]
    summary = context.study.texts.topic(context.selection.topic_id).summaries[0]
    opened.page = "matches"
    context.selection.select(summary_id=summary.id)
    assert "summary" in opened.dialog.target_label.text()
    assert summary.name not in opened.dialog.target_label.text(), "names of systems are hidden"
    opened.write("Odd.")
    opened.wait(2)
    opened.dialog.table.selectRow(1)
    assert "Is the text complete?" in opened.dialog.thread_text.toPlainText()
    opened.write("Yes.")
    qtbot.waitUntil(lambda: ("Comment (2)", "D1", "topic", "Yes.") in opened.rows())


def test_a_resolved_thread_is_listed_under_all_and_opened_again(opened, qtbot):
    opened.write("Why?")
    opened.wait(1)
    opened.dialog.table.selectRow(0)
    assert opened.dialog.resolve_button.isEnabled()
    opened.dialog.field.setText("Done.")
    opened.dialog.resolve_button.click()
    opened.wait(0)
    opened.dialog.choice.button("all").click()
    opened.wait(1)
    opened.dialog.table.selectRow(0)
    assert "(resolved)" in opened.dialog.thread_text.toPlainText()
    assert not opened.dialog.resolve_button.isEnabled()
    opened.write("Not yet.")
    opened.dialog.choice.button("open").click()
    opened.wait(1)


def test_flags_and_notes_of_all_pages_are_listed_and_enter_opens_their_page(opened, context, qtbot, requests):
    study, me = context.study, context.annotator.id
    topic = study.texts.topic(context.selection.topic_id)
    before = study.pyramids.annotation(topic.id, me)
    after = add_scu(before, "ban", topic.references[0].id, [(0, 9)])
    after = set_summary_state(after, topic.summaries[0].id, me, is_flagged=True, note="hard")
    study.pyramids.commit(before, after, "flag", me).result()
    scale = study.ratings.add_dimension("quality")
    study.ratings.rate(topic.summaries[1].id, scale.id, me, 2, is_flagged=True).result()
    opened.presenter.open()
    opened.wait(2)
    order = blind_order([text.id for text in topic.summaries], me, topic.id)
    first, second = (f"summary {order.index(text.id) + 1}" for text in topic.summaries[:2])
    assert opened.rows() == [("Flag", "D1", first, "hard"), ("Flag", "D1", f"{second} · quality", "")]
    opened.dialog.table.setFocus()
    opened.dialog.table.selectRow(1)
    opened.dialog.table.setCurrentIndex(opened.dialog.table.model().index(1, 0))
    qtbot.keyClick(opened.dialog.table, Qt.Key.Key_Return)
    assert requests.pages == ["ratings"]
    assert context.selection.summary_id == topic.summaries[1].id
    name = topic.summaries[0].name
    set_role(study, context.annotator.name, Role.MANAGER, None).result()
    opened.presenter.open()
    qtbot.waitUntil(lambda: opened.rows()[0][2] == f"{first} ({name})")
    make_blind(study, enabled=True).result()
    opened.presenter.open()
    qtbot.waitUntil(lambda: opened.rows()[0][2] == first)


def test_a_comment_on_an_scu_shows_its_label(opened, context, qtbot):
    study, me = context.study, context.annotator.id
    topic = study.texts.topic(context.selection.topic_id)
    before = study.pyramids.annotation(topic.id, me)
    after = add_scu(before, "The ban fell", topic.references[0].id, [(0, 9)])
    study.pyramids.commit(before, after, "new SCU", me).result()
    opened.page = "pyramids"
    context.selection.select(scu_id=after.pyramid.scus[0].id)
    assert "“The ban fell”" in opened.dialog.target_label.text()
    opened.write("Too broad?")
    qtbot.waitUntil(lambda: ("Comment", "D1", "The ban fell", "Too broad?") in opened.rows())
