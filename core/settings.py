"""Settings of metrics, summarizers and experiments: declaration, validation and text format."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from typing import Any, ClassVar

from core.errors import BadSetting
from core.names import unknown_name
from core.numerals import parse_number, parse_whole

RESERVED = frozenset({"package", "version", "references", "humans"})
"""Parts of a signature that are no settings."""

_KINDS = {bool: "yes or no", int: "whole number", float: "number", str: "text"}


def setting(
    default: Any,
    explained: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[str] = (),
    title: str = "",
    questions: Mapping[str, str] | None = None,
) -> Any:
    """Declare a setting: its default, one line of help, and its range or its choices.

    questions: what to ask for a value that could mean several choices.
    """
    metadata = {
        "help": explained,
        "low": low,
        "high": high,
        "choices": tuple(choices),
        "title": title,
        "questions": questions or {},
    }
    return field(default=default, metadata=metadata)


def format_setting(value: object) -> str:
    """Return a setting's value as written in signatures and on the command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return repr(value)
    return str(value)


def setting_default(f: Field[Any]) -> Any:
    """Return a setting's default."""
    if f.default is MISSING:
        raise ValueError(f"setting {f.name!r} has no default")
    return f.default


def setting_records(kind: type[Any], *more: str) -> list[dict[str, Any]]:
    """Return name, default, help and choices of each setting, as in JSON. more: ``low``, ``high``."""
    return [
        {
            "name": f.name,
            "default": format_setting(setting_default(f)),
            **{key: f.metadata[key] for key in ("help", *more, "choices")},
        }
        for f in fields(kind)
    ]


@dataclass(frozen=True)
class Configurable:
    """A value whose fields are settings, made by `setting`. Equal settings make equal values.

    name: as written by the user.
    package: the distribution that adds the class, with its version; empty = the program itself.
    """

    name: ClassVar[str]
    package: ClassVar[str] = ""

    def __post_init__(self) -> None:
        """Raise BadSetting for a value out of range, or for one without effect that is not the default."""
        for f in fields(self):
            _check_setting(self.name, f, getattr(self, f.name))
        unused = self.unused()
        for key, value in self.changed_settings().items():
            if key in unused:
                raise BadSetting(
                    f"{self.name}: {key}={value} cannot be combined with {unused[key]}. Remove one of them."
                )

    def unused(self) -> Mapping[str, str]:
        """Return the settings that others make irrelevant, each with the setting responsible.

        A value other than the default is refused.
        """
        return {}

    def settings(self) -> dict[str, str]:
        """Return every setting as text, including defaults."""
        return {f.name: format_setting(getattr(self, f.name)) for f in fields(self)}

    def changed_settings(self) -> dict[str, str]:
        """Return the settings that differ from their defaults, as text."""
        return {
            f.name: format_setting(value)
            for f in fields(self)
            if (value := getattr(self, f.name)) != setting_default(f)
        }

    @property
    def spec(self) -> str:
        """Return the shortest configuration: only settings that differ from their defaults."""
        return join_settings(self.name, self.changed_settings())


def join_settings(name: str, pairs: Mapping[str, str]) -> str:
    """Return a configuration as text, with | between settings if a value contains a comma."""
    if any("," in value for value in pairs.values()):
        return "|".join((name, *(f"{key}:{value}" for key, value in pairs.items())))
    listed = ",".join(f"{key}={value}" for key, value in pairs.items())
    return f"{name}:{listed}" if listed else name


def _check_setting(name: str, f: Field[Any], value: Any) -> None:
    """Raise BadSetting unless a value has the type and the range of its setting."""
    place = f"{name}: {f.name}={format_setting(value)}"
    kind = type(setting_default(f))
    if type(value) is not kind and not (kind is float and type(value) is int):
        raise BadSetting(f"{place} is not a {_KINDS.get(kind, kind.__name__)}.")
    if isinstance(value, float) and not math.isfinite(value):
        raise BadSetting(f"{place} is not a number that can be reckoned with.")
    low, high = f.metadata.get("low"), f.metadata.get("high")
    if low is not None and value < low:
        raise BadSetting(f"{place} is below {low}, the minimum.")
    if high is not None and value > high:
        raise BadSetting(f"{place} is above {high}, the maximum.")
    choices = f.metadata.get("choices")
    if choices and value not in choices:
        meant = unknown_name(f"value of {f.name}", value, choices)
        raise BadSetting(f"{place} is not valid. {f.metadata['questions'].get(value, meant)}")
    if isinstance(value, str) and any(sign in value for sign in "|\n"):
        raise BadSetting(f"{place} contains “|” or a line break, which signatures use. Choose another name.")


def check_plugin_settings(kind: type) -> None:
    """Raise TypeError unless a dataclass of another package can be listed, parsed and signed."""
    if not is_dataclass(kind):
        raise TypeError(f"{kind.__name__} is no dataclass")
    for f in fields(kind):
        if f.name in RESERVED:
            raise TypeError(f"the setting {f.name} of {kind.__name__} has a name that signatures use")
        if "help" not in f.metadata or type(setting_default(f)) not in _KINDS:
            raise TypeError(f"{f.name} of {kind.__name__} is not declared by setting() with a simple default")


def parse_settings(name: str, kind: type, texts: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings of a dataclass from texts. Raises BadSetting, which begins with `name`."""
    defaults = {f.name: setting_default(f) for f in fields(kind)}
    for key in texts:
        check_setting_name(name, kind, key)
    return {key: _from_text(name, key, text, type(defaults[key])) for key, text in texts.items()}


def check_setting_name(name: str, kind: type, key: str) -> None:
    """Raise BadSetting, with similar and all known names, for a setting that a dataclass lacks."""
    known = [f.name for f in fields(kind)]
    if key not in known:
        raise BadSetting(unknown_name(f"setting of {name}", key, known))


def _from_text(name: str, key: str, text: str, kind: type) -> Any:
    place = f"{name}: {key}={text}"
    if kind is bool:
        if text not in ("yes", "no"):
            raise BadSetting(f"{place} is neither yes nor no.")
        return text == "yes"
    if kind is str:
        return text
    number = parse_whole(text) if kind is int else parse_number(text)
    if number is None:
        raise BadSetting(f"{place} is not a {_KINDS[kind]}.")
    return number
