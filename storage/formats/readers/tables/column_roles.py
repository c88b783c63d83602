"""Guess what the columns of a foreign table contain, from their names and first values."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any
from unicodedata import combining, normalize

from core.errors import InputError
from core.numerals import parse_number

ROW_NUMBER = "#"
"""Assigned to the topic instead of a column: each row is a topic of its own."""


class Role(StrEnum):
    """Content of a column.

    SUMMARY, REFERENCE and DOCUMENT may name the system, author or document; RATING names the dimension (and
    the annotator), SCORE the measure.
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
    ANNOTATOR = "annotator"
    GROUP = "group"
    RATING = "rating"
    SCORE = "score"
    DIMENSION = "dimension"
    MEASURE = "measure"
    VALUE = "value"
    NOTE = "note"


NAMED = (Role.DOCUMENT, Role.REFERENCE, Role.SUMMARY, Role.RATING, Role.SCORE)
"""Roles that several columns may have, with different names."""
_NEED_NAME = (Role.RATING, Role.SCORE)


@dataclass(frozen=True, slots=True)
class ColumnUse:
    """Reading of a column.

    name: of the system, author, document, dimension or measure; empty = that of the row, or the usual one.
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
    """

    uses: tuple[ColumnUse, ...]
    questions: tuple[Question, ...] = ()
    topic_is_row: bool = False
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
        """Return the only column of a role, empty = none."""
        found = self.of(role)
        return found[0].column if found else ""


_NAMES: dict[Role, tuple[tuple[str, ...], ...]] = {
    Role.TOPIC: (
        ("topic", "topic_id", "instance_id", "doc_id", "docid", "article_id", "articleid", "document_id"),
        ("dialogue_id", "dialog_id", "example_id", "gem_id", "source_id", "docset", "cluster", "cluster_id"),
        ("item_id", "sample_id", "hash", "qid", "article_no", "doc_no", "docno"),
        (
            "dokument_id",
            "dokument_nr",
            "artikel_id",
            "text_id",
            "thema",
            "id_document",
            "id_article",
            "sujet",
        ),
        ("id", "item", "sample", "instance", "example", "doc"),
    ),
    Role.SYSTEM: (
        ("system", "system_id", "model_id", "model", "model_name", "system_name", "summarizer"),
        ("summarizer_id", "summariser", "peer", "model_type", "system_label"),
        ("modell", "systemname", "systeme", "modele", "nom_du_systeme"),
        ("method", "generator", "verfahren", "methode"),
    ),
    Role.SUMMARY: (
        ("system_summary", "model_summary", "generated_summary", "system_output", "model_output", "decoded"),
        ("summary", "hyp", "hypothesis", "output", "prediction", "candidate", "generated", "generation"),
        ("pred", "response", "completion", "candidate_summary", "output_text", "summary_text"),
        ("zusammenfassung", "kurzfassung", "ausgabe", "resume", "resume_automatique", "sortie"),
    ),
    Role.REFERENCE: (
        ("references", "reference_summaries"),
        (
            "reference",
            "reference_summary",
            "ref_summary",
            "gold_summary",
            "human_summary",
            "ref",
            "highlights",
        ),
        ("gold", "target", "reference_text", "target_summary", "abstract"),
        ("referenz", "referenzzusammenfassung", "musterzusammenfassung", "resume_de_reference"),
    ),
    Role.DOCUMENT: (
        (
            "document",
            "article",
            "article_text",
            "document_text",
            "source_text",
            "source_document",
            "dialogue",
        ),
        ("source", "src", "input", "dialog", "documents", "source_documents", "context", "doc_text"),
        ("dokument", "artikel", "quelle", "quelltext", "originaltext", "texte_source", "texte_original"),
    ),
    Role.ANNOTATOR: (
        ("annotator", "annotator_id", "worker_id", "worker", "rater", "rater_id", "judge", "judge_id"),
        ("user", "user_id", "participant", "participant_id", "workerid", "evaluator", "expert_id"),
        ("annotatorin", "bewerter", "bewerterin", "gutachter", "gutachterin", "person"),
        ("annotateur", "annotatrice", "evaluateur", "evaluatrice", "juge"),
    ),
    Role.GROUP: (("group", "annotator_group", "annotator_type"),),
    Role.AUTHOR: (("author", "reference_author", "author_id"),),
    Role.TITLE: (("title", "article_title", "headline", "document_title"), ("titel", "titre")),
    Role.QUERY: (("query", "question", "topic_description"), ("anfrage", "frage", "requete")),
    Role.SET: (("set", "split", "subset"),),
    Role.DIMENSION: (
        ("dimension", "criterion", "aspect", "quality_dimension"),
        ("kriterium", "merkmal", "critere"),
    ),
    Role.MEASURE: (("measure", "metric", "metric_name"), ("metrik", "metrique")),
    Role.VALUE: (
        ("value", "rating", "score", "label", "answer"),
        ("wert", "bewertung", "urteil", "valeur", "note_attribuee"),
    ),
    Role.NOTE: (("note", "notes", "comment", "comments"), ("kommentar", "anmerkung", "commentaire")),
}
"""Names of columns by role, the most specific first; English, German and French, without accents."""

