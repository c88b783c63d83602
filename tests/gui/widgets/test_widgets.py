"""Widgets of the window."""

from __future__ import annotations

import os
import subprocess
import sys
from threading import Event, current_thread, main_thread

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAction, QImage, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QLineEdit,
    QWidget,
)

from core.domain.ratings import Dimension
from core.errors import InputError
from core.files.preferences import Preferences
from core.progress import Progress
from gui.commands.definitions import PageName, plain_text
from gui.pages.overview.view import OverviewView
from gui.pages.ratings.scales_dialog import ScalesDialog
from gui.pages.ratings.view import RatingsView
from gui.pages.texts.view import TextsView
from gui.shell.dialogs import AnnotatorDialog, SettingsDialog
from gui.shell.main_window import PageRail, RailButton
from gui.shell.status_line import StatusLine
from gui.shell.welcome import WelcomeView
from gui.style import icons, theme
from gui.style.language import is_right_to_left, isolated, literal
from gui.widgets.buttons import SearchField
from gui.widgets.controls import Choice, ComboBox, MultiChoice, Segmented, Stepper
from gui.widgets.figure_view import FigureView
from gui.widgets.label import ElidedLabel, FactLabel, Label, breakable_command
from gui.widgets.notice import Notice, ProgressBar, percent, time_left
from gui.widgets.page import MOST, KeyHint, KeyHints, Page
from gui.widgets.panel import SidePanel


def test_arrows_move_through_segments_and_skip_forbidden_ones(qtbot, shown) -> None:
    choice = shown(Segmented("Level", (("system", "System"), ("topic", "Topic"), ("global", "Global"))))
    choice.button("topic").setEnabled(False)
    heard = []
    choice.chosen.connect(heard.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left):
        qtbot.keyClick(choice, key)
    assert heard == ["global", "system", "global"]
    assert choice.current == "global"


def test_choosing_a_segment_from_code_emits_nothing(qtbot) -> None:
    choice = Segmented("Level", (("system", "System"), ("topic", "Topic")))
    qtbot.addWidget(choice)
    heard = []
    choice.chosen.connect(heard.append)
    choice.choose("topic")
    assert (choice.current, heard) == ("topic", [])


def test_a_stepper_cannot_leave_its_range(qtbot) -> None:
    stepper = Stepper("topic")
    qtbot.addWidget(stepper)
    stepper.show_place("D07", "Ferry aground", 1, 2)
    assert (stepper.previous_button.isEnabled(), stepper.next_button.isEnabled()) == (False, True)
    stepper.show_place("D08", "", 2, 2)
    assert (stepper.previous_button.isEnabled(), stepper.next_button.isEnabled()) == (True, False)
    assert stepper.position_label.text() == "2 / 2"
    stepper.show_place("", "", 0, 0)
    assert not stepper.previous_button.isEnabled()
    assert not stepper.next_button.isEnabled()


def test_hints_keep_the_last_one_and_at_most_nine(shown) -> None:
    bar = shown(KeyHints())
    bar.show_hints([KeyHint((str(n),), f"hint {n}") for n in range(14)])
    names = [child.accessibleName() for child in bar.findChildren(QWidget) if child.accessibleName()]
    assert len(names) == MOST
    assert names[-1] == "13: hint 13"


def test_hints_without_room_are_left_out_but_never_the_last(shown, qtbot) -> None:
    bar = shown(KeyHints())
    bar.show_hints([KeyHint((str(n),), "a hint of some length") for n in range(9)])
    bar.resize(300, 34)
    qtbot.waitUntil(lambda: bar.width() == 300)
    hints = [child for child in bar.findChildren(QWidget) if child.accessibleName()]
    qtbot.waitUntil(hints[-1].isVisible)
    assert not hints[-2].isVisible()


def test_a_notice_hides_while_it_has_nothing_to_say(shown, qtbot) -> None:
    notice = shown(Notice("Eight systems only.", "How many are needed?"))
    assert notice.isVisible()
    with qtbot.waitSignal(notice.remedy_button.clicked):
        qtbot.mouseClick(notice.remedy_button, Qt.MouseButton.LeftButton)
    notice.show_message("")
    assert not notice.isVisible()


