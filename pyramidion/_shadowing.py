"""A check that Python finds this program's packages and not others of the same names."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("core", "storage", "cli", "gui", "resources")


def check_packages(home: Path | None = None) -> None:
    """Raise ImportError where another package hides one of this program's.

    home: the folder of the program's packages, None = that of this one.
    """
    folder = (home or Path(__file__).parents[1]).resolve()
    for name in PACKAGES:
        places = _places(name)
        if not any(_is_in(place, folder) for place in places[:1]):
            raise ImportError(_message(name, places[0] if places else None, folder))


def _places(name: str) -> list[Path]:
    """Return the folders of a package that Python imports; a module's file; empty = there is none."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):  # imported already, by something that left no specification
        module = sys.modules.get(name)
        found = [*getattr(module, "__path__", ()), getattr(module, "__file__", None)]
        return [Path(place) for place in found if place]
    if spec is None:
        return []
    if spec.submodule_search_locations:
        return [Path(place) for place in spec.submodule_search_locations]
    return [Path(spec.origin)] if spec.origin else []


def _is_in(place: Path, folder: Path) -> bool:
    return place.resolve().parent == folder


def _message(name: str, place: Path | None, folder: Path) -> str:
    if place is None:
        return (
            f"Pyramidion's package {name!r} is missing from {folder}. Install Pyramidion again: "
            "`pip install --force-reinstall pyramidion`."
        )
    return (
        f"Another package named {name!r}, {place}, hides that of Pyramidion in {folder}, because "
        f"{place.parent} comes first on Python's path. {_remedy(name, place)}"
    )


def _remedy(name: str, place: Path) -> str:
    if name in sys.modules:
        return "It was imported already. Import pyramidion first in a new Python process, or rename it."
    if (place.parent / "pyramidion" / Path(__file__).name).exists():
        return (
            "That is another copy of Pyramidion. Remove one of the two from PYTHONPATH or sys.path, or "
            "uninstall it (`pip uninstall pyramidion`)."
        )
    if owner := _distribution(place):
        return (
            f"It was installed by {owner}. Uninstall that (`pip uninstall {owner}`), or install Pyramidion "
            "in an environment of its own, for example with pipx."
        )
    if place.parent.resolve() == Path.cwd():
        return "Start Python in another folder, or rename that package."
    return f"Remove {place.parent} from PYTHONPATH or sys.path, or rename that package."


def _distribution(place: Path) -> str:
    """Return the name of the distribution that installed a file or folder; empty = none did."""
    from importlib.metadata import distributions

    for distribution in distributions(path=[str(place.parent)]):
        for file in distribution.files or ():
            if file.parts[:1] == (place.name,):
                return str(distribution.name)
    return ""
