"""Settings that are fields of a value, as forms show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, fields
from typing import Any

from core.metrics.base import default_of
from gui.values.score import FieldKind, SettingField

_KINDS: Mapping[type, FieldKind] = {
    bool: FieldKind.YES_NO,
    int: FieldKind.WHOLE,
    float: FieldKind.NUMBER,
    str: FieldKind.TEXT,
}
_PLACES: Mapping[str, FieldKind] = {
    "encoder": FieldKind.FOLDER,
    "parser": FieldKind.FOLDER,
    "model": FieldKind.FOLDER,
    "elements": FieldKind.FOLDER,
    "synonyms": FieldKind.FOLDER,
    "vectors": FieldKind.FILE,
    "paraphrases": FieldKind.FILE,
}
"""Settings that may name what lies on the disk."""


def setting_fields(owner: Any) -> tuple[SettingField, ...]:
    """Every setting of a metric or an experiment: a dataclass whose fields are made by `setting`."""
    return tuple(_field(owner, f) for f in fields(owner))


def _field(owner: Any, f: Field[Any]) -> SettingField:
    value, choices = getattr(owner, f.name), f.metadata.get("choices") or ()
    kind = FieldKind.CHOICE if choices else _PLACES.get(f.name, _KINDS[type(default_of(f))])
    return SettingField(
        key=f.name,
        title=f.metadata.get("title") or f.name,
        explained=f.metadata.get("help") or "",
        kind=kind,
        value=value,
        low=f.metadata.get("low"),
        high=f.metadata.get("high"),
        choices=tuple(choices),
    )
