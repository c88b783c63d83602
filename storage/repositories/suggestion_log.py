"""Suggestions in the history: which edits took one, and what was dismissed."""

from __future__ import annotations

import json

from storage.repositories.edits.edit_descriptions import quoted

_GAP = " … "


def as_suggested(words: str, details: str | None, *, is_edit: bool) -> str:
    """The words for an entry of the history, saying so where it took or dismissed a suggestion.

    details: JSON that was kept with the entry. is_edit: whether it changed rows; what was dismissed did not.
    """
    kept = json.loads(details) if details else {}
    if "suggestion" not in kept:
        return words
    return (
        f"{words}, as suggested" if is_edit else f"Dismissed a suggestion: {quoted(_GAP.join(kept['words']))}"
    )
