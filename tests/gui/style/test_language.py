"""Texts of the window: marked for translation, complete in each language; plural forms and numbers."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import pytest
from PySide6.QtCore import QTranslator

from core.agreement.verdicts import Verdict
from core.domain.assignment import Role, Work
from core.domain.pyramid import UnitKind
from core.models.library.inventory import Availability
from core.text.languages import LANGUAGE_NAMES
from gui.style import language
from gui.style.engine_words import engine_words, language_names
from gui.style.language import LANGUAGES, in_terms_of, tr

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "resources" / "translations"
SHOWN = {
    "Command", "ElidedLabel", "Label", "PageName", "Panel", "QCheckBox", "addAction", "add_field", "add_tab",
    "icon_button", "link_button", "menu_button", "plain_button", "plain_tip", "primary_button",
    "quiet_button", "setAccessibleDescription", "setAccessibleName", "setPlaceholderText", "setText",
    "setToolTip", "setWindowTitle", "set_fact", "set_title", "show_message",
}  # fmt: skip
"""Functions that show their arguments."""
_NAMES = r"Del\w*|Esc|F\d+|Home|End|Pg\w+|Return|Space|Tab|Up|Down|Left|Right"
_KEY = re.compile(rf"((Ctrl|Shift|Alt)\+)*(\W|\w|{_NAMES})|Pyramidion|Mu")
_FIELD = re.compile(r"\{\{|\}\}|\{[^{}]*\}|%n")


Call = tuple[str, ast.Call, str]


@pytest.fixture(scope="module")
def trees() -> dict[str, ast.Module]:
    """The modules of the window by their paths."""
    paths = sorted((ROOT / "gui").rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


@pytest.fixture(scope="module")
def calls(trees: dict[str, ast.Module]) -> list[Call]:
    """Every call with its place and the name of the function."""
    return [
        (f"{path}:{node.lineno}", node, getattr(node.func, "attr", getattr(node.func, "id", "")))
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
    ]


@pytest.fixture(scope="module")
def marked(calls: list[Call]) -> Counter[tuple[str, bool]]:
    """The texts marked by `tr` or for `engine_words`, and whether they are counted."""
    return Counter(
        (node.args[0].value, len(node.args) > 2)
        for place, node, name in calls
        if name in ("tr", "QT_TR_NOOP")
        and isinstance(node.args[0], ast.Constant)
        and "style/language" not in place
    )


def messages(code: str) -> list[ElementTree.Element]:
    return list(ElementTree.parse(FOLDER / f"{code}.ts").iter("message"))


def text_of(message: ElementTree.Element, tag: str) -> str:
    return message.findtext(tag) or ""


def forms(message: ElementTree.Element) -> list[str]:
    translation = message.find("translation")
    assert translation is not None
    return [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]


@pytest.fixture
def german():
    language.use("de")
    yield
    language.use("en")


def test_every_text_that_is_shown_is_marked(calls) -> None:
    shown = [
        (place, argument.value)
        for place, node, name in calls
        if name in SHOWN
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]
    words = [(place, text) for place, text in shown if re.match(r"&?[A-Z][a-z&]|.*[a-z] [a-z]", text)]
    assert [(place, text) for place, text in words if not _KEY.fullmatch(text)] == []


def test_every_marked_text_is_a_literal(calls) -> None:
    """lupdate finds no other."""
    assert [place for place, node, name in calls if name == "tr" and not is_literal(node)] == []


def test_no_marked_text_is_inside_an_f_string(trees) -> None:
    """lupdate does not look there."""
    inside = [
        f"{path}:{node.lineno}"
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and getattr(part.func, "id", "") == "tr"
    ]
    assert inside == []


def is_literal(node: ast.Call) -> bool:
    first = node.args[0]
    return isinstance(first, ast.Constant) and isinstance(first.value, str)


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_a_translation_is_complete(code, marked) -> None:
    known = {(text_of(one, "source"), one.get("numerus") == "yes") for one in messages(code)}
    assert set(marked) - known == set(), "run: make translations"
    assert {source for source, _ in known - set(marked)} == {"SCU=nugget|SCUs=nuggets"}
    wrong = {}
    for message in messages(code):
        source = text_of(message, "source")
        fields = sorted(_FIELD.findall(source))
        for form in forms(message):
            faults = (
                not form,
                sorted(_FIELD.findall(form)) != fields,
                form.count("&") != source.count("&"),
                (form[:1] == " ", form[-1:] == " ") != (source[:1] == " ", source[-1:] == " "),
            )
            if any(faults) and "=nugget" not in source:
                wrong[source] = form
    assert wrong == {}


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_compiled_file_has_the_translations(code) -> None:
    compiled = QTranslator()
    assert compiled.load(str(FOLDER / f"{code}.qm"))
    for message in messages(code):
        source, comment = text_of(message, "source"), text_of(message, "comment")
        is_counted = message.get("numerus") == "yes"
        for form, count in zip(forms(message), (1, 2) if is_counted else (-1,), strict=True):
            assert compiled.translate("", source, comment, count) == form


def test_english_has_a_singular_of_every_counted_text(marked) -> None:
    counted = {source for source, is_counted in marked if is_counted}
    assert {text_of(one, "source") for one in messages("en")} == counted
    assert tr("%n topics", "", 1) == "1 topic"
    assert tr("%n summaries", "", 1234) == "1,234 summaries"


def test_values_replace_names_and_ids_of_commands_stay() -> None:
    assert tr("{name} has {share:.0%}", name="A", share=0.5) == "A has 50%"
    assert tr("press {pyramid.merge}") == "press {pyramid.merge}"


def test_numbers_and_plurals_are_those_of_the_language(german) -> None:
    assert tr("%n topics", "", 1234) == "1.234 Themen"
    assert tr("%n topics", "", 1) == "1 Thema"
    assert tr("{name} of {total:,}", name="1,5", total=1234567.5).endswith("1.234.567,5")


def test_texts_on_scus_have_the_terms_of_nuggets_in_german_too(german) -> None:
    assert in_terms_of(UnitKind.NUGGET, "SCUs") == "Nuggets"
    assert in_terms_of(UnitKind.SCU, "SCUs") == "SCUs"


def printed(code: str, chosen: str, folder: Path) -> str:
    """Return what code prints that has a window in a language.

    Texts are read with the modules, so the language is chosen in a process of its own.
    """
    begin = """
