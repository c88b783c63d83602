"""Plug-ins: metrics, summarizers and file formats that other packages add by entry points.

A package that cannot be used is reported with its name and version, and never keeps the others from working:
one that cannot be loaded is left out, and an unexpected error of its code becomes `PluginFailed`.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from importlib.metadata import EntryPoint, entry_points
from threading import RLock
from typing import Any, Generic, TypeVar

from core.errors import PluginFailed, PyramidionError
from core.progress import Cancelled

T = TypeVar("T")

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point of another package.

    kind: metric, summarizer or format. name: of the entry point. package: the distribution and its version.
    adds: names of what it adds. error: why it could not be loaded, empty = it was.
    """

    kind: str
    name: str
    package: str
    adds: tuple[str, ...] = ()
    error: str = ""

    @property
    def message(self) -> str:
        """Return a sentence on the error, with the remedy; empty = there is none."""
        if not self.error:
            return ""
        return (
            f"The {self.kind} {self.name} of the package {self.package} could not be loaded: {self.error}. "
            "Update the package, or uninstall it."
        )


class PluginGroup(Generic[T]):
    """The plug-ins of one kind, loaded when first needed."""

    def __init__(
        self,
        group: str,
        kind: str,
        read: Callable[[Any, str], Mapping[str, T]],
        known: Callable[[], Iterable[str]],
    ) -> None:
        """Create a group.

        group: of entry points. read: return by name what an entry point's object adds, given the object and
        its package; raises an exception if it is unusable. known: the names of the program's own.
        """
        self._group, self._kind, self._read, self._known = group, kind, read, known
        self._lock = RLock()
        self._found: dict[str, T] | None = None
        self._plugins: tuple[Plugin, ...] = ()

    def all(self) -> Mapping[str, T]:
        """Return by name what other packages add."""
        with self._lock:
            if self._found is None:
                self._load()
            return self._found or {}

    def plugins(self) -> tuple[Plugin, ...]:
        """Return every entry point of the group, with those that could not be loaded."""
        self.all()
        return self._plugins

    def failures(self) -> tuple[str, ...]:
        """Return a message on each entry point that could not be loaded."""
        return tuple(plugin.message for plugin in self.plugins() if plugin.error)

    def failure_of(self, name: str) -> str:
        """Return why the entry point of a name could not be loaded, as a message; empty = there is none."""
        return next((plugin.message for plugin in self.plugins() if plugin.name == name), "")

    def forget(self) -> None:
        """Load the entry points again at the next use, as after a package was installed."""
        installed_entry_points.cache_clear()
        with self._lock:
            self._found, self._plugins = None, ()

    def _load(self) -> None:
        self._found, plugins = {}, []  # before loading, as a plug-in may ask for what there is
        points = (point for point in installed_entry_points() if point.group == self._group)
        for point in sorted(points, key=lambda point: (point.name, point.value)):
            package = package_of(point)
            try:
                found = self._read(point.load(), package)
                for name in found:
                    self._check_free(name)
            except Exception as error:  # noqa: BLE001 - a broken package must not keep the others from working
                plugins.append(Plugin(self._kind, point.name, package, error=describe(error)))
                _log.info("%s", plugins[-1].message, exc_info=True)
                continue
            self._found |= found
            plugins.append(Plugin(self._kind, point.name, package, tuple(found)))
        self._plugins = tuple(plugins)

    def _check_free(self, name: str) -> None:
        if name in self._known():
            raise ValueError(f"Pyramidion itself has a {self._kind} named {name!r}; choose another name")
        if name in (self._found or ()):
            raise ValueError(f"another package adds a {self._kind} named {name!r}")


@cache
def installed_entry_points() -> tuple[EntryPoint, ...]:
    """Return the entry points of all packages, whose metadata is read once, as that takes a while."""
    found = entry_points()
    return tuple(point for group in found.groups for point in found.select(group=group))


def package_of(point: EntryPoint) -> str:
    """Return the name and version of the distribution of an entry point."""
    return f"{point.dist.name} {point.dist.version}" if point.dist is not None else "unknown"


def describe(error: BaseException) -> str:
    """Return an error as part of a sentence."""
    text = " ".join(str(error).split()).rstrip(".")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def guarded(function: Callable[..., Any], what: str) -> Callable[..., Any]:
    """Return a function whose unexpected errors are raised as PluginFailed.

    A returned iterator is guarded too.
    what: what failed, such as "The metric tail of the package sample 1.0".
    """

    @wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        with _Blame(what):
            result = function(*arguments, **named)
        return _guarded_iterator(result, what) if isinstance(result, Iterator) else result

    return call


def guard_class(cls: type, base: type, what: str) -> None:
    """Guard every method and property of a base class that a class, or its own bases, override; in place."""
    for name in dir(base):
        member = inspect.getattr_static(cls, name)
        is_special = name.startswith("__") and name != "__post_init__"
        if is_special or member is inspect.getattr_static(base, name):
            continue
        if isinstance(member, property) and member.fget is not None:
            setattr(cls, name, property(guarded(member.fget, what), doc=member.__doc__))
        elif inspect.isfunction(member):
            setattr(cls, name, guarded(member, what))


class _Blame:
    """Raises an unexpected error of its block as PluginFailed."""

    def __init__(self, what: str) -> None:
        self._what = what

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, Exception) or isinstance(error, PyramidionError | Cancelled | MemoryError):
            return
        _log.info("%s failed", self._what, exc_info=error)
        raise PluginFailed(
            f"{self._what} failed: {describe(error)}. Update the package, or report this to its authors."
        ) from error


def _guarded_iterator(iterator: Iterator[Any], what: str) -> Iterator[Any]:
    with _Blame(what):
        return (yield from iterator)
