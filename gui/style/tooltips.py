"""Texts of a study in tooltips, which could read them as markup, and in menus and buttons."""

from __future__ import annotations

from html import escape

from PySide6.QtGui import Qt

from core.formatting.legible_text import unturned_text


def plain_tip(text: str) -> str:
    """Return a tooltip that shows a text literally.

    Qt interprets a tooltip that looks like HTML: a text of a study could then load files or addresses.
    """
    text = unturned_text(text)
    if not Qt.mightBeRichText(text):
        return text
    return f"<qt>{escape(text).replace(chr(10), '<br>')}</qt>"


def literal(text: str) -> str:
    """Return a text for a menu or a button, where a single ``&`` marks the letter that is its key."""
    return text.replace("&", "&&")
