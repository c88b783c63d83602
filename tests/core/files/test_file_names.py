"""File names for names from a study."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files.file_names import MAX_NAME_BYTES, FileNames, file_name


@pytest.mark.parametrize(
    ("stem", "suffix", "name"),
    [
        ("D1.lead", ".pan", "D1.lead.pan"),
        ("a/b\\c:d", ".txt", "a_b_c_d.txt"),
        ("../up", ".txt", "_.._up.txt"),
        ("CON", ".pyr", "_CON.pyr"),
        ("nul.x", ".pyr", "_nul.x.pyr"),
        ("com1", "", "_com1"),
        ("console", ".pyr", "console.pyr"),
        ("ends.", "", "ends_"),
        ("ends ", "", "ends_"),
        ("\ud800", ".txt", "_.txt"),
        ("", "", "_"),
    ],
)
def test_a_name_is_valid_on_every_file_system(stem, suffix, name):
    assert file_name(stem, suffix) == name


@pytest.mark.parametrize("stem", [".umount -l", "-rf", "..", ".", "--help"])
def test_no_file_is_hidden_or_looks_like_an_option(stem):
    assert file_name(stem, ".pyr") == f"_{stem}.pyr"


def test_long_names_that_begin_alike_stay_different():
    one, other = file_name("ü" * 300 + "1", ".pyr"), file_name("ü" * 300 + "2", ".pyr")
    assert one != other
    assert one.startswith("ü" * 50)
    assert max(len(one.encode()), len(other.encode())) <= MAX_NAME_BYTES


def test_no_name_is_given_twice():
    names = FileNames()
    assert [names.reserve(stem, ".pyr") for stem in ("D1", "d1", "D1~2", "Cafe\u0301", "Café")] == [
        "D1.pyr",
        "d1~2.pyr",
        "D1~2~2.pyr",
        "Cafe\u0301.pyr",
        "Café~2.pyr",
    ]


@given(st.text(max_size=400), st.sampled_from(["", ".pyr", ".pan"]))
def test_any_stem_makes_a_file(stem, suffix):
    name = file_name(stem, suffix)
    assert 0 < len(name.encode()) <= MAX_NAME_BYTES
    assert not set(name) & set('\0/\\:*?"<>|\n')
