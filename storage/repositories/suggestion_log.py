"""Suggestions in the edit history: accepted and dismissed ones."""

from __future__ import annotations

import json

from storage.repositories.edits.edit_descriptions import quoted

_GAP = " … "


def as_suggested(description: str, details: str | None, *, is_edit: bool) -> str:
    """Return the description of a history entry, marked if it accepted or dismissed a suggestion.

    details: JSON of the entry. is_edit: whether it changed rows; dismissing a suggestion does not.
    """
    extras = json.loads(details) if details else {}
    if "suggestion" not in extras:
        return description
    return (
        f"{description}, as suggested"
        if is_edit
        else f"Dismissed a suggestion: {quoted(_GAP.join(extras['words']))}"
    )
