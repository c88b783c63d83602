"""Values of the last objects, by identity."""

from __future__ import annotations

from core.recent import Recent


def test_a_value_is_made_once_for_the_same_objects_and_again_for_equal_ones():
    made: list[str] = []

    def make(name: str) -> str:
        made.append(name)
        return name

    recent = Recent[str](2)
    one, equal = [1], [1]
    assert recent.get("a", (one,), lambda: make("first")) == "first"
    assert recent.get("a", (one,), lambda: make("again")) == "first"
    assert recent.get("b", (one,), lambda: make("other key")) == "other key"
    assert recent.get("a", (equal,), lambda: make("other object")) == "other object"
    assert recent.get("a", (equal, one), lambda: make("more objects")) == "more objects"
    assert recent.get("a", (one,), lambda: make("dropped meanwhile")) == "dropped meanwhile"
    assert made == ["first", "other key", "other object", "more objects", "dropped meanwhile"]
