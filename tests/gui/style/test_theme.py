"""Colours, fonts and sizes of the theme."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QStackedWidget,
    QTextBrowser,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gui.style import icons, theme
from gui.style.theme import DARK, LIGHT, Tokens, Type
from gui.widgets.controls import Segmented
from gui.widgets.label import Label

ROOT = Path(__file__).parents[3]
SCHEMES = pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
READABLE, VISIBLE = 4.5, 3.0


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    parts = (QColor(colour).redF(), QColor(colour).greenF(), QColor(colour).blueF())
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_agrees_with_published_values() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)


@SCHEMES
@pytest.mark.parametrize("ink", ["text", "muted", "accent", "warning", "error", "success"])
@pytest.mark.parametrize("ground", ["background", "surface", "raised", "hover", "selection"])
def test_every_text_colour_is_readable_on_every_ground(scheme: Tokens, ink: str, ground: str) -> None:
    assert contrast(getattr(scheme, ink), getattr(scheme, ground)) >= READABLE


@SCHEMES
def test_notices_and_primary_buttons_are_readable(scheme: Tokens) -> None:
    assert contrast(scheme.warning, scheme.warning_ground) >= READABLE
    assert contrast(scheme.on_accent, scheme.accent) >= READABLE
    assert contrast(scheme.on_accent, theme.mix(scheme.accent, scheme.text, 0.14)) >= READABLE


@SCHEMES
def test_edges_of_controls_are_visible(scheme: Tokens) -> None:
    for ground in (scheme.background, scheme.surface, scheme.raised):
        assert contrast(scheme.outline, ground) >= VISIBLE
    assert contrast(scheme.muted, scheme.selection) >= VISIBLE


@SCHEMES
@pytest.mark.parametrize("kind", [QLineEdit, QPlainTextEdit, QTextBrowser])
def test_fields_show_placeholders_selected_words_and_disabled_text_legibly(scheme, kind, qapp, qtbot) -> None:
    theme.apply(qapp, scheme.name)
    field = kind()
    qtbot.addWidget(field)
    field.ensurePolished()
    inks, group = field.palette(), QPalette.ColorGroup
    highlight = inks.color(QPalette.ColorRole.Highlight).name()
    assert contrast(highlight, scheme.surface) >= VISIBLE
    assert contrast(inks.color(QPalette.ColorRole.HighlightedText).name(), highlight) >= READABLE
    for role, of, least in (
        (QPalette.ColorRole.PlaceholderText, group.Active, READABLE),
        (QPalette.ColorRole.PlaceholderText, group.Disabled, VISIBLE),
        (QPalette.ColorRole.Text, group.Disabled, VISIBLE),
    ):
        ink = inks.color(of, role)
        assert ink.alpha() == 255
        assert contrast(ink.name(), scheme.surface) >= least


@SCHEMES
def test_words_are_readable_on_every_tint(scheme: Tokens) -> None:
    least = 4.8 if scheme is DARK else 6.6
    for step, weight in enumerate(scheme.weights, 1):
        assert contrast(scheme.text, weight.tint) >= least
        assert contrast(scheme.text, scheme.row_tint(step)) >= READABLE
        assert contrast(weight.ink, scheme.surface) >= READABLE


def test_a_weight_is_its_own_step_up_to_five_references_and_a_fifth_beyond() -> None:
    assert [theme.weight_step(w, 4) for w in (1, 2, 3, 4)] == [1, 2, 3, 4]
    assert [theme.weight_step(w, 11) for w in (1, 2, 3, 5, 8, 9, 11)] == [1, 1, 2, 3, 4, 5, 5]


def test_only_the_theme_contains_hex_colours() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for folder, endings in (
            ("gui", {".py"}),
            ("resources/themes", {".qss"}),
            ("resources/icons", {".svg"}),
        )
        for path in (ROOT / folder).rglob("*")
        if path.suffix in endings and path.name != "theme.py"
        for match in re.finditer(r"#[0-9A-Fa-f]{6}\b|#[0-9A-Fa-f]{3}\b", path.read_text("utf-8"))
    ]
    assert found == []


def test_changing_the_scheme_changes_palette_tokens_and_icons(qapp, qtbot) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    icons.set_icon(button, "plus", "text")
    before = button.icon().pixmap(QSize(16, 16)).toImage()
    with qtbot.waitSignal(theme.signal().changed):
        theme.apply(qapp, "dark")
    assert theme.tokens() is DARK
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK.background)
    assert button.icon().pixmap(QSize(16, 16)).toImage() != before


def test_a_larger_text_size_grows_fonts_and_lengths(qapp) -> None:
    body, row = theme.font_px(Type.BODY), theme.px(32)
    theme.apply(qapp, "light", 150)
    assert theme.font_px(Type.BODY) == pytest.approx(1.5 * body, abs=1)
    assert theme.px(32) == pytest.approx(1.5 * row, abs=1)


def test_every_window_is_dressed_and_follows_the_scheme(qapp, controller) -> None:
    for command in ("help.contents", "view.palette"):
        controller.commands.action(command).trigger()
    windows = [window for window in qapp.topLevelWidgets() if window.isVisible()]
    assert len(windows) > 2
    for scheme in (DARK, LIGHT):
        theme.apply(qapp, scheme.name)
        for window in windows:
            assert window.style().metaObject().className() == "QStyleSheetStyle"
            muted = [
                one
                for one in window.findChildren(Label)
                if one.isVisible() and one.property("tone") == "muted"
            ]
            assert {label.palette().windowText().color().name().upper() for label in muted} <= {scheme.muted}


def test_what_is_hidden_asks_for_its_room_as_soon_as_it_is_in_a_window(qtbot) -> None:
    def leaves() -> QStackedWidget:
        stack, leaf = QStackedWidget(), QWidget()
        row = QHBoxLayout()
        row.addWidget(Segmented("Scope", [("all", "Whole pyramid"), ("scu", "This SCU")]))
        QVBoxLayout(leaf).addLayout(row)
        for one in (QWidget(), leaf):
            stack.addWidget(one)
        return stack

    before, inside, window = leaves(), leaves(), QWidget()
    qtbot.addWidget(window)
    column = QVBoxLayout(window)
    assert before.minimumSizeHint().width() > 0
    for stack in (before, inside):
        column.addWidget(stack)
    theme.measure_again(window)
    assert before.minimumSizeHint() == inside.minimumSizeHint()


def test_every_drawing_is_a_line_drawing_in_the_current_colour() -> None:
    drawings = list((ROOT / "resources" / "icons").glob("*.svg"))
    assert len(drawings) > 40
    for drawing in drawings:
        svg = drawing.read_text("utf-8")
        assert 'viewBox="0 0 20 20"' in svg
        assert 'stroke="currentColor"' in svg
        assert 'fill="none"' in svg


def test_an_icon_is_drawn_in_the_requested_colour(qapp) -> None:
    label = QLabel()
    icons.set_icon(label, "check", "error", 32)
    image = label.pixmap().toImage()
    colours = {
        image.pixelColor(x, y).name().upper()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }
    assert colours == {LIGHT.error}
