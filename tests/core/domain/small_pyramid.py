"""A pyramid of six SCUs over four references, small enough to be scored by hand."""

from __future__ import annotations

from core.domain.pyramid import Contributor, Match, Part, Pyramid, Scu

REFERENCES = ("a", "b", "c", "d")


def scu(name: str, references: str) -> Scu:
    part = (Part(f"{name}-part", 0, 1),)
    return Scu(
        name, name.upper(), tuple(Contributor(f"{name}{i}", r, part) for i, r in enumerate(references))
    )


def matches(*scu_ids: str | None) -> tuple[Match, ...]:
    return tuple(Match(f"m{i}", "summary", "annotator", scu_id) for i, scu_id in enumerate(scu_ids))


PYRAMID = Pyramid(
    "p",
    "topic",
    "annotator",
    (scu("u", "a"), scu("v", "ab"), scu("w", "abcd"), scu("x", "bcd"), scu("y", "cd"), scu("z", "d")),
)
"""Weights 4 3 2 2 1 1, 13 contributions in 4 references: 3.25 units on average, so 3."""
