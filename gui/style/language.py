"""Language of the window: its texts, their plural forms, and its numbers.

Texts are English in the code and marked by `tr`. ``resources/translations`` has a file of Qt Linguist for
each other language, and one for English with the plural forms; ``make translations`` updates them. Results,
files and the engine's messages are English in every language, so that they are the same everywhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from importlib.resources import files
from string import Formatter
from typing import Any

from PySide6.QtCore import QCoreApplication, QDate, QDateTime, QLibraryInfo, QLocale, QTime, QTranslator
from PySide6.QtWidgets import QApplication

from core.domain.pyramid import UnitKind
from core.formatting import unit_terms
from core.formatting.numbers import format_count

LANGUAGES = {"en": "English", "de": "Deutsch"}
"""Languages of the window by their codes, each by its own name."""
_FOLDER = files("resources") / "translations"


class _Language(Formatter):
    """The language in use; formats numbers as it writes them. code: empty until a text is needed."""

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

    def format_field(self, value: Any, format_spec: str) -> str:
        text: str = super().format_field(value, format_spec)
        return self.number(text) if isinstance(value, int | float) else text


_language = _Language()


def use(code: str) -> None:
    """Choose the language, before a module with texts is imported. An unknown one is English."""
    _language.use(code)


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
    elif _language.code not in ("", "en"):
        text = _language.text(text, comment, -1)
    return _language.vformat(text, (), values) if values else text


def in_terms_of(kind: UnitKind, text: str) -> str:
    """Return a text about SCUs, in the language of the window, in the terms of a kind of content unit."""
    if kind is UnitKind.SCU or _language.code in ("", "en"):
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
