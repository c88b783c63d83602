"""Guess what the columns of a foreign table contain, from their names and first values."""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, cached_property
from importlib import resources
from typing import Any
from unicodedata import combining, normalize

from core.errors import InputError
from core.formatting.numbers import pluralize
from core.names import first_names, resolve_name
from core.numerals import parse_number

ROW_NUMBER = "#"
"""Assigned to the topic instead of a column: each row is a topic of its own."""


class Role(StrEnum):
    """Content of a column.

    SUMMARY, REFERENCE and DOCUMENT may name the system, author or document; RATING names the dimension (and
    the annotator), SCORE the measure. Ratings by a JUDGE, which is a model, are scores such as
    ``gpt-4o.coherence``: the column names it, or has its ratings where JUDGE has a name. Rows are left out
    whose column REJECTED has this word.
    """

    IGNORE = "ignore"
    TOPIC = "topic"
    TITLE = "title"
    QUERY = "query"
    SET = "set"
    DOCUMENT = "document"
    REFERENCE = "reference"
    AUTHOR = "author"
    SYSTEM = "system"
    SUMMARY = "summary"
    JUDGE = "judge"
    ANNOTATOR = "annotator"
    GROUP = "group"
    RATING = "rating"
    SCORE = "score"
    DIMENSION = "dimension"
    MEASURE = "measure"
    VALUE = "value"
    NOTE = "note"
    REJECTED = "rejected"


REJECTED = "Rejected"
"""Word of rows that are left out, in a column of the role REJECTED."""

_OF_BATCHES = (Role.ANNOTATOR, Role.REJECTED)
"""Roles of the columns of a batch that have no content."""

NAMED = (Role.DOCUMENT, Role.REFERENCE, Role.SUMMARY, Role.JUDGE, Role.RATING, Role.SCORE)
"""Roles that several columns may have, with different names."""
_NEED_NAME = (Role.RATING, Role.SCORE)
_OF_PEOPLE = (Role.RATING, Role.VALUE)
"""Roles of columns that may be of one annotator each."""


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """Reading of a column.

    name: of the system, author, document, judge, dimension or measure; empty = that of the row, or the usual
    one.
    annotator: who made the ratings of the column, empty = that of the row.
    scale: limits of the ratings, None = those of the table.
    why: the reason of the guess, such as ``heading`` or ``2 words``.
    """

    column: str
    role: Role = Role.IGNORE
    name: str = ""
    annotator: str = ""
    is_guessed: bool = True
    scale: tuple[float, float] | None = None
    why: str = field(default="", compare=False)

    @property
    def detail(self) -> str:
        """The names of the role: ``coherence (1-5)@ann``."""
        limits = " ({:g}-{:g})".format(*self.scale) if self.scale is not None else ""
        return f"{self.name}{limits}" + (f"@{self.annotator}" if self.annotator else "")

    @property
    def key(self) -> str:
        """The role with its names, as written for ``--map``."""
        if self.role is Role.IGNORE:
            return f"{self.role}:{self.column}"
        return f"{self.role}:{self.detail}" if self.detail else self.role.value


