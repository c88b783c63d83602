"""Colours, fonts and spacing; the only module with hex colours.

Other modules use tokens by name, so that light and dark schemes differ only here. The style sheets in
``resources/themes`` are templates over the names of the tokens.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from PySide6.QtCore import QObject, Qt, QTemporaryDir, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QFontMetrics, QPalette
from PySide6.QtWidgets import QApplication, QLayout, QWidget

from core.figures.palette import Palette


@dataclass(frozen=True, slots=True)
class WeightStep:
    """Colours of one weight. tint: background of its words. ink: its underline and number."""

    tint: str
    ink: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours of one scheme as ``#RRGGBB``. weights: steps 1 to 5."""

    name: str
    background: str
    surface: str
    raised: str
    hover: str
    border: str
    outline: str
    text: str
    muted: str
    accent: str
    on_accent: str
    selection: str
    warning: str
    warning_ground: str
    error: str
    success: str
    weights: tuple[WeightStep, WeightStep, WeightStep, WeightStep, WeightStep]
    row_share: float

    def row_tint(self, step: int) -> str:
        """Return the background of a list row of a weight step."""
        return mix(self.surface, self.weights[step - 1].tint, self.row_share)


LIGHT: Final = Tokens(
    name="light",
    background="#F2F4F7",
    surface="#FFFFFF",
    raised="#F8F9FB",
    hover="#EAEDF1",
    border="#DCE0E6",
    outline="#848D9B",
    text="#1A1F27",
    muted="#57606E",
    accent="#0A6570",
    on_accent="#FFFFFF",
    selection="#D3ECEE",
    warning="#8F4700",
    warning_ground="#FCEFD9",
    error="#B3261E",
    success="#1F6B3A",
    weights=(
        WeightStep("#F5E9D2", "#8C6D10"),
        WeightStep("#F5D78F", "#9C5A08"),
        WeightStep("#F3BA95", "#A34A1E"),
        WeightStep("#F09FAE", "#9E3350"),
        WeightStep("#B597DC", "#6639A6"),
    ),
    row_share=0.16,
)

DARK: Final = Tokens(
    name="dark",
    background="#14171B",
    surface="#1B1F25",
    raised="#22272E",
    hover="#282E36",
    border="#333A44",
    outline="#737D8C",
    text="#E8EBF0",
    muted="#A0A9B7",
    accent="#5CC6CE",
    on_accent="#0B1E21",
    selection="#163F47",
    warning="#F2B45F",
    warning_ground="#3A2D18",
    error="#FF9186",
    success="#7CCB93",
    weights=(
        WeightStep("#33301F", "#D8C172"),
        WeightStep("#4C3F0C", "#EDB05C"),
        WeightStep("#7C4733", "#F59F70"),
        WeightStep("#913C66", "#F292A8"),
        WeightStep("#824BB9", "#C7A6F7"),
    ),
    row_share=0.22,
)

HAIR, TIGHT, SMALL, MEDIUM, LARGE, WIDE = 2, 4, 8, 12, 16, 24
"""Spacing in pixels."""

RADIUS_CONTROL, RADIUS_SMALL = 6, 4
"""Corner radii in pixels."""

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
"""Alignments of text in the middle of a row."""


class Type(StrEnum):
    """Kinds of text, which determine size and weight of the font."""

    CAPTION = "caption"
    SMALL = "small"
    BODY = "body"
    STRONG = "strong"
    READING = "reading"
    TITLE = "title"
    HERO = "hero"


_FACTORS: Final = {
    Type.CAPTION: 0.85,
    Type.SMALL: 0.92,
    Type.BODY: 1.0,
    Type.STRONG: 1.0,
    Type.READING: 1.12,
    Type.TITLE: 1.46,
    Type.HERO: 2.15,
}
_SEMIBOLD: Final = frozenset({Type.CAPTION, Type.STRONG, Type.TITLE, Type.HERO})
_DESIGNED_PX: Final = 13  # font size for which lengths in pixels are specified
_DRESSED: Final = "dressed"

