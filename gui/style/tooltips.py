"""Tooltips that show plain text, never markup."""

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
