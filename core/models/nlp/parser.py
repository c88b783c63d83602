"""Dependency parser: an installed spaCy pipeline or one in a folder, found without importing spaCy."""

from __future__ import annotations

import logging
import warnings
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from core.domain.study import Span, Text
from core.errors import InputError, MissingResource
from core.extras import require
from core.files.allowed_names import NameKind, NotAllowed, allowed_names
from core.json_text import parse_json
from core.models.catalogue.lookup import added_place
from core.progress import raise_if_cancelled
from core.text.sentences import sentence_spans_of

log = logging.getLogger(__name__)

_REMEMBERED = 4096
_NOT_NEEDED = ("ner", "lemmatizer", "trainable_lemmatizer", "textcat", "textcat_multilabel", "entity_linker")


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a parsed text.

    head: index of its governor among the text's tokens; a root is its own head.
    relation: to its governor.
    part_of_speech: Universal Dependencies tag; empty if the pipeline provides none.
    """

    word: str
    span: Span
    head: int
    relation: str
    part_of_speech: str = ""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase. span: in its text. sentence: span of its sentence."""

    span: Span
    sentence: Span


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A pipeline on this machine, not loaded. files: all its files."""

    name: str
    version: str
    folder: Path
    files: tuple[Path, ...]


def find_pipeline(name: str) -> Pipeline:
    """Return the pipeline of a folder or an installed package. Raises MissingResource with how to get it."""
    require("parsing")
    path = added_place(name)
    if path is None and allowed_names().has(NameKind.PLACE, name):
        path = Path(name).expanduser()
    elif path is None and not name.isidentifier():
        raise NotAllowed(NameKind.PLACE, name)
    folder = path.resolve() if path is not None and path.is_dir() else _installed(name)
    if folder is None or not (folder / "config.cfg").is_file():
        raise MissingResource(
            f"There is no parser {name!r} on this machine. Name the folder of a spaCy pipeline, "
            "which contains "
            "config.cfg, or an installed one; with network access, run: python -m spacy download "
            "en_core_web_sm"
        )
    return read_pipeline(folder)


def read_pipeline(folder: Path) -> Pipeline:
    """Return the pipeline of a folder. Raises InputError where its description is damaged."""
    about = _about(folder)
    label = "_".join(part for part in (about.get("lang"), about.get("name")) if part) or folder.name
    files = tuple(sorted(file for file in folder.rglob("*") if file.is_file()))
    return Pipeline(label, about.get("version", ""), folder, files)


def spacy_version() -> str:
    """Return the installed version of spaCy."""
    return version("spacy")


def load_parser(name: str) -> Parser:
    """Load the parser of a folder or an installed package.

    Raises MissingResource if there is none, InputError if it is damaged or has no parser.
    """
    import spacy

    pipeline = find_pipeline(name)
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            loaded = spacy.load(pipeline.folder, exclude=list(_NOT_NEEDED))
    except Exception as error:  # a damaged pipeline component can raise anything
        raise InputError(
            f"The parser in {pipeline.folder} cannot be loaded ({str(error).strip().partition(chr(10))[0]}). "
            "Install it again for the installed version of spaCy."
        ) from error
    for warning in caught:
        log.warning("%s: %s", pipeline.name, warning.message)
    if not any("token.dep" in loaded.get_pipe_meta(part).assigns for part in loaded.pipe_names):
        raise InputError(
            f"The pipeline {pipeline.name} in {pipeline.folder} has no dependency parser. "
            "Choose one with a parser."
        )
    return Parser(pipeline, loaded)


class Parser:
    """A loaded pipeline that caches parsed texts."""

    def __init__(self, pipeline: Pipeline, loaded: Any) -> None:
        self.pipeline = pipeline
        self._loaded = loaded
        self._parsed: OrderedDict[str, tuple[Token, ...]] = OrderedDict()
        self._phrases: OrderedDict[str, tuple[Phrase, ...]] = OrderedDict()

    def parse(self, texts: Sequence[Text]) -> list[tuple[Token, ...]]:
        """Return each text's words in order; sentences are those of the text, else the pipeline's."""
        for text in texts:
            if text.reading_key not in self._parsed:
                raise_if_cancelled()
                self._parsed[text.reading_key] = tuple(self._tokens(text))
        parsed = [self._parsed[text.reading_key] for text in texts]
        while len(self._parsed) > _REMEMBERED:
            self._parsed.popitem(last=False)
        return parsed

    def noun_phrases(self, texts: Sequence[Text]) -> list[tuple[Phrase, ...]]:
        """Return each text's base noun phrases in order.

        Raises InputError if the pipeline cannot find them.
        """
        for text in texts:
            if text.reading_key not in self._phrases:
                raise_if_cancelled()
                self._phrases[text.reading_key] = tuple(self._noun_phrases(text))
        phrases = [self._phrases[text.reading_key] for text in texts]
        while len(self._phrases) > _REMEMBERED:
            self._phrases.popitem(last=False)
        return phrases

    def _tokens(self, text: Text) -> Iterator[Token]:
        done = 0
        for start, document in self._documents(text):
            yield from tokens_of(document, start, done)
            done += len(document)

    def _noun_phrases(self, text: Text) -> Iterator[Phrase]:
        for start, document in self._documents(text):
            try:
                yield from noun_phrases_of(document, start)
            except (NotImplementedError, ValueError) as error:  # language not supported, or component missing
                raise InputError(
                    f"The pipeline {self.pipeline.name} cannot find noun phrases. Choose one with "
                    "a tagger for another "
                    "language, or phrases=rules."
                ) from error

    def _documents(self, text: Text) -> Iterator[tuple[int, Any]]:
        """Yield a text's parts as spaCy documents, each with its offset."""
        places = [(0, len(text.content))]
        if text.sentence_spans is not None or len(text.content) > self._loaded.max_length:
            places = list(sentence_spans_of(text))
        parts = (text.content[start:end] for start, end in places)
        for (start, _), document in zip(places, self._loaded.pipe(parts), strict=True):
            yield start, document


def tokens_of(document: Any, offset: int = 0, before: int = 0) -> Iterator[Token]:
    """Yield the tokens of a spaCy document. offset: of the document in its text; before: tokens before it."""
    for token in document:
        start = offset + token.idx
        span = (start, start + len(token.text))
        yield Token(token.text, span, before + token.head.i, token.dep_, token.pos_)


def noun_phrases_of(document: Any, offset: int = 0) -> Iterator[Phrase]:
    """Yield the base noun phrases of a spaCy document. Raises ValueError without parts of speech."""
    if len(document) and not document.has_annotation("POS"):
        raise ValueError("no parts of speech")
    for phrase in document.noun_chunks:
        span, sentence = (
            (offset + part.start_char, offset + part.end_char) for part in (phrase, phrase.sent)
        )
        yield Phrase(span, sentence)


def _installed(name: str) -> Path | None:
    """Return the folder of a pipeline in an installed package, or None."""
    if not name.isidentifier():
        return None
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        return None
    return next((file.parent for file in sorted(Path(spec.origin).parent.glob("*/config.cfg"))), None)


def _about(folder: Path) -> dict[str, str]:
    """Read a pipeline's metadata."""
    try:
        meta = parse_json((folder / "meta.json").read_text(encoding="utf-8"))
        return {key: str(meta[key]) for key in ("lang", "name", "version") if meta.get(key)}
    except (OSError, ValueError, AttributeError) as error:
        raise InputError(
            f"{folder / 'meta.json'} cannot be read ({error}). Install the parser again."
        ) from error
