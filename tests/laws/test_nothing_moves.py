"""Selecting, ticking, a warning, a topic's title and undo move no control and no row under the pointer.

Tried to be broken on every page by the current row of every list and table, by warnings of one line and of
many, and by the longest title of a topic; on the pages of annotation, at three sizes, by ticks, marks and
undo with labels of several lines; and in the main dialogs by the choices that show a warning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QTextEdit,
    QTreeView,
    QWidget,
)

from core.annotation.comparison_plans import draw_plan
from core.domain.preferences import ComparisonKind
from core.domain.pyramid import UnitKind, add_match, add_scu, new_id
from core.domain.ratings import Dimension
from core.ports import annotations_of
from gui.app import PAGES, build_window
from gui.pages.pyramid.scu_details import ScuDetailsView
from gui.pages.ratings.scales_dialog import ScalesDialog
from gui.widgets.controls import Stepper
from gui.widgets.notice import Notice
from storage.study_file import open_study
from tests.conftest import NIGHTLY
from tests.gui.settled import is_settled

pytestmark = pytest.mark.slow

SIZES = ((1280, 800), (1440, 900), (1920, 1080))
ANNOTATION = ("pyramids", "matches", "nuggets", "hits", "ratings", "comparisons")
CONTROLS = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView, QAbstractSpinBox, QTextEdit)
WARNING = "Somebody else edited the matches of this summary at the same time. Check it and repeat your edit. "
ROWS = 3
"""Rows of each list that are selected."""

Places = dict[Any, QPoint]


@pytest.fixture(scope="module")
def annotated(sample_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample with nuggets, comparisons, and SCUs whose labels need several lines."""
    path = tmp_path_factory.mktemp("steady") / "steady.pyramidion"
    path.write_bytes(sample_file.read_bytes())
    with open_study(path) as study:
        topic, me = study.texts.topic(study.texts.topics()[0].id), study.annotators.all()[0].id
        for kind in UnitKind:
            store = annotations_of(study, kind)
            before = after = store.annotation(topic.id, me)
            for place, reference in enumerate(topic.references[:3]):
                label = "a label of several words " * (1 + 2 * place)
                after = add_scu(after, label, reference.id, [(0, 9)], scu_id := new_id())
                after = add_match(after, topic.summaries[0].id, me, scu_id, [(0, 5)])
            store.commit(before, after, "annotate", me).result()
        plan, items = draw_plan(study, "plan", ComparisonKind.PAIRWISE, per_summary=2)
        study.comparisons.add_plan(plan, items, None).result()
    return path


@pytest.fixture(
    scope="module", params=SIZES if NIGHTLY else SIZES[::2], ids=lambda size: f"{size[0]}x{size[1]}"
)
def opened(request, qapp, annotated, tmp_path_factory) -> Iterator[Any]:
    """One window per size, on a copy of the study; the controller of the window."""
    folder = tmp_path_factory.mktemp("window")
    study = folder / "steady.pyramidion"
    study.write_bytes(annotated.read_bytes())
    (folder / "settings.json").write_text('{"backups": 0}', "utf-8")
    controller, window = build_window(qapp, folder / "settings.json")
    window.resize(*request.param)
    window.show()
    controller.start(None)
    controller.open_path(study)
    wait(lambda: controller.context is not None)
    controller.ask_annotator()
    controller.dialog.accept()
    rest(window)
    yield controller
    controller.close()
    window.hide()
    window.deleteLater()


def wait(is_so: Callable[[], bool]) -> None:
    """Wait until something is so; only a hang reaches the limit."""
    for _ in range(12_000):
        if is_so():
            return
        QTest.qWait(10)
    raise AssertionError("what was waited for did not come")


def rest(root: QWidget) -> Places:
    """Return the places once three looks in a row agree: a new page is laid out in several passes."""
    looks = [places(root)]
    while len(looks) < 3 or not looks[-1] == looks[-2] == looks[-3]:
        QTest.qWait(10)
        looks.append(places(root))
    return looks[-1]


def show(controller: Any, key: str) -> Any:
    """Show a page and return it when what it shows has been read."""
    controller.window.show_page(key)
    wait(lambda: is_settled(controller))
    page = controller.window.stack.currentWidget()
    rest(page)
    return page


def places(root: QWidget) -> Places:
    """Return where the visible controls are, and by their words the rows of lists, without scrolling."""
    QApplication.processEvents()
    found: Places = {}
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or is_content(widget):
            continue
        if isinstance(widget, CONTROLS) and not isinstance(widget, QHeaderView):
            found[widget] = widget.mapTo(root, QPoint(0, 0))
            found[widget, "size"] = QPoint(0, widget.height())
        if isinstance(widget, QAbstractItemView) and not isinstance(widget, QHeaderView):
            scrolled = QPoint(widget.horizontalScrollBar().value(), widget.verticalScrollBar().value())
            for key, index in rows_of(widget):
                if (box := widget.visualRect(index)).isValid():
                    found[widget, key] = box.topLeft() + scrolled
                    found[widget, key, "size"] = box.bottomRight() - box.topLeft()
    return found


def is_content(widget: QWidget) -> bool:
    """Return whether a widget belongs to a message, or to the details of what is selected, which differ."""
    while widget is not None:
        if isinstance(widget, Notice | ScuDetailsView):
            return True
        widget = widget.parentWidget()
    return False


