"""The word tokenization setting of metrics, omitted from older signatures."""

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
    """Return the setting `text` of a metric whose paper uses one tokenization. usual: word or rouge-score."""
    explained = (
        f"What a word is: {usual} = {_KINDS[usual]}, as published; unicode = words of every script; icu = "
        "the same with words in scripts without blanks."
    )
    return setting(usual, explained, choices=(usual, "unicode", "icu"), title="Words")


def omit_default_tokenization(metric: Metric, settings: Mapping[str, str]) -> dict[str, str]:
    """Return settings without `text` if it has the default value."""
    usual = next(setting_default(f) for f in metric.__dataclass_fields__.values() if f.name == "text")
    return {key: value for key, value in settings.items() if key != "text" or value != usual}


def icu_signature(text: str) -> dict[str, str]:
    """Return what reproduces an ICU segmentation; empty for other tokenizations."""
    return {"icu": icu_version()} if text == "icu" else {}


def script_of(text: str) -> Script:
    """Return the scripts that a tokenization can read."""
    match text:
        case "unicode" | "icu":
            return Script.ALL
        case "word":
            return Script.SPACED
        case _:
            return Script.ASCII
