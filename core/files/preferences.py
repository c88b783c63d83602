"""User preferences, stored in a small JSON file."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from core.files.study_address import StudyAddress, resolved
from core.json_text import parse_json

_log = logging.getLogger(__name__)

MAX_RECENT = 8
MAX_PLACES = 50
MAX_BACKUPS = 1000


@dataclass(frozen=True, slots=True)
class Preferences:
    """User preferences and the state of the last session.

    theme: ``system``, ``light`` or ``dark``.
    text_percent: size of interface text in per cent of the system's.
    language: code of the language of the window, from its next start on.
    device: ``auto``, ``cpu``, ``cuda`` or ``mps``.
    recent: paths and URLs of recent studies, latest first.
    annotator: the last annotator name used in any study; empty = unknown.
    annotators: (path or URL of a study, name) pairs of the last annotator of each study.
    places: (path or URL of a study, page key, topic id) of the last location in each study.
    geometry: the window's geometry in base64.
    reading_percent: size of the texts to read, in per cent.
    line_width: characters per line of the texts to read; 0 = panel width.
    select_by_character: whether text is selected by characters instead of words.
    reference_layout: ``stacked`` or ``beside``.
    match_layout, rating_layout: ``one`` summary or ``all``.
    live_score: whether the score of a summary is displayed before the summary is marked done.
    occurrence_methods: how occurrences of nuggets are searched, separated by commas.
    open_panels: keys of the pages whose side panel is open.
    knows_tour: whether the tour of the pages was shown.
    keys: (command id, shortcut) pairs that differ from the defaults.
    backups: number of backups stored per study; 0 = no backups.
    backup_folder: empty = next to the study.
    """

    theme: str = "system"
    text_percent: int = 100
    language: str = "en"
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
    rating_layout: str = "one"
    live_score: bool = False
    occurrence_methods: str = "exact,stemmed,fuzzy"
    open_panels: tuple[str, ...] = ("pyramids", "nuggets", "agreement")
    knows_tour: bool = False
    keys: tuple[tuple[str, str], ...] = ()
    backups: int = 10
    backup_folder: str = ""

    @property
    def backups_in(self) -> Path | None:
        """The backup folder; None = next to each study."""
        return Path(self.backup_folder) if self.backup_folder else None

    def annotator_of(self, study: StudyAddress) -> str:
        """Return the last annotator of a study; empty = unknown."""
        return dict(self.annotators).get(str(resolved(study)), "")

    def with_annotator(self, study: StudyAddress, name: str) -> Preferences:
        """Return the preferences with the last annotator of a study replaced."""
        path = str(resolved(study))
        others = (pair for pair in self.annotators if pair[0] != path)
        return replace(self, annotators=((path, name), *others)[:MAX_PLACES])

    def place_in(self, study: StudyAddress) -> tuple[str, str]:
        """Return the last page and topic id of a study; empty = unknown."""
        path = str(resolved(study))
        return next(((page, topic) for known, page, topic in self.places if known == path), ("", ""))

    def with_place(self, study: StudyAddress, page: str, topic_id: str) -> Preferences:
        """Return the preferences with the last page and topic of a study replaced."""
        path = str(resolved(study))
        others = (place for place in self.places if place[0] != path)
        return replace(self, places=((path, page, topic_id), *others)[:MAX_PLACES])

    def with_recent(self, study: StudyAddress) -> Preferences:
        """Return the preferences with a study first in the list of recent ones."""
        path = str(resolved(study))
        others = (other for other in self.recent if other != path)
        return replace(self, recent=(path, *others)[:MAX_RECENT])


class PreferencesFile:
    """The current preferences (`now`) and the file that stores them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = _read(path)

    def change(self, **changes: Any) -> None:
        """Change fields of the preferences and save them."""
        self.save(replace(self.now, **changes))

    def save(self, preferences: Preferences) -> None:
        """Apply preferences and write them to the file; a failed write is logged."""
        if preferences == self.now and self.path.exists():
            return
        self.now = preferences
        new_file = self.path.with_suffix(".new")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            new_file.write_text(json.dumps(asdict(preferences), indent=1), "utf-8")
            new_file.replace(self.path)
        except OSError as error:
            _log.warning("Could not write the settings to %s: %s", self.path, error)


def _read(path: Path) -> Preferences:
    try:
        stored = parse_json(path.read_text("utf-8"))
    except FileNotFoundError:
        return Preferences()
    except (OSError, ValueError) as error:
        _log.warning("Could not read the settings from %s; using the defaults: %s", path, error)
        return Preferences()
    return _validated(stored) if isinstance(stored, dict) else Preferences()


def _validated(stored: dict[str, Any]) -> Preferences:
    """Return preferences with the fields of the right type; the file may be from a newer version."""
    defaults = Preferences()
    valid: dict[str, Any] = {}
    for field in fields(Preferences):
        value = stored.get(field.name)
        if type(value) is type(getattr(defaults, field.name)):
            valid[field.name] = value
    for texts in ("recent", "open_panels"):
        if texts in stored:
            valid[texts] = tuple(text for text in _list(stored, texts) if isinstance(text, str))
    for pairs in ("annotators", "keys"):
        valid[pairs] = tuple((pair[0], pair[1]) for pair in _list(stored, pairs) if _is_texts(pair, 2))
    valid["places"] = tuple(
        (place[0], place[1], place[2]) for place in _list(stored, "places") if _is_texts(place, 3)
    )
    valid["backups"] = min(max(valid.get("backups", defaults.backups), 0), MAX_BACKUPS)
    if valid.get("reference_layout") not in (None, "stacked", "beside"):
        del valid["reference_layout"]
    return replace(defaults, **valid)


def _list(stored: dict[str, Any], name: str) -> list[Any]:
    value = stored.get(name)
    return value if isinstance(value, list) else []


def _is_texts(value: Any, count: int) -> bool:
    return isinstance(value, list) and len(value) == count and all(isinstance(part, str) for part in value)