def rows_of(view: QAbstractItemView) -> Iterator[tuple[Any, Any]]:
    """Yield the rows of a list with what they show, of a tree those of two levels."""
    model = view.model()
    if model is None:
        return
    for row in range(min(model.rowCount(view.rootIndex()), 60)):
        index = model.index(row, 0, view.rootIndex())
        yield (row, index.data()), index
        if isinstance(view, QTreeView):
            for child in range(min(model.rowCount(index), 60)):
                below = model.index(child, 0, index)
                yield (row, child, below.data()), below


def moved(before: Places, after: Places) -> list[str]:
    """Return what is there before and after at different places."""
    return [
        f"{described(key)}: {before[key].toTuple()} → {after[key].toTuple()}"
        for key in before.keys() & after.keys()
        if before[key] != after[key]
    ]


def described(key: Any) -> str:
    widget, *row = key if isinstance(key, tuple) else (key,)
    return f"{type(widget).__name__} {widget.accessibleName()} {row}"


def check(
    root: QWidget, what: str, act: Callable[[], object], ready: Callable[[], bool] = lambda: True
) -> None:
    """Assert that an act moves nothing that is still there. ready: when its effect is shown."""
    before = places(root)
    act()
    wait(ready)
    assert not moved(before, rest(root)), what


@pytest.mark.parametrize("key", [spec.key for spec in PAGES])
def test_no_selection_and_no_warning_moves_anything(opened, key) -> None:
    if key not in ANNOTATION and opened.window.width() != SIZES[0][0]:
        pytest.skip("only the pages of annotation are looked at in every size")
    page = show(opened, key)
    if key == "matches":
        page.scus.tree.opens_details = False  # open references move the rows below, and nothing else
    views = [v for v in page.findChildren(QAbstractItemView) if v.isVisible() and not is_content(v)]
    for view in views:
        if isinstance(view, QHeaderView):
            continue
        area = view.viewport().rect()
        visible = [index for _, index in rows_of(view) if area.contains(view.visualRect(index))]
        for index in visible[:ROWS]:
            name = f"{view.accessibleName()}: {index.data()}"
            check(page, name, lambda view=view, index=index: view.setCurrentIndex(index))
    if (notice := getattr(page, "notice", None)) is not None:
        for text in (WARNING, WARNING * 4, ""):
            check(page, "warning", lambda text=text: notice.show_message(text))


@pytest.mark.parametrize("key", ["pyramids", "matches", "nuggets", "hits", "ratings"])
def test_no_title_moves_the_arrows_and_buttons_of_the_header(opened, key) -> None:
    page = show(opened, key)
    steppers = [stepper for stepper in page.findChildren(Stepper) if stepper.isVisible()]
    buttons = [button for one in steppers for button in (one.previous_button, one.next_button)]
    buttons += [page.undo_button, page.redo_button]

    def at() -> list[QPoint]:
        rest(page)
        return [button.mapToGlobal(QPoint(0, 0)) for button in buttons]

    before = at()
    for name, title, position in (("D", "", 1), ("D" * 60, "A title " * 30, 1), ("D7", "Short", 1000)):
        page.place.show_place(name, title, position, 1000)
        first = before if position == 1 and name == "D" else None
        now = at()
        before = now if first is not None else before
        assert now == before, (name, title)


def test_no_tick_mark_or_undo_of_matches_moves_a_row(opened) -> None:
    page = show(opened, "matches")
    context, tree = opened.context, page.scus.tree
    context.selection.select(topic_id=context.study.texts.topics()[0].id)
    rest(page)
    for scu_id in tree.scus.visible()[:5]:
        was = next(line.is_matched for line in tree.scus.lines if line.scu_id == scu_id)

        def is_ticked(scu_id=scu_id) -> bool:
            return bool(next(line.is_matched for line in tree.scus.lines if line.scu_id == scu_id))

        check(
            page.pyramid_panel,
            scu_id,
            lambda s=scu_id: page.scus.tree.scu_checked.emit(s),
            lambda w=was: is_ticked() != w,
        )
        wait(lambda: not context.writes.is_saving)
        check(page.pyramid_panel, scu_id, context.history.undo, lambda w=was: is_ticked() == w)
    check(page.pyramid_panel, "flag", page.left.flag_button.click)
    wait(lambda: not context.writes.is_saving)
    check(page.pyramid_panel, "undo", context.history.undo)


def test_no_selected_scu_is_wider_or_higher_and_a_new_tier_narrows_none(opened) -> None:
    page = show(opened, "matches")
    opened.context.selection.select(topic_id=opened.context.study.texts.topics()[0].id)
    rest(page)
    tree = page.scus.tree
    widths = {tree.visualRect(tree.scus.index_of(scu_id)).width() for scu_id in tree.scus.visible()}
    assert len(widths) == 1


def test_no_choice_that_shows_a_warning_moves_the_controls_of_a_dialog(opened) -> None:
    scale = Dimension("s" * 32, "coherence", 1, 5)
    scales = ScalesDialog([scale], {}, parent=opened.window)
    scales.show()
    rest(scales)
    check(scales, "problem", lambda: scales.show_problem("The scale of categories needs a name for each."))
    scales.close()
