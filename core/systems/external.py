"""A summarizer in another language: a program that reads topics and writes summaries as JSON Lines."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import IO, Any, ClassVar

from core.errors import InputError
from core.settings import setting
from core.systems.base import Summarizer, Summary
from core.systems.registry import register
from core.systems.source import Source

_MOST_SHOWN = 500
"""Characters of a program's error output in a message."""


@register
@dataclass(frozen=True)
class ExternalProgram(Summarizer):
    """Summaries written by a program, which is started once for all topics, without a shell.

    It reads one line per topic from its standard input: ``{"id", "query", "documents": [{"name", "text"}],
    "earlier": [sentences], "words", "sentences", "characters"}``. It writes one line per topic, in any
    order: ``{"id", "summary"}``, the summary as a text or a list of sentences. The limits are passed on, not
    enforced.
    """

    name: ClassVar[str] = "command"
    about: ClassVar[str] = "Summaries of a program that reads and writes JSON Lines."
    sees_earlier: ClassVar[bool] = True

    command: str = setting("", "Program with its arguments, as in a shell.", title="Command")
    seconds: float = setting(3600.0, "Time limit of the whole run in seconds.", low=0.1, title="Seconds")

    def unavailable(self) -> str:
        """Return why the program cannot be started."""
        try:
            parts = shlex.split(self.command)
        except ValueError as error:
            return f"The command {self.command!r} cannot be read: {error}. Check its quotes."
        if not parts:
            return "Name the program: command=PROGRAM ARGUMENTS."
        if shutil.which(parts[0]) is None:
            return f"There is no program {parts[0]!r}. Check the name, or write its whole path."
        return ""

    def summarize_all(self, sources: Iterable[Source], device: str = "auto") -> Iterator[Summary]:
        """Yield a summary for each source. Raises InputError where the program fails, naming the line."""
        listed = list(sources)
        if problem := self.unavailable():
            raise InputError(problem)
        with TemporaryFile() as questions, TemporaryFile() as answers, TemporaryFile() as errors:
            for source in listed:
                questions.write((json.dumps(self._question(source), ensure_ascii=False) + "\n").encode())
            questions.seek(0)
            self._run(questions, answers, errors)
            answers.seek(0)
            found = self._answers(answers, {source.name for source in listed})
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

    def _run(self, questions: IO[bytes], answers: IO[bytes], errors: IO[bytes]) -> None:
        program = shlex.split(self.command)
        try:
            done = subprocess.run(
                program, stdin=questions, stdout=answers, stderr=errors, timeout=self.seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise InputError(
                f"{program[0]} did not finish within {self.seconds:g} seconds. Raise seconds=, or summarize "
                "fewer topics at once."
            ) from None
        except OSError as error:
            raise InputError(f"{program[0]} could not be started: {error.strerror or error}.") from error
        if done.returncode:
            errors.seek(0)
            text = errors.read().decode("utf-8", "replace").strip()[-_MOST_SHOWN:]
            raise InputError(
                f"{program[0]} ended with status {done.returncode}. It wrote: {text or 'nothing'}"
            )

    def _answers(self, answers: IO[bytes], topics: set[str]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {}
        for number, line in enumerate(answers, 1):
            if not line.strip():
                continue
            topic, summary = self._answer(line, number)
            if topic not in topics:
                raise self._wrong(number, f"{topic!r} is no topic that it was given")
            if topic in found:
                raise self._wrong(number, f"it has a second summary of {topic}")
            found[topic] = summary
        if missing := sorted(topics - set(found)):
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            raise InputError(f"The program wrote no summary of {missing[0]}{more}. Write a line per topic.")
        return found

    def _answer(self, line: bytes, number: int) -> tuple[str, tuple[str, ...]]:
        try:
            row = json.loads(line.decode())
        except (ValueError, RecursionError):
            raise self._wrong(number, "it is no JSON") from None
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            raise self._wrong(number, 'it has no "id"')
        summary = row.get("summary")
        sentences = [summary] if isinstance(summary, str) else summary
        if not isinstance(sentences, list) or not all(isinstance(one, str) for one in sentences):
            raise self._wrong(number, 'its "summary" is neither a text nor a list of sentences')
        if any("\0" in one or not _is_encodable(one) for one in sentences):
            raise self._wrong(number, "its summary has a character that cannot be stored")
        return row["id"], tuple(filter(None, (" ".join(one.split()) for one in sentences)))

    def _wrong(self, number: int, what: str) -> InputError:
        return InputError(
            f'Line {number} of what the program wrote: {what}. Write {{"id": "…", "summary": "…"}} per topic.'
        )


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
