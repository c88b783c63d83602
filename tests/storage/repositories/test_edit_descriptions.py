"""Tests of the descriptions of edits."""

import pytest

from storage.repositories.edits.edit_descriptions import NameLookup, describe_edit


@pytest.mark.parametrize(
    ("verb", "description"),
    [
        ("ignore finding", "Ignore finding"),
        ("heed finding again", "Stop ignoring finding"),
        ("take flag off", "Unflag summary"),
        ("mark pyramid done", "Mark pyramid done"),
    ],
)
def test_edit_without_row_changes_is_described_by_its_verb(verb: str, description: str) -> None:
    assert describe_edit(verb, [], NameLookup({}, {})) == description
