"""Answers of a language model to prompts: of a model on this machine, or of a server with OpenAI's API."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from core.errors import InputError
from core.server_secrets import without_login

if TYPE_CHECKING:
    from core.models.heads.generation import TextGenerator

Prompt = tuple[str, str, str]
"""A prompt in three parts; the end of the middle one is left out where the whole is too long."""

_PATH = re.compile("[!-~]*")

LOCAL_BATCH = 4
"""Prompts in one pass of a model on this machine."""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """What is asked of every prompt.

    labels: answers whose probabilities are asked for, as the next token; empty = answers are drawn.
    samples, temperature, seed, tokens: of drawn answers; temperature 0 = the most likely answer.
    """

    labels: tuple[str, ...] = ()
    samples: int = 1
    temperature: float = 1.0
    seed: int = 0
    tokens: int = 16


@dataclass(frozen=True, slots=True)
class ChatAnswer:
    """The answer to a prompt.

    texts: drawn answers, or the most likely next token, if it is known.
    probabilities: of the labels, empty = not asked for. is_cut: the prompt was too long.
    """

    texts: tuple[str, ...]
    probabilities: tuple[float, ...] = ()
    is_cut: bool = False


class ChatModel(Protocol):
    """A model that answers prompts."""

    def answers(self, prompts: Sequence[Prompt], request: ChatRequest) -> Iterator[ChatAnswer]:
        """Yield the answer to each prompt, in order. Raises PyramidionError with a remedy."""
        ...


class LocalChat:
    """A model on this machine, with its chat template if it has one."""

    def __init__(self, generator: TextGenerator) -> None:
        self._generator = generator

    def answers(self, prompts: Sequence[Prompt], request: ChatRequest) -> Iterator[ChatAnswer]:
        from core.models.heads.generation import GenerationSettings

        settings = GenerationSettings(
            tokens=1 if request.labels else request.tokens,
            beams=1,
            no_repeat=0,
            temperature=0.0 if request.labels else request.temperature,
            samples=request.samples if request.temperature and not request.labels else 1,
            seed=request.seed,
        )
        if request.labels:
            for one in self._generator.label_probabilities(prompts, request.labels, settings, LOCAL_BATCH):
                yield ChatAnswer((), one.values, one.is_cut)
        else:
            for drawn in self._generator.sample(prompts, settings):
                yield ChatAnswer(tuple(text.text for text in drawn), (), drawn[0].is_cut)


def check_address(url: str) -> None:
    """Raise InputError unless a text is the address of an API."""
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").encode("idna")
        is_address = parts.scheme in ("http", "https") and bool(host) and parts.port != 0
    except ValueError:  # also of a host that no name server knows how to look up
        is_address = False
    if (
        not is_address
        or not _PATH.fullmatch(parts.path)
        or parts.username is not None
        or parts.query
        or parts.fragment
    ):
        raise InputError(
            f"{without_login(url)!r} is no address of a server. Write the base of its API without user, "
            "query or fragment, such as http://127.0.0.1:8080/v1."
        )