_ROLES: Final = {
    QPalette.ColorRole.Window: "background",
    QPalette.ColorRole.Base: "surface",
    QPalette.ColorRole.Button: "surface",
    QPalette.ColorRole.Light: "surface",
    QPalette.ColorRole.AlternateBase: "raised",
    QPalette.ColorRole.ToolTipBase: "raised",
    QPalette.ColorRole.Midlight: "hover",
    QPalette.ColorRole.Mid: "border",
    QPalette.ColorRole.Shadow: "border",
    QPalette.ColorRole.Dark: "outline",
    QPalette.ColorRole.WindowText: "text",
    QPalette.ColorRole.Text: "text",
    QPalette.ColorRole.ButtonText: "text",
    QPalette.ColorRole.ToolTipText: "text",
    QPalette.ColorRole.HighlightedText: "text",
    QPalette.ColorRole.PlaceholderText: "muted",
    QPalette.ColorRole.Accent: "accent",
    QPalette.ColorRole.Link: "accent",
    QPalette.ColorRole.LinkVisited: "accent",
    QPalette.ColorRole.BrightText: "error",
    QPalette.ColorRole.Highlight: "selection",
}
_INDICATORS: Final = {"check": "on_accent", "chevron-down": "muted", "chevron-up": "muted"}
_TEXT_ROLES: Final = (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText)


class ThemeSignal(QObject):
    """changed: emitted after the scheme or the text size changed."""

    changed = Signal()


class _Theme:
    """Current state: requested scheme, tokens, text size."""

    def __init__(self) -> None:
        self.signal = ThemeSignal()
        self.scheme = "system"
        self.text_percent = 100
        self.tokens = LIGHT
        self.desktop_px = self.applied_px = 0
        self.sheet = ""
        self.fonts: dict[tuple[Type, int], QFont] = {}
        self.metrics: dict[tuple[Type, int], QFontMetrics] = {}
        self.follows = False
        self.indicators = QTemporaryDir()


_theme = _Theme()


def signal() -> ThemeSignal:
    """Return the object that emits changes of scheme and text size."""
    return _theme.signal


def tokens() -> Tokens:
    """Return the current colours."""
    return _theme.tokens


def colour(token: str) -> QColor:
    """Return a token of the current scheme as a colour."""
    return QColor(getattr(_theme.tokens, token))


def weight_step(weight: int, references: int) -> int:
    """Return the colour step (1 to 5) of a weight.

    Up to five references, the weight itself; beyond, the weight scaled to five and rounded up.
    """
    if references > 5:
        weight = -(-5 * weight // references)
    return min(max(weight, 1), 5)


@lru_cache(maxsize=1024)
def mix(under: str, over: str, share: float) -> str:
    """Return the colour of `over` painted on `under` with opacity `share`, in [0, 1]."""
    below, above = QColor(under), QColor(over)
    pairs = ((below.red(), above.red()), (below.green(), above.green()), (below.blue(), above.blue()))
    return "#" + "".join(f"{round(a + (b - a) * share):02X}" for a, b in pairs)


def px(designed: int) -> int:
    """Return a length in pixels, scaled with the text size."""
    return round(designed * _body_px() / _DESIGNED_PX)


def bar_px(designed: int, around: int) -> int:
    """Return a height scaled with the text size but for the part around the text."""
    return px(designed - around) + around


def font(kind: Type = Type.BODY) -> QFont:
    """Return the font of a kind of text, with tabular figures."""
    key = kind, font_px(kind)
    if key not in _theme.fonts:
        chosen = _theme.fonts[key] = QFont(QApplication.font())
        chosen.setPixelSize(font_px(kind))
        if kind in _SEMIBOLD:
            chosen.setWeight(QFont.Weight.DemiBold)
        chosen.setFeature(QFont.Tag("tnum"), 1)
    return QFont(_theme.fonts[key])


def metrics(kind: Type = Type.BODY) -> QFontMetrics:
    """Return the measures of the font of a kind of text; painting asks for them cell by cell."""
    key = kind, font_px(kind)
    if key not in _theme.metrics:
        _theme.metrics[key] = QFontMetrics(font(kind))
    return _theme.metrics[key]


def font_px(kind: Type) -> int:
    """Return the font size of a kind of text in pixels."""
    return round(_body_px() * _FACTORS[kind])


def dress(window: QWidget) -> None:
    """Give a window without parent the style sheet, which its content and its dialogs inherit.

    The style sheet is that of windows, not of the program: Qt would apply it again to all that a widget
    contains each time the widget is put into another one, and a page would take three times as long to build.
    """
    window.setProperty(_DRESSED, True)
    window.setStyleSheet(_theme.sheet)
    measure_again(window)


def measure_again(dressed: QWidget) -> None:
    """Let all layouts ask for sizes again, after a widget got into a dressed window.

    Qt itself tells only the outermost layout of each widget, and hidden ones would stay as they are.
    """
    for layout in dressed.findChildren(QLayout):
        layout.invalidate()


def apply(app: QApplication, scheme: str = "system", text_percent: int = 100) -> None:
    """Set the Fusion style, the palette, fonts and style sheets of the program.

    scheme: ``system`` (follows the desktop), ``light`` or ``dark``.
    text_percent: of the text size of the desktop.
    """
    hints = app.styleHints()
    if not _theme.follows:
        _theme.follows = True
        _theme.desktop_px = max(QFontInfo(app.font()).pixelSize(), _DESIGNED_PX)
        hints.colorSchemeChanged.connect(lambda _: _follow_desktop(app))
    _theme.scheme, _theme.text_percent = scheme, text_percent
    schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}
    hints.setColorScheme(schemes.get(scheme, Qt.ColorScheme.Unknown))
    if (_tokens_of_scheme(app), _body_px()) != (_theme.tokens, _theme.applied_px):
        _apply_tokens(app)  # takes 100 ms and repaints every window