import sys
from pathlib import Path
from gui.style import language
language.use(sys.argv[1])
from PySide6.QtWidgets import QApplication
from gui.app import build_window
app = QApplication([])
language.install(app)
controller, window = build_window(app, Path(sys.argv[2]))
"""
    return subprocess.run(
        [sys.executable, "-c", begin + code, chosen, str(folder / "settings.json")],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
    ).stdout


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_rail_has_room_for_the_progress_of_every_page_at_each_text_size(code, tmp_path) -> None:
    lacking = """
from core.domain.assignment import Work
from gui.commands.definitions import NAMES
from gui.shell.dialogs import TEXT_PERCENTS
from gui.style import theme
from gui.style.theme import TIGHT
window.resize(1280, 800)
window.show()
window.rail.show()
for percent in TEXT_PERCENTS:
    theme.apply(app, "light", percent)
    window.rail.set_narrow(False)
    app.processEvents()
    for page in {NAMES[work].page for work in Work}:
        button = window.rail.button(page)
        button.show_progress("1600/1600")
        if not button.progress_text(button.width() - button.sizeHint().width() - TIGHT):
            print(percent, page)
"""
    assert printed(lacking, code, tmp_path) == ""


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_a_text_with_and_without_a_mnemonic_is_one_word(code) -> None:
    """So a page has one name in rail and header. Hints may be shorter, and *View* is a verb too."""
    words: dict[str, set[str]] = {}
    for one in messages(code):
        if one.get("numerus") != "yes" and not text_of(one, "comment"):
            words.setdefault(text_of(one, "source").replace("&", ""), set()).add(
                forms(one)[0].replace("&", "")
            )
    several = {text for text, translations in words.items() if len(translations) > 1}
    assert several == {"View", "Next to confirm", "Next to answer"}


def test_words_of_the_engine_are_those_of_the_language(german) -> None:
    assert engine_words("manager") == "Leitung"
    assert engine_words("Late") == "Verspätet"
    assert engine_words("3 days ago") == "vor 3 Tagen"
    assert engine_words("Ratings of matched") == "Bewertungen auf matched", "the name of a scale"
    assert engine_words("matched : not matched") == "zugeordnet : nicht zugeordnet"
    assert engine_words("Imported work has none. Matches, hits, rated: summaries.").startswith("Importierte")
    for names in ("“the loss of life”", "Loss of life", "Ann. Ben", "Ann", ""):
        assert engine_words(names) == names


def test_roles_and_states_of_the_engine_are_words_of_the_window(german) -> None:
    ones = (*Role, *Verdict, *Availability, *(work.heading for work in Work))
    assert [one for one in ones if engine_words(one) == one] == ["Nuggets"]


def test_names_of_languages_are_words_of_the_window(german, marked) -> None:
    assert dict(language_names())["de"] == "Deutsch"
    assert set(LANGUAGE_NAMES.values()) <= {source for source, _ in marked}


def test_a_window_in_german_has_german_pages_and_menus(tmp_path) -> None:
    code = """
print(*dict.fromkeys(window.page_titles.values()), sep="|")
from gui.commands.definitions import COMMANDS, Menu
for menu in Menu:
    for page in window.page_keys:
        here = [c for c in COMMANDS if c.menu is menu and (not c.pages or page in c.pages)]
        texts = [*(c.text for c in here if not c.submenu), *{c.submenu for c in here if c.submenu}]
        letters = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert len(letters) == len(set(letters)), (menu, page, texts)
print(window.minimumSizeHint().width() <= 1280)
"""
    pages, fits = printed(code, "de", tmp_path).splitlines()
    assert pages.split("|")[:3] == ["Überblick", "Texte", "Pyramiden: Erstellen"]
    assert fits == "True"
