"""What the list of findings shows."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FindingRow:
    """One thing that is odd.

    repair: the verb of what would mend it, empty = nothing does. about: a sentence on what that does.
    """

    key: str
    heading: str
    sentence: str
    repair: str = ""
    about: str = ""
    is_ignored: bool = False
