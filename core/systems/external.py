"""A summarizer in another language: a program that reads topics and writes summaries as JSON Lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from core.errors import InputError
from core.files.allowed_names import NotAllowed
from core.files.programs import command_problem, exchange, wrong_line
from core.settings import setting
from core.systems.base import Summarizer, Summary
from core.systems.registry import register
from core.systems.source import Source

_FORM = '{"id": "…", "summary": "…"} per topic'


@register
@dataclass(frozen=True)
class ExternalProgram(Summarizer):
    """Summaries written by a program, which is started once for all topics, without a shell.

    It reads one line per topic from its standard input: ``{"id", "query", "documents": [{"name", "text"}],
    "earlier": [sentences], "words", "sentences", "characters"}``. It writes one line per topic, in any
    order: ``{"id", "summary"}``, the summary as a text or a list of sentences. The limits are passed on, not
    enforced.

    Limits:
        What the program writes is stored as it is; equal runs are equal only if the program is
        deterministic.
    """

    name: ClassVar[str] = "command"
    about: ClassVar[str] = "Summaries of a program that reads and writes JSON Lines."
    sees_earlier: ClassVar[bool] = True
    program_setting: ClassVar[str] = "command"

    command: str = setting("", "Program with its arguments, as in a shell.", title="Command")
    seconds: float = setting(3600.0, "Time limit of the whole run in seconds.", low=0.1, title="Seconds")

    def unavailable(self) -> str:
        """Return why the program cannot be started."""
        try:
            return command_problem(self.command)
        except NotAllowed as error:
            return str(error)

    def summarize_all(self, sources: Iterable[Source], device: str = "auto") -> Iterator[Summary]:
        """Yield a summary for each source. Raises InputError where the program fails, naming the line."""
        listed = list(sources)
        found = self._answers(listed)
        for source in listed:
            yield Summary(found[source.name])

    def summarize(self, source: Source) -> tuple[str, ...]:
        """Return the summary of one topic."""
        return next(iter(self.summarize_all([source]))).sentences

    def _question(self, source: Source) -> dict[str, Any]:
        documents = [{"name": text.name, "text": text.content} for text in source.documents]
        limits = {"words": self.words, "sentences": self.sentences, "characters": self.characters}
        earlier = [sentence.text for sentence in source.earlier]
        return {
            "id": source.name,
            "query": source.query,
            "documents": documents,
            "earlier": earlier,
            **limits,
        }

    def _answers(self, sources: list[Source]) -> dict[str, tuple[str, ...]]:
        topics = {source.name for source in sources}
        found: dict[str, tuple[str, ...]] = {}
        slow = "Raise seconds=, or summarize fewer topics at once."
        for number, row in exchange(self.command, map(self._question, sources), self.seconds, slow, _FORM):
            topic, summary = row["id"], self._summary(row.get("summary"), number)
            if topic not in topics:
                raise wrong_line(number, f"{topic!r} is no topic that it was given", _FORM)
            if topic in found:
                raise wrong_line(number, f"it has a second summary of {topic}", _FORM)
            found[topic] = summary
        if missing := sorted(topics - set(found)):
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise InputError(f"The program wrote no summary of {missing[0]}{more}. Write a line per topic.")
        return found

    def _summary(self, summary: Any, number: int) -> tuple[str, ...]:
        sentences = [summary] if isinstance(summary, str) else summary
        if not isinstance(sentences, list) or not all(isinstance(one, str) for one in sentences):
            raise wrong_line(number, 'its "summary" is neither a text nor a list of sentences', _FORM)
        if any("\0" in one or not _is_encodable(one) for one in sentences):
            raise wrong_line(number, "its summary has a character that cannot be stored", _FORM)
        return tuple(filter(None, (" ".join(one.split()) for one in sentences)))


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
