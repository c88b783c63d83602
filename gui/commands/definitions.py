"""Names of the pages, and all commands: label, shortcut, menu and the pages on which each works.

All shortcuts are defined here. Pages and the window bind handlers to commands, see
``gui/commands/registry.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import groupby

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from core.domain.pyramid import UnitKind
from gui.style.language import in_terms_of, tr


@dataclass(frozen=True, slots=True)
class KeyRow:
    """Shortcuts of one command.

    keys: alternatives, each as the labels of the keys that are pressed together.
    text: the command.
    joint: the word between the alternatives.
    """

    keys: tuple[tuple[str, ...], ...]
    text: str
    joint: str = "or"


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """Shortcuts under a heading."""

    title: str
    lines: tuple[KeyRow, ...]


@dataclass(frozen=True, slots=True)
class CommandKey:
    """A command in the shortcut settings.

    where: the pages on which it works.
    key, standard: its shortcut and the default one, in Qt's portable text; empty = none.
    """

    id: str
    text: str
    where: str
    key: str
    standard: str

    @property
    def is_changed(self) -> bool:
        return self.key != self.standard


@dataclass(frozen=True, slots=True)
class KeyHint:
    """Shortcuts with a label of two or three words, for the shortcut bar."""

    keys: tuple[str, ...]
    text: str


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
    PageName("judges", "compare", tr("&Compare"), "scatter", 2, tr("Judges")),
    PageName("resample", "compare", tr("&Compare"), "scatter", 2, tr("Fewer references or topics")),
    PageName("studies", "compare", tr("&Compare"), "scatter", 2, tr("Studies")),
    PageName("report", "report", tr("R&eport"), "report", 2),
)
NAMES = {name.key: name for name in PAGES}
TABS = {page: tuple(names) for page, names in groupby(PAGES, lambda name: name.page)}
"""By page of the rail: its tabs, or the page itself."""


Key = str | QKeySequence.StandardKey


class Menu(StrEnum):
    """Menus of the menu bar, from left to right."""

    STUDY = tr("&Study")
    EDIT = tr("&Edit")
    VIEW = tr("&View")
    ANNOTATE = tr("&Annotate")
    ANALYSE = tr("Ana&lyse")
    HELP = tr("&Help")


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the window.

    key: its shortcut; empty = none.
    pages: the pages on which it works; empty = everywhere.
    hint: its label in the shortcut bar; empty = not listed there.
    is_local: the shortcut works only in the widgets that the command is added to; elsewhere Space and Enter
        press buttons.
    section: a separator line is drawn between different sections of a menu.
    also: an alternative shortcut.
    submenu: the submenu that contains it; empty = the menu itself.
    edits: it changes the study, and is disabled while that is read-only.

    Labels name SCUs; `on_page` words them for the pages of nuggets.
    """

    id: str
    text: str
    menu: Menu
    key: Key = ""
    icon: str = ""
    pages: tuple[str, ...] = ()
    hint: str = ""
    is_local: bool = False
    section: int = 0
    also: str = ""
    submenu: str = ""
    edits: bool = False

    def on_page(self, page: str) -> Command:
        """Return the command with its labels in the terms of a page."""
        if page not in NUGGET_PAGES or page not in self.pages:
            return self
        text, hint = (in_terms_of(UnitKind.NUGGET, label) for label in (self.text, self.hint))
        return replace(self, text=text, hint=hint, submenu=submenu_on_page(self.submenu, page))

    def sequences(self) -> list[QKeySequence]:
        return [*key_sequences(self.key), *key_sequences(self.also)]


def submenu_on_page(title: str, page: str) -> str:
    return in_terms_of(UnitKind.NUGGET if page in NUGGET_PAGES else UnitKind.SCU, title)


NUGGET_PAGES = ("nuggets", "hits")
"""Pages on which content units are nuggets instead of SCUs."""
_PYRAMID_PAGES = ("pyramids", "nuggets")
_PRINTED_PAGES = (*_PYRAMID_PAGES, "report")
_TEXTUAL = ("texts", "pyramids", "matches", "nuggets", "hits", "ratings")
_TOPICAL = (*_TEXTUAL, "adjudication")
_SCU_PAGES = ("pyramids", "matches", "nuggets")
_FIND_PAGES = ("texts", "pyramids", "matches", "nuggets", "score", "compare", "resample")
_LIST_PAGES = ("pyramids", "matches", "nuggets", "hits", "adjudication", "compare", "resample")
_TABBED = tuple(name.key for name in PAGES if name.tab)
_ANNOTATE = Menu.ANNOTATE
_SUMMARIES, _OPENING = tr("Other summaries"), tr("References and score")
"""Submenus of the page of matches."""
_S = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class _Group:
    """Makes commands that share the beginning of their ids, menu, pages, section and submenu."""

    prefix: str
    menu: Menu
    pages: tuple[str, ...] = ()
    section: int = 0
    submenu: str = ""
    hint: str = ""
    edits: bool = False

    def __call__(
        self,
        verb: str,
        text: str,
        key: Key = "",
        icon: str = "",
        hint: str = "",
        *,
        is_local: bool = False,
        also: str = "",
        submenu: str = "",
    ) -> Command:
        return Command(
            f"{self.prefix}.{verb}",
            text,
            self.menu,
            key,
            icon,
            self.pages,
            hint or self.hint,
            is_local,
            self.section,
            also,
            submenu or self.submenu,
            self.edits,
        )


