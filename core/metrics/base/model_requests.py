"""What a run would ask a language model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

_LETTERS_PER_TOKEN = 4
"""Of English text; other languages and scripts need more tokens."""


@dataclass(frozen=True, slots=True)
class ModelRequests:
    """Requests to a language model that are not answered yet; tokens are estimated, answers at most.

    requests: their number. tokens_in, tokens_out: of all prompts and of all answers.
    """

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: ModelRequests) -> ModelRequests:
        return ModelRequests(
            self.requests + other.requests,
            self.tokens_in + other.tokens_in,
            self.tokens_out + other.tokens_out,
        )

    def __bool__(self) -> bool:
        return bool(self.requests)


NO_REQUESTS = ModelRequests()


def requests_of(prompts: Iterable[Sequence[str]], answer_tokens: int) -> ModelRequests:
    """Return the requests of some prompts. answer_tokens: most tokens of the answers to each."""
    sizes = [math.ceil(sum(map(len, prompt)) / _LETTERS_PER_TOKEN) for prompt in prompts]
    return ModelRequests(len(sizes), sum(sizes), len(sizes) * answer_tokens)
