"""Origin of a study that was made of a downloaded data set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

DATA_SET_SETTING = "data_set"
"""Setting of a study with its origin, as JSON."""

_TEXTS = ("name", "title", "citation", "page", "licence", "downloaded")


@dataclass(frozen=True, slots=True)
class DataOrigin:
    """A data set with its source.

    sha256: by file. unverified: files of which no published hash is known. downloaded: date, ISO 8601.
    """

    name: str
    title: str
    citation: str
    page: str
    licence: str
    sha256: Mapping[str, str]
    unverified: tuple[str, ...]
    downloaded: str

    def to_text(self) -> str:
        """Return the setting of a study."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_text(cls, text: str) -> DataOrigin | None:
        """Return the origin in a setting, None if there is none or it is damaged."""
        try:
            value = json.loads(text)
            texts = {key: str(value[key]) for key in _TEXTS}
            hashes = {str(file): str(digest) for file, digest in value["sha256"].items()}
            unverified = tuple(map(str, value["unverified"]))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        return cls(sha256=hashes, unverified=unverified, **texts)

    @property
    def sentence(self) -> str:
        """The source and how its files were checked, as sentences."""
        about = f"The data are {self.title} ({self.citation}), {self.page}, downloaded on {self.downloaded}."
        listed = ", ".join(f"{file} (SHA-256 {self.sha256.get(file, 'unknown')})" for file in self.unverified)
        if listed:
            return f"{about} No published hash was known to check {listed}."
        return f"{about} The files had the published hashes."
