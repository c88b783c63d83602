"""The base class of summarizers: settings, length limit, signature."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from core.settings import Configurable, setting
from core.systems.source import Analysis, Sentence, Source
from core.text.tokenization import word_pattern


@dataclass(frozen=True, slots=True)
class Summary:
    """A summary. sentences: empty = there is none. is_cut: the end of the documents was not read."""

    sentences: tuple[str, ...]
    is_cut: bool = False


@dataclass(frozen=True)
class Summarizer(Configurable):
    """A way to summarize the documents of a topic. Fields are settings, created by `setting`.

    about: one line for users. paper: the source of the definition.
    bibliography: keys of its papers in resources/bibliography/references.bib.
    is_oracle: whether it is given the references.
    sees_earlier: whether it reads the earlier set of an update topic.
    version: raised where the same settings give other summaries.
    """

    about: ClassVar[str]
    paper: ClassVar[str] = ""
    bibliography: ClassVar[tuple[str, ...]] = ()
    version: ClassVar[int] = 1
    is_oracle: ClassVar[bool] = False
    sees_earlier: ClassVar[bool] = False

    words: int = setting(100, "Maximum length in words, 0 = no limit.", low=0, title="Words")
    sentences: int = setting(0, "Maximum number of sentences, 0 = no limit.", low=0, title="Sentences")
    characters: int = setting(0, "Maximum length in characters, 0 = no limit.", low=0, title="Characters")
    cut: str = setting(
        "word",
        "word: the first sentence that does not fit is cut at a word; sentence: it is left out.",
        choices=("word", "sentence"),
        title="Cut at",
    )

    @property
    def analysis(self) -> Analysis:
        """How words are compared."""
        return Analysis()

    @property
    def upper_bound_by(self) -> str:
        """What people wrote about the topic that it reads, so that it is no baseline; empty = nothing."""
        return "the references" if self.is_oracle else ""

    @property
    def reads_citances(self) -> bool:
        """Whether it reads the topic's citances."""
        return False

    @property
    def signature(self) -> str:
        """Return ``name|setting:value|...|version:N``, which reproduces the summaries."""
        parts = self.settings() | self.signature_extras()
        parts |= {"package": self.package} if self.package else {}
        listed = "|".join(f"{key}:{value}" for key, value in parts.items())
        return f"{self.name}|{listed}|version:{self.version}"

    def signature_extras(self) -> dict[str, str]:
        """Return further parts of the signature, such as a model's hash."""
        return {}

    def unavailable(self) -> str:
        """Return why the summarizer cannot run here, with the remedy; empty = it can."""
        return ""

    def rank(self, source: Source) -> Iterable[int]:
        """Yield indices of sentences, the first to be taken first; as many as are asked for."""
        raise NotImplementedError

    def summarize_all(self, sources: Iterable[Source], device: str = "auto") -> Iterator[Summary]:
        """Yield a summary for each source, in order; a program or model may take several at once.

        device: of a model.
        """
        return (Summary(self.summarize(source)) for source in sources)

    def summarize(self, source: Source) -> tuple[str, ...]:
        """Return the sentences of the summary, in the order of the documents."""
        return self.chosen(source, self.rank(source)) if source.sentences else ()

    def chosen(self, source: Source, order: Iterable[int]) -> tuple[str, ...]:
        """Return ranked sentences within the limits, equal ones once, in the order of the documents."""
        return self.limited(source.sentences, _without_repetitions(order, source.sentences))

    def limited(self, sentences: Sequence[Sentence], order: Iterable[int]) -> tuple[str, ...]:
        """Return sentences within the limits, taken in an order and returned in that of the documents.

        The first that does not fit is the last one: cut at a word, as in DUC, so that all summaries are
        equally long, or left out unless it is the only one.
        """
        taken: dict[int, str] = {}
        last: tuple[str, ...] = ()
        words = characters = 0
        for index in order:
            if self.sentences and len(taken) == self.sentences:
                break
            text = sentences[index].text
            room_words = self.words - words if self.words else 0
            room_characters = self.characters - characters - bool(taken) if self.characters else 0
            shown = _cut(
                text, room_words if self.words else None, room_characters if self.characters else None
            )
            if shown != text:
                if shown and (self.cut == "word" or not taken):
                    last = (shown,)
                break
            taken[index] = text
            words += len(text.split())
            characters += len(text) + (len(taken) > 1)
        return (*(taken[index] for index in sorted(taken)), *last)


def _without_repetitions(order: Iterable[int], sentences: Sequence[Sentence]) -> Iterator[int]:
    """Yield the indices without sentences whose words repeat an earlier one."""
    seen: set[tuple[str, ...]] = set()
    words = word_pattern("unicode")
    for index in order:
        text = sentences[index].text
        key = tuple(words.findall(text.casefold())) or (text,)
        if key not in seen:
            seen.add(key)
            yield index


def _cut(text: str, words: int | None, characters: int | None) -> str:
    """Return the longest beginning of a text within the limits that ends with a word; None = no limit."""
    kept = text.split() if words is None else text.split()[: max(words, 0)]
    if characters is not None:
        while kept and len(" ".join(kept)) > characters:
            kept.pop()
    return " ".join(kept)


@dataclass(frozen=True)
class TermSummarizer(Summarizer):
    """A summarizer that compares words."""

    stem: bool = setting(True, "Compare English stems instead of words.", title="Stem")
    stop_words: bool = setting(True, "Ignore English stop words.", title="Drop stop words")

    @property
    def analysis(self) -> Analysis:
        return Analysis(self.stem, self.stop_words)
