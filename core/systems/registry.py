"""The registry of summarizers: those of this package, and those that other packages add.

Other packages add summarizers by the entry point group ``pyramidion.summarizers``, which names subclasses of
`core.systems.base.Summarizer` (`pyramidion.plugins.Summarizer`).
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from core import systems as package
from core.errors import BadSetting, InputError
from core.plugins import PluginGroup, guard_class
from core.settings import (
    check_plugin_settings,
    format_setting,
    parse_settings,
    setting_default,
    suggest_name,
)
from core.systems.base import Summarizer

S = TypeVar("S", bound=type[Summarizer])

_SUMMARIZERS: dict[str, type[Summarizer]] = {}


def register(cls: S) -> S:
    """Register a summarizer under its name. Raises ValueError if another class has that name."""
    known = _SUMMARIZERS.setdefault(cls.name, cls)
    if known.__module__ != cls.__module__:
        raise ValueError(f"two summarizers are named {cls.name!r}")
    _SUMMARIZERS[cls.name] = cls
    return cls


def summarizers() -> tuple[type[Summarizer], ...]:
    """Return every summarizer class by name."""
    return tuple(sorted(_all().values(), key=lambda cls: cls.name))


def parse(text: str) -> Summarizer:
    """Return the summarizer of ``name:key=value,...`` or ``name|key:value|...``.

    Raises InputError for an unknown name, BadSetting for a wrong setting.
    """
    name, _, listed = text.strip().partition("|" if "|" in text else ":")
    between, sign = ("|", ":") if "|" in text else (",", "=")
    known = _all()
    if name.strip() not in known:
        if failure := PLUGINS.failure_of(name.strip()):
            raise InputError(failure)
        names = ", ".join(sorted(known))
        similar = suggest_name(name.strip(), known)
        raise InputError(f"No summarizer is named {name.strip()!r}.{similar} Known: {names}.")
    cls = known[name.strip()]
    pairs: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in listed.split(between))):
        key, separator, value = (piece.strip() for piece in part.partition(sign))
        if not separator:
            raise BadSetting(f"{cls.name}: {part!r} is not a setting; write it as key{sign}value.")
        if key in pairs:
            raise BadSetting(f"{cls.name}: {key} is set twice; keep one.")
        pairs[key] = value
    return cls(**parse_settings(cls.name, cls, pairs))


def parse_list(text: str) -> list[tuple[str, Summarizer]]:
    """Return names of systems and summarizers of ``lexrank,short=lsa:words=50,topics=3,lead-3``.

    A part after a comma is a setting where the summarizer before it has such a one. A system without a name
    is named as its configuration. Raises InputError and BadSetting as `parse` does.
    """
    if "|" in text:  # as in a signature, for settings that contain commas
        before, separator, after = text.partition("=")
        is_named = bool(separator) and "|" not in before
        summarizer = parse(after if is_named else text)
        return [(before.strip() if is_named else spec(summarizer), summarizer)]
    groups: list[list[str]] = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        key = part.partition("=")[0].strip() if "=" in part.partition(":")[0] else ""
        if groups and key and key in _settings_of(groups[-1][0]):
            groups[-1].append(part)
        else:
            groups.append([part])
    found = []
    for first, *settings in groups:
        name, separator, head = first.partition("=")
        if not separator or ":" in name:
            name, head = "", first
        joined = f"{head}{',' if ':' in head else ':'}{','.join(settings)}" if settings else head
        summarizer = parse(joined)
        found.append((name.strip() or spec(summarizer), summarizer))
    return found


def _settings_of(first: str) -> frozenset[str]:
    """Return the settings of the summarizer that a part names."""
    before, _, _ = first.partition(":")
    cls = _all().get(before.rpartition("=")[2].strip())
    return frozenset(f.name for f in fields(cls)) if cls is not None else frozenset()


def spec(summarizer: Summarizer) -> str:
    """Return the shortest configuration: only settings that differ from their defaults."""
    changed = {
        f.name: format_setting(value)
        for f in fields(summarizer)
        if (value := getattr(summarizer, f.name)) != setting_default(f)
    }
    if any("," in value for value in changed.values()):
        return "|".join((summarizer.name, *(f"{key}:{value}" for key, value in changed.items())))
    listed = ",".join(f"{key}={value}" for key, value in changed.items())
    return f"{summarizer.name}:{listed}" if listed else summarizer.name


def short(signature: str) -> str:
    """Return the configuration of a signature, or the signature if its version or package is not here."""
    name, *parts = signature.split("|")
    cls = _all().get(name)
    pairs = dict(part.split(":", 1) for part in parts if ":" in part)
    if cls is None or pairs.pop("version", "") != str(cls.version):
        return signature
    known = {f.name for f in fields(cls)}
    try:
        settings = {key: value for key, value in pairs.items() if key in known}
        return spec(cls(**parse_settings(cls.name, cls, settings)))
    except BadSetting:
        return signature


def _added(plugin: Any, package: str) -> dict[str, type[Summarizer]]:
    """Return the summarizer of a plug-in. Raises an exception if it is none."""
    if not (isinstance(plugin, type) and issubclass(plugin, Summarizer)):
        raise TypeError(f"{plugin!r} is no subclass of pyramidion.plugins.Summarizer")
    check_plugin_settings(plugin)
    made = plugin()
    if not (isinstance(made.name, str) and made.name and isinstance(made.about, str)):
        raise TypeError(f"{plugin.__name__} needs a name and a line about it")
    if "package" not in vars(plugin):  # else it was loaded before
        plugin.package = package
        guard_class(plugin, Summarizer, f"The summarizer {plugin.name} of the package {package}")
    return {plugin.name: plugin}


def _own_names() -> dict[str, type[Summarizer]]:
    _import_all()
    return _SUMMARIZERS


PLUGINS: PluginGroup[type[Summarizer]] = PluginGroup(
    "pyramidion.summarizers", "summarizer", _added, _own_names
)


@cache
def _import_all() -> None:
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)


def _all() -> dict[str, type[Summarizer]]:
    return {**_own_names(), **PLUGINS.all()}
