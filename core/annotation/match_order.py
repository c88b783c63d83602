"""Order of the content units of a summary, and which of them are repetitions."""

from __future__ import annotations

from collections.abc import Iterable

from core.domain.pyramid import Match

_NO_SPAN = 1 << 62  # after every offset of a text


def in_text_order(matches: Iterable[Match]) -> list[Match]:
    """Return units by the start of their first part, those without a span last."""
    return sorted(matches, key=lambda match: min((p.span for p in match.parts), default=(_NO_SPAN, 0)))


def repeats_of(matches: Iterable[Match]) -> frozenset[str]:
    """Return the ids of the units whose SCU is already expressed by an earlier unit."""
    seen: set[str] = set()
    repeats = set()
    for match in in_text_order(matches):
        if match.scu_id is not None and match.scu_id in seen:
            repeats.add(match.id)
        seen.add(match.scu_id or "")
    return frozenset(repeats)
