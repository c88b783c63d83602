"""Undo of an import, with its topic open on each page."""

from __future__ import annotations

import shutil

from core.domain.import_batch import ImportContent, NewText, NewTopic
from gui.app import PAGES, build_window


def test_an_import_is_undone_while_its_topic_is_open(qapp, qtbot, small_file, tmp_path):
    path = shutil.copy(small_file, tmp_path / "s.pyramidion")
    (tmp_path / "settings.json").write_text('{"backups": 0, "annotator": "Ann"}', "utf-8")
    controller, window = build_window(qapp, tmp_path / "settings.json")
    qtbot.addWidget(window)
    window.show()
    try:
        controller.start(path)
        qtbot.waitUntil(lambda: controller.context is not None)
        context = controller.context
        summaries = {"s1": NewText("One sentence."), "s2": NewText("Two sentences.")}
        content = ImportContent(
            "f.csv", [NewTopic("N1", references={"A": NewText("A.")}, summaries=summaries)]
        )
        before = [head.name for head in context.study.texts.topics()]
        undo = controller.commands.action("edit.undo")
        for spec in PAGES:
            context.study.import_data(content, annotator_id=context.annotator.id)
            (topic,) = (head for head in context.study.texts.topics() if head.name == "N1")
            window.show_page(spec.key)
            context.selection.select(topic_id=topic.id)
            qtbot.waitUntil(lambda: undo.isEnabled() and "import" in undo.text())
            with qtbot.waitSignal(context.history.reported) as reported:
                context.history.undo()
            assert reported.args[0].startswith("Undone: Imported f.csv: 2 systems, 1 topic")
            qtbot.wait(50)
            assert [head.name for head in context.study.texts.topics()] == before
    finally:
        controller.close()
