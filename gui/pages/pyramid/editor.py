"""The part of the Pyramids page that its controllers use to edit the displayed pyramid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from core.domain.pyramid import Edit, TopicAnnotation, UnitKind
from core.domain.study import Span
from gui.pages.pyramid.values import WordSelection


class Editor(Protocol):
    """Reads and edits the displayed pyramid."""

    key: str
    kind: UnitKind

    @property
    def annotation(self) -> TopicAnnotation:
        """Return the displayed pyramid with all matches: the current one, or an earlier version."""
        ...

    def edit(self, change: Edit, verb: str) -> bool:
        """Make an edit; return whether it changed something."""
        ...

    def selected_scu(self) -> str:
        """Return the id of the selected SCU; without one, show a message and return an empty string."""
        ...

    def selected_words(self) -> WordSelection | None:
        """Return the spans selected in a reference; without a selection, show a message and return None."""
        ...

    def content_of(self, reference_id: str) -> str:
        """Return the text of a reference of the topic."""
        ...

    def label_of(self, reference_id: str, spans: Sequence[Span]) -> str:
        """Return the label proposed for an SCU of these spans."""
        ...

    def new_scu(self) -> None:
        """Create an SCU from the selected text, and open its label for editing."""
        ...

    def add_contributor(self) -> None:
        """Add the selected text to the selected SCU."""
        ...

    def show_message(self, text: str) -> None:
        """Show a message about SCUs in the terms of the page's kind of content unit."""
        ...

    def refuse(self, reason: str) -> None:
        """Refuse a command, for a reason in the same terms."""
        ...

    def show_details(self, *, reveal: bool = False) -> None:
        """Show the selected SCU everywhere. reveal: scroll to its text."""
        ...
