"""Settings of a value from their texts: each of its field's type, and the nearest name for a wrong one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from core.errors import BadSetting
from core.metrics.base import default_of


def typed(name: str, kind: type, texts: Mapping[str, str]) -> dict[str, Any]:
    """The settings of a dataclass from their texts. Raises BadSetting, which begins with `name`."""
    defaults = {f.name: default_of(f) for f in fields(kind)}
    for key in texts:
        check_key(name, kind, key)
    return {key: _from_text(name, key, text, type(defaults[key])) for key, text in texts.items()}


def check_key(name: str, kind: type, key: str) -> None:
    """Raise BadSetting, with the nearest and all that there are, for a setting that a dataclass lacks."""
    known = [f.name for f in fields(kind)]
    if key not in known:
        listed = ", ".join(known) or "none"
        raise BadSetting(f"{name} has no setting {key!r}.{nearest(key, known)} Its settings: {listed}.")


def nearest(name: str, known: Iterable[str]) -> str:
    """A question that offers the names most like a wrong one, after a blank; empty = none is like it."""
    near = get_close_matches(name, list(known), n=2, cutoff=0.5)
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _from_text(name: str, key: str, text: str, kind: type) -> Any:
    place = f"{name}: {key}={text}"
    if kind is bool:
        if text not in ("yes", "no"):
            raise BadSetting(f"{place} is neither yes nor no.")
        return text == "yes"
    if kind is str:
        return text
    try:
        return kind(text)
    except ValueError:
        what = "whole number" if kind is int else "number"
        raise BadSetting(f"{place} is not a {what}.") from None
