"""Reader of the folders of CL-SciSumm and BiomedSumm (TAC 2014): articles, citances and summaries.

A topic's folder is named for the cited article. It has the folders ``annotation`` with ``*.ann.txt`` (fields
separated by ``|``) or ``*.csv``, ``summary``, and the articles: ``Reference_XML`` and ``Citance_XML`` with
numbered sentences, ``Documents_Text`` or ``Documents_TXT`` with plain texts. In 2018 the annotations and
summaries of all topics are in ``Task1/TOPIC_ANNOTATOR.csv`` and ``Task2/TOPIC_ANNOTATOR.human.txt``. Places
are numbers of sentences, or characters from ``start`` to before ``end``. The public files have errors, which
are worked around and noted.
"""

from __future__ import annotations

import codecs
import csv
import html
import io
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from pathlib import Path

from core.domain.citations import NO_VALUE, CitedSpan
from core.domain.import_batch import ImportContent, NewCitance, NewCitanceAnnotation, NewText
from core.domain.study import Span, join_sentences
from core.errors import InputError, Problem
from core.files.paths import access_errors, list_files, printable_path
from core.progress import JobSteps, Progress
from storage.formats.format_types import Format, without_study
from storage.formats.readers.draft import ImportDraft
from storage.formats.readers.fields import Problems, is_clean, opened
from storage.formats.readers.text_files import files_in, text_of
from storage.formats.readers.usage import current

UNNAMED = "unnamed"
"""Annotator of records without one."""

_FIELDS = (
    "Topic ID",
    "Citance Number",
    "Citation Number",
    "Reference Article",
    "Citing Article",
    "Citation Marker Offset",
    "Citation Marker",
    "Citation Offset",
    "Citation Text",
    "Citation Text Clean",
    "Reference Offset",
    "Reference Text",
    "Discourse Facet",
    "Annotator",
)
_NEXT_FIELD = re.compile(rf"\|\s*+(?=(?:{'|'.join(_FIELDS)})\s*+:)")
_ANNOTATION = re.compile(r"\.ann(?:v(?P<version>[0-9]{1,9}))?\.txt$", re.IGNORECASE)
_TABLE = re.compile(r"(?P<topic>[^_.]+)(?:_(?P<annotator>[^.]+))?\.csv", re.IGNORECASE)
_HEADINGS = b"Citance Number,"
_UNKNOWN_OFFSETS = ("Citation Offset", "Citation Marker Offset")
_FLAT = {"task1": "annotation", "task2": "summary"}
"""Kinds of the files of all topics in one folder, by its name."""
_ARTICLES = ("reference_xml", "citance_xml", "documents_text", "documents_txt")
_SENTENCE = re.compile(
    r"<S\s++sid\s*+=\s*+\"?+\s*+(?P<sid>[0-9]*+)[^<>]*+>"
    r"(?P<text>[^<]*+(?:<(?!/?S[\s>])[^<]*+)*+)"
    r"(?:</S\s*+>|(?=<S\s)|\Z)",
    re.IGNORECASE,
)
"""A sentence; it ends with the next one where its end is missing. Possessive, so that nothing backtracks."""
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_RANGE = re.compile(r"(?<![0-9])([0-9]{1,12})(?![0-9])\s*+-\s*+([0-9]{1,12})(?![0-9])")
_NUMBER = re.compile(r"[0-9]+")
_NOT_ASCII = re.compile("[^0-9a-z]+")
_ELLIPSIS = re.compile(r"\s*\.\.\.\s*")
_NONE = NO_VALUE | {"[]"}
_MOST_EXAMPLES = 3


def is_annotation(file: Path) -> bool:
    """Return whether a file has annotations of citances, by its name and, if it is a table, its headings."""
    kind = file.parent.name.lower()
    if _TABLE.fullmatch(file.name) and kind in ("annotation", "task1"):
        with opened(file) as source:
            return bool(source.read(len(_HEADINGS) + 3).removeprefix(codecs.BOM_UTF8).startswith(_HEADINGS))
    return kind == "annotation" and bool(_ANNOTATION.search(file.name))


