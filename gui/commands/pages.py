"""The pages of the window and their tabs: the names that rail, headers, menus, settings and help share."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from gui.style.language import tr


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
    PageName("overview", "overview", tr("&Overview"), "overview", 0),
    PageName("texts", "texts", tr("&Texts"), "texts", 0),
    PageName("pyramids", "pyramids", tr("&Pyramids"), "pyramid", 1, tr("Build")),
    PageName("matches", "pyramids", tr("&Pyramids"), "pyramid", 1, tr("Match")),
    PageName("nuggets", "nuggets", tr("&Nuggets"), "tag", 1, tr("Mark")),
    PageName("hits", "nuggets", tr("&Nuggets"), "tag", 1, tr("Hits")),
    PageName("ratings", "ratings", tr("&Ratings"), "star", 1, tr("Scales")),
    PageName("comparisons", "ratings", tr("&Ratings"), "star", 1, tr("Pairs")),
    PageName("progress", "team", tr("Tea&m"), "people", 1, tr("Progress")),
    PageName("agreement", "team", tr("Tea&m"), "people", 1, tr("Agreement")),
    PageName("adjudication", "team", tr("Tea&m"), "people", 1, tr("Differences")),
    PageName("assignment", "team", tr("Tea&m"), "people", 1, tr("Assignment")),
    PageName("training", "team", tr("Tea&m"), "people", 1, tr("Training")),
    PageName("score", "score", tr("&Score"), "sigma", 2),
    PageName("compare", "compare", tr("&Compare"), "scatter", 2, tr("Metrics")),
    PageName("resample", "compare", tr("&Compare"), "scatter", 2, tr("Fewer references or topics")),
    PageName("studies", "compare", tr("&Compare"), "scatter", 2, tr("Studies")),
    PageName("report", "report", tr("R&eport"), "report", 2),
)
NAMES = {name.key: name for name in PAGES}
TABS = {page: tuple(names) for page, names in groupby(PAGES, lambda name: name.page)}
"""By page of the rail: its tabs, or the page itself."""
