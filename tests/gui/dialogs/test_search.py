"""The search dialog on a study: searching while typing and going to hits on the pages."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core.domain import pyramid
from gui.dialogs.search.presenter import SearchPresenter
from gui.dialogs.search.view import SearchDialog
from gui.pages.match import presenter as match
from gui.pages.pyramid import presenter as page_of_pyramids
from gui.pages.texts import presenter as texts
from tests.core.annotation.test_text_search import annotated


class Search:
    """The dialog on an annotated study."""

    def __init__(self, context, shown, qtbot) -> None:
        self.context, self.qtbot = context, qtbot
        self.ann, self.topic, self.summary = annotated(context.study)
        self.dialog = SearchDialog()
        qtbot.addWidget(self.dialog)
        self.presenter = SearchPresenter(self.dialog, context)
        self.presenter.open()

    def type(self, query: str) -> None:
        self.dialog.field.setText(query)
        self.qtbot.waitUntil(lambda: self.is_done)

    @property
    def is_done(self) -> bool:
        return not self.presenter.is_busy and not self.context.jobs.running()

    def lines(self) -> list[tuple[str, str]]:
        return [(hit.group.split(" · ")[0], hit.match) for hit in self.dialog.model.rows()]

    def go(self, kind: str) -> None:
        """Choose the first hit of a kind by keys alone."""
        wanted = next(hit.index for hit in self.dialog.model.rows() if hit.group.startswith(kind))
        for _ in range(len(self.dialog.model.rows())):
            if self.dialog.tree.current_key == wanted:
                break
            self.qtbot.keyClick(self.dialog.field, Qt.Key.Key_Down)
        self.qtbot.keyClick(self.dialog.field, Qt.Key.Key_Return)


@pytest.fixture
def search(context, shown, qtbot):
    return Search(context, shown, qtbot)


@pytest.fixture
def pages(context, shown, requests, monkeypatch):
    """Pages, built when they are first shown."""
    built = {}

    def show(key: str) -> None:
        module = {"pyramids": page_of_pyramids, "matches": match, "texts": texts}[key]
        for other, (view, _) in built.items():
            view.setVisible(other == key)
        if key not in built:
            built[key] = module.build(context)
            shown(built[key][0])
        requests.pages.append(key)

    object.__setattr__(context, "show_page", show)
    return built


def test_hits_appear_while_typing_grouped_by_kind_with_their_counts(search):
    search.type("ban")
    kinds = [kind for kind, _ in search.lines()]
    assert kinds == sorted(kinds, key=kinds.index), "hits of a kind are consecutive"
    assert {"Topics", "References", "Documents", "Labels of SCUs and nuggets"} <= set(kinds)
    assert all(found.lower() == "ban" for _, found in search.lines())
    assert "matches" in search.dialog.fact_label.text()


def test_no_match_is_reported_and_an_empty_field_shows_a_tip(search):
    search.type("xylophone")
    assert search.dialog.tip_label.text() == "No matches in the study."
    search.type("")
    assert "Beginnings of words" in search.dialog.tip_label.text()


def test_enter_on_a_reference_shows_its_page_and_selects_the_match(search, pages, context, requests):
    search.type("reopened")
    search.go("References")
    view, _ = pages["pyramids"]
    selection = view.references.selection()
    reference = next(r for r in search.topic.references if r.id == selection.text_id)
    assert [reference.content[start:end] for start, end in selection.spans] == ["reopened"]
    assert context.selection.topic_id == search.topic.id
    assert not search.dialog.isVisible()


def test_a_label_selects_its_scu(search, pages, context):
    search.type("lifted")
    search.go("Labels")
    assert context.selection.scu_id == "scu"
    view, _ = pages["pyramids"]
    assert view.scus.tree.current_scu == "scu"


def test_a_unit_outside_the_pyramid_is_shown_in_its_summary(search, pages, context):
    search.type("caf\u00e9s reop")
    search.go("Units")
    view, _ = pages["matches"]
    assert context.selection.summary_id == search.summary.id
    assert [search.summary.content[s:e] for s, e in view.left.text.selected_spans()] == ["caf\u00e9s"]


def test_a_document_is_opened_on_the_texts_page(search, pages):
    search.type("rejected")
    search.go("Documents")
    view, _ = pages["texts"]
    content = search.topic.documents[0].content
    assert [content[s:e] for s, e in view.reading.selected_spans()] == ["rejected"]


def test_a_note_selects_its_summary(search, pages, context):
    search.type("decide")
    search.go("Notes")
    assert context.selection.summary_id == search.summary.id


def test_a_hit_in_another_pyramid_names_its_annotator(search, pages, context, requests):
    from core.domain import pyramid

    ben = context.study.annotators.get_or_create("Ben")
    before = context.study.pyramids.annotation(search.topic.id, ben.id)
    after = pyramid.add_scu(before, "Zeppelin", search.topic.references[0].id, [(0, 3)])
    context.study.pyramids.commit(before, after, "new SCU", ben.id).result()
    search.qtbot.waitUntil(lambda: search.presenter.is_stale or search.presenter.is_busy)
    search.qtbot.waitUntil(lambda: search.is_done)
    search.type("zepp")
    assert "by Ben" in search.dialog.model.rows()[0].where
    search.go("Labels")
    assert "pyramid of Ben" in requests.sentences[-1]


def test_stepping_goes_through_the_hits_without_the_dialog_and_wraps_around(search, pages):
    search.type("ban")
    search.dialog.hide()
    hits = search.presenter.hits
    first = next(index for index, hit in enumerate(hits) if hit.passage.text_id)
    search.dialog.chosen.emit(first)
    for _ in hits:
        assert search.presenter.step(+1)
    assert search.presenter.current == first
    search.presenter.step(-1)
    assert search.presenter.current == (first - 1) % len(hits)
    search.type("xylophone")
    assert not search.presenter.step(+1)


def test_only_the_latest_query_is_shown(search):
    for words in ("b", "ba", "bri", "bridge", "storm"):
        search.dialog.field.setText(words)
    search.type("storm")
    assert {found.lower() for _, found in search.lines()} == {"storm"}


def test_a_nugget_opens_the_page_of_nuggets(search, context, requests):
    store, me = context.study.nuggets, context.annotator.id
    before = store.annotation(search.topic.id, me)
    after = pyramid.add_scu(before, "Unlikely nugget", search.topic.references[0].id, [(0, 9)], "n" * 32)
    store.commit(before, after, "new nugget", me).result()
    search.type("unlikely")
    search.go("Labels")
    assert requests.pages == ["nuggets"]
    assert context.selection.scu_id == "n" * 32