def test_a_notice_shows_the_most_severe_message_and_the_others_on_request(shown, qtbot):
    notice = shown(Notice())
    notice.show_message("Eight systems only.", others=("Two texts were cut.", "Ties are many."))
    assert notice.text_label.text() == "Eight systems only."
    assert notice.accessibleName() == "Eight systems only. Two texts were cut. Ties are many."
    assert notice.more_button.text() == "2 more"
    qtbot.mouseClick(notice.more_button, Qt.MouseButton.LeftButton)
    notice.show_message("Eight systems only.", others=("Two texts were cut.", "Ties are many."))
    assert notice.text_label.text().splitlines() == [
        "Eight systems only.",
        "Two texts were cut.",
        "Ties are many.",
    ]
    qtbot.mouseClick(notice.more_button, Qt.MouseButton.LeftButton)
    assert notice.text_label.text() == "Eight systems only."
    notice.show_message("Ties are many.")
    assert notice.more_button.isHidden()


def test_an_elided_label_shows_the_whole_in_its_tooltip(shown) -> None:
    label = shown(ElidedLabel("A very long title that has no room in so narrow a place"))
    label.resize(60, 20)
    assert label.toolTip() == label.text()
    label.resize(800, 20)
    assert label.toolTip() == ""


def test_a_wrapped_label_claims_the_height_of_all_its_lines(shown) -> None:
    label = shown(Label("word " * 60, wrap=True))
    label.resize(200, 20)
    assert label.height() >= label.heightForWidth(200) > 100


def test_a_wrapped_label_breaks_long_words_and_returns_its_text(shown) -> None:
    text = "by " + "é👩‍🚀e\u0301" * 60
    label = shown(Label(text, wrap=True))
    assert label.text() == text
    assert label.minimumSizeHint().width() < 200
    label.setText("short")
    assert label.text() == "short"


def test_a_notice_over_a_page_is_as_high_as_its_lines(shown) -> None:
    page = Page("Page")
    page.resize(900, 500)
    notice = Notice("A sentence that a narrow label would break into lines.")
    page.add_notice(notice)
    shown(page)
    assert notice.height() == notice.heightForWidth(notice.width())


def test_undo_and_redo_of_a_page_follow_the_commands(shown, qtbot) -> None:
    page, done = Page("Pyramid", edits=True), []
    undo, redo = QAction("&Undo: new SCU", page), QAction("&Redo", page)
    undo.triggered.connect(lambda: done.append("undo"))
    redo.setEnabled(False)
    page.bind_history(undo, redo)
    shown(page)
    assert page.undo_button.accessibleName() == "Undo: new SCU"
    assert not page.redo_button.isEnabled()
    qtbot.mouseClick(page.undo_button, Qt.MouseButton.LeftButton)
    redo.setEnabled(True)
    assert page.redo_button.isEnabled()
    assert done == ["undo"]


def test_a_bar_is_painted_with_the_rest_of_the_window(shown, qtbot) -> None:
    class Bar(ProgressBar):
        painted = 0

        def paintEvent(self, event: object) -> None:
            self.painted += 1

    bar = shown(Bar())
    qtbot.waitUntil(lambda: bar.painted > 0)
    before = bar.painted
    bar.show_share(0.5)
    bar.show_share(0.9)
    assert bar.painted == before
    qtbot.waitUntil(lambda: bar.painted > before)


def test_a_bar_runs_to_and_fro_while_nobody_knows(qtbot) -> None:
    bar = ProgressBar()
    qtbot.addWidget(bar)
    bar.show_progress(Progress(16, 25))
    assert bar.value() / bar.maximum() == pytest.approx(0.64, abs=0.001)
    value = bar.value()
    bar.show_progress(Progress(18, 25))
    assert bar.value() == value, "only quarters change the value, which screen readers speak"
    assert bar.value() / bar.maximum() == pytest.approx(0.72, abs=0.001)
    bar.show_progress(Progress(3, 0))
    assert bar.maximum() == 0


def test_progress_is_said_in_words() -> None:
    assert percent(Progress(16, 25)) == "64 %"
    assert percent(Progress(16, 0)) == ""
    assert [time_left(s) for s in (None, 130, 3900)] == ["", "2:10 left", "1 h 05 left"]


