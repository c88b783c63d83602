"""Letters of references, and the first expression of an SCU."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from core.domain.pyramid import Scu
from core.domain.study import Text

_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def reference_letters(texts: Sequence[Text]) -> tuple[str, ...]:
    """Return a short name per text: its own name if all are short, else A, B, … Z, AA, AB, …"""
    names = tuple(text.name for text in texts)
    if all(0 < len(name) <= 2 for name in names):
        return names
    return tuple(_letter(place) for place in range(len(texts)))


def first_expression(scu: Scu, references: Iterable[str]) -> tuple[int, int] | None:
    """Return position and start of the first reference that expresses an SCU; None = no reference."""
    starts = {c.reference_id: min(p.start for p in c.parts) for c in scu.contributors if c.parts}
    places = ((place, starts[reference]) for place, reference in enumerate(references) if reference in starts)
    return next(places, None)


def _letter(place: int) -> str:
    rest, letter = divmod(place, len(_ALPHABET))
    return (_letter(rest - 1) if rest else "") + _ALPHABET[letter]
