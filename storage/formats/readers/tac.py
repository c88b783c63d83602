"""Folders of NIST's evaluations: TAC 2008 to 2011 and DUC 2001 to 2007.

What a file belongs to follows from its name and its folder, as in the distributions:

- summaries ``TOPIC[-SET].TYPE.LENGTH.SELECTOR.SUMMARIZER[.DOCUMENT][.html]``, such as ``D0801-A.M.100.A.12``:
  letters are people, whose summaries are references, numbers are systems;
- documents in SGML below a folder of their topic, such as ``D0801A/D0801A-B/AFP_ENG_20050101.0001``;
- topic statements in a file with ``topic`` in its name;
- tables of manual evaluation (``manual.peer``, ``content.table``, …) and output of ROUGE (``rouge.m.out``).

Sources: the distributions' readme files; sacrerouge's readers for the columns of the tables.
"""

from __future__ import annotations

import html
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import mean

from core.domain.import_batch import ImportContent, NewRating, NewScore, NewText
from core.domain.study import SystemKind, join_sentences
from core.errors import Problem
from core.files.paths import access_errors, list_files, printable_path
from core.numerals import parse_whole, required_number
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems, lines, opened
from storage.formats.readers.text_files import files_in, text_of
from storage.formats.readers.usage import current

NIST = "nist"
"""Annotator of the ratings, and prefix of the scores."""

