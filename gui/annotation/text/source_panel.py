"""Panel of the documents and references of a topic, one at a time, to read next to summaries."""

from __future__ import annotations

from collections.abc import Sequence

from core.domain.study import Text, TopicTexts
from gui.annotation.text.annotated_text import AnnotatedText
from gui.widgets.controls.stepper import Stepper
from gui.widgets.panel import Panel


class SourcePanel(Panel):
    """Documents, then references."""

    def __init__(self) -> None:
        super().__init__("Document")
        self.text, self.place = AnnotatedText("Source"), Stepper("source")
        self._sources: Sequence[tuple[str, Text]] = ()
        self._index = 0
        self.add_action(self.place)
        self.add(self.text, 1)
        self.place.previous_button.clicked.connect(lambda: self._step(-1))
        self.place.next_button.clicked.connect(lambda: self._step(+1))

    def show_sources(self, topic: TopicTexts | None) -> None:
        """Show the first document of a topic; None = nothing."""
        documents = topic.documents if topic is not None else ()
        references = topic.references if topic is not None else ()
        self._sources = [("Document", one) for one in documents] + [("Reference", one) for one in references]
        self._index = 0
        self._show()

    def _step(self, by: int) -> None:
        self._index = min(max(self._index + by, 0), max(0, len(self._sources) - 1))
        self._show()

    def _show(self) -> None:
        total = len(self._sources)
        self.place.show_place("", "", self._index + 1 if total else 0, total)
        if not total:
            self.set_title("Source")
            self.text.show_text("")
            self.set_fact("none")
            return
        kind, source = self._sources[self._index]
        self.set_title(kind)
        self.text.show_text(source.content, source.language)
        self.set_fact(f"{source.name} · {self.text.word_count_text}")