def _editing(*groups: _Group) -> tuple[_Group, ...]:
    return tuple(replace(group, edits=True) for group in groups)


_in_study = _Group("study", Menu.STUDY, section=1)
_export = _Group("study", Menu.STUDY, section=1, submenu=tr("&Export"))
_in_edit = _Group("edit", Menu.EDIT, section=1)
_in_tabs = _Group("view", Menu.VIEW, _TABBED, submenu=tr("Ta&bs"))
_in_panes = _Group("view", Menu.VIEW, submenu=tr("Panes"))
_line_width = _Group("view", Menu.VIEW, section=3, submenu=tr("Line &width"))
_on_topics = _Group("topic", _ANNOTATE, _TOPICAL)
_on_pyramids = _Group("pyramid", _ANNOTATE, _PYRAMID_PAGES, 1)
_on_contributors = _Group("pyramid", _ANNOTATE, _PYRAMID_PAGES, 1, tr("Contributors"))
_on_references = _Group("reference", Menu.VIEW, _PYRAMID_PAGES, 4, tr("Re&ferences"))
_on_matches = _Group("match", _ANNOTATE, ("matches",), 2)
_on_nuggets = _Group("nugget", _ANNOTATE, ("nuggets",), 2)
_way_to_search = _Group("nugget", _ANNOTATE, NUGGET_PAGES, 2, tr("Search for occurrences"))
_on_hits = _Group("hit", _ANNOTATE, ("hits",), 2)
_on_ratings = _Group("rating", _ANNOTATE, ("ratings",), 2)
_on_comparisons = _Group("comparison", _ANNOTATE, ("comparisons",), 2)
_on_adjudication = _Group("adjudicate", _ANNOTATE, ("adjudication",), 2)
_SCU_LIST = tr("SCU list")
_in_scus = _Group("list", _ANNOTATE, _SCU_PAGES, 3, _SCU_LIST)
_in_lists = _Group("list", _ANNOTATE, _LIST_PAGES, 3, hint=tr("Next, previous"))
_on_parts = _Group("part", _ANNOTATE, _SCU_PAGES, 3, tr("Span of a part"), edits=True)
_SUGGESTING = ("pyramids", "matches")
_on_proposals = _Group("suggest", _ANNOTATE, (*_SUGGESTING, "nuggets"), 3, tr("Proposals"), edits=True)
_on_compare = _Group("compare", Menu.ANALYSE, ("compare",))
_on_agreement = _Group("agreement", Menu.ANALYSE, ("agreement",), 1)
_on_judges = _Group("judges", Menu.ANALYSE, ("judges",), 1)
_on_studies = _Group("studies", Menu.ANALYSE, ("studies",), 1)
_on_resample = _Group("resample", Menu.ANALYSE, ("resample",), 1)
_edit_study, _edit_pyramids, _edit_contributors = _editing(_in_study, _on_pyramids, _on_contributors)
_edit_matches, _edit_nuggets, _edit_hits = _editing(_on_matches, _on_nuggets, _on_hits)
_edit_ratings, _edit_comparisons = _editing(_on_ratings, _on_comparisons)
_edit_adjudication, _edit_compare, _edit_agreement = _editing(_on_adjudication, _on_compare, _on_agreement)
_edit_judges, _edit_studies, _edit_resample = _editing(_on_judges, _on_studies, _on_resample)

FIGURES = (
    ("scatter", tr("Scatter plot"), ""),
    ("bars", tr("Bars with intervals"), ""),
    ("likeness", tr("Metric–metric correlation"), ""),
    ("significance", tr("Significant differences"), ""),
    ("ranks", tr("Rank comparison"), ""),
    ("distribution", tr("Distribution over topics"), ""),
    ("topics", tr("Correlation by topic"), ""),
    ("disagreement", tr("Disagreement"), tr("Disagreement")),
)
"""Key and title of each kind of figure of the page Compare, and its hint in the shortcut bar."""

