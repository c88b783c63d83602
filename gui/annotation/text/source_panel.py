"""Panel of texts of a topic, one at a time: documents and references to read next to summaries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.domain.study import Text, TopicTexts
from gui.annotation.text.annotated_text import AnnotatedText
from gui.annotation.text.marks import Mark
from gui.style.language import tr
from gui.widgets.controls.stepper import Stepper
from gui.widgets.panel import Panel


@dataclass(frozen=True, slots=True)
class ShownText:
    """A text of a topic. title: such as ``Document``. fact: its name, empty = it must not be known."""

    title: str
    fact: str
    text: Text
    marks: tuple[Mark, ...] = ()


class SourcePanel(Panel):
    """Texts of a topic: documents, then references, or those that the page chooses."""

    def __init__(self, name: str = tr("Source")) -> None:
        super().__init__(tr("Document"))
        self.text, self.place = AnnotatedText(name), Stepper(name.lower())
        self._texts: Sequence[ShownText] = ()
        self._index = 0
        self.add_action(self.place)
        self.add(self.text, 1)
        self.place.previous_button.clicked.connect(lambda: self._step(-1))
        self.place.next_button.clicked.connect(lambda: self._step(+1))

    def show_sources(self, topic: TopicTexts | None) -> None:
        """Show the first document of a topic; None = nothing."""
        self._index = 0
        self.show_texts(sources_of(topic) if topic is not None else ())

    def show_texts(self, texts: Sequence[ShownText]) -> None:
        """Show texts to choose from, first the first with a mark; of the same texts the visible one stays."""
        marked = [at for at, one in enumerate(texts) if one.marks]
        is_same = [one.text.id for one in texts] == [one.text.id for one in self._texts]
        self._texts = texts
        if not is_same or (marked and self._index not in marked):
            self._index = next(iter(marked), 0)
        self._show()

    @property
    def has_texts(self) -> bool:
        """Whether there is a text to show."""
        return bool(self._texts)

    def _step(self, by: int) -> None:
        self._index = min(max(self._index + by, 0), max(0, len(self._texts) - 1))
        self._show()

    def _show(self) -> None:
        total = len(self._texts)
        self.place.show_place("", "", self._index + 1 if total else 0, total)
        self.place.setVisible(total != 1)
        if not total:
            self.set_title(tr("Source"))
            self.text.show_text("")
            self.set_fact(tr("none"))
            return
        shown = self._texts[self._index]
        self.set_title(shown.title)
        self.text.show_text(shown.text.content, shown.text.language)
        self.text.show_marks(shown.marks)
        self.set_fact(" · ".join(filter(None, (shown.fact, self.text.word_count_text))))


def sources_of(topic: TopicTexts) -> list[ShownText]:
    """Return the documents of a topic, then its references."""
    kinds = ((tr("Document"), topic.documents), (tr("Reference"), topic.references))
    return [ShownText(kind, text.name, text) for kind, texts in kinds for text in texts]
