"""Selection shared by all pages of the window."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from gui.widgets.typed_text import typed_texts


class Selection(QObject):
    """The selected topic, summary, system, SCU, comparison, measure and kind of annotation; empty = none.

    The ``…_changed`` signals carry the new value and are emitted only on changes. Selecting another topic
    clears summary and SCU unless the same call sets them.

    Several summaries can also be marked, each by its system's name and topic id; an empty topic id means all
    summaries of the system.

    Signals:
        pointed: text id, start and end in code points of a passage that the current page should show.
        marked: all marked summaries as a frozenset.
    """

    topic_changed = Signal(str)
    summary_changed = Signal(str)
    system_changed = Signal(str)
    scu_changed = Signal(str)
    comparison_changed = Signal(str)
    measure_changed = Signal(str)
    annotation_changed = Signal(str)
    pointed = Signal(str, int, int)
    marked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        names = ("topic", "summary", "system", "scu", "comparison", "measure", "annotation")
        self._values = dict.fromkeys(names, "")
        self.marks: frozenset[tuple[str, str]] = frozenset()  # marked summaries as (system, topic id) pairs

    @property
    def topic_id(self) -> str:
        return self._values["topic"]

    @property
    def summary_id(self) -> str:
        return self._values["summary"]

    @property
    def system(self) -> str:
        """The system's name."""
        return self._values["system"]

    @property
    def scu_id(self) -> str:
        return self._values["scu"]

    @property
    def comparison_id(self) -> str:
        return self._values["comparison"]

    @property
    def measure(self) -> str:
        """The measure's name, as ``rouge-2.f``."""
        return self._values["measure"]

    @property
    def annotation(self) -> str:
        """The kind of annotation whose differences are shown, as ``matches``."""
        return self._values["annotation"]

    def select(
        self,
        *,
        topic_id: str | None = None,
        summary_id: str | None = None,
        system: str | None = None,
        scu_id: str | None = None,
        comparison_id: str | None = None,
        measure: str | None = None,
        annotation: str | None = None,
    ) -> None:
        """Change the selection; None leaves a value unchanged. Signals follow after all values are set."""
        requested = {
            "topic": topic_id,
            "system": system,
            "summary": summary_id,
            "scu": scu_id,
            "comparison": comparison_id,
            "measure": measure,
            "annotation": annotation,
        }
        if topic_id is not None and topic_id != self.topic_id:
            requested["summary"] = summary_id or ""
            requested["scu"] = scu_id or ""
        changed = {
            name: value
            for name, value in requested.items()
            if value is not None and value != self._values[name]
        }
        if changed:
            typed_texts().store()  # before the fields show something else
        self._values |= changed
        for name, value in changed.items():
            getattr(self, f"{name}_changed").emit(value)

    def mark(self, summaries: Iterable[tuple[str, str]]) -> None:
        """Mark exactly these (system, topic id) pairs; an empty iterable unmarks all."""
        marks = frozenset(summaries)
        if marks != self.marks:
            self.marks = marks
            self.marked.emit(marks)

    def point_at(self, text_id: str, start: int, end: int) -> None:
        """Ask the current page to show a passage of a text, given in code points."""
        self.pointed.emit(text_id, start, end)
