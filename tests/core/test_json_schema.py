"""Dataclasses as JSON: equal values give equal text, and an error names its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

import pytest

from core.json_schema import OMITTED_IF_EMPTY, Checked, from_json, to_json


def even(number: int) -> int:
    if number % 2:
        raise ValueError("it is odd")
    return number


@dataclass(frozen=True, slots=True)
class Item:
    name: str
    number: Annotated[int, Checked(even)] = 0
    tags: frozenset[str] = field(default=frozenset(), metadata=OMITTED_IF_EMPTY)


@dataclass(frozen=True, slots=True)
class Box:
    items: tuple[Item, ...]
    by_name: Mapping[str, float]


BOX = Box((Item("b", 2, frozenset({"y", "x"})), Item("a")), {"z": 1.5})


def test_a_value_is_written_with_sorted_keys_and_read_again() -> None:
    text = '{"by_name":{"z":1.5},"items":[{"name":"b","number":2,"tags":["x","y"]},{"name":"a","number":0}]}'
    assert to_json(BOX) == text
    assert from_json(Box, text) == BOX


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"by_name":{},"items":[{"name":"a","number":3}]}', r"items\[0\]\.number: it is odd"),
        ('{"by_name":{},"items":[{"name":1}]}', r"items\[0\]\.name: "),
        ('{"by_name":{"z":"1"},"items":[]}', r"by_name\.z: "),
        ('{"by_name":{},"items":[{"name":"a","number":true}]}', r"items\[0\]\.number: "),
        ('{"items":[]}', "by_name: "),
        ('{"by_name":{"z":1},"items":[' + "1," * 1000 + "1]}", r"items\[0\]: it is not an object"),
        ("[", "the document: "),
    ],
)
def test_an_error_names_its_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        from_json(Box, text)