_NAVIGATION_KEYS = ("Tab", "Backtab", "Left", "Right", "Up", "Down", "Home", "End", "PgUp", "PgDown")
_RESERVED = frozenset(
    (
        *_NAVIGATION_KEYS,
        *(f"Shift+{key}" for key in _NAVIGATION_KEYS),
        *("Esc", "Return", "Enter", "Space", "Backspace", "Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X"),
    )
)
"""Keys that widgets handle themselves, in Qt's portable text."""

COMMANDS: tuple[Command, ...] = (
    Command("study.new", tr("&New study…"), Menu.STUDY, _S.New, "plus"),
    Command("study.open", tr("&Open a study…"), Menu.STUDY, _S.Open, "open"),
    Command("study.open_server", tr("Study on a ser&ver…"), Menu.STUDY, "", "people"),
    Command("study.sample", tr("Create the &sample study…"), Menu.STUDY, "", "bulb"),
    Command("study.data_set", tr("Get a p&ublic data set…"), Menu.STUDY, "", "download"),
    _edit_study("import", tr("&Import…"), "Ctrl+I", "import"),
    _export("export_texts", tr("Texts…"), "", "download"),
    _export("export_scores", tr("Scores…"), "", "download"),
    _export("export_judgements", tr("Judgements…"), "", "download"),
    _export("export_ratings", tr("Ratings…"), "", "download"),
    _export("export_scales", tr("Rating scales…"), "", "download"),
    _export("export_spans", tr("Marked spans…"), "", "download"),
    _export("export_preferences", tr("Answers to comparisons…"), "", "download"),
    _export("export_comments", tr("Comments…"), "", "download"),
    _export("export_pyramids", tr("Pyramids for DUCView…"), "", "download"),
    _export("export_nuggets", tr("Nuggets…"), "", "download"),
    _export("export_annotations", tr("Annotations to merge…"), "", "download"),
    _edit_study("merge", tr("&Merge annotations…"), "", "merge"),
    _in_study("assignment", tr("Assi&gnment"), "", "people"),
    _in_study("control", tr("Tr&aining"), "", "check"),
    _in_study("restore", tr("&Restore a backup…"), "", "refresh"),
    Command("study.print", tr("&Print…"), Menu.STUDY, _S.Print, "report", _PRINTED_PAGES, section=1),
    _in_study("close", tr("&Close the study"), "Ctrl+W", "close"),
    Command("app.settings", tr("Se&ttings…"), Menu.STUDY, "Ctrl+,", "settings", section=2),
    Command("app.quit", tr("&Quit"), Menu.STUDY, "Ctrl+Q", section=2),
    Command("edit.undo", tr("&Undo"), Menu.EDIT, _S.Undo, "undo", edits=True),
    Command("edit.redo", tr("&Redo"), Menu.EDIT, "Ctrl+Shift+Z", "redo", edits=True),
    _in_edit("copy_table", tr("&Copy table"), "Ctrl+Shift+C", "copy"),
    Command(
        "edit.find", tr("&Find"), Menu.EDIT, "/", "search", _FIND_PAGES, tr("Find"), section=1, also="Ctrl+F"
    ),
    _in_edit("comments", tr("Co&mments and flags…"), "Ctrl+Shift+M", "comment"),
    _in_edit("search", tr("&Search the study…"), "Ctrl+Shift+F", "search"),
    _in_edit("next_found", tr("&Next search result"), "F3", "chevron-down"),
    _in_edit("previous_found", tr("&Previous search result"), "Shift+F3", "chevron-up"),
    *(
        Command(f"view.{page}", names[0].label, Menu.VIEW, f"Ctrl+{place}", names[0].icon)
        for place, (page, names) in enumerate(TABS.items(), 1)
    ),
    *(
        Command(f"tab.{name.key}", name.full_title, Menu.VIEW, key, submenu=tr("Ta&bs"))
        for place, names in enumerate(TABS.values(), 1)
        for name, key in zip(names, ("", f"Ctrl+Shift+{place}", "", "", ""), strict=False)
        if name.tab
    ),
    *(
        _in_tabs(f"{verb}_tab", title, key)
        for verb, title, key in (
            ("next", tr("Next tab"), "Ctrl+Tab"),
            ("previous", tr("Previous tab"), "Ctrl+Shift+Tab"),
        )
    ),
    _in_panes("next_pane", tr("Next pane"), "F6"),
    _in_panes("previous_pane", tr("Previous pane"), "Shift+F6"),
    _in_panes("here", tr("&What is here"), "F12", "info"),
    Command("view.palette", tr("An&y command…"), Menu.VIEW, "Ctrl+K", "search", section=1),
    Command("view.system", tr("S&ame as system"), Menu.VIEW, "", "settings", section=2),
    Command("view.light", tr("&Light"), Menu.VIEW, "", "sun", section=2),
    Command("view.dark", tr("Dar&k"), Menu.VIEW, "", "moon", section=2),
    Command("view.larger", tr("Lar&ger text"), Menu.VIEW, "Ctrl++", section=3, also="Ctrl+="),
    Command("view.smaller", tr("Smaller te&xt"), Menu.VIEW, "Ctrl+-", section=3),
    Command("view.usual", tr("Reset text size"), Menu.VIEW, "Ctrl+0", section=3),
    Command("view.side_panel", tr("S&ide panel"), Menu.VIEW, "F9", "panel-right", _SCU_PAGES, section=3),
    Command(
        "view.characters", tr("Select by c&haracters"), Menu.VIEW, "F7", "characters", _TEXTUAL, section=3
    ),
    _line_width("line_0", tr("Panel width")),
    _line_width("line_60", tr("60 characters")),
    _line_width("line_75", tr("75 characters")),
    _line_width("line_90", tr("90 characters")),
    _on_topics("previous", tr("Pr&evious topic"), "Ctrl+PgUp", "chevron-left", also="["),
    _on_topics("next", tr("&Next topic"), "Ctrl+PgDown", "chevron-right", also="]"),
    _on_topics("list", tr("Go to a topic…"), "Ctrl+G", "list", also="T"),
    Command(
        "topic.set", tr("Set of topics…"), _ANNOTATE, "S", "tag", ("texts",), tr("Set of topics"), edits=True
    ),
    Command("topic.language", tr("Language of topics…"), _ANNOTATE, "L", "texts", ("texts",), edits=True),
    Command("annotator.choose", tr("&Annotator…"), _ANNOTATE, "", "user"),
    _on_pyramids("save_sheet", tr("Save the pyramid as web page, PDF or picture…"), "", "download"),
    _edit_pyramids("new_scu", tr("New &SCU from selection"), "N", "plus", tr("New SCU")),
    _edit_pyramids(
        "add_contributor", tr("Add selection as &contributor"), "A", "plus", tr("Add contributor")
    ),
    _edit_pyramids("add_part", tr("Add &part, or keep words"), "P", "plus", tr("Add part")),
    _edit_pyramids("merge", tr("&Merge with another SCU…"), "M", "merge", tr("Merge")),
    _edit_pyramids("remove", tr("&Remove"), "R", "trash", tr("Remove")),
    _edit_pyramids("remove_part", tr("Remove par&t"), "Del", "minus"),
    _edit_pyramids("label", tr("Edit &label"), "L", "tag", tr("Label")),
    _edit_pyramids("comment", tr("C&omment on the SCU"), "C", "comment"),
    _edit_contributors("split", tr("Split into new SCU"), "S", "split", tr("Split", "verb")),
    _edit_contributors("move", tr("Move to another SCU…"), "V", "move"),
    _edit_contributors("comment_contributor", tr("Comment on the contributor"), "Shift+C", "comment"),
    _on_contributors(
        "previous_contributor", tr("Previous contributor"), "<", "chevron-up", tr("Contributors")
    ),
    _on_contributors("next_contributor", tr("Next contributor"), ">", "chevron-down", tr("Contributors")),
    _edit_pyramids("done", tr("Mark pyramid &done"), "Ctrl+D", "check"),
    _on_pyramids("done_next", tr("Mark done and go to the next topic"), "Ctrl+Shift+D", "chevron-right"),
    _on_pyramids("findings", tr("&Findings"), "F", "warning"),
    _on_pyramids("history", tr("&History"), "Ctrl+H", "clock"),
    _on_pyramids("back", tr("Ret&urn to current version"), "", "clock"),
    _edit_nuggets("find", tr("Find &occurrences"), "G", "search", tr("Find occurrences")),
    _edit_nuggets("find_all", tr("Find occurrences of &all nuggets"), "Shift+G", "search"),
    _edit_nuggets("confirm", tr("Confirm occu&rrences"), "Y", "check", tr("Confirm")),
    _on_nuggets("next_to_confirm", tr("Ne&xt to confirm"), "I", "chevron-right", tr("Next to confirm")),
    _on_nuggets("proposals", tr("Show proposals"), "Alt+G", "bulb"),
    _edit_nuggets("vital", tr("Rate as &vital"), "1", "star"),
    _edit_nuggets("okay", tr("Rate as ok&ay"), "2"),
    _edit_nuggets("unrated", tr("Clear importance"), "0"),
    _edit_hits(
        "toggle", tr("Set, confirm or remo&ve the hit"), "Space", "check", tr("Set hit"), is_local=True
    ),
    _edit_hits("repeat", tr("Add &repetition"), "Shift+Space", "refresh", is_local=True),
    _edit_hits("remove", tr("Remo&ve"), "X", "close", tr("Remove")),
    _edit_hits("partial", tr("&Partial support"), "H", "minus", tr("In part")),
    _edit_hits("outside", tr("Mark as outside the nuggets"), "O", "minus", tr("Outside")),
    _edit_hits("confirm", tr("&Confirm all hits of the summary"), "Y", "check", tr("Confirm all")),
    _on_hits("next_to_confirm", tr("Ne&xt to confirm"), "I", "chevron-right", tr("Next to confirm")),
    _edit_hits("find", tr("&Find hits of all nuggets"), "G", "search"),
    _edit_hits("flag", tr("F&lag summary"), "F", "flag"),
    _on_hits("next_undone", tr("Next summary &to do"), "U", "chevron-right", tr("Next undone")),
    _on_hits("previous_summary", tr("Previous summar&y"), "Alt+Left", "chevron-left"),
    _on_hits("next_summary", tr("Next &summary"), "Alt+Right", "chevron-right"),
    _edit_hits("done", tr("Mark summary &done"), "Ctrl+D", "check"),
    _on_hits("done_next", tr("Mark done and go to the next summary"), "Ctrl+Shift+D", "chevron-right"),
    _way_to_search("exact", tr("&Exact")),
    _way_to_search("stemmed", tr("&Word stems")),
    _way_to_search("fuzzy", tr("&Similar words")),
    _on_references("beside", tr("Side by side or stacked"), "B", "texts"),
    _on_references("alone", tr("Focus this reference"), "E", "expand"),
    _on_references("next", tr("Next"), "Alt+Down", "chevron-down"),
    _on_references("previous", tr("Previous"), "Alt+Up", "chevron-up"),
    _on_references("uncovered", tr("Uncovered words only"), "U", "eye-off", tr("Uncovered only")),
    _on_references("next_uncovered", tr("Next uncovered words"), ".", "chevron-down"),
    _on_references("previous_uncovered", tr("Previous uncovered words"), ",", "chevron-up"),
    _on_references("all", tr("All"), "Alt+0"),
    *(_on_references(f"only_{n}", tr("Only reference {n}", n=n), f"Alt+{n}") for n in range(1, 10)),
    _edit_matches(
        "match", tr("Match &selected text"), "Space", "check", tr("Match selected text"), is_local=True
    ),
    _edit_matches(
        "match_without", tr("Match &without span"), "Return", "check", tr("Match without span"), is_local=True
    ),
    _edit_matches("again", tr("Matc&h as repetition"), "Shift+Space", "refresh", is_local=True),
    _edit_matches("add_part", tr("Add selection as &part"), "P", "plus", tr("Add part")),
    _edit_matches("unmatch", tr("&Unmatch"), "X", "close", tr("Unmatch")),
    _edit_matches("outside", tr("Mark as n&ot in pyramid"), "O", "minus", tr("Not in pyramid")),
    _edit_matches("reassign", tr("Assign unit to another S&CU…"), "A", "match", submenu=tr("Unit")),
    _edit_matches("remove_part", tr("&Remove part"), "Del", "minus", submenu=tr("Unit")),
    _edit_matches("comment", tr("Comment on the unit"), "Shift+C", "comment", submenu=tr("Unit")),
    _on_matches("units", tr("Go to unit list"), "L", "list", submenu=tr("Unit")),
    _on_matches("next_uncovered", tr("Next unmatched words"), ".", "chevron-down", submenu=tr("Unit")),
    _on_matches("previous_uncovered", tr("Previous unmatched words"), ",", "chevron-up", submenu=tr("Unit")),
    _on_matches("references", tr("Open or close references"), "R", "chevron-down", submenu=_OPENING),
    _on_matches("score", tr("Open or close score"), "S", "sigma", submenu=_OPENING),
    _on_matches("score_always", tr("Always show score"), "", "sigma", submenu=_OPENING),
    _edit_matches("flag", tr("&Flag summary"), "F", "flag", tr("Flag")),
    _edit_matches("note", tr("&Make a note"), "C", "comment"),
    _on_matches("next_undone", tr("Next summary &to do"), "U", "chevron-right", tr("Next undone")),
    _on_matches("next_flagged", tr("Next flagged summary"), "Shift+F", "flag", submenu=_SUMMARIES),
    _on_matches("previous_summary", tr("Previous summar&y"), "Alt+Left", "chevron-left", submenu=_SUMMARIES),
    _on_matches("next_summary", tr("Ne&xt summary"), "Alt+Right", "chevron-right", submenu=_SUMMARIES),
    _on_matches("all", tr("One summary or a&ll"), "V", "list", submenu=_SUMMARIES),
    _edit_matches("done", tr("Mark summary &done"), "Ctrl+D", "check"),
    _on_matches("done_next", tr("Mark done and go to the next summary"), "Ctrl+Shift+D", "chevron-right"),
    _on_ratings("next_undone", tr("Next summary &to rate"), "U", "chevron-right", tr("Next unrated")),
    _on_ratings(
        "previous_summary", tr("Previous summar&y"), "Alt+Left", "chevron-left", tr("Previous, next")
    ),
    _on_ratings("next_summary", tr("Ne&xt summary"), "Alt+Right", "chevron-right", tr("Previous, next")),
    _on_ratings("all", tr("One summary or a&ll"), "V", "columns"),
    _on_ratings("source", tr("Show or hide &documents"), "D", "texts"),
    _on_ratings("next_flagged", tr("Next flagged rating"), "Shift+F", "flag"),
    _edit_ratings("clear", tr("Clear &rating"), "Del", "close", tr("Clear rating")),
    _edit_ratings("flag", tr("Fla&g rating"), "F", "flag", tr("Flag")),
    _edit_ratings("note", tr("Note on rating…"), "C", "comment", tr("Note")),
    _edit_ratings("scales", tr("Edit s&cales…"), "E", "settings"),
    *(
        _edit_comparisons(f"choose_{n}", tr("Choose summary {n}", n=n), str(n), submenu=tr("Choose"))
        for n in range(1, 10)
    ),
    _edit_comparisons("tie", tr("&Tie"), "0", "minus", tr("Tie")),
    _edit_comparisons("clear", tr("Clear ans&wer"), "Del", "close", tr("Clear")),
    _on_comparisons("next_undone", tr("Next t&o answer"), "U", "chevron-right", tr("Next open")),
    _on_comparisons("previous", tr("Previous co&mparison"), "Alt+Left", "chevron-left", tr("Previous, next")),
    _on_comparisons("next", tr("Ne&xt comparison"), "Alt+Right", "chevron-right", tr("Previous, next")),
    _on_comparisons("source", tr("Show or hide &documents"), "D", "texts"),
    _edit_comparisons("plan", tr("&Plan comparisons…"), "E", "plus"),
    *(
        _edit_adjudication(
            f"accept_{n}",
            tr("Accept version {n}", n=n),
            str(n),
            "",
            tr("Accept") if n < 3 else "",
            submenu=tr("Accept"),
        )
        for n in range(1, 10)
    ),
    _edit_adjudication("both", tr("&Both, or the mean"), "B", "merge", tr("Both")),
    _edit_adjudication("neither", tr("&Neither"), "X", "close", tr("Neither")),
    _edit_adjudication("later", tr("Decide &later"), "L", "clock", tr("Later")),
    _edit_adjudication("value", tr("Another &value"), "V", "star", tr("Value")),
    _on_adjudication("next_open", tr("Next &to decide"), "U", "chevron-right", tr("Next open")),
    _edit_adjudication("merge", tr("Merge a&greements"), "Ctrl+Return", "merge"),
    _on_adjudication("guidelines", tr("&Guidelines"), "F9", "help", tr("Guidelines")),
    _Group("pyramid", _ANNOTATE, _PYRAMID_PAGES, 3, _SCU_LIST)("order", tr("Sort list…"), "O", "sort"),
    _Group("match", _ANNOTATE, ("matches",), 3, _SCU_LIST)("order", tr("Sort list…"), "Shift+O", "sort"),
    _in_scus("filter", tr("Filter list…"), "Ctrl+Shift+L", "filter"),
    _in_scus("fold", tr("Collapse or expand all weights"), "H", "chevron-right"),
    _in_scus("close", tr("Collapse weight"), "-", "minus"),
    _in_scus("open", tr("Expand weight"), "+", "plus", also="="),
    _on_parts("replace", tr("Replace with selection"), "Shift+P", "refresh"),
    _on_parts("start_out", tr("Start a word earlier"), "Q"),
    _on_parts("start_in", tr("Start a word later"), "Shift+Q"),
    _on_parts("end_out", tr("End a word later"), "W"),
    _on_parts("end_in", tr("End a word earlier"), "Shift+W"),
    Command("suggest.ask", tr("Su&ggest…"), _ANNOTATE, "G", "bulb", _SUGGESTING, section=3, edits=True),
    _on_proposals("accept_all", tr("Accept all proposals"), "Ctrl+Return", "check"),
    _on_proposals("dismiss_all", tr("Dismiss all proposals"), "", "close"),
    Command("suggest.propose", tr("Propose annotations…"), _ANNOTATE, "", "chip", section=4, edits=True),
    _in_lists("next", tr("Next in l&ist"), "J", "chevron-down"),
    _in_lists("previous", tr("Pre&vious in list"), "K", "chevron-up"),
    Command("texts.summarize", tr("Ma&ke baseline summaries…"), Menu.ANALYSE, "", "texts", edits=True),
    Command(
        "score.run", tr("&Score"), Menu.ANALYSE, "Ctrl+Return", "play", ("score",), tr("Score"), edits=True
    ),
    Command("score.stop", tr("Sto&p scoring"), Menu.ANALYSE, "", "stop"),
    Command("score.models", tr("&Models…"), Menu.ANALYSE, "", "download", section=1),
    Command("score.indexes", tr("&Indexes…"), Menu.ANALYSE, "", "search", section=1),
    Command(
        "score.train", tr("T&rain a metric…"), Menu.ANALYSE, "", "chip", ("score",), section=1, edits=True
    ),
    *(
        _on_compare(
            view,
            text,
            "D" if hint else f"Alt+{n}",
            "scatter",
            hint,
            submenu=tr("Fi&gure type"),
            also=f"Alt+{n}" if hint else "",
        )
        for n, (view, text, hint) in enumerate(FIGURES, 1)
    ),
    _on_compare("larger", tr("&Larger figure"), "E", "expand", tr("Larger figure")),
    _on_compare("unmark", tr("&Unmark all systems"), "U", "close"),
    _on_compare("formula", tr("&How it is calculated"), "F", "info", tr("Formula")),
    _on_compare("needed", tr("How many are &needed?"), "", "help"),
    _on_compare("save_figure", tr("Save the &figure…"), "Ctrl+S", "download"),
    _on_compare("save_table", tr("Save the &table…"), "Ctrl+Shift+S", "download"),
    _edit_compare("add_figure", tr("&Add the figure to the report"), "R", "report"),
    _edit_compare("add_table", tr("Add the ta&ble to the report"), "Shift+R", "report"),
    _on_agreement("run", tr("M&easure the agreement"), "Ctrl+Return", "play", tr("Measure", "verb")),
    _Group("agreement", Menu.VIEW, ("agreement",), 3)(
        "details", tr("&Details"), "D", "panel-right", tr("Details")
    ),
    _on_agreement("save", tr("Save the table or fig&ure…"), "Ctrl+S", "download"),
    _edit_agreement("report", tr("Add it t&o the report"), "R", "report"),
    _on_judges("run", tr("&Compare the judges"), "Ctrl+Return", "play", tr("Compare")),
    _on_judges("save", tr("Sa&ve the table or figure…"), "Ctrl+S", "download"),
    _edit_judges("report", tr("Add it t&o the report"), "R", "report"),
    _on_judges("rubric", tr("Edit a copy of a rubri&c…"), "E", "tag", tr("Edit a rubric")),
    _edit_judges("draw", tr("Draw a &fifth of the topics for development"), "", "resample"),
    _edit_judges("keep", tr("Keep the topic for &development, or for tests"), "", "split"),
    _edit_judges("no_split", tr("Keep no topics for deve&lopment"), "", "close"),
    _on_studies("add", tr("Add a st&udy…"), "Ctrl+Shift+O", "plus", tr("Add")),
    _on_studies("run", tr("&Compare the studies"), "Ctrl+Return", "play", tr("Compare")),
    _on_studies("save", tr("Sa&ve the table or figure…"), "Ctrl+S", "download"),
    _edit_studies("report", tr("Add it t&o the report"), "R", "report"),
    _edit_resample("run", tr("&Run the experiment"), "Ctrl+Return", "play", tr("Run")),
    _on_resample("save", tr("Sa&ve the table or figure…"), "Ctrl+S", "download"),
    _edit_resample("add", tr("A&dd it to the report"), "R", "report"),
    _Group("report", Menu.ANALYSE, ("report",), 2)(
        "write", tr("&Write the report…"), "Ctrl+R", "report", tr("Write the report")
    ),
    Command("help.open", tr("&Help on this page"), Menu.HELP, _S.HelpContents, "help"),
    Command("help.contents", tr("&Contents"), Menu.HELP, "", "list"),
    Command("help.tutorial", tr("&Tutorial"), Menu.HELP, "", "bulb"),
    Command("help.tour", tr("T&our of the pages"), Menu.HELP, "", "play"),
    Command("help.keys", tr("&Keyboard shortcuts"), Menu.HELP, "?", "keyboard", (), tr("All shortcuts")),
)