def read(path: Path, options: Mapping[str, str]) -> JobSteps[ImportContent]:
    """Read a folder of topics, or a topic's folder. Raises BadImport with every problem."""
    problems = Problems(path.name)
    reader = _Reader(path, ImportDraft(printable_path(path.name), problems))
    topics = reader.topics([file for _, file in files_in(path, problems)])
    if not topics:
        raise InputError(
            f"{printable_path(path)} has no topic with annotation/*.ann.txt. Choose the folder that contains "
            "the topics."
        )
    for done, topic in enumerate(topics):
        yield Progress(done, len(topics), f"reading {printable_path(topic.name)}")
        reader.read(topic)
    current().expected.append("*.pdf")
    content = reader.draft.finish()
    return replace(content, notices=(*content.notices, *reader.notices()))


@dataclass(frozen=True)
class _Article:
    """A text of the corpus. ids: index of a sentence by its number."""

    text: NewText
    ids: Mapping[str, int] = field(default_factory=dict)

    @cached_property
    def by_letters(self) -> Mapping[str, list[int]]:
        """Indices of sentences by their letters and digits."""
        found: defaultdict[str, list[int]] = defaultdict(list)
        for index in range(len(self.text.sentence_spans or ())):
            found[_letters(self.sentence(index))].append(index)
        return found

    def span(self, index: int) -> Span:
        return (self.text.sentence_spans or ())[index]

    def sentence(self, index: int) -> str:
        start, end = self.span(index)
        return self.text.content[start:end]


_Annotations = dict[tuple[str, str, str], set[NewCitanceAnnotation]]
"""Annotations of citances by citing paper, number and annotator."""


@dataclass(slots=True)
class _TopicFiles:
    """The files of a topic. names: of its folder, with and without ``_TRAIN``."""

    name: str
    annotations: list[Path] = field(default_factory=list)
    summaries: list[Path] = field(default_factory=list)
    articles: defaultdict[str, list[Path]] = field(default_factory=lambda: defaultdict(list))


