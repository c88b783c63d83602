"""Texts of the window in its language, with their numbers; texts of a study in their direction.

Texts are English in the code and marked by `tr`. ``resources/translations`` has a file of Qt Linguist for
each other language, and one for English with the plural forms; ``make translations`` updates them. Results,
files and the engine's messages are English in every language, so that they are the same everywhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from datetime import datetime
from functools import cache, lru_cache
from html import escape
from importlib.resources import files

from PySide6 import QtGui
from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLibraryInfo, QLocale, Qt, QTime, QTranslator
from PySide6.QtWidgets import QApplication

from core.domain.pyramid import UnitKind
from core.formatting import unit_terms
from core.formatting.legible_text import unturned_text
from core.formatting.numbers import format_count

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Languages of the window by their codes, each by its own name."""
_FOLDER = files("resources") / "translations"


class _Language:
    """The language in use. code: empty until a text is needed."""

    def __init__(self) -> None:
        self.code = ""
        self._texts = QTranslator()
        self._signs: dict[int, str] = {}

    def use(self, code: str) -> None:
        self.code = code if code in LANGUAGES else "en"
        self._texts = QTranslator()
        self._texts.load(str(_FOLDER / f"{self.code}.qm"))
        locale = QLocale(self.code)
        self._signs = str.maketrans({",": locale.groupSeparator(), ".": locale.decimalPoint()})

    def text(self, text: str, comment: str, count: int) -> str:
        if not self.code:
            self.use("en")
        return self._texts.translate("", text, comment, count) or text

    def number(self, text: str) -> str:
        return text.translate(self._signs)

    def filled(self, text: str, values: Mapping[str, object]) -> str:
        numbers = {k: _Number(value, self) for k, value in values.items() if isinstance(value, int | float)}
        return text.format_map({**values, **numbers})


class _Number:
    """A number that a language formats as it writes it."""

    def __init__(self, value: float, language: _Language) -> None:
        self._value, self._language = value, language

    def __format__(self, spec: str) -> str:
        return self._language.number(format(self._value, spec))


_language = _Language()


def use(code: str) -> None:
    """Choose the language, before a module with texts is imported. An unknown one is English."""
    _language.use(code)


def is_translated() -> bool:
    return _language.code not in ("", "en")


def install(app: QApplication) -> None:
    """Give Qt's own texts, numbers and the direction of the layout to an application, in this language."""
    locale = QLocale(_language.code or "en")
    QLocale.setDefault(locale)
    app.setLayoutDirection(locale.textDirection())
    texts = QTranslator(app)
    if texts.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        QCoreApplication.installTranslator(texts)


def tr(text: str, comment: str = "", count: int | None = None, /, **values: object) -> str:
    """Return a text in the language of the window.

    text: English, in the plural if it is counted; a literal, which lupdate finds.
    comment: distinguishes equal texts with different translations.
    count: chooses between the plural forms and replaces ``%n``.
    values: replace their names in braces, with Python's format specifications. Without values braces stay.
    """
    if count is not None:
        text = _language.text(text, comment, count).replace("%n", _language.number(format_count(count)))
    elif is_translated():
        text = _language.text(text, comment, -1)
    return _language.filled(text, values) if values else text


def marked_text(text: str) -> str:
    """Return a text in the language of the window that is marked for translation elsewhere."""
    return _language.text(text, "", -1)


def in_terms_of(kind: UnitKind, text: str) -> str:
    """Return a text about SCUs, in the language of the window, in the terms of a kind of content unit."""
    if kind is UnitKind.SCU or not is_translated():
        return unit_terms.in_terms_of(kind, text)
    pairs = tr("SCU=nugget|SCUs=nuggets", "terms for SCUs, and for nuggets instead")
    return unit_terms.in_terms_of(kind, text, _terms(pairs))


@cache
def _terms(pairs: str) -> Mapping[str, str]:
    return dict(pair.split("=") for pair in pairs.split("|"))


def date_text(at: datetime, pattern: str) -> str:
    """Return a date in the language of the window. pattern: of `QLocale.toString`."""
    moment = QDateTime(QDate(at.year, at.month, at.day), QTime(at.hour, at.minute))
    return QLocale(_language.code or "en").toString(moment, pattern)


def plain_tip(text: str) -> str:
    """Return a tooltip that shows a text literally.

    Qt interprets a tooltip that looks like HTML: a text of a study could then load files or addresses.
    """
    text = unturned_text(text)
    if not QtGui.Qt.mightBeRichText(text):
        return text
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>"


def literal(text: str) -> str:
    """Return a text for a menu or a button, where a single ``&`` marks the letter that is its key."""
    return text.replace("&", "&&")


_ISOLATE, _END = "\u2068", "\u2069"
_ISOLATED = re.compile(f"{_ISOLATE}.*?{_END}", re.DOTALL)


def is_right_to_left(text: str) -> bool:
    """Return whether the first letter of a text, outside isolated parts, is written from the right."""
    if text.isascii():
        return False
    kinds = map(unicodedata.bidirectional, _ISOLATED.sub("", text))
    return next((kind != "L" for kind in kinds if kind in ("L", "R", "AL")), False)


def direction(text: str) -> Qt.TextFlag:
    """Return the flag to paint a text in its own direction; `AlignLeft` is then where its lines begin."""
    is_turned = is_right_to_left(text)
    return Qt.TextFlag.TextForceRightToLeft if is_turned else Qt.TextFlag.TextForceLeftToRight


@lru_cache(maxsize=256)
def has_right_to_left(text: str) -> bool:
    """Return whether any letter of a text belongs to a script that is written from the right."""
    return not text.isascii() and any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in text)


def isolated(text: str) -> str:
    """Return a text that can stand among others of another direction without turning them."""
    return f"{_ISOLATE}{text}{_END}" if has_right_to_left(text) else text