def with_shortcuts(commands: Iterable[Command], keys: Mapping[str, str]) -> tuple[Command, ...]:
    """Return the commands with the user's shortcuts applied.

    keys: shortcuts by command id; an empty shortcut means none.
    A shortcut that conflicts with another command is ignored. This can happen after an update adds commands.
    """
    standard = tuple(commands)
    chosen = dict(keys)
    while True:
        mapped = tuple(replace(c, key=chosen[c.id], also="") if c.id in chosen else c for c in standard)
        conflicting = {name for one, other, _ in clashes(mapped) for name in (one, other)} & set(chosen)
        if not conflicting:
            return mapped
        chosen = {name: key for name, key in chosen.items() if name not in conflicting}


def shortcut_error(commands: Iterable[Command], command_id: str, key: str) -> str:
    """Return why a shortcut cannot be assigned to a command; empty = it can."""
    known = {command.id: command for command in commands}
    if not key:
        return ""
    requested = replace(known[command_id], key=key, also="")
    name = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    if not requested.is_local and key in _RESERVED:
        return tr(
            "{name} is reserved for moving around in the window or in a text. Choose another key.", name=name
        )
    for other in known.values():
        if other.id != command_id and clashes((requested, other)):
            taken_by = plain_text(other.text)
            return tr(
                "{name} is already the key of “{taken_by}”. Choose another key or change that one first.",
                name=name,
                taken_by=taken_by,
            )
    return ""


