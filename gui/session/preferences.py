"""What the program remembers about its user, in a small JSON file."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

_log = logging.getLogger(__name__)

MOST_RECENT = 8
MOST_PLACES = 50
MOST_BACKUPS = 1000


@dataclass(frozen=True, slots=True)
class Preferences:
    """What is remembered.

    theme: ``system``, ``light``, ``dark``. text_percent: of the desktop's text size.
    reading_percent: of the reading size. line_width: letters in a line, 0 = all there is room for.
    select_by_character: whether selecting goes by characters instead of words.
    reference_layout: ``stacked`` or ``beside``. match_layout: ``one`` summary or ``all``.
    side_panel: whether the panel at the right of pyramids and matches is open.
    keys: (command, key) where the user has chosen another one.
    device: ``auto``, ``cpu``, ``cuda``, ``mps``. recent: paths of studies, latest first.
    backups: how many of each study are stored, 0 = none are made. backup_folder: empty = next to the study.
    annotator: the name under which the user annotated last, in whatever study; empty = not known.
    annotators: (path, name) of who annotated a study last. geometry: the window's, in base64.
    places: (path, page, topic's id) of what was in front in a study last.
    """

    theme: str = "system"
    text_percent: int = 100
    device: str = "auto"
    recent: tuple[str, ...] = ()
    annotator: str = ""
    annotators: tuple[tuple[str, str], ...] = ()
    places: tuple[tuple[str, str, str], ...] = ()
    geometry: str = ""
    reading_percent: int = 100
    line_width: int = 0
    select_by_character: bool = False
    reference_layout: str = "stacked"
    match_layout: str = "one"
    side_panel: bool = True
    keys: tuple[tuple[str, str], ...] = ()
    backups: int = 10
    backup_folder: str = ""

    @property
    def backups_in(self) -> Path | None:
        """The folder for backups, None = next to each study."""
        return Path(self.backup_folder) if self.backup_folder else None

    def annotator_of(self, study: Path) -> str:
        """Who annotated a study last time, empty = not known."""
        return dict(self.annotators).get(str(study.resolve()), "")

    def with_annotator(self, study: Path, name: str) -> Preferences:
        """With somebody as a study's annotator."""
        path = str(study.resolve())
        others = (pair for pair in self.annotators if pair[0] != path)
        return replace(self, annotators=((path, name), *others)[:MOST_PLACES])

    def place_in(self, study: Path) -> tuple[str, str]:
        """The page and the topic's id that were in front last time, empty = not known."""
        path = str(study.resolve())
        return next(((page, topic) for known, page, topic in self.places if known == path), ("", ""))

    def with_place(self, study: Path, page: str, topic_id: str) -> Preferences:
        """With a page and a topic as those to begin with in a study."""
        path = str(study.resolve())
        others = (place for place in self.places if place[0] != path)
        return replace(self, places=((path, page, topic_id), *others)[:MOST_PLACES])

    def with_recent(self, study: Path) -> Preferences:
        """With a study as the latest one."""
        path = str(study.resolve())
        others = (other for other in self.recent if other != path)
        return replace(self, recent=(path, *others)[:MOST_RECENT])


class Settings:
    """The preferences in force and the file that keeps them."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.now = _read(path)

    def change(self, **changes: Any) -> None:
        """Replace fields of the preferences and keep them."""
        self.keep(replace(self.now, **changes))

    def keep(self, preferences: Preferences) -> None:
        """Put these preferences in force; a file that cannot be written costs only the memory of them."""
        if preferences == self.now and self._path.exists():
            return
        self.now = preferences
        written = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(json.dumps(asdict(preferences), indent=1), "utf-8")
            written.replace(self._path)
        except OSError as error:
            _log.warning("The settings could not be kept in %s: %s", self._path, error)


def _read(path: Path) -> Preferences:
    try:
        kept = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return Preferences()
    except (OSError, ValueError) as error:
        _log.warning("The settings in %s cannot be read, so the defaults hold: %s", path, error)
        return Preferences()
    return _checked(kept) if isinstance(kept, dict) else Preferences()


def _checked(kept: dict[str, Any]) -> Preferences:
    """Preferences from a file, each only where its type is right: a newer version may have written it."""
    defaults = Preferences()
    good: dict[str, Any] = {}
    for field in fields(Preferences):
        value = kept.get(field.name)
        if type(value) is type(getattr(defaults, field.name)):
            good[field.name] = value
    good["recent"] = tuple(path for path in _list(kept, "recent") if isinstance(path, str))
    for pairs in ("annotators", "keys"):
        good[pairs] = tuple((pair[0], pair[1]) for pair in _list(kept, pairs) if _is_texts(pair, 2))
    good["places"] = tuple(
        (place[0], place[1], place[2]) for place in _list(kept, "places") if _is_texts(place, 3)
    )
    good["backups"] = min(max(good.get("backups", defaults.backups), 0), MOST_BACKUPS)
    if good.get("reference_layout") not in (None, "stacked", "beside"):
        del good["reference_layout"]
    return replace(defaults, **good)


def _list(kept: dict[str, Any], name: str) -> list[Any]:
    value = kept.get(name)
    return value if isinstance(value, list) else []


def _is_texts(value: Any, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(isinstance(part, str) for part in value)
