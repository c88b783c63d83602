"""Presentation order of summaries that hides their systems."""

from __future__ import annotations

from core.annotation.blind_mode import blind_order

IDS = [f"summary-{i}" for i in range(12)]


def test_the_order_is_stable_and_contains_every_summary():
    once = blind_order(IDS, "ann", "d1")
    assert once == blind_order(reversed(IDS), "ann", "d1")
    assert sorted(once) == sorted(IDS)


def test_annotators_and_topics_differ():
    orders = {blind_order(IDS, who, topic) for who in ("ann", "ben") for topic in ("d1", "d2")}
    assert len(orders) == 4