def test_the_status_line_shows_a_job_until_it_ends(shown) -> None:
    line = shown(StatusLine())
    assert not line.cancel_button.isVisible()
    line.show_job("Scoring", Progress(64, 100, "bertscore", seconds_left=130))
    assert line.job_label.text() == "Scoring · bertscore"
    assert line.left_label.text() == "2:10 left"
    assert line.cancel_button.isVisible()
    line.show_no_job()
    assert not line.bar.isVisible()


@pytest.mark.parametrize(
    "build",
    [
        WelcomeView,
        OverviewView,
        TextsView,
        RatingsView,
        StatusLine,
        lambda: ScalesDialog([Dimension("s", "coherence")], {}),
        lambda: AnnotatorDialog(["Ann"], "Ann"),
        lambda: SettingsDialog(Preferences(), [("cpu", "CPU")]),
    ],
)
def test_every_control_has_a_name_for_screen_readers(qtbot, build) -> None:
    whole = build()
    qtbot.addWidget(whole)
    kinds = (QAbstractButton, QLineEdit, QComboBox, QAbstractItemView)
    nameless = [
        control
        for kind in kinds
        for control in whole.findChildren(kind)
        if not control.accessibleName() and not control.isHidden() and is_ours(control)
    ]
    assert nameless == []


def is_ours(control: QWidget) -> bool:
    """Not a part that Qt made within another control, as a combo box's list or a table's corner."""
    parent = control.parentWidget()
    while parent is not None:
        if isinstance(parent, (QComboBox, QAbstractItemView, QAbstractSpinBox, QLineEdit)):
            return False
        parent = parent.parentWidget()
    return True


