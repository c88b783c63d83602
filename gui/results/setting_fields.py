"""Form fields for the settings of metrics and experiments, made from their dataclass fields."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields, replace
from types import MappingProxyType
from typing import Any

from core.experiments.inputs.measure_inputs import names_in
from core.formatting.coefficients import LEVEL_TITLES, coefficient_title
from core.metrics.base import setting_default
from core.stats.types import Coefficient
from gui.dialogs.indexes.rows import index_choices
from gui.dialogs.models.rows import names_for
from gui.results.values import FieldKind, SettingField
from gui.style.language import tr

NO_NAMES: Mapping[str, Sequence[str]] = MappingProxyType({})

_KINDS: Mapping[type, FieldKind] = {
    bool: FieldKind.YES_NO,
    int: FieldKind.WHOLE,
    float: FieldKind.NUMBER,
    str: FieldKind.TEXT,
}
_PATH_KINDS: Mapping[str, FieldKind] = {
    "encoder": FieldKind.FOLDER,
    "parser": FieldKind.FOLDER,
    "model": FieldKind.FOLDER,
    "masked_lm": FieldKind.FOLDER,
    "qa": FieldKind.FOLDER,
    "nli": FieldKind.FOLDER,
    "entities": FieldKind.FOLDER,
    "elements": FieldKind.FOLDER,
    "synonyms": FieldKind.FOLDER,
    "vectors": FieldKind.FILE,
    "paraphrases": FieldKind.FILE,
    "index": FieldKind.INDEX,
}
"""Settings that may name a folder, a file or a search index."""

_TITLES: Mapping[str, Mapping[str, str]] = {
    "level": {level.value: title for level, title in LEVEL_TITLES.items()},
    "coefficient": {coefficient.value: coefficient_title(coefficient) for coefficient in Coefficient},
    "systems": {"automatic": tr("Automatic systems"), "all": tr("All, including human")},
    "sides": {"two": tr("Two-sided"), "greater": tr("Greater only")},
    "subsets": {"random": tr("Random sample"), "all": tr("All")},
    "bootstrap": {
        "none": tr("None"),
        "systems": tr("Systems"),
        "topics": tr("Topics"),
        "both": tr("Systems and topics"),
    },
    "over": {"systems": tr("Systems"), "topics": tr("Topics"), "both": tr("Systems and topics")},
    "against": {"responsiveness": tr("Responsiveness"), "pyramid": tr("Pyramid")},
    "of": {"topics": tr("Topics"), "references": tr("References")},
}
"""Labels of the choices of experiments' settings, the same as on the Compare page."""


def setting_fields(owner: Any, several: Mapping[str, Sequence[str]] = NO_NAMES) -> tuple[SettingField, ...]:
    """Return the settings of a metric or experiment, a dataclass whose fields are made by `setting`.

    several: by field that holds a list of names, the names to choose from.
    """
    return tuple(
        _several(owner, f, several[f.name]) if f.name in several else _field(owner, f) for f in fields(owner)
    )


def join_names(names: Sequence[str]) -> str:
    """Return names as stored in a setting: separated by commas, quoted where a name contains a comma."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(names)
    return out.getvalue()


def _several(owner: Any, f: Field[Any], choices: Sequence[str]) -> SettingField:
    chosen = tuple(names_in(getattr(owner, f.name)))
    field = _field(owner, f)
    return replace(
        field,
        help=_list_help(field.help),
        kind=FieldKind.SEVERAL,
        value=chosen,
        choices=tuple(dict.fromkeys((*choices, *chosen))),
    )


def _list_help(text: str) -> str:
    """Return the help of a setting chosen from a list, without the part on typing names."""
    default = text.partition("Empty = ")[2]
    return tr("None selected = {default}", default=default) if default else text


def _field(owner: Any, f: Field[Any]) -> SettingField:
    value, choices = getattr(owner, f.name), f.metadata.get("choices") or ()
    kind = FieldKind.CHOICE if choices else _PATH_KINDS.get(f.name, _KINDS[type(setting_default(f))])
    field = SettingField(
        key=f.name,
        title=f.metadata.get("title") or f.name.replace("_", " ").capitalize(),
        help=f.metadata.get("help") or "",
        kind=kind,
        value=value,
        low=f.metadata.get("low"),
        high=f.metadata.get("high"),
        choices=tuple(choices) or names_for(f.name),
        titles=tuple(_TITLES.get(f.name, {}).get(choice, choice) for choice in choices),
    )
    if kind is FieldKind.INDEX:
        keys, titles = index_choices()
        return replace(field, choices=keys, titles=titles)
    return field
