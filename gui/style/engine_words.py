"""Words of the engine for roles, kinds, states and languages, which the window shows in its own language.

The engine's results and messages stay English.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import cache, lru_cache

from PySide6.QtCore import QT_TR_NOOP

from core.formatting.tables import Cell, Column, Table
from core.text.languages import LANGUAGE_NAMES
from gui.style.language import is_translated, marked_text

_MARKED = (
    QT_TR_NOOP("manager"), QT_TR_NOOP("annotator"), QT_TR_NOOP("adjudicator"), QT_TR_NOOP("inactive"),
    QT_TR_NOOP("Annotator"), QT_TR_NOOP("Group"), QT_TR_NOOP("Status"), QT_TR_NOOP("Done"),
    QT_TR_NOOP("Days left"), QT_TR_NOOP("Last worked"), QT_TR_NOOP("Time"), QT_TR_NOOP("Rated"),
    QT_TR_NOOP("Pyramids"), QT_TR_NOOP("Matches"), QT_TR_NOOP("Nuggets"), QT_TR_NOOP("Hits"),
    QT_TR_NOOP("Ratings"), QT_TR_NOOP("Pairs"), QT_TR_NOOP("Flagged"), QT_TR_NOOP("Nugget hits"),
    QT_TR_NOOP("late"), QT_TR_NOOP("done"), QT_TR_NOOP("not begun"), QT_TR_NOOP("today"),
    QT_TR_NOOP("yesterday"), QT_TR_NOOP("{n} days ago"), QT_TR_NOOP("{n} of {total}"),
    QT_TR_NOOP(
        "Late: at the pace of the last {days} days with work, more than twice as many days are left as the "
        "others' median, or nothing was done for {idle} days."
    ),
    QT_TR_NOOP("Pyramids, nuggets: topics marked done, of those begun."),
    QT_TR_NOOP("Matches, hits, rated: summaries."),
    QT_TR_NOOP("Time: from edit to edit, without pauses."), QT_TR_NOOP("Imported work has none."),
    QT_TR_NOOP("Ratings of {scale}"), QT_TR_NOOP("Pairs: {plan}"),
    QT_TR_NOOP("reliable"), QT_TR_NOOP("tentative"), QT_TR_NOOP("too low to rely on"),
    QT_TR_NOOP("nothing to compare"), QT_TR_NOOP("undefined"),
    QT_TR_NOOP("{alpha}, interval {low} to {high}; thresholds {tentative} and {reliable}"),
    QT_TR_NOOP("{alpha}; thresholds {tentative} and {reliable}"),
    QT_TR_NOOP("Summary {n} of {total}"), QT_TR_NOOP("Comparison {n} of {total}"),
    QT_TR_NOOP("{place} · pyramid of {owner}"), QT_TR_NOOP("{place} · nuggets of {owner}"),
    QT_TR_NOOP("Mean ({mean})"), QT_TR_NOOP("All marks"), QT_TR_NOOP("All words of both"),
    QT_TR_NOOP("No rating"), QT_TR_NOOP("No match"), QT_TR_NOOP("No answer"), QT_TR_NOOP("Merge"),
    QT_TR_NOOP("Drop"), QT_TR_NOOP("Tie"), QT_TR_NOOP("tie"), QT_TR_NOOP("In both pyramids"),
    QT_TR_NOOP("Of both annotators"), QT_TR_NOOP("Only {annotator}"), QT_TR_NOOP("no such SCU"),
    QT_TR_NOOP("no such nugget"), QT_TR_NOOP("no such unit"), QT_TR_NOOP("matched"), QT_TR_NOOP("found"),
    QT_TR_NOOP("not matched"), QT_TR_NOOP("not found"), QT_TR_NOOP("in part"), QT_TR_NOOP("noted"),
    QT_TR_NOOP("not noted"), QT_TR_NOOP("weight {n}"), QT_TR_NOOP("no marks"), QT_TR_NOOP("none"),
    QT_TR_NOOP("nothing yet"), QT_TR_NOOP("to decide"), QT_TR_NOOP("decide later"), QT_TR_NOOP("agreed"),
    QT_TR_NOOP("agreed, not merged yet"), QT_TR_NOOP("changed since it was decided"),
    QT_TR_NOOP("Prefers {summary}"), QT_TR_NOOP("{values}, other words"), QT_TR_NOOP("{one} : {other}"),
    QT_TR_NOOP("installed with the program"), QT_TR_NOOP("not installed"), QT_TR_NOOP("installed"),
    QT_TR_NOOP("the hub's hash"), QT_TR_NOOP("a known hash"), QT_TR_NOOP("the first download"),
    QT_TR_NOOP("added"), QT_TR_NOOP("downloaded"), QT_TR_NOOP("damaged"),
    QT_TR_NOOP("Afrikaans"), QT_TR_NOOP("Amharic"), QT_TR_NOOP("Arabic"), QT_TR_NOOP("Azerbaijani"),
    QT_TR_NOOP("Belarusian"), QT_TR_NOOP("Bulgarian"), QT_TR_NOOP("Bengali"), QT_TR_NOOP("Bosnian"),
    QT_TR_NOOP("Catalan"), QT_TR_NOOP("Czech"), QT_TR_NOOP("Welsh"), QT_TR_NOOP("Danish"),
    QT_TR_NOOP("German"), QT_TR_NOOP("Greek"), QT_TR_NOOP("English"), QT_TR_NOOP("Spanish"),
    QT_TR_NOOP("Estonian"), QT_TR_NOOP("Basque"), QT_TR_NOOP("Persian"), QT_TR_NOOP("Finnish"),
    QT_TR_NOOP("French"), QT_TR_NOOP("Irish"), QT_TR_NOOP("Galician"), QT_TR_NOOP("Gujarati"),
    QT_TR_NOOP("Hausa"), QT_TR_NOOP("Hebrew"), QT_TR_NOOP("Hindi"), QT_TR_NOOP("Croatian"),
    QT_TR_NOOP("Hungarian"), QT_TR_NOOP("Armenian"), QT_TR_NOOP("Indonesian"), QT_TR_NOOP("Icelandic"),
    QT_TR_NOOP("Italian"), QT_TR_NOOP("Japanese"), QT_TR_NOOP("Georgian"), QT_TR_NOOP("Kazakh"),
    QT_TR_NOOP("Khmer"), QT_TR_NOOP("Kannada"), QT_TR_NOOP("Korean"), QT_TR_NOOP("Lao"),
    QT_TR_NOOP("Lithuanian"), QT_TR_NOOP("Latvian"), QT_TR_NOOP("Macedonian"), QT_TR_NOOP("Malayalam"),
    QT_TR_NOOP("Marathi"), QT_TR_NOOP("Malay"), QT_TR_NOOP("Burmese"), QT_TR_NOOP("Norwegian Bokmål"),
    QT_TR_NOOP("Nepali"), QT_TR_NOOP("Dutch"), QT_TR_NOOP("Norwegian Nynorsk"), QT_TR_NOOP("Punjabi"),
    QT_TR_NOOP("Polish"), QT_TR_NOOP("Pashto"), QT_TR_NOOP("Portuguese"), QT_TR_NOOP("Romanian"),
    QT_TR_NOOP("Russian"), QT_TR_NOOP("Sinhala"), QT_TR_NOOP("Slovak"), QT_TR_NOOP("Slovenian"),
    QT_TR_NOOP("Somali"), QT_TR_NOOP("Albanian"), QT_TR_NOOP("Serbian"), QT_TR_NOOP("Swedish"),
    QT_TR_NOOP("Swahili"), QT_TR_NOOP("Tamil"), QT_TR_NOOP("Telugu"), QT_TR_NOOP("Thai"),
    QT_TR_NOOP("Turkish"), QT_TR_NOOP("Ukrainian"), QT_TR_NOOP("Urdu"), QT_TR_NOOP("Uzbek"),
    QT_TR_NOOP("Vietnamese"), QT_TR_NOOP("Yoruba"), QT_TR_NOOP("Chinese"), QT_TR_NOOP("Zulu"),
    QT_TR_NOOP("Undetermined, not in Latin letters"),
)  # fmt: skip
_WORDS = frozenset(map(str, _MARKED))
_NESTED = ("place", "values", "one", "other")
"""Fields with words of the engine; others have numbers, or names and texts, which are shown as they are."""
_NUMBERS = ("n", "total", "days", "idle", "mean", "alpha", "low", "high", "tentative", "reliable")


def engine_words(text: str) -> str:
    """Return words of the engine in the language of the window; other texts as they are."""
    if text in _WORDS or not is_translated():
        return marked_text(text)
    words, fields = _found(text)
    if words:
        nested = {key: engine_words(fields[key]) for key in _NESTED if key in fields}
        return marked_text(words).format_map({**fields, **nested})
    if len(sentences := re.split(r"(?<=\.) ", text)) > 1:
        return " ".join(map(engine_words, sentences))
    lower = text[:1].lower() + text[1:]
    return text if lower not in _WORDS else (known := marked_text(lower))[:1].upper() + known[1:]


@lru_cache(maxsize=4096)
def _found(text: str) -> tuple[str, Mapping[str, str]]:
    """Return the words that a text is made of, with its fields; empty = none."""
    for pattern, words in _patterns():
        if (match := pattern.fullmatch(text)) is not None:
            return words, match.groupdict()
    return "", {}


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Return the words with fields, each with an expression that finds the fields."""
    return [
        (re.compile(re.sub(r"\\\{(\w+)\\\}", _field, re.escape(words)), re.DOTALL), words)
        for words in _WORDS
        if "{" in words
    ]


def _field(found: re.Match[str]) -> str:
    return f"(?P<{found[1]}>{r'[^A-Za-z“]+' if found[1] in _NUMBERS else '.+?'})"


def language_names() -> list[tuple[str, str]]:
    """Return the code and name of each language that texts may have, by name."""
    names = ((code, engine_words(name)) for code, name in LANGUAGE_NAMES.items())
    return sorted(names, key=lambda pair: pair[1])


def engine_table(table: Table, names: Collection[str]) -> Table:
    """Return a table of states in the language of the window. names: keys of columns with names of people."""

    def cell(column: Column, value: Cell) -> Cell:
        return engine_words(value) if isinstance(value, str) and column.key not in names else value

    columns = tuple(replace(column, title=engine_words(column.title)) for column in table.columns)
    rows = tuple(tuple(map(cell, table.columns, row)) for row in table.rows)
    return replace(table, columns=columns, rows=rows, note=engine_words(table.note))
