"""Record the texts of the window that have a translation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.domain.pyramid import UnitKind


def recording(translate: Callable[..., str], translated: set[str]) -> Callable[..., str]:
    """Return a function of `language` that adds its texts to `translated` where they have a translation."""

    def recorded(*texts: Any, **values: Any) -> str:
        text = translate(*texts, **values)
        if isinstance(texts[0], UnitKind):  # a text that was translated before
            if texts[1] in translated:
                translated.add(text)
        elif translate(*texts[:2]) != texts[0]:  # without count and values: the text of the catalogue
            translated.add(text)
        return text

    return recorded
