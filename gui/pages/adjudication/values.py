"""Values that the Adjudication page displays."""

from __future__ import annotations

from dataclasses import dataclass

from gui.annotation.text.source_panel import ShownText


@dataclass(frozen=True, slots=True)
class ItemRow:
    """An item in the list.

    place: heading under which it is listed. state: short description, with who decided.
    icon, tone: of the state.
    """

    key: str
    place: str
    title: str
    state: str
    icon: str
    tone: str


@dataclass(frozen=True, slots=True)
class VersionCard:
    """What one annotator has on an item.

    number: the key that accepts it. is_chosen: it was accepted.
    """

    number: int
    annotator: str
    text: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class ItemDetails:
    """An item to decide on.

    result: what the result has. decided: who decided what and when, empty = nobody.
    both, neither: labels of these choices, empty = not possible.
    value_hint: range of a value that can be typed, empty = none can.
    texts: what it is about, with the parts that each annotator marked. sources: to check it against.
    """

    title: str
    place: str
    cards: tuple[VersionCard, ...]
    result: str
    decided: str
    both: str
    neither: str
    value_hint: str
    texts: tuple[ShownText, ...]
    sources: tuple[ShownText, ...]
