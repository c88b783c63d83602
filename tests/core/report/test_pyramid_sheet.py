"""Pyramids for reading: every SCU with its contributors, in tiers."""

from __future__ import annotations

import pytest

from core.domain.pyramid import Contributor, Part, Pyramid, Scu, UnitKind
from core.domain.study import Text, TopicTexts
from core.errors import InputError
from core.progress import run_to_completion
from core.report.formats.html import to_html
from core.report.pyramid_sheet import pyramid_sheet, sheet_bytes, write_sheets

A, B = Text("a", "A", "The council raised the tax on Monday."), Text("b", "B", "A tax was raised.")


def contributor(text, *words, is_confirmed=True):
    parts = tuple(
        Part(f"{text.id}{n}", text.content.index(word), text.content.index(word) + len(word))
        for n, word in enumerate(words)
    )
    return Contributor(f"c{text.id}{words[0]}", text.id, parts, is_confirmed=is_confirmed)


def topic_of(*references):
    return TopicTexts("t", "D1", references=references)


SCUS = (
    Scu("1", "Only once", (contributor(A, "Monday"),)),
    Scu(
        "2",
        "Tax raised",
        (contributor(B, "raised", "tax"), contributor(A, "raised the tax")),
        comment="Both.",
    ),
)


def test_scus_are_listed_by_weight_with_their_words_in_order():
    sheet = pyramid_sheet(Pyramid("p", "t", "me", SCUS), topic_of(A, B), "Ann")
    (section,) = sheet.sections
    assert [row[:3] for row in section.tables[0].rows] == [(1, 2, "Tax raised"), (2, 1, "Only once")]
    assert section.tables[0].rows[0][3] == "B: “tax … raised”; A: “raised the tax”"
    assert section.tables[0].rows[0][4] == "Both."
    assert sheet.about == "2 SCUs of 2 references · by Ann · not marked done"
    assert section.illustrations[0].caption == "weight 2: 1, weight 1: 1."


def test_the_figure_has_every_label_and_escapes_it():
    scus = tuple(Scu(str(n), f"Label <{n}> $x$", (contributor(A, "Monday"),)) for n in range(12))
    svg = pyramid_sheet(Pyramid("p", "t", "me", scus), topic_of(A), "Ann").sections[0].illustrations[0].light
    for n in range(12):
        assert f"Label &lt;{n}&gt; $x$" in svg


def test_nuggets_are_named_so():
    units = (Scu("1", "Tax", (contributor(A, "tax"), contributor(A, "Monday", is_confirmed=False))),)
    sheet = pyramid_sheet(Pyramid("p", "t", "me", units, True, UnitKind.NUGGET), topic_of(A), "Ann")
    assert sheet.title == "Nuggets of D1"
    assert sheet.sections[0].tables[0].columns[1].title == "Tier"
    assert "“Monday” (not confirmed)" in sheet.sections[0].tables[0].rows[0][3]
    assert "SCU" not in to_html(sheet)


def test_an_empty_pyramid_has_no_picture():
    sheet = pyramid_sheet(Pyramid("p", "t", "me"), topic_of(A), "Ann")
    assert sheet_bytes(sheet, ".html")
    with pytest.raises(InputError, match="nothing to draw yet"):
        sheet_bytes(sheet, ".png")


def test_every_pyramid_of_a_study_is_a_file(judged_study, tmp_path):
    count = run_to_completion(write_sheets(judged_study, tmp_path / "sheets", ".html"))
    files = sorted(path.name for path in (tmp_path / "sheets").iterdir())
    with_scus = [each for each in judged_study.pyramids.annotations() if each.pyramid.scus]
    assert len(files) == count == len(with_scus) > 1
    assert files[0].startswith("D1.")
