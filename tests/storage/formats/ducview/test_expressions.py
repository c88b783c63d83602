"""Expressions of files and users are bounded before they are compiled."""

from __future__ import annotations

import pytest
import regex

from core.errors import InputError
from storage.formats.ducview import file_names
from storage.formats.ducview.expressions import LONGEST, MOST_REPEATS, find

REFUSED = {
    "-{99999999}": "repeats up to 99,999,999 times",
    "-{2,1001}": "1,001 times",
    "-{1001,}": "1,001 times",
    "(?:a{40}){30}": "1,200 times",
    "((a{10}b|c)+d){200}": "2,000 times",
    "(?:(?:a{11}){11}){11}": "1,331 times",
    "[(]{2}(?:a{40}[)]){30}": "1,200 times",
    "(?x)-{ 9 9 9 9 9 }": "not allowed",
    "a{ 99999}": "not a counted repeat",
    "(?:ab){e<=2}": "not a counted repeat",
    "(a(?R)?b)": "recursion",
    "(a(?1)?b)": "recursion",
    "(?P<n>a(?&n)?b)": "recursion",
    "(?(1)a|b)": "recursion",
    "(?#(){)a": "recursion",
    "[[a-z]--[aeiou]](x{50}){50}": "nested character set",
    r"\L<words>": "not allowed",
    "a" * (LONGEST + 1): "501 characters",
    "a{" + "9" * 400 + "}": "not a counted repeat",
    "(": "not valid",
    "a**": "not valid",
}


@pytest.mark.parametrize(("expression", "sentence"), REFUSED.items())
def test_expressions_that_cannot_be_bounded_are_never_compiled(
    expression: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "not valid" not in sentence:
        monkeypatch.setattr(regex, "compile", None)
    with pytest.raises(InputError, match=sentence):
        find(expression, "aaa", 10)


ALLOWED = {
    r"[-]*\n D[0-9]*-[A-Z]\.M\.100\.[A-Z]\.[A-Z]\n[-]*\n": "---\n D1-A.M.100.B.C\n---\n",
    r"-{17}\n Reference by [^\n]*\n-{17}\n": "-" * 17 + "\n Reference by A\n" + "-" * 17 + "\n",
    rf"-{{1,{MOST_REPEATS}}}": "---",
    r"(?:\w{1,3} ){2}": "ab cd ",
    r"(?im)^(?P<n>[^]a-c\]]+)(?=x)": "EFx",
    r"(\d{4})-(\d{4})-(\d{4})-(\d{4})": "1234-1234-1234-1234",
    r"\p{Lu}\{2\}[{(]": "A{2}(",
    r"(?<!b)(?>a)(?<year>\d)\g<year>|a(?i:B)": "aB",
}


@pytest.mark.parametrize(("expression", "text"), ALLOWED.items())
def test_usual_expressions_find_what_they_should(expression: str, text: str) -> None:
    assert len(find(expression, text, 10)) == 1


def test_very_long_texts_are_not_searched() -> None:
    with pytest.raises(InputError, match="2,000,000 characters"):
        find("a", "a" * 2_000_001, 1)


def test_finding_stops_at_the_most_places_that_are_of_use() -> None:
    assert find("a", "a" * 50, 3) == [(0, 1), (1, 2), (2, 3)]


def test_a_name_pattern_of_many_stars_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(file_names, "SECONDS", 1e-6)
    (pattern,) = file_names.patterns("{topic}" + "*a" * 30 + "/*a/b.pyr")
    with pytest.raises(InputError, match=r"Use fewer \*"):
        pattern.read("a" * 250 + "/c/b.pyr")


def test_a_very_long_name_pattern_is_refused() -> None:
    with pytest.raises(InputError, match="500 are allowed"):
        file_names.patterns("{topic}" + "x" * 500)
