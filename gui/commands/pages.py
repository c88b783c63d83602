"""The pages of the window and their tabs: the names that rail, headers, menus, settings and help share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class PageName:
    """A page, or one tab of a page.

    key: of the page or tab, in commands and in the place where a study is opened again.
    page: key of the page in the rail, which its tabs share.
    label: title of the page in menus, with its mnemonic.
    tab: title of the tab; empty = the page has no tabs.
    group: pages of one group stand together in the rail.
    """

    key: str
    page: str
    label: str
    icon: str
    group: int
    tab: str = ""

    @property
    def title(self) -> str:
        """Title of the page."""
        return self.label.replace("&", "")

    @property
    def full_title(self) -> str:
        """Title of the page, with that of the tab."""
        return f"{self.title}: {self.tab}" if self.tab else self.title


PAGES = (
    PageName("overview", "overview", "&Overview", "overview", 0),
    PageName("texts", "texts", "&Texts", "texts", 0),
    PageName("pyramids", "pyramids", "&Pyramids", "pyramid", 1, "Build"),
    PageName("matches", "pyramids", "&Pyramids", "pyramid", 1, "Match"),
    PageName("nuggets", "nuggets", "&Nuggets", "tag", 1, "Mark"),
    PageName("hits", "nuggets", "&Nuggets", "tag", 1, "Hits"),
    PageName("ratings", "ratings", "&Ratings", "star", 1, "Scales"),
    PageName("comparisons", "ratings", "&Ratings", "star", 1, "Pairs"),
    PageName("progress", "team", "Tea&m", "people", 1, "Progress"),
    PageName("agreement", "team", "Tea&m", "people", 1, "Agreement"),
    PageName("adjudication", "team", "Tea&m", "people", 1, "Differences"),
    PageName("assignment", "team", "Tea&m", "people", 1, "Assignment"),
    PageName("training", "team", "Tea&m", "people", 1, "Training"),
    PageName("score", "score", "&Score", "sigma", 2),
    PageName("compare", "compare", "&Compare", "scatter", 2, "Metrics"),
    PageName("resample", "compare", "&Compare", "scatter", 2, "Fewer references or topics"),
    PageName("studies", "compare", "&Compare", "scatter", 2, "Studies"),
    PageName("report", "report", "R&eport", "report", 2),
)
NAMES = {name.key: name for name in PAGES}
TABS = {page: tuple(names) for page, names in groupby(PAGES, lambda name: name.page)}
"""By page of the rail: its tabs, or the page itself."""
