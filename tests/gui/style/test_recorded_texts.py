"""The recorder of translations, with which the German window is tested."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.domain.pyramid import UnitKind
from gui.style import language
from tests.gui.style.recorded_texts import recording


@pytest.fixture
def _german() -> Iterator[None]:
    language.use("de")
    yield
    language.use("en")


@pytest.mark.usefixtures("_german")
def test_only_texts_with_a_translation_are_recorded() -> None:
    translated: set[str] = set()
    tr, in_terms_of = (recording(each, translated) for each in (language.tr, language.in_terms_of))
    named = tr("Never translated {name} text", name="x")
    counted = tr("%n untranslated widgets", "", 3)
    assert (named, counted) == ("Never translated x text", "3 untranslated widgets")
    assert in_terms_of(UnitKind.NUGGET, named) == named
    assert translated == set()
    topics, drop = tr("%n topics", "", 3), tr("Drop here for a new SCU")
    assert translated == {"3 Themen", "Hier ablegen, um SCU anzulegen"} == {topics, drop}
    assert in_terms_of(UnitKind.NUGGET, drop) in translated