class _Reader:
    """Reads topics into a draft."""

    def __init__(self, path: Path, draft: ImportDraft) -> None:
        self._path, self.draft = path, draft
        self._names: set[str] = set()
        """Letters of the names of all topics."""
        self._noted: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        """Places of irregularities by kind: a sentence, and its remedy."""

    def _note(self, what: str, remedy: str, place: str = "") -> None:
        self._noted[what, remedy].append(place or self.draft.problems.place)

    def notices(self) -> Iterator[Problem]:
        """Yield each kind of irregularity with its number and the first places."""
        for (what, remedy), places in self._noted.items():
            shown = "; ".join(dict.fromkeys(places[:_MOST_EXAMPLES]))
            count = f" ({len(places):,} times)" if len(places) > 1 else ""
            yield Problem(self.draft.source, printable_path(shown), "", f"{what}{count}.", remedy)

    def topics(self, files: Sequence[Path]) -> list[_TopicFiles]:
        """Return the topics with their files, by name; a topic's files may be in several folders."""
        found: dict[str, _TopicFiles] = {}
        for file in files:
            kind, folder = file.parent.name.lower(), file.parent.parent
            name = folder.name if folder != self._path else self._path.resolve().name
            if kind in _FLAT:
                kind, name = _FLAT[kind], re.split("[_.]", file.name)[0]
            elif kind not in (*_ARTICLES, "annotation", "summary"):
                continue
            topic = found.setdefault(name, _TopicFiles(name))
            if kind == "summary":
                topic.summaries.append(file)
            elif kind != "annotation":
                topic.articles[file.stem].append(file)
            elif is_annotation(file):
                topic.annotations.append(file)
        self._names = set(map(_letters, found))
        return [topic for topic in found.values() if topic.annotations]

    def read(self, topic: _TopicFiles) -> None:
        """Read a topic."""
        records = [record for file in self._newest(topic.annotations) for record in self._records(file)]
        by_characters = any(_RANGE.search(record.get("Reference Offset", "")) for record in records)
        article = cache(lambda name: self._article(topic, name, by_characters))
        draft = self.draft.topic(topic.name)
        numbered: _Annotations = {}
        for record in records:
            cited, citing = (Path(record[key]).stem for key in ("Reference Article", "Citing Article"))
            document, paper = article(cited), article(citing)
            self.draft.problems.place = f"{topic.name}, citance {record['Citance Number']}"
            if document is not None:
                self.draft.document(topic.name, cited, document.text)
                draft.title = draft.title or (
                    document.sentence(document.ids["0"]) if "0" in document.ids else ""
                )
            else:
                self._note("The cited article is missing", "Places in it are left out.")
            self.draft.citing_paper(topic.name, citing, paper.text if paper is not None else NewText(""))
            citance = self._citance(topic.name, record, cited if document else "", document, paper)
            if (one := self._numbered(citance, numbered)) is not None:
                self.draft.citance(one)
        for file in topic.summaries:
            self._summary(topic, file)

    def _numbered(self, new: NewCitance, known: _Annotations) -> NewCitance | None:
        """Return a citance with a number that its annotator has not annotated yet, None = this one he has.

        known: annotations by paper, number and annotator, to which the new one is added.
        """
        (annotation,) = new.annotations
        earlier = known.setdefault((new.paper, new.number, annotation.annotator), set())
        if annotation in earlier:
            self._note("An annotation occurs twice", "It is imported once.")
            return None
        earlier.add(annotation)
        if len(earlier) == 1:
            return new
        what = "Several citances of a paper have the same number"
        self._note(what, "The second one is imported as NUMBER (2), and so on.")
        return replace(new, number=f"{new.number} ({len(earlier)})")

    def _newest(self, files: Sequence[Path]) -> list[Path]:
        """Return the annotation files, of several versions of one the newest."""
        newest: dict[str, Path] = {}
        for file in sorted(files, key=_version):
            base = _ANNOTATION.sub("", file.name)
            if base in newest:
                place = newest[base].relative_to(self._path).as_posix()
                self._note("An older version of annotations is not read", f"{file.name} is.", place)
            newest[base] = file
        return [newest[base] for base in sorted(newest)]

    def _records(self, file: Path) -> Iterator[dict[str, str]]:
        place = file.relative_to(self._path).as_posix()
        table, text = _TABLE.fullmatch(file.name), self._text(file) or ""
        rows = _lines(text) if table is None else self._cells(text, table)
        for number, fields in rows:
            self.draft.problems.place = f"{place}, line {number}"
            record: dict[str, str] = {}
            for name, value in fields:
                if name in record:
                    self._note("A field occurs twice in one line; the first one counts", "Check the line.")
                record.setdefault(name, value)
            if "Citation Number" in record:
                record.setdefault("Citance Number", record.pop("Citation Number"))
            required = ("Citance Number", "Reference Article", "Citing Article", "Citation Text")
            missing = [name for name in required if not record.get(name)]
            if missing == ["Citation Text"]:
                self._note("A citance has no text", "It is imported without one.")
            elif missing:
                names = ", ".join(missing)
                self.draft.problems.add(names, "The field is missing or empty.", "Fill it in.")
                continue
            if all(is_clean(value, name, self.draft.problems) for name, value in record.items()):
                yield record

    def _cells(self, text: str, name: re.Match[str]) -> Iterator[tuple[int, list[tuple[str, str]]]]:
        """Yield the line and the fields of each row of a table of 2018, where 0 is no offset.

        name: of the file, with the cited article and the annotator.
        """
        reader = csv.DictReader(io.StringIO(text, newline=""), restkey="", restval="")
        try:
            unknown = [one for one in reader.fieldnames or () if one and one not in _FIELDS]
            if unknown:
                self._note(f"Columns that are not used: {', '.join(unknown)[:200]}", "")
            for row in reader:
                fields = {one: value.strip() for one, value in row.items() if one in _FIELDS}
                fields |= {one: "" for one in _UNKNOWN_OFFSETS if fields.get(one) == "0"}
                if fields.get("Reference Article") != name["topic"]:
                    self._note("A row names no or another cited article", "That of the file's name counts.")
                    fields["Reference Article"] = name["topic"]
                if name["annotator"]:
                    fields["Annotator"] = name["annotator"]
                yield reader.line_num, list(fields.items())
        except csv.Error as error:
            self.draft.problems.add("", f"Not a valid table: {error}.", "Check the quotes of this record.")

    def _citance(
        self,
        topic: str,
        record: Mapping[str, str],
        document_name: str,
        document: _Article | None,
        paper: _Article | None,
    ) -> NewCitance:
        own = self._parts(record, "Citation", paper)
        spans = _joined(sorted({part.span for part in own if part.span is not None}), paper)
        cited = (part for part in self._parts(record, "Reference", document) if part.text or part.span)
        facets = (part.strip(" '\"[]") for part in record.get("Discourse Facet", "").split(","))
        text, who = " ".join(part.text for part in own), record.get("Annotator") or UNNAMED
        marker = record.get("Citation Marker", "")
        marker = "" if marker.lower() in _NONE else marker
        return NewCitance(
            topic,
            Path(record["Citing Article"]).stem,
            record["Citance Number"],
            document_name,
            marker,
            self._marker_span(record, marker, paper),
            (NewCitanceAnnotation(who, text, spans, tuple(cited), tuple(facets)),),
        )

    def _parts(self, record: Mapping[str, str], name: str, article: _Article | None) -> list[CitedSpan]:
        """Return the parts of an article that a record gives by offset and text."""
        offset, raw = record.get(f"{name} Offset", ""), record.get(f"{name} Text", "")
        if ranges := [(int(start), int(end)) for start, end in _RANGE.findall(offset)]:
            return self._by_characters(ranges, _plain(raw), article)
        numbers = [] if offset.strip().lower() in _NONE else _NUMBER.findall(offset)
        elements = [(found["sid"], _plain(found["text"])) for found in _SENTENCE.finditer(raw)]
        if not elements:
            elements = [("", _plain(raw))] if _plain(raw) else []
        if len(elements) == len(numbers):
            elements = [(sid or number, text) for (sid, text), number in zip(elements, numbers, strict=True)]
        given = {sid for sid, _ in elements}
        parts = [CitedSpan(self._sentence_span(sid, text, article), text) for sid, text in elements]
        for number in dict.fromkeys(numbers):
            index = None if article is None else article.ids.get(number)
            if number not in given and article is not None and index is not None:
                parts.append(CitedSpan(article.span(index), article.sentence(index)))
        return parts

    def _sentence_span(self, number: str, text: str, article: _Article | None) -> Span | None:
        """Return the place of a sentence that is given by number and text, None = unknown."""
        if article is None:
            return None
        index = article.ids.get(number) if number else None
        letters = _letters(text)
        if index is not None:
            stored = _letters(article.sentence(index))
            if not letters or letters in stored or (stored and stored in letters):
                return article.span(index)
        same = article.by_letters.get(letters, [])
        if len(same) == 1:
            if number:
                self._note("A sentence has another number than its text", "Its text counts.")
            return article.span(same[0])
        if index is not None:
            self._note("A sentence has another text than its number", "Its number counts for its place.")
            return article.span(index)
        if number:
            self._note("An article has no sentence of this number", "Its place is left out.")
        return None

    def _by_characters(self, ranges: Sequence[Span], text: str, article: _Article | None) -> list[CitedSpan]:
        pieces = _ELLIPSIS.split(text)
        if len(pieces) != len(ranges):
            content = article.text.content if article is not None else ""
            pieces = [content[start:end] for start, end in ranges] if content else [text]
        if article is None:
            return [CitedSpan(None, text)]
        return [
            CitedSpan(self._span(span, piece, article), piece)
            for span, piece in zip(ranges, pieces, strict=True)
        ]

    def _span(self, span: Span, text: str, article: _Article) -> Span | None:
        """Return the place of a text that is given by characters, None = unknown."""
        content, (start, end) = article.text.content, span
        letters = _letters(text)
        if _letters(content[start:end]) == letters:
            return span if start < end <= len(content) else None
        around = (content.rfind(text, 0, start + len(text)), content.find(text, start)) if text else ()
        if places := [place for place in around if place >= 0]:
            self._note("A text is not where its offset says", "The nearest place of the text counts.")
            begin = min(places, key=lambda place: abs(place - start))
            return begin, begin + len(text)
        if start < end <= len(content):
            self._note("An offset has another text than given", "Both are stored.")
            return span
        self._note("An offset is outside the article", "Its place is left out.")
        return None

    def _marker_span(self, record: Mapping[str, str], marker: str, paper: _Article | None) -> Span | None:
        offset = record.get("Citation Marker Offset", "")
        if paper is None or not marker:
            return None
        if ranges := _RANGE.findall(offset):
            start, end = map(int, ranges[0])
            return self._span((start, end), marker, paper)
        for number in _NUMBER.findall(offset):
            if (index := paper.ids.get(number)) is not None:
                start, _ = paper.span(index)
                at = paper.sentence(index).find(marker)
                if at >= 0:
                    return start + at, start + at + len(marker)
        return None

    def _article(self, topic: _TopicFiles, name: str, by_characters: bool) -> _Article | None:
        """Return an article, as plain text if places are characters; None = missing or empty."""
        order = _ARTICLES[::-1] if by_characters else _ARTICLES
        files = sorted(topic.articles.get(name, ()), key=lambda file: order.index(file.parent.name.lower()))
        for file in files:
            raw = self._text(file)
            if raw is None:
                continue
            article = _parsed(raw) if file.suffix.lower() == ".xml" else _Article(NewText(raw))
            if article.text.content.strip():
                return article
        return None

    def _summary(self, topic: _TopicFiles, file: Path) -> None:
        """Read a summary; its author is what follows the topic in the name."""
        self.draft.problems.place = file.relative_to(self._path).as_posix()
        starts = [one for one in (topic.name, topic.name.removesuffix("_TRAIN")) if file.name.startswith(one)]
        if not starts and _letters(file.name.partition(".")[0]) in self._names - {_letters(topic.name)}:
            self._note("A summary has the name of another topic and is not read", "Move it to its topic.")
            return
        name = file.name.removeprefix(starts[0]) if starts else file.name.partition(".")[2]
        if not starts:
            what = "A summary has another name than the topic of its folder, for which it is read"
            self._note(what, "Check that it is in the right folder.")
        author = re.sub(r"\.?(?:txt|xml)$", "", name).removesuffix(".summary").strip("._") or "human"
        raw = self._text(file)
        if raw is None:
            return
        text = _parsed(raw).text
        if not text.sentence_spans:
            text = NewText(_plain(raw) if _TAG.search(raw) else raw.strip())
        if not text.content.strip():
            self._note("A summary is empty and left out", "Check the file.")
            return
        known, count, name = self.draft.topic(topic.name).references, 1, author
        while known.get(name, text) != text:
            count += 1
            name = f"{author} {count}"
        if count > 1:
            self._note("An author has several summaries", f"One is imported as {name}.")
        self.draft.reference(topic.name, name, text)

    def _text(self, file: Path) -> str | None:
        """Return a file's text, None = it has a problem. Some files are in Windows-1252."""
        self.draft.problems.place = place = file.relative_to(self._path).as_posix()

        def note() -> None:
            self._note("A file is not UTF-8", "It is read as Windows-1252.", place)

        return text_of(file, self.draft.problems, other_encoding=note)


