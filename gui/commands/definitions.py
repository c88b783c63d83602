"""Every command of the program: its words, its key, its menu, where it works.

No shortcut stands anywhere else. What a command does is said by pages and window, see
``gui/commands/registry.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from PySide6.QtGui import QKeySequence

Key = str | QKeySequence.StandardKey


class Menu(StrEnum):
    """The menus, in their order."""

    STUDY = "&Study"
    EDIT = "&Edit"
    VIEW = "&View"
    ANNOTATE = "&Annotate"
    SCORE = "S&core"
    COMPARE = "C&ompare"
    HELP = "&Help"


@dataclass(frozen=True, slots=True)
class Command:
    """Something that the user can have done.

    pages: where it works, empty = everywhere. hint: its words in the bar of keys, empty = not there.
    is_local: its key works only in widgets that it is attached to; elsewhere Space and Enter press buttons.
    section: commands of one menu with different sections are parted by a line.
    also: a second key for the same. submenu: of its menu, where it stands; empty = in the menu itself.
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

    def sequences(self) -> list[QKeySequence]:
        """Every key sequence that sets it off on this desktop."""
        return [*key_sequences(self.key), *key_sequences(self.also)]


_TOPICAL = ("texts", "pyramids", "matches", "ratings")
_ANNOTATING = ("pyramids", "matches")
_FINDING = ("texts", "pyramids", "matches", "score", "compare", "resample")
_LISTED = ("pyramids", "matches", "compare", "resample")
_ANNOTATE = Menu.ANNOTATE
_S = QKeySequence.StandardKey


def _on_pyramids(verb: str, text: str, key: Key, icon: str, hint: str = "") -> Command:
    return Command(f"pyramid.{verb}", text, _ANNOTATE, key, icon, ("pyramids",), hint, section=1)


def _on_matches(
    verb: str, text: str, key: Key, icon: str, hint: str = "", *, is_local: bool = False
) -> Command:
    return Command(f"match.{verb}", text, _ANNOTATE, key, icon, ("matches",), hint, is_local, section=2)


def _on_ratings(verb: str, text: str, key: Key, icon: str, hint: str = "") -> Command:
    return Command(f"rating.{verb}", text, _ANNOTATE, key, icon, ("ratings",), hint, section=2)


def _in_lists(verb: str, text: str, key: Key, icon: str) -> Command:
    return Command(f"list.{verb}", text, _ANNOTATE, key, icon, _LISTED, "Next, previous", section=3)


def _in_scus(command: str, text: str, key: Key, icon: str, *pages: str, also: str = "") -> Command:
    where = pages or ("pyramids", "matches")
    return Command(command, text, _ANNOTATE, key, icon, where, section=3, also=also, submenu="List of SCUs")


def _on_contributors(verb: str, text: str, key: Key, icon: str, hint: str = "") -> Command:
    return Command(
        f"pyramid.{verb}", text, _ANNOTATE, key, icon, ("pyramids",), hint, section=1, submenu="Contributors"
    )


def _on_parts(verb: str, text: str, key: Key, icon: str = "") -> Command:
    return Command(
        f"part.{verb}", text, _ANNOTATE, key, icon, _ANNOTATING, section=3, submenu="Span of a part"
    )


def _on_references(verb: str, text: str, key: Key, icon: str = "", hint: str = "") -> Command:
    return Command(
        f"reference.{verb}", text, Menu.VIEW, key, icon, ("pyramids",), hint, section=4, submenu="Re&ferences"
    )


def _line_width(letters: int, text: str) -> Command:
    return Command(f"view.line_{letters}", text, Menu.VIEW, section=3, submenu="Line widt&h")


def _exporting(what: str, text: str) -> Command:
    return Command(f"study.export_{what}", text, Menu.STUDY, "", "download", section=1, submenu="&Export")


_FIGURES = (
    ("scatter", "Scatter plot", ""),
    ("bars", "Bars with intervals", ""),
    ("likeness", "Metric–metric correlation", ""),
    ("significance", "Significant differences", ""),
    ("ranks", "Rank comparison", ""),
    ("distribution", "Distribution over topics", ""),
    ("disagreement", "Disagreement", "Disagreement"),
)