def shortcut_table(commands: Iterable[Command] = COMMANDS) -> str:
    """Return all commands that have a shortcut in Markdown, a table for each page of the window."""
    rows: dict[str, list[str]] = {_EVERYWHERE: []}
    for command in commands:
        if sequences := [key for key in command.sequences() if not key.isEmpty()]:
            escaped = sequences[0].toString(QKeySequence.SequenceFormat.NativeText).replace("|", r"\|")
            row = f"| {escaped} | {plain_text(command.text)} |"
            for page in command.pages or (_EVERYWHERE,):
                rows.setdefault(page, []).append(row)
    tables = (
        "\n".join((f"### {_title(page)}", "", "| Key | Command |", "|---|---|", *listed))
        for page, listed in rows.items()
        if listed
    )
    return "\n\n".join(tables)


_EVERYWHERE = "everywhere"


def _title(page: str) -> str:
    return NAMES[page].full_title if page in NAMES else page.capitalize()


_applications: list[QApplication] = []


def standard_shortcuts() -> str:
    """Return the table of all commands with their default shortcuts, also in a program without a window."""
    if QApplication.instance() is None:  # Qt knows the platform's keys only while there is one
        _applications.append(QApplication(["pyramidion", "-platform", "offscreen"]))
    return shortcut_table()


