"""What is selected, once for the whole window: selecting something anywhere selects it everywhere."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal


class Selection(QObject):
    """The topic, summary, system, SCU and measure that pages show; empty = none.

    Signals carry the new value and come only on a change. Another topic drops summary and SCU, which are of
    one topic, unless the same call names them. `pointed` comes whenever somebody points at words: the text's
    id, where they begin and end in code points; the page in front shows them if it has that text.

    Beside these, several summaries can be marked at once; each is a system's name and a topic's id, empty for
    all that the system wrote. `marked` carries the whole set.
    """

    topic_changed = Signal(str)
    summary_changed = Signal(str)
    system_changed = Signal(str)
    scu_changed = Signal(str)
    measure_changed = Signal(str)
    pointed = Signal(str, int, int)
    marked = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._values = dict.fromkeys(("topic", "summary", "system", "scu", "measure"), "")
        self._marks: frozenset[tuple[str, str]] = frozenset()

    @property
    def marks(self) -> frozenset[tuple[str, str]]:
        """The marked summaries as (system, topic's id)."""
        return self._marks

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
    def measure(self) -> str:
        """The measure's name, as ``rouge-2.f``."""
        return self._values["measure"]

    def select(
        self,
        *,
        topic_id: str | None = None,
        summary_id: str | None = None,
        system: str | None = None,
        scu_id: str | None = None,
        measure: str | None = None,
    ) -> None:
        """Select these; None leaves a thing as it is. All are in place before the first signal."""
        wanted = {
            "topic": topic_id,
            "system": system,
            "summary": summary_id,
            "scu": scu_id,
            "measure": measure,
        }
        if topic_id is not None and topic_id != self.topic_id:
            wanted["summary"] = summary_id or ""
            wanted["scu"] = scu_id or ""
        changed = {
            what: value for what, value in wanted.items() if value is not None and value != self._values[what]
        }
        self._values |= changed
        for what, value in changed.items():
            getattr(self, f"{what}_changed").emit(value)

    def mark(self, summaries: Iterable[tuple[str, str]]) -> None:
        """Mark these (system, topic's id) and no others; none = unmark all."""
        marks = frozenset(summaries)
        if marks != self._marks:
            self._marks = marks
            self.marked.emit(marks)

    def point_at(self, text_id: str, start: int, end: int) -> None:
        """Ask the page in front to show some words of a text."""
        self.pointed.emit(text_id, start, end)