_MOVING = ("Tab", "Backtab", "Left", "Right", "Up", "Down", "Home", "End", "PgUp", "PgDown")
_RESERVED = frozenset(
    (
        *_MOVING,
        *(f"Shift+{key}" for key in _MOVING),
        *("Esc", "Return", "Enter", "Space", "Backspace", "Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X"),
    )
)
"""Keys that widgets need for themselves, in their portable names."""

COMMANDS: tuple[Command, ...] = (
    Command("study.new", "&New study…", Menu.STUDY, _S.New, "plus"),
    Command("study.open", "&Open a study…", Menu.STUDY, _S.Open, "open"),
    Command("study.sample", "Make the &sample study…", Menu.STUDY, "", "bulb"),
    Command("study.import", "&Import…", Menu.STUDY, "Ctrl+I", "import", section=1),
    _exporting("scores", "Scores…"),
    _exporting("judgements", "Judgements…"),
    _exporting("ratings", "Ratings…"),
    _exporting("scales", "Rating scales…"),
    _exporting("pyramids", "Pyramids for DUCView…"),
    Command("study.restore", "&Restore a backup…", Menu.STUDY, "", "refresh", section=1),
    Command("study.close", "&Close the study", Menu.STUDY, "Ctrl+W", "close", section=1),
    Command("app.settings", "Se&ttings…", Menu.STUDY, "Ctrl+,", "settings", section=2),
    Command("app.quit", "&Quit", Menu.STUDY, "Ctrl+Q", section=2),
    Command("edit.undo", "&Undo", Menu.EDIT, _S.Undo, "undo"),
    Command("edit.redo", "&Redo", Menu.EDIT, "Ctrl+Shift+Z", "redo"),
    Command("edit.copy_table", "&Copy the table", Menu.EDIT, "Ctrl+Shift+C", "copy", section=1),
    Command("edit.find", "&Find", Menu.EDIT, "/", "search", _FINDING, "Find", section=1, also="Ctrl+F"),
    Command("edit.search", "&Search the study…", Menu.EDIT, "Ctrl+Shift+F", "search", section=1),
    Command("edit.next_found", "&Next place found", Menu.EDIT, "F3", "chevron-down", section=1),
    Command("edit.previous_found", "&Previous place found", Menu.EDIT, "Shift+F3", "chevron-up", section=1),
    Command("view.overview", "&Overview", Menu.VIEW, "Ctrl+1", "overview"),
    Command("view.texts", "&Texts", Menu.VIEW, "Ctrl+2", "texts"),
    Command("view.pyramids", "&Pyramids", Menu.VIEW, "Ctrl+3", "pyramid"),
    Command("view.matches", "&Matches", Menu.VIEW, "Ctrl+4", "match"),
    Command("view.ratings", "&Ratings", Menu.VIEW, "Ctrl+8", "star"),
    Command("view.score", "&Score", Menu.VIEW, "Ctrl+5", "sigma"),
    Command("view.compare", "&Compare", Menu.VIEW, "Ctrl+6", "scatter"),
    Command("view.studies", "St&udies side by side", Menu.VIEW, "Ctrl+Shift+6", "columns"),
    Command("view.resample", "Resample", Menu.VIEW, "Ctrl+9", "refresh"),
    Command("view.report", "R&eport", Menu.VIEW, "Ctrl+7", "report"),
    Command("view.palette", "An&y command…", Menu.VIEW, "Ctrl+K", "search", section=1),
    Command("view.system", "Colours of the &desktop", Menu.VIEW, "", "settings", section=2),
    Command("view.light", "&Light", Menu.VIEW, "", "sun", section=2),
    Command("view.dark", "Dar&k", Menu.VIEW, "", "moon", section=2),
    Command("view.larger", "Lar&ger text", Menu.VIEW, "Ctrl++", section=3, also="Ctrl+="),
    Command("view.smaller", "Smaller te&xt", Menu.VIEW, "Ctrl+-", section=3),
    Command("view.usual", "Reset text size", Menu.VIEW, "Ctrl+0", section=3),
    Command("view.side_panel", "S&ide panel", Menu.VIEW, "F9", "panel-right", _ANNOTATING, section=3),
    Command("view.characters", "Select by c&haracters", Menu.VIEW, "F7", "characters", _TOPICAL, section=3),
    _line_width(0, "As wide as the panel"),
    _line_width(60, "60 letters"),
    _line_width(75, "75 letters"),
    _line_width(90, "90 letters"),
    Command("topic.previous", "Pr&evious topic", _ANNOTATE, "Ctrl+PgUp", "chevron-left", _TOPICAL, also="["),
    Command("topic.next", "&Next topic", _ANNOTATE, "Ctrl+PgDown", "chevron-right", _TOPICAL, also="]"),
    Command("topic.list", "Go to a topic…", _ANNOTATE, "Ctrl+G", "list", _TOPICAL, also="T"),
    Command("annotator.choose", "&Annotator…", _ANNOTATE, "", "user"),
    _on_pyramids("new_scu", "New &SCU of the selected words", "N", "plus", "New SCU"),
    _on_pyramids("add_contributor", "Add the words as &contributor", "A", "plus", "Add contributor"),
    _on_pyramids("add_part", "Keep the words as a &part", "P", "plus", "Add part"),
    _on_pyramids("merge", "&Merge with another SCU…", "M", "merge", "Merge"),
    _on_pyramids("remove", "&Remove", "R", "trash", "Remove"),
    _on_pyramids("remove_part", "Remove the par&t", "Del", "minus"),
    _on_pyramids("label", "Change the &label", "L", "tag", "Label"),
    _on_pyramids("comment", "C&omment on the SCU", "C", "comment"),
    _on_contributors("split", "Split into new SCU", "S", "split", "Split"),
    _on_contributors("move", "Move to another SCU…", "V", "move"),
    _on_contributors("comment_contributor", "Comment on the contributor", "Shift+C", "comment"),
    _on_contributors("previous_contributor", "Previous contributor", "<", "chevron-up", "Contributors"),
    _on_contributors("next_contributor", "Next contributor", ">", "chevron-down", "Contributors"),
    _on_pyramids("done", "Mark the pyramid &done", "Ctrl+D", "check"),
    _on_pyramids("done_next", "Mark done and go to the next topic", "Ctrl+Shift+D", "chevron-right"),
    _on_pyramids("findings", "&Findings", "F", "warning"),
    _on_pyramids("history", "&History", "Ctrl+H", "clock"),
    _on_pyramids("back", "Back to the pyramid as it is no&w", "", "clock"),
    _on_references("beside", "Side by side or stacked", "B", "texts"),
    _on_references("alone", "Focus this reference", "E", "expand"),
    _on_references("next", "Next", "Alt+Down", "chevron-down"),
    _on_references("previous", "Previous", "Alt+Up", "chevron-up"),
    _on_references("uncovered", "Uncovered words only", "U", "eye-off", "Uncovered only"),
    _on_references("next_uncovered", "Next uncovered words", ".", "chevron-down"),
    _on_references("previous_uncovered", "Previous uncovered words", ",", "chevron-up"),
    _on_references("all", "All", "Alt+0"),
    *(_on_references(f"only_{n}", f"Only number {n}", f"Alt+{n}") for n in range(1, 10)),
    _on_matches("match", "Match the &selected words", "Space", "check", "Match selected text", is_local=True),
    _on_matches(
        "match_without", "Match &without a span", "Return", "check", "Match without span", is_local=True
    ),
    _on_matches("again", "Matc&h again", "Shift+Space", "refresh", is_local=True),
    _on_matches("add_part", "Keep the words as a &part", "P", "plus", "Add part"),
    _on_matches("unmatch", "&Unmatch", "X", "close", "Unmatch"),
    _on_matches("outside", "Words are n&ot in the pyramid", "O", "minus", "Not in pyramid"),
    _on_matches("reassign", "Assign the unit to another S&CU…", "A", "match"),
    _on_matches("remove_part", "&Remove the part", "Del", "minus"),
    _on_matches("comment", "Comment on the unit", "Shift+C", "comment"),
    _on_matches("units", "Go to the list of units", "L", "list"),
    _on_matches("next_uncovered", "Next unmatched words", ".", "chevron-down"),
    _on_matches("previous_uncovered", "Previous unmatched words", ",", "chevron-up"),
    _on_matches("flag", "&Flag the summary", "F", "flag", "Flag"),
    _on_matches("note", "&Make a note", "C", "comment"),
    _on_matches("next_undone", "Next summary &to do", "U", "chevron-right", "Next undone"),
    _on_matches("next_flagged", "Next flagged summary", "Shift+F", "flag"),
    _on_matches("previous_summary", "Previous summar&y", "Alt+Left", "chevron-left"),
    _on_matches("next_summary", "Ne&xt summary", "Alt+Right", "chevron-right"),
    _on_matches("all", "One summary or a&ll", "V", "list"),
    _on_matches("done", "Mark the summary &done", "Ctrl+D", "check"),
    _on_matches("done_next", "Mark done and go to the next summary", "Ctrl+Shift+D", "chevron-right"),
    _on_ratings("next_undone", "Next summary &to rate", "U", "chevron-right", "Next unrated"),
    _on_ratings("previous_summary", "Previous summar&y", "Alt+Left", "chevron-left", "Previous, next"),
    _on_ratings("next_summary", "Ne&xt summary", "Alt+Right", "chevron-right", "Previous, next"),
    _on_ratings("clear", "Clear the &rating", "Del", "close", "Clear rating"),
    _on_ratings("scales", "Edit the s&cales…", "E", "settings"),
    _in_scus("pyramid.order", "Order the list…", "O", "sort", "pyramids"),
    _in_scus("match.order", "Order the list…", "Shift+O", "sort", "matches"),
    _in_scus("list.filter", "Filter the list…", "Ctrl+Shift+L", "filter"),
    _in_scus("list.fold", "Collapse or expand all weights", "H", "chevron-right"),
    _in_scus("list.close", "Close the tier", "-", "minus"),
    _in_scus("list.open", "Open the tier", "+", "plus", also="="),
    _on_parts("replace", "Replace it with the selected words", "Shift+P", "refresh"),
    _on_parts("start_out", "Start a word earlier", "Q"),
    _on_parts("start_in", "Start a word later", "Shift+Q"),
    _on_parts("end_out", "End a word later", "W"),
    _on_parts("end_in", "End a word earlier", "Shift+W"),
    Command("suggest.ask", "Su&ggest…", _ANNOTATE, "G", "bulb", ("pyramids", "matches"), section=3),
    _in_lists("next", "Next in the l&ist", "J", "chevron-down"),
    _in_lists("previous", "Pre&vious in the list", "K", "chevron-up"),
    Command("score.run", "&Score", Menu.SCORE, "Ctrl+Return", "play", ("score",), "Score"),
    Command("score.stop", "S&top scoring", Menu.SCORE, "", "stop"),
    Command("score.models", "&Models…", Menu.SCORE, "", "download", section=1),
    Command("score.indexes", "&Indexes…", Menu.SCORE, "", "search", section=1),
    Command("score.train", "T&rain a metric…", Menu.SCORE, "", "chip", ("score",), section=1),
    *(
        Command(
            f"compare.{view}",
            text,
            Menu.COMPARE,
            "D" if hint else f"Alt+{n}",
            "scatter",
            ("compare",),
            hint,
            submenu="&Look at",
            also=f"Alt+{n}" if hint else "",
        )
        for n, (view, text, hint) in enumerate(_FIGURES, 1)
    ),
    Command("compare.larger", "&Larger figure", Menu.COMPARE, "E", "expand", ("compare",), "Larger figure"),
    Command("compare.unmark", "&Unmark the systems", Menu.COMPARE, "U", "close", ("compare",)),
    Command("compare.formula", "&How numbers came about", Menu.COMPARE, "F", "info", ("compare",), "Formula"),
    Command("compare.needed", "How many are &needed?", Menu.COMPARE, "", "help", ("compare",)),
    Command("compare.save_figure", "Save the &figure…", Menu.COMPARE, "Ctrl+S", "download", ("compare",)),
    Command("compare.save_table", "Save the &table…", Menu.COMPARE, "Ctrl+Shift+S", "download", ("compare",)),
    Command("compare.add_figure", "&Add the figure to the report", Menu.COMPARE, "R", "report", ("compare",)),
    Command(
        "compare.add_table", "Add the ta&ble to the report", Menu.COMPARE, "Shift+R", "report", ("compare",)
    ),
    Command(
        "studies.add", "Add a st&udy…", Menu.COMPARE, "Ctrl+Shift+O", "plus", ("studies",), "Add", section=1
    ),
    Command(
        "studies.run",
        "&Compare the studies",
        Menu.COMPARE,
        "Ctrl+Return",
        "play",
        ("studies",),
        "Compare",
        section=1,
    ),
    Command(
        "studies.save",
        "Save the table or fig&ure…",
        Menu.COMPARE,
        "Ctrl+S",
        "download",
        ("studies",),
        section=1,
    ),
    Command("studies.report", "Add it t&o the report", Menu.COMPARE, "R", "report", ("studies",), section=1),
    Command(
        "resample.run",
        "&Run the experiment",
        Menu.COMPARE,
        "Ctrl+Return",
        "play",
        ("resample",),
        "Run",
        section=1,
    ),
    Command(
        "resample.save",
        "Sa&ve the table or figure…",
        Menu.COMPARE,
        "Ctrl+S",
        "download",
        ("resample",),
        section=1,
    ),
    Command("resample.add", "A&dd it to the report", Menu.COMPARE, "R", "report", ("resample",), section=1),
    Command(
        "report.write",
        "&Write the report…",
        Menu.COMPARE,
        "Ctrl+R",
        "report",
        ("report",),
        "Write the report",
        section=2,
    ),
    Command("help.open", "&Help", Menu.HELP, _S.HelpContents, "help"),
    Command("help.keys", "All &keys", Menu.HELP, "?", "keyboard", (), "All keys"),
)