SETS = {"A": "initial", "B": "update", "C": "second update"}
_NAME = re.compile(
    r"(?P<topic>[A-Za-z]{1,3}[0-9]{2,6})(?:-(?P<set>[A-Z]))?\.(?P<type>[MPS])\.(?P<length>[0-9]{1,4})"
    r"\.(?P<selector>[A-Za-z])\.(?P<by>[A-Za-z]{1,2}|[0-9]{1,3})(?:\.(?P<document>.+))?",
    re.IGNORECASE,
)
_TOPIC_FOLDER = re.compile(r"(?P<topic>[A-Za-z]{1,3}[0-9]{2,6})(?P<selector>[A-Za-z])?(?:-(?P<set>[A-Z]))?")
_TABLE_TOPIC = re.compile(r"[A-Za-z]{0,3}[0-9]{2,6}[a-z]?(?:-[A-Z])?", re.IGNORECASE)
_SEE = re.compile(r"<a\s[^<>]*\bid=\"?[0-9]+\"?[^<>]*>([^<]*)", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_PARAGRAPH = re.compile(r"</?p\s*/?>", re.IGNORECASE)
_EVALUATION = re.compile(r"(\S+) (\S+) Eval (\S+) R:(\S+) P:(\S+) F:(\S+)\s*")
_ROUGE_FILE = re.compile(r"(?:rouge|simple)(?P<jk>jk)?(?:_[A-C])?(?:\.[a-z]+)*\.out", re.IGNORECASE)
_QUESTIONS = {
    "1": "grammaticality",
    "2": "non-redundancy",
    "3": "referential clarity",
    "4": "focus",
    "5": "structure and coherence",
}
"""Linguistic quality in DUC 2005 to 2007, named as in the template ``duc``."""
_LISTED = 3
_MOST_TOPIC_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of manual evaluation, whose first column is the topic.

    by: column of the summarizer. scores, ratings: names by column; an empty name is that of the question in
    the column before. sizes: numbers of columns, empty = any.
    """

    by: int
    scores: Mapping[int, str] = field(default_factory=dict)
    ratings: Mapping[int, str] = field(default_factory=dict)
    sizes: tuple[int, ...] = ()


_MODIFIED = {2: "modified_pyramid", 3: "scus", 4: "repetitions"}
_LEFT_OUT, _OVERALL = {-3: "modified_pyramid_jk"}, {-2: "readability", -1: "responsiveness"}
_TABLES = {
    "manual.peer": _Table(1, _MODIFIED | _LEFT_OUT, _OVERALL, (9, 10)),
    "manual.model": _Table(1, {2: "scus"} | _LEFT_OUT, _OVERALL, (7, 8)),
    "linguistic_quality.table": _Table(3, ratings={5: ""}),
    "modified_scores": _Table(1, _MODIFIED),
    "content.table": _Table(3, ratings={4: "content responsiveness"}),
    "overall.table": _Table(3, ratings={4: "responsiveness"}),
    "responsiveness.table": _Table(3, ratings={4: "responsiveness"}),
}
"""Tables by kind; peers have 9 columns in 2008 and 10 later, models 7 and 8."""


@dataclass(frozen=True, slots=True)
class SummaryName:
    """Parts of the name of a summary's file.

    topic: with its set, such as D0801-A; document: of a summary of one document, empty = of several.
    """

    topic: str
    set: str
    length: int
    by: str
    document: str = ""

    @property
    def is_human(self) -> bool:
        return self.by.isalpha()


def summary_name(name: str) -> SummaryName | None:
    """Read the name of a summary's file, None = it is another file."""
    found = _NAME.fullmatch(re.sub(r"\.html?$", "", name, flags=re.IGNORECASE))
    if found is None or (found["type"] in "Mm" and found["document"]):
        return None
    topic = found["topic"].upper() + (f"-{found['set'].upper()}" if found["set"] else "")
    by = found["by"].upper() if found["by"].isalpha() else str(int(found["by"]))
    return SummaryName(
        topic, SETS.get((found["set"] or "").upper(), ""), int(found["length"]), by, found["document"] or ""
    )


def is_tac(path: Path) -> bool:
    """Return whether a folder contains summaries named as by NIST in folders of models or peers."""
    with access_errors(path):
        if not path.is_dir():
            return False
        return any(_is_summary(file) for file in list_files(path))


def _is_summary(file: Path) -> bool:
    folders = {part.lower() for part in file.parts[-4:-1]}
    is_there = any(name.startswith(("model", "peer", "submitted", "baseline")) for name in folders)
    return is_there and summary_name(file.name) is not None


@dataclass(slots=True)
class _Folder:
    """Content of a folder, before topics have their names."""

    draft: ImportDraft
    references: dict[tuple[SummaryName, str], NewText] = field(default_factory=dict)
    summaries: dict[tuple[SummaryName, str], NewText] = field(default_factory=dict)
    documents: dict[str, dict[str, NewText]] = field(default_factory=lambda: defaultdict(dict))
    statements: dict[str, tuple[str, str]] = field(default_factory=dict)
    ratings: list[tuple[str, str, str, float]] = field(default_factory=list)
    scores: dict[tuple[str, str, str], list[float]] = field(default_factory=lambda: defaultdict(list))
    latin: list[str] = field(default_factory=list)


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a folder with summaries, documents, topic statements and tables. Raises BadImport."""
    problems = Problems(path.name)
    folder = _Folder(ImportDraft(printable_path(path.name), problems))
    # references before copies of them
    files = sorted(files_in(path, problems), key=lambda one: "model" not in one[1].as_posix().lower())
    for done, (problems.place, file) in enumerate(files):
        _read_file(file, file.relative_to(path), folder)
        if done % 50 == 0:
            yield Progress(done, len(files), f"reading {printable_path(file.name)}")
    problems.place = ""
    _add_texts(folder)
    missing = _add_numbers(folder)
    incoming = folder.draft.finish()
    notices = (Problem(printable_path(path.name), "", "", *n) for n in _notices(folder, missing))
    return replace(incoming, notices=(*incoming.notices, *notices))


def _read_file(file: Path, relative: Path, folder: _Folder) -> None:
    name, parts = file.name, [part.lower() for part in relative.parts[:-1]]
    if table := _table_of(name):
        _read_table(file, table, folder)
    elif found := _ROUGE_FILE.fullmatch(name):
        _read_rouge(file, "_jk" if found["jk"] else "", folder)
    elif summary := summary_name(name):
        _read_summary(file, summary, folder, is_split="rouge" in parts)
    elif name.lower().endswith((".table", ".out", ".gz", ".tgz", ".tar", ".zip", ".pan", ".pyr", ".html")):
        current().leave(relative.as_posix())
    else:
        _read_sgml(file, relative, folder)


# Texts


def _content(file: Path, folder: _Folder) -> str | None:
    """Return a file's text in UTF-8, else in Windows-1252; None with a problem if it is no text."""
    return text_of(file, folder.draft.problems, other_encoding=lambda: folder.latin.append(file.name))


def _read_summary(file: Path, name: SummaryName, folder: _Folder, *, is_split: bool) -> None:
    """Read a summary: SEE (HTML), one sentence per line in folders of ROUGE, or plain text."""
    content = _content(file, folder)
    if content is None:
        return
    if content.lstrip()[:5].lower() == "<html":
        sentences = [" ".join(html.unescape(found).split()) for found in _SEE.findall(content)]
        text = NewText(*join_sentences([sentence for sentence in sentences if sentence]))
    elif is_split:
        text = NewText(*join_sentences([line.strip() for line in content.splitlines() if line.strip()]))
    else:
        text = NewText(content.strip())
    known = folder.references if name.is_human else folder.summaries
    known.setdefault((name, name.by), text)


def _read_sgml(file: Path, relative: Path, folder: _Folder) -> None:
    """Read documents, or topic statements, from SGML; other files are left out."""
    with opened(file) as source:
        start = source.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    is_topics = "topic" in file.name.lower() and b"<topic" in start
    if not is_topics and not start.startswith((b"<doc", b"<?xml")):
        current().leave(relative.as_posix())
        return
    content = _content(file, folder)
    if content is None:
        return
    if is_topics:
        _read_topics(content, folder)
        return
    topic = next(
        (found for part in reversed(relative.parts[:-1]) if (found := _TOPIC_FOLDER.fullmatch(part))), None
    )
    if topic is None:
        current().leave(relative.as_posix())
        return
    name = topic["topic"].upper() + (f"-{topic['set'].upper()}" if topic["set"] else "")
    for head, body in _elements(content, "doc"):
        identifier = next((t.strip() for _, t in _elements(body, "docno")), "") or _attribute(head, "id")
        texts = [text for tag in ("leadpara", "text") for _, text in _elements(body, tag)]
        texts = texts or [text for _, text in _elements(body, "graphic")]
        plain = "\n".join(filter(None, map(_plain, texts)))
        folder.documents[name].setdefault(identifier.strip() or file.name, NewText(plain))


def _read_topics(content: str, folder: _Folder) -> None:
    """Read the titles and narratives of topics; both sets of a topic have them."""
    for head, body in _elements(content, "topic"):
        number = _attribute(head, "id") or next((text for _, text in _elements(body, "num")), "")
        found = _TOPIC_FOLDER.fullmatch(re.sub(r"(?i)number:", "", number).strip())
        if found is None:
            continue
        title = next((_line(text) for _, text in _elements(body, "title")), "")
        tags = ("narrative", "narr")
        query = next((_line(text) for tag in tags for _, text in _elements(body, tag)), "")
        folder.statements[found["topic"].upper()] = (title, query)


def _elements(content: str, tag: str) -> Iterator[tuple[str, str]]:
    """Yield the start tag and the content of each element of SGML, in linear time."""
    lower, at = content.lower(), 0
    while (start := lower.find(f"<{tag}", at)) >= 0:
        head_end = lower.find(">", start)
        after = lower[start + len(tag) + 1 : start + len(tag) + 2]
        if head_end < 0 or after not in (">", " ", "\t", "\n", "\r", "/"):
            at = start + 1
            if head_end < 0:
                return
            continue
        end = lower.find(f"</{tag}>", head_end)
        if end < 0:
            return
        yield content[start : head_end + 1], content[head_end + 1 : end]
        at = end


def _attribute(head: str, name: str) -> str:
    found = re.search(rf"\b{name}\s*=\s*[\"']?([^\"'\s>]+)", head, re.IGNORECASE)
    return found[1] if found else ""


def _plain(text: str) -> str:
    """Return a text without tags, with a line per paragraph."""
    parts = (_TAG.sub(" ", part) for part in _PARAGRAPH.split(text))
    return "\n".join(filter(None, (" ".join(html.unescape(part).split()) for part in parts)))


def _line(text: str) -> str:
    return " ".join(_plain(text).split())[:_MOST_TOPIC_TEXT]


# Tables


def _table_of(name: str) -> str:
    """Return the kind of a table by its file name, empty = it is none."""
    lower = name.lower()
    if re.fullmatch(r"manual\.(peer|model)(\.[a-c])?", lower):
        return "manual.peer" if "peer" in lower else "manual.model"
    if lower in _TABLES and lower.endswith(".table"):
        return lower
    return "modified_scores" if lower.endswith("modified_scores.txt") else ""


def _read_table(file: Path, kind: str, folder: _Folder) -> None:
    """Read a table of white-space-separated columns; lines that do not begin with a topic are headings."""
    problems, place = folder.draft.problems, folder.draft.problems.place
    for number, line in lines(file, problems):
        columns = line.split()
        problems.place = place
        if len(columns) < 3 or not _TABLE_TOPIC.fullmatch(columns[0]):
            continue
        try:
            _read_line(columns, _TABLES[kind], folder)
        except (ValueError, LookupError):
            what = f"Line {number} has not the columns of {kind}: {' '.join(columns)[:60]!r}."
            problems.add("", what, "Restore the line as distributed, or leave the file out.")


def _read_line(columns: Sequence[str], table: _Table, folder: _Folder) -> None:
    if table.sizes and len(columns) not in table.sizes:
        raise ValueError(columns)
    topic, by = _topic(columns[0]), _summarizer(columns[table.by])
    for at, measure in table.scores.items():
        _score(folder, topic, by, measure, columns[at])
    for at, dimension in table.ratings.items():
        named = dimension or _QUESTIONS[columns[at - 1].lstrip("Qq")]
        folder.ratings.append((topic, by, named, required_number(columns[at])))


def _read_rouge(file: Path, suffix: str, folder: _Folder) -> None:
    """Read the evaluations of ROUGE-1.5.5; values of several references left out are averaged."""
    problems, place = folder.draft.problems, folder.draft.problems.place
    for _, line in lines(file, problems):
        problems.place = place
        found = _EVALUATION.fullmatch(line.rstrip("\r\n"))
        name = summary_name(found[3]) if found else None
        if found is None or name is None:
            continue
        for part, value in zip(("recall", "precision", "f"), found.groups()[3:], strict=True):
            try:
                _score(folder, name.topic, name.by, f"{found[2].lower()}{suffix}.{part}", value)
            except ValueError:
                problems.add("", f"{value[:40]!r} is not a number.", "Restore the file as distributed.")


def _topic(column: str) -> str:
    """Return a table's topic as in names of files: D0801-A, D301."""
    found = re.fullmatch(r"([A-Za-z]{0,3})([0-9]+)[A-Za-z]?(-[A-Z])?", column, re.IGNORECASE)
    if found is None:
        raise ValueError(column)
    return f"{found[1] or 'D'}{found[2]}{found[3] or ''}".upper()


def _summarizer(column: str) -> str:
    if column.isalpha():
        return column.upper()
    if (number := parse_whole(column)) is None:
        raise ValueError(column)
    return str(number)


def _score(folder: _Folder, topic: str, by: str, measure: str, value: str) -> None:
    number = required_number(value)  # before the list is made
    folder.scores[topic, by, f"{NIST}.{measure}"].append(number)


# The draft


def _add_texts(folder: _Folder) -> None:
    """Add topics with their texts; several lengths and single documents are topics of their own."""
    draft, names = folder.draft, [name for name, _ in (*folder.references, *folder.summaries)]
    lengths: dict[str, set[int]] = defaultdict(set)
    for name in names:
        if not name.document:
            lengths[name.topic].add(name.length)
    topics: dict[str, str] = {}
    single: set[str] = set()

    def topic_of(name: SummaryName) -> str:
        several = len(lengths[name.topic]) > 1
        own = name.document or (f"{name.topic}.{name.length}" if several else name.topic)
        topics[own] = name.topic
        if name.document:
            single.add(own)
        if name.set:
            draft.topic(own).set = name.set
        return own

    for (name, author), text in folder.references.items():
        draft.reference(topic_of(name), author, text)
    for (name, system), text in folder.summaries.items():
        draft.summary(topic_of(name), system, text)
    used = set(topics.values())
    for base in folder.documents:
        if base not in used:
            topics[base] = base
    for own, base in topics.items():
        documents = folder.documents.get(base, {})
        chosen = documents if own not in single else {own: documents[own]} if own in documents else {}
        for identifier, text in chosen.items():
            draft.document(own, identifier, text)
        title, query = folder.statements.get(base.split("-")[0], ("", ""))
        head = draft.topic(own)
        head.title, head.query = title, query


def _add_numbers(folder: _Folder) -> int:
    """Add ratings and scores; return how many are of summaries that the folder does not have.

    People who have some are human systems too. A folder without texts may have numbers of those in the study.
    """
    draft, missing = folder.draft, 0
    high = 10.0 if any(value > 5 for _, _, _, value in folder.ratings) else 5.0
    has_texts = bool(draft.topics)

    def is_there(topic: str, by: str) -> bool:
        if not has_texts:
            return True
        head = draft.topics.get(topic)
        if head is None:
            return False
        if by in head.references and by not in head.summaries:
            draft.summary(topic, by, head.references[by], SystemKind.HUMAN)
        return by in head.summaries

    seen: Counter[tuple[str, str, str]] = Counter()
    for topic, by, dimension, value in folder.ratings:
        if not is_there(topic, by):
            missing += 1
            continue
        seen[topic, by, dimension] += 1
        number = seen[topic, by, dimension]
        annotator = NIST if number == 1 else f"{NIST}-{number}"
        if not 0 <= value <= high:
            what = f"{value:g} of {by} in {topic} is outside the scale 1 to {high:g}."
            draft.problems.add(dimension, what, "Restore the table as distributed.")
            continue
        draft.rating(NewRating(topic, by, dimension, annotator, value), NIST, (1.0 if value else 0.0, high))
    for (topic, by, measure), values in folder.scores.items():
        if is_there(topic, by):
            draft.score(NewScore(topic, by, measure, mean(values)))
        else:
            missing += 1
    return missing


def _notices(folder: _Folder, missing: int) -> Iterator[tuple[str, str]]:
    """Yield remarks on what was left out or decoded otherwise, each with a remedy."""
    if folder.latin:
        listed = ", ".join(folder.latin[:_LISTED]) + ("…" if len(folder.latin) > _LISTED else "")
        yield (
            f"{len(folder.latin):,} files are not UTF-8 and were read as Windows-1252 ({listed}).",
            "Nothing needs to be done unless texts look wrong.",
        )
    if missing:
        yield (
            f"{missing:,} ratings and scores were left out: the folder does not contain their summaries.",
            "Choose the folder that contains the summaries and the tables.",
        )


FORMAT = Format(
    "tac",
    "TAC, DUC (NIST folders)",
    "Summaries named as D0801-A.M.100.A.1, documents, topic statements and tables of NIST's evaluations.",
    without_study(read),
    is_tac,
)
