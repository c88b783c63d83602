"""The setting `text`, a metric's word tokenization, which older signatures do not contain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.metrics.base import Metric, Script, setting, setting_default
from core.text.segmentation import icu_version

_KINDS = {
    "word": "runs of letters, digits and underscores",
    "rouge-score": "runs of ASCII letters and digits with English stems",
}


def tokenization_setting(usual: str) -> Any:
    """Return the setting `text` of a metric.

    usual: the published tokenization and default, ``word`` or ``rouge-score``.
    """
    description = (
        f"Tokenization: {usual} = {_KINDS[usual]}, as published; unicode = words of every script; icu = "
        "unicode with word segmentation for scripts without spaces."
    )
    return setting(usual, description, choices=(usual, "unicode", "icu"), title="Words")


def omit_default_tokenization(metric: Metric, settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings without `text` if it has its default value."""
    usual = next(setting_default(f) for f in metric.__dataclass_fields__.values() if f.name == "text")
    return {key: value for key, value in settings.items() if key != "text" or value != usual}


def icu_signature(text: str) -> dict[str, str]:
    """Return the ICU version for signatures; empty for other tokenizations."""
    return {"icu": icu_version()} if text == "icu" else {}


def script_of(text: str) -> Script:
    """Return the scripts that a tokenization supports."""
    match text:
        case "unicode" | "icu":
            return Script.ALL
        case "word":
            return Script.SPACED
        case _:
            return Script.ASCII