def with_shortcuts(commands: Iterable[Command], keys: Mapping[str, str]) -> tuple[Command, ...]:
    """The commands with the keys that the user has chosen, by command id; an empty key = none.

    A choice that clashes, as with a command that a newer version brings, does not count.
    """
    standard = tuple(commands)
    chosen = dict(keys)
    while True:
        mapped = tuple(replace(c, key=chosen[c.id], also="") if c.id in chosen else c for c in standard)
        wrong = {name for one, other, _ in clashes(mapped) for name in (one, other)} & set(chosen)
        if not wrong:
            return mapped
        chosen = {name: key for name, key in chosen.items() if name not in wrong}


def shortcut_error(commands: Iterable[Command], command_id: str, key: str) -> str:
    """Why a command cannot have a key: a sentence; empty = it can."""
    known = {command.id: command for command in commands}
    if not key:
        return ""
    wanted = replace(known[command_id], key=key, also="")
    name = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    if not wanted.is_local and key in _RESERVED:
        return f"{name} moves through the window or a text. Choose another key."
    for other in known.values():
        if other.id != command_id and clashes((wanted, other)):
            taken_by = plain_text(other.text)
            return f"{name} is already the key of “{taken_by}”. Choose another key or change that one first."
    return ""


def plain_text(text: str) -> str:
    """A command's words without the sign for its letter."""
    return text.replace("&", "")


