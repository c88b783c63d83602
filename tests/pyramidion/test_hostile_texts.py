"""Hostile texts in notebooks, pages, pyramids for reading and the window of a summary: inert, legible."""

from __future__ import annotations

import io
import re
from html import unescape
from xml.etree import ElementTree

import pypdf
import pytest
from PIL import Image

import pyramidion
from core.domain.import_batch import ImportContent, NewRating, NewText, NewTopic
from core.domain.pyramid import Contributor, Part, Pyramid, Scu
from core.domain.study import Text, TopicTexts
from core.report.pyramid_sheet import pyramid_sheet, sheet_bytes
from gui.pages.compare.summary.summary_presenter import texts_of, why_of
from gui.pages.compare.summary.summary_view import WIDTH, NumberRow, SummaryView
from gui.style.theme import px
from storage.study_file import new_study
from tests.scoring import score_all

HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>",
    "=HYPERLINK(1)",
    "bell \x07 escape \x1b[31m",
    "{{7*7}} {% raw %} 50% \\input{x} $x_1^2$ \u202e right to left",
    "W" * 5000,
)
ONE = " ".join(HOSTILE)
FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]|<script|<img")


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "hostile.pyramidion"
    topics = [
        NewTopic(
            f"T{number} {text}",
            title=ONE,
            references={f"A {text}": NewText(f"{ONE} the cat sat."), "B": NewText("the dog ran")},
            summaries={f"s {name}": NewText(f"{name} the cat sat.") for name in HOSTILE},
        )
        for number, text in enumerate(HOSTILE[:3])
    ]
    ratings = [
        NewRating(topic.name, system, HOSTILE[0], HOSTILE[3], float(1 + at))
        for topic in topics
        for at, system in enumerate(topic.summaries)
    ]
    content = ImportContent(
        "hostile",
        topics=topics,
        annotators={HOSTILE[3]: ""},
        dimensions={HOSTILE[0]: (1, 5)},
        ratings=ratings,
    )
    with new_study(path, name=ONE) as study:
        study.import_data(content)
        score_all(study, "rouge-n:n=1", "chrf")
    return path, [topic.name for topic in topics]


def test_notebooks_and_pages_show_them(hostile_file, tmp_path):
    path, topics = hostile_file
    with pyramidion.open(path) as study:
        displayed = [study._repr_html_()]
        for name in HOSTILE:
            explained = study.explain(topics[2], f"s {name}", "rouge-1.f")
            displayed += [explained._repr_html_(), explained.save(tmp_path / "page.html").read_text("utf-8")]
        figure = study.scatter("rouge-1.f", f"rating.{HOSTILE[0]}")
        displayed.append(figure._repr_html_())
    for page in displayed:
        assert not FORBIDDEN.search(page)
    assert "alert(1)" in unescape(displayed[1])
    assert r"\x1b[31m" in displayed[5]
    assert r"\u202e right to left" in displayed[7]
    assert all('class="tex2jax_ignore"' in page for page in displayed[:1] + displayed[1:-1:2]), "no formulas"
    assert max(map(len, unescape(displayed[9]).split())) < 1000
    ElementTree.fromstring(figure.svg())


def test_pyramids_for_reading_show_them():
    texts = tuple(
        Text(f"r{at}", f"A {name}", f"{name} said") for at, name in enumerate((*HOSTILE, "null \x00"))
    )
    scus = tuple(
        Scu(str(at), text.content, (Contributor(f"c{at}", text.id, (Part(f"p{at}", 0, len(text.content)),)),))
        for at, text in enumerate(texts)
    )
    sheet = pyramid_sheet(
        Pyramid("p", "t", "me", scus), TopicTexts("t", ONE, references=texts), f"Ann {HOSTILE[0]}"
    )
    page = sheet_bytes(sheet, ".html").decode()
    assert not FORBIDDEN.search(page)
    for legible in (HOSTILE[0], HOSTILE[1], r"escape \x1b[31m", r"\u202e right to left", r"null \x00"):
        assert legible in unescape(page)
    read = "".join(
        part.extract_text() for part in pypdf.PdfReader(io.BytesIO(sheet_bytes(sheet, ".pdf"))).pages
    )
    assert "alert(1)" in re.sub(r"\s", "", read)
    assert "=HYPERLINK(1)" in re.sub(r"\s", "", read)
    width, height = Image.open(io.BytesIO(sheet_bytes(sheet, ".png"))).size
    assert max(width, height) < 6000


def test_the_window_of_a_summary_shows_them(hostile_file, qtbot):
    path, topics = hostile_file
    with pyramidion.open(path) as study:
        trees = {name: study.explain(topics[2], f"s {name}", "rouge-1.f").explained for name in HOSTILE}
    view = SummaryView()
    qtbot.addWidget(view)
    view.show()
    width = view.width()
    for name, explained in trees.items():
        topic = explained.topic
        summary = next(text for text in topic.summaries if text.name == f"s {name}")
        view.show_texts(texts_of(topic, summary))
        view.show_systems([text.name for text in topic.summaries], "")
        view.show_numbers([NumberRow(f"rating.{HOSTILE[0]}", 3.0, "1 of 5", 5)], "")
        view.show_why(why_of("rouge-1.f", explained.tree, f"s {HOSTILE[2]}", explained.tree))
        assert view.width() == width
        assert view.minimumSizeHint().width() <= px(WIDTH)
        shown = [view.windowTitle(), view.title_label.text(), view.fact_label.text()]
        shown += [box.itemText(at) for box in (view.other_box, view.system_box) for at in range(box.count())]
        model = view.parts_table.model()
        shown += [str(model.index(row, 0).data()) for row in range(model.rowCount())]
        shown += [
            str(model.headerData(at, view.parts_table.horizontalHeader().orientation())) for at in range(4)
        ]
        assert not any(FORBIDDEN.search(text.replace("<script", "").replace("<img", "")) for text in shown)
        assert view.system_box.findData(f"s {HOSTILE[2]}") > 0, "names stay what they are"
        assert view.summary_text.toPlainText().startswith(name[:2])
