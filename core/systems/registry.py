"""The registry of summarizers: those of this package, and those that other packages add.

Other packages add summarizers by the entry point group ``pyramidion.summarizers``, which names subclasses of
`core.systems.base.Summarizer` (`pyramidion.plugins.Summarizer`).
"""

from __future__ import annotations

from dataclasses import fields

from core import systems as package
from core.errors import BadSetting
from core.registry import Registry
from core.settings import parse_settings
from core.systems.base import Summarizer


def summarizers() -> tuple[type[Summarizer], ...]:
    """Return every summarizer class by name."""
    return tuple(sorted(REGISTRY.all().values(), key=lambda cls: cls.name))


def parse(text: str) -> Summarizer:
    """Return the summarizer of ``name:key=value,...`` or ``name|key:value|...``.

    Raises InputError for an unknown name, BadSetting for a wrong setting.
    """
    cls, pairs = REGISTRY.split(text)
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
        return [(before.strip() if is_named else summarizer.spec, summarizer)]
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
        found.append((name.strip() or summarizer.spec, summarizer))
    return found


def _settings_of(first: str) -> frozenset[str]:
    """Return the settings of the summarizer that a part names."""
    before, _, _ = first.partition(":")
    cls = REGISTRY.find(before.rpartition("=")[2].strip())
    return frozenset(f.name for f in fields(cls)) if cls is not None else frozenset()


def short(signature: str) -> str:
    """Return the configuration of a signature, or the signature if its version or package is not here."""
    name, *parts = signature.split("|")
    cls = REGISTRY.find(name)
    pairs = dict(part.split(":", 1) for part in parts if ":" in part)
    if cls is None or pairs.pop("version", "") != str(cls.version):
        return signature
    known = {f.name for f in fields(cls)}
    try:
        settings = {key: value for key, value in pairs.items() if key in known}
        return cls(**parse_settings(cls.name, cls, settings)).spec
    except BadSetting:
        return signature


def _check_plugin(plugin: type[Summarizer], made: Summarizer) -> None:
    """Raise TypeError unless a summarizer of another package is complete."""
    if not (isinstance(made.name, str) and made.name and isinstance(made.about, str)):
        raise TypeError(f"{plugin.__name__} needs a name and a line about it")


REGISTRY: Registry[Summarizer] = Registry(
    "summarizer", package, Summarizer, _check_plugin, "`pyramidion summarize` lists them"
)
PLUGINS = REGISTRY.plugins
register = REGISTRY.register