def _follow_desktop(app: QApplication) -> None:
    if _theme.scheme == "system" and _tokens_of_scheme(app) is not _theme.tokens:
        _apply_tokens(app)


def _tokens_of_scheme(app: QApplication) -> Tokens:
    if _theme.scheme == "system":
        return DARK if app.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT
    return DARK if _theme.scheme == "dark" else LIGHT


def _apply_tokens(app: QApplication) -> None:
    is_resized = _body_px() != _theme.applied_px
    _theme.tokens, _theme.applied_px = _tokens_of_scheme(app), _body_px()
    if is_resized:  # or at first; colors alone need no new style, which takes seconds to polish all widgets
        app.setStyle("Fusion")
    app.setPalette(_palette(_theme.tokens))
    app.setFont(_app_font(app))
    _theme.fonts.clear()
    _theme.metrics.clear()
    _theme.sheet = _style_sheet(_theme.tokens)
    for window in app.topLevelWidgets():
        if window.property(_DRESSED):
            dress(window)
    _theme.signal.changed.emit()


def _palette(scheme: Tokens) -> QPalette:
    palette = QPalette()
    for role, token in _ROLES.items():
        palette.setColor(role, QColor(getattr(scheme, token)))
    for role in _TEXT_ROLES:
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(scheme.outline))
    return palette


def _app_font(app: QApplication) -> QFont:
    chosen = QFont(app.font())
    if "Inter" in QFontDatabase.families():
        chosen.setFamily("Inter")
    chosen.setPixelSize(_body_px())
    return chosen


def _body_px() -> int:
    return round((_theme.desktop_px or _DESIGNED_PX) * _theme.text_percent / 100)


def _style_sheet(scheme: Tokens) -> str:
    folder = files("resources") / "themes"
    names = {key: value for key, value in asdict(scheme).items() if isinstance(value, str)}
    names |= {f"{kind.value}_px": f"{font_px(kind)}px" for kind in Type}
    names |= {f"px{n}": f"{px(n)}px" for n in (11, 14, 16, 20, 22, 28, 30, 32, 34)}
    names |= {"ringed": f"{px(28) - 2}px", "ringed_small": f"{px(16) - 2}px"}  # the border takes the rest
    for name, width in (("arrow", 15), ("choice", 30), ("opens", 22)):
        names |= {name: f"{px(width)}px", f"{name}_ringed": f"{px(width) - 1}px"}
    names["accent_hover"] = mix(scheme.accent, scheme.text, 0.14)
    names["pressed"] = mix(scheme.hover, scheme.outline, 0.25)
    names["icons"] = _indicators(scheme)
    sheets = sorted((s for s in folder.iterdir() if s.name.endswith(".qss")), key=lambda s: s.name)
    return "\n".join(Template(path.read_text("utf-8")).substitute(names) for path in sheets)


def _indicators(scheme: Tokens) -> str:
    """Write the tinted drawings that style sheets refer to, which must be files; return their folder."""
    folder = Path(_theme.indicators.path())
    for drawing, token in _INDICATORS.items():
        svg = (files("resources") / "icons" / f"{drawing}.svg").read_text("utf-8")
        tinted = svg.replace("currentColor", getattr(scheme, token)).replace('"1.5"', '"2.4"')
        (folder / f"{drawing}-{scheme.name}.svg").write_text(tinted, "utf-8")
    return folder.as_posix()


def figure_palette() -> Palette:
    """Return the current colours as the palette of figures."""
    t = _theme.tokens
    return Palette(
        surface=t.surface,
        raised=t.raised,
        border=t.border,
        outline=t.outline,
        text=t.text,
        muted=t.muted,
        accent=t.accent,
        on_accent=t.on_accent,
        negative=t.warning,
        font=QFontInfo(QApplication.font()).family(),
        is_screen=True,
    )
