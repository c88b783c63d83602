"""Mappings of the program: each document is sound, and is what its format says."""

from __future__ import annotations

from importlib import resources

import pytest

from storage.formats.mappings.formats import mapping_text, packaged_text
from storage.formats.mappings.mapping import read_mapping
from storage.formats.mappings.values import _CHANGES
from storage.formats.registry import FORMATS

NAMES = sorted(one.name.removesuffix(".toml") for one in (resources.files("resources") / "imports").iterdir())


def test_every_document_is_a_format():
    assert sorted(known.name for known in FORMATS if mapping_text(known)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_document_is_read_and_its_format_has_what_it_says(name):
    mapping = read_mapping(packaged_text(name), name)
    known = next(known for known in FORMATS if known.name == name)
    assert (known.title, known.about, known.suffixes) == (
        mapping.title,
        mapping.about,
        mapping.recognize.suffixes,
    )
    assert mapping.title
    assert known.has_rows == (not (mapping.lines or mapping.files or mapping.texts))


def test_the_help_names_every_change():
    text = (resources.files("resources") / "help" / "import-data.md").read_text(encoding="utf-8")
    assert [name for name in _CHANGES if f"`{name}`" not in text] == []
