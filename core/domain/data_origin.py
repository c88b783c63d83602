"""Origin of the data of a study: a public data set that was downloaded or recognised in an import."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from core.json_schema import from_json

DATA_SET_SETTING = "data_set"
"""Beginning of the settings of a study with its origins, each as JSON."""

HASHES, NAMES, LAYOUT = "hashes", "names", "layout"
"""Evidence for the data set of an import: published hashes, names of topics and systems, its fields."""


@dataclass(frozen=True, slots=True)
class DataOrigin:
    """A data set with its source.

    sha256: by file. unverified: files of which no published hash is known.
    downloaded: date, ISO 8601; empty = imported from a file of the user.
    file: name of the imported file or folder. evidence: `HASHES`, `NAMES` or `LAYOUT`.
    """

    name: str
    title: str
    citation: str
    page: str
    licence: str
    sha256: Mapping[str, str]
    unverified: tuple[str, ...]
    downloaded: str
    file: str = ""
    evidence: str = ""

    @property
    def setting(self) -> str:
        """The name of its setting."""
        return f"{DATA_SET_SETTING}.{self.name}"

    def to_text(self) -> str:
        """Return the setting of a study."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> DataOrigin | None:
        """Return the origin in a setting, None if there is none or it is damaged."""
        try:
            return from_json(cls, text)
        except ValueError:
            return None

    @property
    def claim(self) -> str:
        """What the data are, without the source."""
        if self.evidence == LAYOUT:
            return f"The data are in the format of {self.title} ({self.citation})"
        return f"The data are {self.title} ({self.citation})"

    @property
    def sentence(self) -> str:
        """The source and how its files were checked, as sentences."""
        if self.file:
            about = f"{self.claim}, {self.page}, imported from {self.file}."
            checked = {
                HASHES: "The files have the published hashes.",
                NAMES: "They were recognized by the names of topics and systems, not by hashes.",
            }
            return f"{about} {checked.get(self.evidence, '')}".rstrip()
        about = f"{self.claim}, {self.page}, downloaded on {self.downloaded}."
        listed = ", ".join(f"{file} (SHA-256 {self.sha256.get(file, 'unknown')})" for file in self.unverified)
        if listed:
            return f"{about} No published hash was known to check {listed}."
        return f"{about} The files had the published hashes."


def read_origins(texts: Iterable[str]) -> tuple[DataOrigin, ...]:
    """Return the origins in settings, each data set once; damaged ones are left out."""
    found = [origin for text in texts if (origin := DataOrigin.from_text(text)) is not None]
    return tuple({origin.name: origin for origin in found}.values())
