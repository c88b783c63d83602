"""Lists that a language model writes as Python does; it is asked again where an answer is none.

Source: Pradeep et al. 2024 (AutoNuggetizer) and its program, castorini/nuggetizer.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeVar

from core.metrics.judge.answers import JudgeAnswer, prompt_hash
from core.models.chat import ChatModel, ChatRequest, Prompt

T = TypeVar("T")

LATER_TEMPERATURE = 0.2
"""Temperature of all answers after the first, which is the most likely one."""

LONGEST_FACT = 1000
"""Letters of a fact, of which a dozen words are asked for."""

_LARGEST = 200_000


def parsed_list(text: str) -> tuple[str, ...] | None:
    """Return the strings of a list in Python's notation, also within marks of code; None = it is none."""
    cleaned = text.replace("```python", "").replace("```", "").strip()
    if len(cleaned) > _LARGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that are none
            read = ast.literal_eval(cleaned)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    if not isinstance(read, (list, tuple)) or not all(isinstance(one, str) for one in read):
        return None
    return tuple(one.encode("utf-8", "replace").decode().replace("\0", "") for one in read)


def parsed_facts(text: str) -> tuple[str, ...] | None:
    """Return the short facts of a list; None = it is none, or has a text that is no short fact."""
    read = parsed_list(text)
    return None if read is None or any(len(one) > LONGEST_FACT for one in read) else read


def parsed_labels(
    text: str, count: int, labels: Collection[str], *, others: str | None = None
) -> tuple[str, ...] | None:
    """Return a label of each of `count` units; None = the answer is no such list.

    labels: in lower case. others: what any other word stands for, None = no list has other words.
    """
    read = parsed_list(text)
    if read is None or len(read) != count:
        return None
    found = [one.lower() if one.lower() in labels else others for one in read]
    return None if None in found else tuple(one for one in found if one is not None)


@dataclass
class ListAsker:
    """Asks for lists, and records all answers.

    kept: stored answers by the hash of their prompt, which are not asked for again. trials: answers to a
    prompt at most. tokens: of an answer at most. seed: of the answers after the first.
    answers: what was answered to each prompt, in order; the last text is the one that counts.
    """

    chat: Callable[[], ChatModel]
    kept: dict[str, JudgeAnswer]
    trials: int
    seed: int
    tokens: int

    def __post_init__(self) -> None:
        self.answers: list[JudgeAnswer] = []

    def ask(
        self,
        prompts: Sequence[Prompt],
        parse: Sequence[Callable[[str], T | None]],
        systems: Sequence[str],
        criterion: str,
    ) -> list[T | None]:
        """Return what was read of the answer to each prompt; None = of no answer.

        parse, systems: of each prompt; system: whose summary it is about, empty = of none. criterion: what is
        asked.
        """
        keys = [prompt_hash(prompt) for prompt in prompts]
        first = {key: place for place, key in reversed(list(enumerate(keys)))}
        texts: dict[str, tuple[str, ...]] = {}
        cut = dict.fromkeys(keys, False)
        for key in first:
            stored = self.kept.get(key)
            texts[key] = stored.texts[: self.trials] if stored is not None else ()
            cut[key] = stored is not None and stored.is_cut
        for trial in range(self.trials):
            due = [
                key
                for key, place in first.items()
                if len(texts[key]) == trial and (not trial or parse[place](texts[key][-1]) is None)
            ]
            if not due:
                continue
            temperature = LATER_TEMPERATURE if trial else 0.0
            request = ChatRequest((), 1, temperature, self.seed + trial, self.tokens)
            for key, answer in zip(
                due, self.chat().answers([prompts[first[key]] for key in due], request), strict=True
            ):
                texts[key] = (*texts[key], answer.texts[0])
                cut[key] = answer.is_cut
        for key, place in zip(keys, range(len(keys)), strict=True):
            failures = sum(parse[place](text) is None for text in texts[key])
            self.answers.append(
                JudgeAnswer(key, systems[place], criterion, texts[key], (), math.nan, failures, cut[key])
            )
        return [parse[place](texts[key][-1]) for place, key in enumerate(keys)]