def _lines(text: str) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """Yield the number and the fields of each line."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            parts = [part.partition(":") for part in _NEXT_FIELD.split(line.strip())]
            yield (
                number,
                [(name.strip(), value.strip().removesuffix("|").strip()) for name, _, value in parts],
            )


def _parsed(raw: str) -> _Article:
    """Return an article from its numbered sentences; the files are not always valid XML."""
    sentences = [(found["sid"], _plain(found["text"])) for found in _SENTENCE.finditer(raw)]
    ids: dict[str, int] = {}
    for index, (sid, _) in enumerate(sentences):
        if sid:
            ids.setdefault(sid, index)
    return _Article(NewText(*join_sentences([text for _, text in sentences])), ids)


def _plain(text: str) -> str:
    """Return a text without tags, with characters instead of entities and single spaces."""
    return " ".join(html.unescape(_TAG.sub("", text)).split())


def _letters(text: str) -> str:
    """Return the letters and digits of a text, to compare texts with other spaces and encodings."""
    folded = text.casefold()
    return _NOT_ASCII.sub("", folded) or "".join(sign for sign in folded if sign.isalnum())


def _joined(spans: Sequence[Span], article: _Article | None) -> tuple[Span, ...]:
    """Return spans, those with only spaces in between as one."""
    found: list[Span] = []
    for start, end in spans:
        if found and article is not None and not article.text.content[found[-1][1] : start].strip():
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return tuple(found)


def _version(file: Path) -> tuple[int, str]:
    found = _ANNOTATION.search(file.name)
    return int((found and found["version"]) or 1), file.name


def _recognises(path: Path) -> bool:
    with access_errors(path):
        return path.is_dir() and any(map(is_annotation, list_files(path)))


FORMAT = Format(
    "scisumm",
    "CL-SciSumm, BiomedSumm (folders)",
    "Articles with the citances of other papers: TOPIC/annotation/*.ann.txt, and articles and summaries.",
    without_study(read),
    _recognises,
)