def plain_text(text: str) -> str:
    """Return a command's label without mnemonic markers; ``&&`` is the sign itself."""
    return "&".join(part.replace("&", "") for part in text.split("&&"))


def clashes(commands: Iterable[Command]) -> list[tuple[str, str, str]]:
    """Return pairs of commands that share a shortcut on some page, as (id, id, shortcut)."""
    owners: dict[tuple[str, str], str] = {}
    by_key: dict[str, list[Command]] = {}
    for command in commands:
        for key in sorted({sequence.toString() for sequence in command.sequences()}):
            for other in by_key.setdefault(key, []):
                if not other.pages or not command.pages or set(other.pages) & set(command.pages):
                    owners.setdefault((other.id, command.id), key)
            by_key[key].append(command)
    return [(one, other, key) for (one, other), key in owners.items()]


@cache
def key_sequences(key: Key) -> tuple[QKeySequence, ...]:
    if isinstance(key, QKeySequence.StandardKey):
        return tuple(QKeySequence.keyBindings(key))
    return (QKeySequence(key),) if key else ()


EDITING_COMMANDS = frozenset(command.id for command in COMMANDS if command.edits)

TYPING_COMMANDS = frozenset(
    (
        *(f"pyramid.{verb}" for verb in ("new_scu", "label", "comment", "comment_contributor")),
        *(f"pyramid.{verb}" for verb in ("merge", "split", "move")),
        *(f"match.{verb}" for verb in ("reassign", "comment", "note")),
        *("topic.set", "rating.note", "rating.scales", "comparison.plan", "adjudicate.value"),
    )
)
"""Editing commands that open a field to type in; typing goes on for a moment when one is refused."""