@dataclass(frozen=True, slots=True)
class Question:
    """Something that cannot be guessed.

    column: empty = about the whole table. option: of the command line that answers it.
    """

    column: str
    what: str
    remedy: str
    option: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """The use of every column in order, and what is unclear.

    topic_is_row: topics are the numbers of the rows.
    topic_texts: column whose different texts are the topics, empty = another one names them.
    answers: columns of ratings that are words such as yes and no.
    """

    uses: tuple[ColumnUse, ...]
    questions: tuple[Question, ...] = ()
    topic_is_row: bool = False
    answers: frozenset[str] = frozenset()
    topic_texts: str = ""
    _by_role: dict[Role, list[ColumnUse]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        by_role: dict[Role, list[ColumnUse]] = {role: [] for role in Role}
        for use in self.uses:
            by_role[use.role].append(use)
        object.__setattr__(self, "_by_role", by_role)

    def of(self, role: Role) -> Sequence[ColumnUse]:
        """Return the columns of a role."""
        return self._by_role[role]

    def column(self, role: Role) -> str:
        """Return the only column of a role that names what its row is about, empty = none."""
        found = [use for use in self.of(role) if role is not Role.JUDGE or not use.name]
        return found[0].column if found else ""


@dataclass(frozen=True, slots=True)
class _Words:
    """Names by which columns are recognized, of ``resources/wordlists/columns.toml``.

    roles: names by role, the most specific first. answers: numbers by word, on a scale from 0 to 1.
    language_models: how the names of language models begin.
    """

    dimensions: frozenset[str]
    foreign_dimensions: frozenset[str]
    metrics: tuple[str, ...]
    noise: frozenset[str]
    counted: frozenset[str]
    answers: Mapping[str, int]
    language_models: tuple[str, ...]
    roles: Mapping[Role, Sequence[Sequence[str]]]


@cache
def _words() -> _Words:
    text = (resources.files("resources") / "wordlists" / "columns.toml").read_text(encoding="utf-8")
    known = tomllib.loads(text)
    roles = {Role(role): ranks for role, ranks in known["roles"].items()}
    sets = (frozenset(known[name]) for name in ("dimensions", "foreign_dimensions", "noise", "counted"))
    own, foreign, noise, counted = sets
    metrics, models = tuple(known["metrics"]), tuple(known["language_models"])
    return _Words(own, foreign, metrics, noise, counted, known["answers"], models, roles)


_USUAL_SCALE, _ANSWERS = (1.0, 5.0), (0.0, 1.0)
_LONGEST_TITLE = 200
"""Characters of a heading that can end with a scale."""
_SCALE = re.compile(
    r"^(?P<name>.*?)\s*(?:[(\[](?P<inside>[^()\[\]]{1,80})[)\]]"
    r"|(?<![\d.])(?P<low>[0-9]{1,3})\s*(?:[-–—]|to|bis|à)\s*(?P<high>[0-9]{1,3}))\s*$"
)
_NUMBER = re.compile(r"(?<![\w.])-?[0-9]{1,4}(?:\.[0-9]{1,3})?")
_PERSON = re.compile(
    r"(?:annotators?|ann|raters?|workers?|judges?|experts?|turkers?|evaluators?|participants?|users?|[arwhe])?"
    r"-?\d{1,3}|[a-z]"
)
_MEANS = {"mean", "avg", "average", "median", "total", "aggregated", "majority"}
_SYSTEM_COLUMN = re.compile(
    r"(?:systems?|models?|sys|summary|summaries|hyp|hypothesis|outputs?|candidates?)_(?P<name>.+)"
)
_REFERENCE_COLUMN = re.compile(r"(?:reference|ref|gold|reference_summary|human_summary)_?(?P<name>\d+|[a-z])")
_NOT_A_NAME = {"id", "name", "length", "len", "words", "tokens", "type", "url", "path", "count", "rank"}
_LISTED, _LONGEST_NAME = 20, 60
"""Columns that a message lists, and characters of each."""
_WORDS_OF_TEXT = 4
"""Mean number of words from which a column is a column of texts."""


def is_named(column: str, role: Role) -> bool:
    """Return whether a column has a usual name of a role."""
    return any(normal(column) in names for names in _words().roles[role])


def answers() -> Mapping[str, int]:
    """Return the numbers of words such as yes and no, on a scale from 0 to 1."""
    return _words().answers


def normal(name: str) -> str:
    """Return a column's name in lower case, without accents, with underscores between its words."""
    plain = "".join(sign for sign in normalize("NFKD", name.strip()) if not combining(sign))
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", plain)
    return re.sub(r"[\W_]+", "_", parted.casefold()).strip("_")


def split_scale(name: str) -> tuple[str, tuple[float, float] | None]:
    """Return a name without the rating scale at its end, and the scale: ``fluency (1-5)``.

    The scale is two numbers in brackets, the lower one first, or two joined ones; None = there is none.
    """
    found = _SCALE.match(name) if len(name) <= _LONGEST_TITLE else None  # longer ones would take long
    if found is None or not found["name"].strip():
        return name, None
    if found["inside"] is not None:
        numbers = [
            float(number) for number in _NUMBER.findall(found["inside"].replace("–", " ").replace("—", " "))
        ]
    else:
        numbers = [float(found["low"]), float(found["high"])]
    if len(numbers) != 2 or numbers[0] >= numbers[1]:
        return name, None
    return found["name"].strip(" :,;_-"), (numbers[0], numbers[1])


def listed_names(names: Sequence[str]) -> str:
    """Return names for a message: the first ones, shortened."""
    shown = [name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…" for name in names]
    return first_names(shown, _LISTED)


_FIELD = re.compile(r"(?:Input|Answer)\.(?=\w)")
"""Beginning of the columns with content in a batch of Mechanical Turk; its others keep the books."""
_OF_BATCH = re.compile(r"Input\.\w|HITId$")
"""Columns by which a batch is known from a table of answers alone."""
_FEW = 3
"""Rows from which a column with the same value in each is no content."""


@dataclass(frozen=True)
class _Column:
    """A column with its values that are not empty; every rule asks it. rows: how many rows there are."""

    name: str
    values: tuple[Any, ...]
    rows: int = 1

    @cached_property
    def title(self) -> str:
        """The name without what a program puts before it."""
        return _FIELD.sub("", self.name)

    @cached_property
    def normal(self) -> str:
        return normal(self.title)

    @cached_property
    def is_constant(self) -> bool:
        """Whether all of several rows have the same value."""
        texts = {json.dumps(value, default=str) for value in self.values}
        return len(texts) == 1 and len(self.values) == self.rows >= _FEW

    @cached_property
    def is_answer(self) -> bool:
        """Whether values are words such as yes and no."""
        words = (str(value).strip().casefold() for value in self.values)
        return bool(self.values) and not self.is_numeric and all(one in _words().answers for one in words)

    @cached_property
    def is_numeric(self) -> bool:
        return bool(self.values) and all(numbers_of(value) is not None for value in self.values)

    @cached_property
    def is_text(self) -> bool:
        """Whether values are texts of several words, or lists of them."""
        words = [len(_joined(value).split()) for value in self.values]
        return bool(words) and not self.is_numeric and sum(words) / len(words) >= _WORDS_OF_TEXT

    @cached_property
    def has_lists(self) -> bool:
        return any(isinstance(value, list) for value in self.values)


def _joined(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(_joined, value))
    if isinstance(value, Mapping):
        return _joined(value.get("text", ""))
    return value if isinstance(value, str) else ""


def numbers_of(value: Any) -> list[float] | None:
    """Return the numbers of a cell: one, or a list of several (also as text); None = it has others."""
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("[") and len(text) < 1000:
            try:
                value = json.loads(text)
            except (ValueError, RecursionError):
                return None
        else:
            value = text
    read = [parse_number(one) for one in (value if isinstance(value, list) else [value])]
    found = [number for number in read if number is not None]
    return found if found and len(found) == len(read) else None


def parse_use(key: str, column: str) -> ColumnUse:
    """Return the use that an assignment such as ``rating:coherence@ann`` gives to a column.

    Raises InputError for an unknown role, or a name where there is none.
    """
    role_name, _, rest = key.partition(":")
    role = Role(resolve_name("role of a column", role_name, Role))
    if role is Role.IGNORE:
        return ColumnUse(column, is_guessed=False)
    name, _, annotator = rest.rpartition("@") if role in _OF_PEOPLE and "@" in rest else (rest, "", "")
    scale = None
    if role is Role.RATING:
        name, scale = split_scale(name)
    if name and role not in NAMED:
        raise InputError(f"{role} has no name. Write {role}=COLUMN.")
    if role in _NEED_NAME and not name:
        raise InputError(f"{role} needs a name, such as {role}:quality. Write {role}:NAME=COLUMN.")
    return ColumnUse(column, role, name, annotator, is_guessed=False, scale=scale)


def reading_of(
    columns: Sequence[str],
    rows: Sequence[Mapping[str, Any]],
    assigned: Mapping[str, str],
    *,
    is_data_set: bool = False,
) -> Reading:
    """Return how the columns of a table are read.

    rows: the first ones. assigned: column by role, as in ``--map``; other columns are guessed.
    is_data_set: the table is a data set for training, whose ``summary`` is a reference.
    Raises InputError for an unknown role or column.
    """
    topic_is_row = assigned.get(Role.TOPIC) == ROW_NUMBER
    fixed = [
        parse_use(key, resolve_name("column", column, columns))
        for key, column in assigned.items()
        if column != ROW_NUMBER
    ]
    if len({use.column for use in fixed}) < len(fixed):
        raise InputError("A column has two roles. Assign each column once.")
    known = {use.column: use for use in fixed}
    taken = {use.role for use in fixed if use.role not in NAMED} | ({Role.TOPIC} if topic_is_row else set())
    every = [
        _Column(name, tuple(row[name] for row in rows if row.get(name) not in (None, "", [])), len(rows))
        for name in columns
    ]
    by_name = {column.name: column for column in every}
    open_columns = [column for column in every if column.name not in known]
    guessed, questions = _guess(open_columns, fixed, taken, is_data_set=is_data_set)
    found = [known.get(name) or guessed.get(name) or ColumnUse(name) for name in columns]
    answers = {use.column for use in found if use.role is Role.RATING and by_name[use.column].is_answer}
    scaled = (
        replace(use, scale=_ANSWERS) if use.column in answers and not use.scale else use for use in found
    )
    uses = tuple(replace(use, why=_why(by_name[use.column], use)) for use in scaled)
    roles = {use.role for use in uses} | taken
    documents = [use.column for use in uses if use.role is Role.DOCUMENT and by_name[use.column].is_text]
    texts = documents[0] if len(documents) == 1 and Role.TOPIC not in roles else ""
    reading = Reading(uses, tuple(questions), topic_is_row, frozenset(answers), texts)
    return replace(reading, questions=(*questions, *_gaps(reading, rows)))


def _guess(
    columns: Sequence[_Column], fixed: Sequence[ColumnUse], taken: set[Role], *, is_data_set: bool
) -> tuple[dict[str, ColumnUse], list[Question]]:
    """Return the uses of columns that are not assigned, and questions where two have the same claim."""
    found: dict[str, ColumnUse] = {}
    questions: list[Question] = []
    has_named = {use.role for use in fixed}
    by_claim: dict[Role, list[tuple[int, _Column]]] = defaultdict(list)
    is_batch = any(_OF_BATCH.match(column.name) for column in columns)
    for column in columns:
        if is_batch and not _FIELD.match(column.name):
            roles: Sequence[Role] = _OF_BATCHES
        else:
            roles = tuple(_words().roles)
        if roles != _OF_BATCHES and (use := _rating_or_score(column)):
            found[column.name] = use
            continue
        for role in roles:
            for rank, names in enumerate(_words().roles[role]):
                if column.normal in names and role not in taken and _may_have(column, role):
                    by_claim[role].append((rank, column))
    _settle_text(columns, by_claim, taken)
    for role, claims in by_claim.items():
        claims = [(rank, column) for rank, column in claims if column.name not in found]
        if role in NAMED and role in has_named:
            continue
        if role is Role.REFERENCE and any(column.has_lists for _, column in claims):
            claims.sort(key=lambda claim: not claim[1].has_lists)  # one text is used where the list is empty
            found |= {column.name: ColumnUse(column.name, role) for _, column in claims}
            continue
        best = min((rank for rank, _ in claims), default=0)
        first = [column for rank, column in claims if rank == best]
        if len(first) > 1:
            listed = " and ".join(column.name for column in first)
            option = f"--map {role}={first[0].name}"
            what = f"{listed} may each be the {role}."
            questions.append(Question(first[0].name, what, f"Choose which one is the {role}.", option))
        elif first:
            found[first[0].name] = ColumnUse(first[0].name, role)
    if is_data_set:
        _summaries_are_references(found)
    rest = [column for column in columns if column.name not in found]
    _settle_wide(rest, found, fixed, taken, questions)
    if Role.ANNOTATOR in taken or any(use.role is Role.ANNOTATOR for use in found.values()):
        rest = [column for column in rest if column.name not in found]
        found |= {
            column.name: _plain_rating(column)
            for column in rest
            if _is_plain_rating(column) and not (is_batch and not _FIELD.match(column.name))
        }
    known = {use.role for use in (*found.values(), *fixed)}
    if Role.DIMENSION in known and not {Role.VALUE, Role.ANNOTATOR} & known:
        for column in columns:
            if column.name not in found and _is_plain_rating(column):
                name = column.title.strip().replace("@", " ")
                found[column.name] = (
                    ColumnUse(column.name, Role.JUDGE, name)
                    if is_language_model(name)
                    else ColumnUse(column.name, Role.VALUE, annotator=name)
                )
    _drop_aggregates(found)
    return found, questions


def is_language_model(name: str) -> bool:
    """Return whether a name begins as that of a language model, such as ``gpt-4o`` or ``Llama 3``."""
    found = re.match(r"[a-z]+", name.strip().casefold())
    return found is not None and found.group() in _words().language_models


def _may_have(column: _Column, role: Role) -> bool:
    """Return whether the values of a column fit a role: a text or note is no number, and a value is one."""
    if role in (Role.SUMMARY, Role.REFERENCE, Role.DOCUMENT):
        return not column.is_numeric
    if role is Role.NOTE:
        return not column.is_numeric
    if role is Role.JUDGE:  # judges that are people have names such as judge-1
        return not any(_PERSON.fullmatch(normal(str(value)).replace("_", "-")) for value in column.values)
    if role is Role.TITLE:
        return not column.is_constant
    if role is Role.REJECTED:
        return column.normal == "assignment_status" or any(_is_rejected(value) for value in column.values)
    return role is not Role.VALUE or column.is_numeric or not column.values


def _is_rejected(value: Any) -> bool:
    return isinstance(value, str) and value.strip().casefold() == REJECTED.casefold()


def _why(column: _Column, use: ColumnUse) -> str:
    """Return the reason for the use of a column."""
    if not use.is_guessed:
        return "chosen"
    if use.role is Role.IGNORE:
        if not column.values:
            return "empty"
        return "the same in every row" if column.is_constant else "not recognized"
    if use.role is Role.RATING and column.is_answer:
        return "answers yes and no"
    if use.role in (Role.RATING, Role.SCORE, Role.VALUE):
        numbers = [number for value in column.values for number in numbers_of(value) or ()]
        return f"numbers {min(numbers):g} to {max(numbers):g}" if numbers else "heading"
    texts = {json.dumps(value, default=str) for value in column.values}
    return f"heading, {pluralize(len(texts), 'value')}" if column.rows > 1 else "heading"


def _settle_text(
    columns: Sequence[_Column], claims: dict[Role, list[tuple[int, _Column]]], taken: set[Role]
) -> None:
    """Let a column ``text`` be the summary of a system, the reference of an author, or the document."""
    for column in columns:
        if column.normal == "text" and not column.is_numeric:
            owned = (
                content
                for owner, content in ((Role.SYSTEM, Role.SUMMARY), (Role.AUTHOR, Role.REFERENCE))
                if (claims[owner] or owner in taken) and not claims[content] and content not in taken
            )
            role = next(owned, Role.DOCUMENT)
            if role not in taken and not claims[role]:
                claims[role].append((0, column))


def _summaries_are_references(found: dict[str, ColumnUse]) -> None:
    """Make the summary of a data set without systems a reference."""
    roles = {use.role for use in found.values()}
    if Role.SYSTEM not in roles and Role.REFERENCE not in roles:
        for name, use in found.items():
            if use.role is Role.SUMMARY:
                found[name] = replace(use, role=Role.REFERENCE)


def _settle_wide(
    rest: Sequence[_Column],
    found: dict[str, ColumnUse],
    fixed: Sequence[ColumnUse],
    taken: set[Role],
    questions: list[Question],
) -> None:
    """Guess columns that each belong to one system or one author."""
    roles = {use.role for use in (*found.values(), *fixed)} | taken
    for column in rest:
        match = _REFERENCE_COLUMN.fullmatch(column.normal)
        if (
            match
            and column.is_text
            and not any(u.role is Role.REFERENCE and not u.name for u in found.values())
        ):
            found[column.name] = ColumnUse(column.name, Role.REFERENCE, match["name"])
    if {Role.SYSTEM, Role.SUMMARY} & roles:
        return
    texts = [column for column in rest if column.name not in found and column.is_text]
    named = {
        column.name: column.title.partition(".")[2] or match["name"]
        for column in texts
        if (match := _SYSTEM_COLUMN.fullmatch(column.normal)) and match["name"] not in _NOT_A_NAME
    }
    if len(named) > 1 or (named and len(texts) == 1):
        found |= {column: ColumnUse(column, Role.SUMMARY, name) for column, name in named.items()}
    elif len(texts) > 1 and {Role.DOCUMENT, Role.REFERENCE} & roles:
        for column in texts:
            what = "It may contain the summaries of one system."
            remedy = "Take it as a summary with the name of the system, or leave it out."
            option = f"--map summary:{column.name}={column.name} or --ignore {column.name}"
            questions.append(Question(column.name, what, remedy, option))


_PLURALS = ("documents", "articles", "texts", "sources", "dialogues", "dialogs", "docs")
_ONE_REFERENCE = ("abstract", "highlights")
_TWO_SENTENCES = re.compile(r"\n\s*\S|[.!?\u3002\uff01\uff1f][\"'”’)\]]*\s+\S")


def are_several_texts(use: ColumnUse, lists: Sequence[Sequence[Any]]) -> bool:
    """Return whether the lists of a column have several texts each, instead of the sentences of one.

    References are several, except in columns such as ``abstract_sentences``. Documents are if the column's
    name is a plural, or their texts are lists or objects, or most of them have several sentences.
    """
    words = use.column.casefold().replace("-", "_").split("_")
    if use.role is Role.REFERENCE and not (set(words) & {*_ONE_REFERENCE, "sentences", "sents"}):
        return True
    texts = [text for one in lists for text in one]
    if any(isinstance(text, (list, Mapping)) for text in texts) or words[-1] in _PLURALS:
        return True
    long = sum(isinstance(text, str) and _TWO_SENTENCES.search(text) is not None for text in texts)
    return 2 * long > len(texts)


def _rating_or_score(column: _Column) -> ColumnUse | None:
    """Return the use of a column of numbers that is named for a dimension, a scale or a metric."""
    if not column.is_numeric and not column.is_answer:
        return None
    if column.is_numeric and any(column.normal.startswith(metric) for metric in _words().metrics):
        return ColumnUse(column.name, Role.SCORE, column.title.strip())
    title, scale = split_scale(column.title)
    words = [word for word in normal(title).split("_") if word]
    for size in (2, 1):
        for at in range(len(words) - size + 1):
            dimension = " ".join(words[at : at + size])
            if dimension not in _words().dimensions | _words().foreign_dimensions:
                continue
            others = [word for word in (*words[:at], *words[at + size :]) if word not in _words().noise]
            person = "-".join(others)
            if not person or person in _MEANS or _PERSON.fullmatch(person):
                is_english = dimension in _words().dimensions and title.isascii()
                called = dimension if is_english else _as_spelled(title, dimension)
                return ColumnUse(column.name, Role.RATING, called, person, scale=scale)
            if "." in title and at + size == len(words):  # a judge's, such as gpt-4o.coherence
                return ColumnUse(column.name, Role.SCORE, column.title.strip())
    if scale is not None and _words().counted.isdisjoint(words):
        return ColumnUse(column.name, Role.RATING, title.replace("@", " "), scale=scale)
    return None


def _as_spelled(title: str, dimension: str) -> str:
    """Return a dimension as the title of its column spells it."""
    spelled = [word for word in re.split(r"[\W_]+", title) if normal(word) in dimension.split()]
    return " ".join(spelled) if len(spelled) == len(dimension.split()) else dimension


def _is_plain_rating(column: _Column) -> bool:
    """Return whether a column has whole numbers of the usual scale and no name of something else."""
    numbers = [number for value in column.values for number in numbers_of(value) or ()]
    low, high = _USUAL_SCALE
    return (
        (column.is_numeric or column.is_answer)
        and not column.has_lists
        and not column.is_constant
        and all(number.is_integer() and low <= number <= high for number in numbers)
        and _words().counted.isdisjoint(column.normal.split("_"))
        and not any(
            column.normal in names
            for role, ranks in _words().roles.items()
            if role is not Role.NOTE  # German Note and French note are ratings
            for names in ranks
        )
    )


def _plain_rating(column: _Column) -> ColumnUse:
    """Return a column of whole numbers next to one of annotators as a rating, called as in the file."""
    scale = _ANSWERS if column.is_answer else _USUAL_SCALE
    return ColumnUse(column.name, Role.RATING, column.title.strip().replace("@", " "), scale=scale)


def _drop_aggregates(found: dict[str, ColumnUse]) -> None:
    """Leave out a mean where the single ratings of its dimension are there."""
    for name, use in list(found.items()):
        if use.role is Role.RATING and use.annotator in _MEANS:
            singles = [
                other
                for other in found.values()
                if other.role is Role.RATING and other.name == use.name and other.annotator not in _MEANS
            ]
            if singles:
                del found[name]


def _gaps(reading: Reading, rows: Sequence[Mapping[str, Any]]) -> Iterator[Question]:
    """Yield a question for everything that an import needs and no column has."""
    roles = {use.role for use in reading.uses}
    example = reading.uses[0].column if reading.uses else "NAME"
    if Role.TOPIC not in roles and not reading.topic_is_row and not reading.topic_texts:
        remedy = "Choose the column that does, or make each row a topic."
        option = f"--map topic={example} or --map topic={ROW_NUMBER}"
        yield Question("", "No column names the topic.", remedy, option)
    elif Role.TOPIC in roles and _are_row_ids(reading, rows):
        column = reading.column(Role.TOPIC)
        what = "It differs in every row, although the rows are of several systems: it may number the rows."
        if next(use.is_guessed for use in reading.of(Role.TOPIC)):
            yield Question(
                column,
                what,
                "Choose another column as the topic, or confirm this one.",
                f"--map topic={column}",
            )
    summaries = reading.of(Role.SUMMARY)
    unnamed = [use for use in summaries if not use.name]
    if len(unnamed) > 1:
        column = unnamed[1].column
        option = f"--map summary:NAME={column}"
        yield Question(column, "Two columns are the summary.", "Name the systems of both.", option)
    judged = [use.column for use in reading.of(Role.JUDGE) if use.name]
    by_rows = judged or {Role.RATING, Role.SCORE, Role.VALUE} & roles
    if Role.SYSTEM not in roles and unnamed:
        column = unnamed[0].column
        remedy = "Choose the column that does, name the only system, or take the column as the reference."
        option = f"--map system=NAME, --map summary:NAME={column} or --map reference={column}"
        yield Question(column, "No column names the system of the summaries.", remedy, option)
    elif Role.SYSTEM not in roles and by_rows and len(summaries) != 1:
        what = "No column names the system that the numbers are about."
        yield Question("", what, "Choose the column that does.", "--map system=NAME")
    if Role.VALUE in roles and not {Role.DIMENSION, Role.MEASURE} & roles:
        column = reading.column(Role.VALUE)
        remedy = "Take it as a rating or a score, and name it."
        option = f"--map rating:quality={column} or --map score:NAME={column}"
        yield Question(column, "No column names the dimension of the value.", remedy, option)
    if judged and Role.DIMENSION not in roles:
        what = "No column names the dimension that the judge has rated."
        yield Question(judged[0], what, "Choose the column that does.", "--map dimension=NAME")
    for one in (Role.DIMENSION, Role.MEASURE):
        if one in roles and Role.VALUE not in roles and not (judged and one is Role.DIMENSION):
            what = f"No column has the value of the {one}."
            yield Question(reading.column(one), what, "Choose the column that has it.", "--map value=NAME")
    contents = {Role.SUMMARY, Role.REFERENCE, Role.DOCUMENT, Role.RATING, Role.SCORE, Role.VALUE}
    if not contents & roles and not by_rows:
        what = "No column contains texts, ratings or scores."
        yield Question("", what, "Choose what the columns contain.", f"--map summary={example}")
    seen: set[str] = set()
    for use in reading.uses:
        plain = replace(use, scale=None).key
        if use.role is not Role.IGNORE and plain in seen and not _may_repeat(use):
            remedy = "Choose one of them, and leave the other out."
            yield Question(use.column, f"Two columns are {plain}.", remedy)
        seen.add(plain)


def _may_repeat(use: ColumnUse) -> bool:
    return use.role in (Role.REFERENCE, Role.DOCUMENT) or (use.role is Role.SUMMARY and not use.name)


def _are_row_ids(reading: Reading, rows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether every row has another topic although there are several systems."""
    topic, system = reading.column(Role.TOPIC), reading.column(Role.SYSTEM)
    topics = [str(row.get(topic)) for row in rows]
    systems = {str(row.get(system)) for row in rows} if system else set()
    return len(topics) > 3 and len(set(topics)) == len(topics) and len(systems) > 1
