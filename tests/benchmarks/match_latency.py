"""Time of an edit on the Matches page and to open a topic, with one summary or all.

Run: .venv/bin/python -m tests.benchmarks match_latency
Real widgets (offscreen) on a real study file in a temporary folder. Topics of 58 summaries of 100 words, each
with ten units, and a pyramid of 25 SCUs or of 300. Prints percentiles in milliseconds.
"""

from __future__ import annotations

import os
import random
import tempfile
from functools import partial
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from core.domain import pyramid
from core.domain.import_batch import ImportContent, NewText, NewTopic
from core.domain.study import TopicTexts
from core.ports import Study
from gui.pages.match import presenter as page
from gui.session.context import Context
from gui.style import theme
from storage.study_file import new_study
from tests.benchmarks import sized
from tests.benchmarks.edit_latency import (
    LARGE,
    VOCABULARY,
    annotate,
    context_of,
    report,
    settle,
    time_opening,
    timed_edit,
)

EDITS = sized(200, 4)
SYSTEMS, WORDS, REFERENCES = sized(58, 4), 100, 4


def main() -> None:
    """Measure and print."""
    app = QApplication.instance() or QApplication([])
    theme.apply(app, "light")  # type: ignore[arg-type]  # instance() is said to give the parent class
    with tempfile.TemporaryDirectory() as folder, new_study(Path(folder) / "study.pyramidion") as study:
        study.import_data(
            ImportContent("benchmark", topics=[_topic(name) for name in ("other", "small", "large")])
        )
        ids = {head.name: head.id for head in study.texts.topics()}
        annotator = study.annotators.get_or_create("benchmark").id
        for name, scus in (("other", 25), ("small", 25), ("large", LARGE)):
            annotate(study, study.texts.topic(ids[name]), annotator, scus)
            _match(study, study.texts.topic(ids[name]), annotator)
        context = context_of(study, Path(folder))
        view, presenter = page.build(context)
        for command, action in context.commands:
            if not command.is_local:
                view.addAction(action)
        context.commands.set_page(page.KEY)
        theme.dress(view)
        view.resize(1440, 900)
        context.selection.select(topic_id=ids["other"])
        view.show()
        settle()
        for layout in ("one", "all"):
            for name in ("small", "large"):
                report(f"open {name}, {layout}", time_opening(context, ids[name], ids["other"]))
                context.selection.select(topic_id=ids[name])
                settle()
                painted, saved = _time_edits(context, view)
                report(f"match {name}, {layout}, to repaint", painted)
                report(f"match {name}, {layout}, to disk", saved)
            context.commands.action("match.all").trigger()
        context.jobs.cancel_all(5.0)
        context.changes.close()
        view.close()
        del presenter


def _time_edits(context: Context, view: page.MatchView) -> tuple[list[float], list[float]]:
    """Match words with an SCU, repeat a match, and undo every fourth edit."""
    chance = random.Random(7)
    painted, saved = [], []
    for number in range(EDITS):
        view.scus.tree.step(+1 if number % 20 else -19)
        text = view.left.text
        spans = text.word_spans
        at = chance.randrange(len(spans) - 6)
        text.setFocus()
        text.select_spans([(spans[at][0], spans[at + 5][1])])
        QApplication.processEvents()
        press = partial(QTest.keyClick, text, Qt.Key.Key_Space, Qt.KeyboardModifier.ShiftModifier)
        if times := timed_edit(context.study, press):
            painted.append(times[0])
            saved.append(times[1])
        if number % 10 == 9:
            context.commands.action("match.next_summary").trigger()
        settle()
    return painted, saved


def _topic(name: str) -> NewTopic:
    chance = random.Random(name)

    def text() -> NewText:
        return NewText(" ".join(chance.choice(VOCABULARY) for _ in range(WORDS)) + ".")

    return NewTopic(
        name,
        references={f"ref-{i}": text() for i in range(REFERENCES)},
        summaries={f"system-{i:02}": text() for i in range(SYSTEMS)},
    )


def _match(study: Study, topic: TopicTexts, annotator: str) -> None:
    """Add eight matches and two units outside the pyramid to every summary, in one edit."""
    chance = random.Random(topic.name)
    before = after = study.pyramids.annotation(topic.id, annotator)
    for summary in topic.summaries:
        scus = [scu.id for scu in chance.sample(before.pyramid.scus, 8)]
        for scu_id in (*scus, None, None):
            start = chance.randrange(len(summary.content) - 40)
            after = pyramid.add_match(after, summary.id, annotator, scu_id, [(start, start + 30)])
    study.pyramids.commit(before, after, "match", annotator).result()


if __name__ == "__main__":
    main()