class TestFigure:
    @pytest.fixture
    def view(self, shown):
        return shown(FigureView("Scatter plot"))

    def draw(self, palette):
        from matplotlib.figure import Figure

        figure = Figure(figsize=(2, 2), facecolor=palette.surface)
        figure.add_subplot().plot([0, 1], [0, 1], color=palette.accent)
        return figure

    def test_another_theme_draws_the_figure_again(self, view, qapp) -> None:
        from matplotlib.colors import to_hex

        view.show_figure(self.draw)
        theme.apply(qapp, "dark")
        assert to_hex(view.canvas.figure.get_facecolor()).upper() == theme.DARK.surface

    def test_a_figure_without_room_is_drawn_once_when_it_gets_some(self, shown) -> None:
        drawn, around = [], QWidget()
        view = FigureView("Scatter plot")
        view.setParent(around)
        view.resize(0, 300)
        shown(around)
        view.drawn.connect(drawn.append)
        view.show_figure(self.draw)
        assert view.canvas is None
        view.resize(400, 300)
        assert drawn == [view.canvas]

    def test_only_the_last_of_several_changes_is_drawn_and_nothing_while_hidden(
        self, view, qapp, qtbot
    ) -> None:
        drawn, asked = [], []
        view.drawn.connect(drawn.append)

        def draw(number):
            return lambda palette: (asked.append(number), self.draw(palette))[1]

        for number in range(3):
            view.show_figure(draw(number))
        qtbot.waitUntil(lambda: len(drawn) == 1)
        assert asked == [2]
        view.hide()
        view.show_figure(draw(3))
        qapp.processEvents()
        assert asked == [2]
        view.show()
        qtbot.waitUntil(lambda: len(drawn) == 2)
        assert asked == [2, 3]

    def test_a_figure_is_drawn_on_a_thread_unless_its_canvas_is_asked_for(self, view, qapp, qtbot) -> None:
        drawn, threads, may_end = [], [], Event()
        view.drawn.connect(drawn.append)

        def draw(palette):
            threads.append(current_thread())
            if current_thread() is not main_thread():
                may_end.wait(10)
            return self.draw(palette)

        may_end.set()
        view.show_figure(draw)
        qtbot.waitUntil(lambda: len(drawn) == 1)
        assert main_thread() not in threads
        may_end.clear()
        view.show_figure(draw)
        qtbot.waitUntil(lambda: len(threads) == 2)
        assert view.canvas is drawn[-1]
        assert threads[-1] is main_thread(), "it is drawn at once"
        may_end.set()
        threads[1].join()
        qapp.processEvents()
        assert len(drawn) == 2, "what the thread draws is not shown any more"

    def test_in_another_size_the_figure_is_drawn_again_on_a_thread(self, view, qtbot) -> None:
        drawn, threads = [], []
        view.drawn.connect(drawn.append)
        view.resize(400, 300)
        view.show_figure(lambda palette: (threads.append(current_thread()), self.draw(palette))[1])
        qtbot.waitUntil(lambda: len(drawn) == 1)
        view.resize(450, 350)
        meanwhile = view.grab().toImage()
        assert len({meanwhile.pixel(across, 175) for across in range(450)}) > 1, "the last picture"
        qtbot.waitUntil(lambda: len(drawn) == 2)
        assert drawn[-1].figure.canvas.get_width_height() == drawn[-1].size().toTuple() == (450, 350)
        assert main_thread() not in threads

    def test_a_figure_is_drawn_in_its_size_at_once_also_if_it_scrolls(self, view, qtbot) -> None:
        drawn, resized = [], []
        view.drawn.connect(drawn.append)
        view.resized.connect(lambda: resized.append(1))
        view.resize(400, 300)
        for count, least in enumerate([(0, 0), (3, 9), (0, 0), (6, 0), (6, 9)], 1):
            view.show_figure(self.draw, least)
            qtbot.waitUntil(lambda count=count: len(drawn) == count)
            qtbot.wait(200)
            assert not resized, least

    def test_a_figure_is_shown_pixel_by_pixel_at_a_fractional_scale(self) -> None:
        code = """
from PySide6.QtWidgets import QApplication
from matplotlib.figure import Figure
import numpy as np
app = QApplication([])
from gui.widgets.figure_view import FigureView
def draw(palette):
    figure = Figure(figsize=(2, 2))
    figure.add_subplot().plot(range(99), np.sin(np.arange(99) * 7))
    return figure
view = FigureView("Plot")
view.resize(803, 602)
view.show()
view.show_figure(draw)
canvas = view.canvas
for _ in range(20):
    app.processEvents()
shown = canvas.grab().toImage()
width, height = canvas.figure.canvas.get_width_height(physical=True)
shown = shown.convertToFormat(shown.Format.Format_RGBA8888).copy(0, 0, width, height)
lines = np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), -1)[:, : 4 * width]
drawn = np.asarray(canvas._pixels).reshape(height, -1)
assert canvas.devicePixelRatioF() == 1.25 and np.array_equal(lines, drawn), "blurred"
"""
        environment = {**os.environ, "QT_SCALE_FACTOR": "1.25", "QT_QPA_PLATFORM": "offscreen"}
        done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    @pytest.mark.parametrize(("size", "grows"), [((900, 700), True), ((400, 300), False)])
    def test_a_figure_grows_with_the_text_as_far_as_there_is_room(self, view, qapp, size, grows) -> None:
        view.resize(*size)
        view.show_figure(self.draw)
        assert (view.dpi, view.canvas.figure.dpi) == (100, 100)
        theme.apply(qapp, "light", 150)
        try:
            assert view.canvas.figure.dpi == view.dpi == (theme.px(100) if grows else 100)
            assert view.canvas.get_width_height() == view.canvas.size().toTuple() == size
        finally:
            theme.apply(qapp, "light", 100)

    @pytest.mark.parametrize(("ending", "begins"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
    def test_a_figure_saves_in_the_format_of_its_name(self, view, tmp_path, ending, begins) -> None:
        view.show_figure(self.draw)
        view.save(tmp_path / f"figure.{ending}")
        assert (tmp_path / f"figure.{ending}").read_bytes().startswith(begins)

    def test_what_cannot_be_saved_is_refused_with_a_sentence(self, view, tmp_path) -> None:
        with pytest.raises(InputError, match="choose a measure"):
            view.save(tmp_path / "figure.svg")
        view.show_figure(self.draw)
        with pytest.raises(InputError, match=r"\.svg, \.pdf or \.png"):
            view.save(tmp_path / "figure.gif")
        with pytest.raises(InputError, match="its folder does not exist"):
            view.save(tmp_path / "absent" / "figure.svg")
        (tmp_path / "study.svg").write_bytes(b"SQLite format 3\x00")
        with pytest.raises(InputError, match="is a study"):
            view.save(tmp_path / "study.svg")

    def test_a_figure_copies_as_a_picture(self, view, qapp) -> None:
        view.show_figure(self.draw)
        view.copy()
        assert qapp.clipboard().image().width() == 600


def test_a_side_panel_shows_one_leaf_and_names_only_that(shown):
    panel = SidePanel("Details")
    leaves = {key: QWidget() for key in ("scu", "findings")}
    panel.add_tab("scu", "SCU", "tag", leaves["scu"])
    panel.add_tab("findings", "Findings", "warning", leaves["findings"])
    panel.tabs.set_count("findings", 3)
    chosen = []
    panel.tab_chosen.connect(chosen.append)
    shown(panel)
    button = panel.tabs.button("findings")
    assert panel.tabs.current == "scu"
    assert (button.text(), button.toolTip(), button.accessibleName()) == (
        "3",
        "Findings 3",
        "Details: Findings 3",
    )
    button.click()
    assert chosen == ["findings"]
    assert leaves["findings"].isVisible()
    assert not leaves["scu"].isVisible()
    assert button.text() == "Findings 3"


def test_a_page_shows_its_count_in_per_cent_where_it_does_not_fit(shown):
    rail = PageRail([PageName("matches", "matches", "Matches", "match", 1)])
    shown(rail)
    button = rail.findChild(RailButton)
    for progress, words in (("18/24", "18/24"), ("11600/58000", "20 %")):
        rail.show_progress("matches", progress)
        assert button.progress_text(button.width() - button.sizeHint().width()) == words
        assert button.toolTip() == f"Matches {progress}"
    assert button.progress_text(8) == "", "it would be written over the name"


def test_a_side_panel_keeps_its_width_whatever_is_in_front(shown, qtbot):
    panel = SidePanel("Details")
    for key, title in (("scu", "SCU"), ("suggestions", "Suggestions of all kinds")):
        panel.add_tab(key, title, "tag", QWidget())
    shown(panel)
    widths = []
    for key in ("scu", "suggestions"):
        panel.show_tab(key)
        widths.append(panel.minimumSizeHint().width())
    assert widths[0] == widths[1]


def test_the_rail_is_as_wide_as_its_longest_name_in_front_needs(shown):
    title = "A page of a rather long name"
    rail = shown(
        PageRail(
            [PageName("short", "short", "Texts", "texts", 0), PageName("long", "long", title, "report", 0)]
        )
    )
    rail.mark("long")
    assert rail.button("long").sizeHint().width() <= rail.button("long").width()


def test_the_cross_that_clears_a_field_follows_the_colours(shown, qapp):
    field = shown(SearchField("Find a topic"))
    (clear,) = field.findChildren(QAction, "_q_qlineeditclearaction")
    light = clear.icon().pixmap(16, 16).toImage()
    theme.apply(qapp, "dark")
    assert clear.icon().pixmap(16, 16).toImage() != light


def test_a_choice_of_several_names_them_where_there_is_room(shown):
    box = shown(MultiChoice("Metrics", "All"))
    box.show_choices([Choice(key, key) for key in ("rouge-1", "rouge-2", "chrf")], ("rouge-1", "chrf"))
    box.setFixedSize(300, 30)
    assert (box.displayed, box.accessibleName()) == ("rouge-1, chrf", "Metrics: rouge-1, chrf")
    box.setFixedSize(120, 30)
    assert box.displayed == "2 of 3"


@pytest.mark.parametrize("name", ["R&D", "&", "a && b", "x & y"])
def test_an_ampersand_in_a_name_is_shown(name, shown):
    box = shown(MultiChoice("Annotators", "All"))
    box.show_choices([Choice("", name)], ())
    assert plain_text(box.list_menu.actions()[0].text()) == plain_text(literal(name)) == name


def test_a_choice_of_several_writes_its_words_at_the_left(shown):
    box = shown(MultiChoice("Judgements", "All"))
    box.setFixedSize(300, 30)
    image = box.grab().toImage()
    ink = [x for x in range(4, 260) for y in range(6, 24) if image.pixelColor(x, y).lightness() < 100]
    assert ink
    assert max(ink) < 60


def test_pages_in_the_rail_are_announced_as_one_of_several(qtbot) -> None:
    rail = PageRail(
        [
            PageName("texts", "texts", "Texts", "texts", 0),
            PageName("matches", "matches", "Matches", "match", 0),
        ]
    )
    qtbot.addWidget(rail)
    rail.mark("matches")
    rail.show_progress("matches", "3/4")
    read = [QAccessible.queryAccessibleInterface(button) for button in rail.findChildren(RailButton)]
    assert {interface.role() for interface in read} == {QAccessible.Role.RadioButton}
    assert [interface.text(QAccessible.Text.Name) for interface in read] == ["Texts", "Matches 3/4"]
    assert [button.isChecked() for button in rail.findChildren(RailButton)] == [False, True]


def test_facts_that_do_not_fit_are_left_out_rather_than_cut(qtbot):
    label = FactLabel("1,043 words · 12 of 38 covered")
    qtbot.addWidget(label)
    label.show()
    images = []
    for text in ("1,043 words · 12 of 38 covered", "1,043 words"):
        label.setText(text)
        label.resize(label.fontMetrics().horizontalAdvance("1,043 words · 12") + 2, 20)
        images.append(label.grab().toImage())
    assert images[0] == images[1]
    label.resize(label.fontMetrics().horizontalAdvance("1,04"), 20)
    narrow = label.grab().toImage()
    label.setText("")
    assert label.grab().toImage() == narrow
    label.setText("1,043 words")
    assert label.toolTip() == "1,043 words"


def test_a_displayed_command_breaks_in_names_of_files_but_not_in_options() -> None:
    command = "pyramidion resample my-long.pyramidion --leave-out -s draws=7"
    shown = breakable_command(command)
    assert shown.replace("\u200b", "").replace("\u2011", "-") == command
    assert "my-\u200blong.\u200bpyramidion" in shown
    assert "\u2011\u2011leave\u2011out" in shown


def test_a_combo_box_elides_what_does_not_fit(qtbot):
    box = ComboBox()
    qtbot.addWidget(box)
    box.addItem("Automatic systems only")
    box.show()
    box.resize(600, box.height())
    assert box.shown_text == "Automatic systems only"
    box.resize(120, box.height())
    assert box.shown_text.startswith("Auto")
    assert box.shown_text.endswith("…")


def test_a_narrow_notice_has_its_buttons_below_its_message(qtbot):
    notice = Notice("Only 8 systems: intervals are wide.", "How many systems are needed?")
    qtbot.addWidget(notice)
    notice.show()
    notice.resize(900, 60)
    qtbot.waitUntil(lambda: notice.remedy_button.x() > notice.text_label.geometry().right())
    notice.resize(300, 120)
    qtbot.waitUntil(lambda: notice.remedy_button.y() > notice.text_label.geometry().bottom())


def test_painted_icons_grow_with_the_text(qapp):
    widths = []
    for size in (100, 150):
        theme.apply(qapp, "light", size)
        image = QImage(60, 60, QImage.Format.Format_ARGB32)
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        icons.draw(painter, image.rect(), "check", "text")
        painter.end()
        dark = [x for x in range(60) for y in range(60) if image.pixelColor(x, y).lightness() < 200]
        widths.append(max(dark) - min(dark) + 1)
    theme.apply(qapp, "light", 100)
    assert widths[1] == pytest.approx(1.5 * widths[0], abs=2)


def test_facts_keep_their_order_after_a_name_from_the_right():
    text = " · ".join(map(isolated, ("مقال 1", "51 words")))
    assert text.startswith("\u2068مقال 1\u2069 · 51")
    assert not is_right_to_left(text)
    assert not is_right_to_left(f"{isolated('مقال' + chr(10) + 'مقال')} words")
    assert is_right_to_left("العبارة Aldis Star")