def clashes(commands: Iterable[Command]) -> list[tuple[str, str, str]]:
    """Pairs of commands that one key would set off at once, with the key."""
    found: dict[tuple[str, str], str] = {}
    by_key: dict[str, list[Command]] = {}
    for command in commands:
        for key in sorted({sequence.toString() for sequence in command.sequences()}):
            for other in by_key.setdefault(key, []):
                if not other.pages or not command.pages or set(other.pages) & set(command.pages):
                    found.setdefault((other.id, command.id), key)
            by_key[key].append(command)
    return [(one, other, key) for (one, other), key in found.items()]


def key_sequences(key: Key) -> list[QKeySequence]:
    """The key sequences that a command's key stands for on this desktop."""
    if isinstance(key, QKeySequence.StandardKey):
        return QKeySequence.keyBindings(key)
    return [QKeySequence(key)] if key else []


EDITING_COMMANDS = frozenset(
    (
        *("study.import", "edit.undo", "edit.redo"),
        *(f"pyramid.{verb}" for verb in ("new_scu", "add_contributor", "add_part", "merge", "remove")),
        *(f"pyramid.{verb}" for verb in ("remove_part", "label", "comment", "split", "move")),
        *("pyramid.comment_contributor", "pyramid.done"),
        *(f"match.{verb}" for verb in ("match", "match_without", "again", "add_part", "unmatch", "outside")),
        *(f"match.{verb}" for verb in ("reassign", "remove_part", "comment", "flag", "note", "done")),
        *("rating.clear", "rating.scales"),
        *(f"part.{verb}" for verb in ("replace", "start_out", "start_in", "end_out", "end_in")),
        *("suggest.ask", "score.run", "score.train", "resample.run", "resample.add"),
        *("compare.add_figure", "compare.add_table", "studies.report"),
    )
)
"""Commands that change the study; none of them can be chosen while it is open for reading only."""