_DIMENSIONS = (
    "coherence", "consistency", "factual consistency", "fluency", "relevance", "informativeness",
    "faithfulness", "factuality", "grammaticality", "grammar", "redundancy", "non redundancy", "readability",
    "responsiveness", "overall responsiveness", "content responsiveness", "coverage", "quality",
    "overall quality", "overall", "conciseness", "focus", "structure", "clarity", "referential clarity",
    "accuracy", "usefulness", "completeness", "adequacy", "linguistic quality", "succinctness", "verbosity",
    "correctness", "naturalness", "groundedness",
)  # fmt: skip
_FOREIGN_DIMENSIONS = (
    "koharenz", "konsistenz", "flussigkeit", "sprachfluss", "relevanz", "informativitat", "lesbarkeit",
    "grammatik", "grammatikalitat", "redundanz", "qualitat", "gesamtqualitat", "gesamteindruck",
    "verstandlichkeit", "vollstandigkeit", "korrektheit", "treue", "genauigkeit", "faktentreue",
    "coherence", "cohesion", "fluidite", "pertinence", "informativite", "lisibilite", "grammaticalite",
    "redondance", "qualite", "qualite globale", "clarte", "exhaustivite", "fidelite", "exactitude",
)  # fmt: skip
"""Usual dimensions in German and French, without accents."""
_METRICS = (
    "rouge", "bleu", "meteor", "bertscore", "bert_score", "chrf", "bleurt", "moverscore", "mover_score",
    "bartscore", "bart_score", "cider", "questeval", "summac", "factcc", "blanc", "supert", "alignscore",
    "comet", "unieval", "g_eval", "geval", "gpt4",
)  # fmt: skip
_NOISE = frozenset((
    "rating", "ratings", "score", "scores", "human", "annotation", "annotations", "value", "of", "by",
    "bewertung", "wert", "punkte", "valeur",
))  # fmt: skip
_COUNTED = frozenset((
    "id", "index", "row", "no", "nr", "num", "number", "nummer", "numero", "batch", "round", "runde",
    "order", "reihenfolge", "ordre", "position", "pos", "page", "seite", "step", "session", "count",
    "anzahl", "nombre", "length", "len", "lange", "longueur", "words", "worter", "mots", "sentences",
    "satze", "phrases", "tokens", "chars", "time", "zeit", "temps", "seconds", "sekunden", "minutes",
    "minuten", "duration", "dauer", "duree", "age", "alter", "year", "jahr", "annee", "month", "monat",
    "mois", "day", "tag", "jour", "week", "hour", "rank", "rang", "hit", "split", "fold", "version",
    "seed", "task", "line", "zeile", "ligne", "column", "group", "gruppe", "groupe", "level", "attempt",
    "cost", "price", "reward", "bonus", "kosten", "pages", "seiten", "rows", "lines", "zeilen", "years",
    "assignments",
))  # fmt: skip
"""Words in names of columns of whole numbers that are no ratings."""
_USUAL_SCALE = (1.0, 5.0)
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
_SYSTEM_COLUMN = re.compile(r"(?:system|model|sys|summary|hyp|hypothesis|output|candidate)_(?P<name>.+)")
_REFERENCE_COLUMN = re.compile(r"(?:reference|ref|gold|reference_summary|human_summary)_?(?P<name>\d+|[a-z])")
_NOT_A_NAME = {"id", "name", "length", "len", "words", "tokens", "type", "url", "path", "count", "rank"}
_LISTED, _LONGEST_NAME = 20, 60
"""Columns that a message lists, and characters of each."""
_WORDS_OF_TEXT = 4
"""Mean number of words from which a column is a column of texts."""


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
    shown = [name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…" for name in names[:_LISTED]]
    more = f" and {len(names) - _LISTED:,} more" if len(names) > _LISTED else ""
    return ", ".join(shown) + more


@dataclass(frozen=True, slots=True)
class _Column:
    """A column with its values that are not empty."""

    name: str
    values: tuple[Any, ...]

    @property
    def normal(self) -> str:
        return normal(self.name)

    @property
    def is_numeric(self) -> bool:
        return bool(self.values) and all(numbers_of(value) is not None for value in self.values)

    @property
    def is_text(self) -> bool:
        """Whether values are texts of several words, or lists of them."""
        words = [len(_joined(value).split()) for value in self.values]
        return bool(words) and not self.is_numeric and sum(words) / len(words) >= _WORDS_OF_TEXT

    @property
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
    try:
        role = Role(role_name)
    except ValueError:
        listed = ", ".join(Role)
        raise InputError(f"Unknown role {role_name!r} of a column. Assign one of: {listed}.") from None
    if role is Role.IGNORE:
        return ColumnUse(column, is_guessed=False)
    name, _, annotator = rest.rpartition("@") if role is Role.RATING and "@" in rest else (rest, "", "")
    scale = None
    if role is Role.RATING:
        name, scale = split_scale(name)
    if rest and role not in NAMED:
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
    fixed = [parse_use(key, column) for key, column in assigned.items() if column != ROW_NUMBER]
    for use in fixed:
        if use.column not in columns:
            listed = listed_names(columns)
            raise InputError(
                f"{use.key} is assigned to {use.column!r}, which is not a column. Columns: {listed}."
            )
    if len({use.column for use in fixed}) < len(fixed):
        raise InputError("A column has two roles. Assign each column once.")
    known = {use.column: use for use in fixed}
    taken = {use.role for use in fixed if use.role not in NAMED} | ({Role.TOPIC} if topic_is_row else set())
    open_columns = [
        _Column(name, tuple(row[name] for row in rows if row.get(name) not in (None, "", [])))
        for name in columns
        if name not in known
    ]
    guessed, questions = _guess(open_columns, fixed, taken, is_data_set=is_data_set)
    uses = tuple(known.get(name) or guessed.get(name) or ColumnUse(name) for name in columns)
    reading = Reading(uses, tuple(questions), topic_is_row)
    return replace(reading, questions=(*questions, *_gaps(reading, rows)))


def _guess(
    columns: Sequence[_Column], fixed: Sequence[ColumnUse], taken: set[Role], *, is_data_set: bool
) -> tuple[dict[str, ColumnUse], list[Question]]:
    """Return the uses of columns that are not assigned, and questions where two have the same claim."""
    found: dict[str, ColumnUse] = {}
    questions: list[Question] = []
    has_named = {use.role for use in fixed}
    by_claim: dict[Role, list[tuple[int, _Column]]] = defaultdict(list)
    for column in columns:
        if use := _rating_or_score(column):
            found[column.name] = use
            continue
        for role, ranks in _NAMES.items():
            for rank, names in enumerate(ranks):
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
        found |= {column.name: _plain_rating(column) for column in rest if _is_plain_rating(column)}
    _drop_aggregates(found)
    return found, questions


def _may_have(column: _Column, role: Role) -> bool:
    """Return whether the values of a column fit a role: a text or note is no number, and a value is one."""
    if role in (Role.SUMMARY, Role.REFERENCE, Role.DOCUMENT):
        return not column.is_numeric
    if role is Role.NOTE:
        return not column.is_numeric
    return role is not Role.VALUE or column.is_numeric or not column.values


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
        column.name: match["name"]
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
    if not column.is_numeric:
        return None
    if any(column.normal.startswith(metric) for metric in _METRICS):
        return ColumnUse(column.name, Role.SCORE, column.name.strip())
    title, scale = split_scale(column.name)
    words = [word for word in normal(title).split("_") if word]
    for size in (2, 1):
        for at in range(len(words) - size + 1):
            dimension = " ".join(words[at : at + size])
            if dimension not in (*_DIMENSIONS, *_FOREIGN_DIMENSIONS):
                continue
            others = [word for word in (*words[:at], *words[at + size :]) if word not in _NOISE]
            person = "-".join(others)
            if not person or person in _MEANS or _PERSON.fullmatch(person):
                is_english = dimension in _DIMENSIONS and title.isascii()
                called = dimension if is_english else _as_spelled(title, dimension)
                return ColumnUse(column.name, Role.RATING, called, person, scale=scale)
    if scale is not None and _COUNTED.isdisjoint(words):
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
        column.is_numeric
        and not column.has_lists
        and all(number.is_integer() and low <= number <= high for number in numbers)
        and _COUNTED.isdisjoint(column.normal.split("_"))
        and not any(
            column.normal in names
            for role, ranks in _NAMES.items()
            if role is not Role.NOTE  # German Note and French note are ratings
            for names in ranks
        )
    )


def _plain_rating(column: _Column) -> ColumnUse:
    """Return a column of whole numbers next to one of annotators as a rating, called as in the file."""
    return ColumnUse(column.name, Role.RATING, column.name.strip().replace("@", " "), scale=_USUAL_SCALE)


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
    if Role.TOPIC not in roles and not reading.topic_is_row:
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
    by_rows = {Role.RATING, Role.SCORE, Role.VALUE} & roles
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
    for one in (Role.DIMENSION, Role.MEASURE):
        if one in roles and Role.VALUE not in roles:
            what = f"No column has the value of the {one}."
            yield Question(reading.column(one), what, "Choose the column that has it.", "--map value=NAME")
    contents = {Role.SUMMARY, Role.REFERENCE, Role.DOCUMENT, Role.RATING, Role.SCORE, Role.VALUE}
    if not contents & roles:
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
