"""Registries of metrics, summarizers and experiments: classes by name, of the program and of other packages.

A configuration is written ``name:key=value,…``, or ``name|key:value|…`` as in signatures.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any, Generic, TypeVar

from core.errors import BadSetting, InputError
from core.names import resolve_name, unknown_name
from core.plugins import PluginGroup, guard_class
from core.settings import Configurable, check_plugin_settings

T = TypeVar("T", bound=Configurable)
C = TypeVar("C", bound=type[Configurable])


class Registry(Generic[T]):
    """The classes of one kind, by name. Modules of a package are imported when first asked for."""

    def __init__(
        self,
        kind: str,
        package: ModuleType,
        base: type[T],
        check_plugin: Callable[[type[T], T], None] | None = None,
        listing: str = "",
    ) -> None:
        """Create a registry.

        kind: such as ``metric``; other packages name theirs in the entry point group ``pyramidion.metrics``.
        package: whose modules register classes. base: of all classes.
        check_plugin: raises TypeError unless a class of another package is complete; None = no other package
        adds any. listing: how users list the names.
        """
        self._kind, self._package, self._base, self._check_plugin = kind, package, base, check_plugin
        self._listing = listing
        self._known: dict[str, type[T]] = {}
        self._is_loaded = False
        self.plugins: PluginGroup[type[T]] = PluginGroup(
            f"pyramidion.{kind}s" if check_plugin else "", kind, self._read_plugin, self.own
        )

    def register(self, cls: C) -> C:
        """Register a class under its name. Raises ValueError if another class has that name."""
        # C keeps the exact class for callers of the decorator; mypy cannot relate it to T.
        known = self._known.setdefault(cls.name, cls)  # type: ignore[arg-type]
        if known.__module__ != cls.__module__:
            raise ValueError(f"two {self._kind}s are named {cls.name!r}")
        self._known[cls.name] = cls  # type: ignore[assignment]
        return cls

    def own(self) -> Mapping[str, type[T]]:
        """Return the classes of the program by name."""
        if not self._is_loaded:
            self._import_modules()
            self._is_loaded = True
        return self._known

    def find(self, name: str) -> type[T] | None:
        """Return a class by its exact name; None = there is none.

        A module that is named as its class, such as ``rouge_l``, is imported without the others; no other
        package may use a name of the program.
        """
        if name not in self._known and not self._is_loaded:
            self._import_modules(name.replace("-", "_"))
        return self._known.get(name) or self.all().get(name)

    def _import_modules(self, name: str = "") -> None:
        """Import the modules of the package that have a name; empty = all."""
        for module in pkgutil.walk_packages(self._package.__path__, f"{self._package.__name__}."):
            if name in ("", module.name.rpartition(".")[2]):
                importlib.import_module(module.name)

    def all(self) -> dict[str, type[T]]:
        """Return all classes by name."""
        return {**self.own(), **(self.plugins.all() if self._check_plugin else {})}

    def named(self, name: str, *, is_stored: bool = False) -> type[T]:
        """Return a class by name. Raises InputError with similar names, or why its package is unusable.

        is_stored: the name is exact, as in signatures.
        """
        name = name.strip()
        if (found := self.find(name)) is not None:
            return found
        if failure := self.plugins.failure_of(name):
            raise InputError(failure)
        known = self.all()
        names, listing = sorted(known), self._listing
        if is_stored:
            raise InputError(unknown_name(self._kind, name, names, listing))
        return known[resolve_name(self._kind, name, names, listing)]

    def split(self, text: str, hint: str = "") -> tuple[type[T], dict[str, str]]:
        """Return the class and the settings of a configuration, as texts.

        hint: as of `split_settings`. Raises InputError, BadSetting.
        """
        between, sign = ("|", ":") if "|" in text else (",", "=")
        name, _, listed = text.strip().partition("|" if "|" in text else ":")
        cls = self.named(name, is_stored="|" in text)
        parts = (part for part in listed.split(between) if part.strip())
        return cls, split_settings(cls.name, parts, sign, hint)

    def _read_plugin(self, plugin: Any, package: str) -> dict[str, type[T]]:
        """Return the class of a plug-in. Raises an exception if it is unusable."""
        if not (isinstance(plugin, type) and issubclass(plugin, self._base)):
            raise TypeError(f"{plugin!r} is no subclass of pyramidion.plugins.{self._base.__name__}")
        check_plugin_settings(plugin)
        if self._check_plugin is not None:
            self._check_plugin(plugin, plugin())
        if "package" not in vars(plugin):  # else it was loaded before
            plugin.package = package
            guard_class(plugin, self._base, f"The {self._kind} {plugin.name} of the package {package}")
        return {plugin.name: plugin}


def split_settings(name: str, parts: Iterable[str], sign: str, hint: str = "") -> dict[str, str]:
    """Return the settings of parts ``key=value`` as texts. Raises BadSetting, which begins with `name`.

    sign: between key and value. hint: ends the message where a part without it may belong to the one before.
    """
    pairs: dict[str, str] = {}
    for part in parts:
        key, separator, value = (piece.strip() for piece in part.partition(sign))
        if not separator:
            message = f"{name}: {part.strip()!r} is not a setting; write it as key{sign}value."
            raise BadSetting(f"{message}{hint if sign == '=' and pairs else ''}")
        if key in pairs:
            raise BadSetting(f"{name}: {key} is set twice; keep one.")
        pairs[key] = value
    return pairs
