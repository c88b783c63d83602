"""A language model behind a server that speaks OpenAI's API, such as llama.cpp, vLLM or Ollama.

Only the address that the user named is contacted: no proxy, no redirect, no credentials except a key that
this user set for this address (`chat_accounts`).
"""

from __future__ import annotations

import http.client
import json
import math
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, wait
from functools import partial
from threading import Thread
from typing import Any, cast

from core.errors import InputError, MissingResource
from core.files.allowed_names import NameKind, allowed_names
from core.models.chat import ChatAnswer, ChatRequest, Prompt, check_address
from core.models.chat_accounts import chat_accounts
from core.progress import raise_if_cancelled
from core.server_causes import cause_of, said, status_words
from core.server_secrets import without_secrets

AT_ONCE = 4
"""Prompts that a server is asked at the same time."""

TOP = 20
"""Most likely tokens whose probabilities are asked for, the most that the API gives."""

_MOST_NAMED, _LONGEST_NAME = 20, 80
"""Models of a server that a message names, and characters of a name."""

_POLL_S = 0.2

_LISTING_SECONDS = 10.0
"""Time limit of the list of models."""

_UNAUTHORIZED, _NOT_FOUND = (401, 403), 404

_LARGEST = 2**22
"""Bytes of an answer that are read."""

_HANDLERS = (
    urllib.request.HTTPHandler,
    urllib.request.HTTPSHandler,
    urllib.request.HTTPErrorProcessor,
    urllib.request.HTTPDefaultErrorHandler,
)
"""None for redirects, which may lead to a server that the user has not allowed, proxies and files."""


class ChatServer:
    """A model of a server.

    url: base of the API, such as ``http://127.0.0.1:8080/v1``. model: its name there. seconds: time limit of
    an answer. Raises InputError for an address that is none, NotAllowed unless the user named it.
    """

    def __init__(self, url: str, model: str, seconds: float = 600.0) -> None:
        check_address(url)
        self._url, self._model, self._seconds = url.rstrip("/"), model, seconds
        self._key: str | None = None  # None = not read yet
        self._opener = urllib.request.OpenerDirector()
        for handler in _HANDLERS:
            self._opener.add_handler(handler())

    def models(self) -> list[str]:
        """Return the names of the server's models. Raises MissingResource if it cannot be reached."""
        found = self._call("/models", None, _LISTING_SECONDS)
        listed = found.get("data") if isinstance(found, dict) else None
        if not isinstance(listed, list):
            raise self._wrong("it has no list of models")
        return [self._cleaned(one.get("id")) for one in listed if isinstance(one, dict)]

    def answers(self, prompts: Sequence[Prompt], request: ChatRequest) -> Iterator[ChatAnswer]:
        for at in range(0, len(prompts), AT_ONCE):
            some = ["".join(prompt) for prompt in prompts[at : at + AT_ONCE]]
            asked = [_started(partial(self._answer, prompt, request)) for prompt in some]
            while wait(asked, _POLL_S).not_done:
                raise_if_cancelled()
            yield from (one.result() for one in asked)
            raise_if_cancelled()

    def _answer(self, prompt: str, request: ChatRequest) -> ChatAnswer:
        body: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "user", "content": prompt}],
            "seed": request.seed,
            "max_tokens": 1 if request.labels else request.tokens,
            "temperature": 0 if request.labels else request.temperature,
        }
        if request.labels:
            choices = self._choices(body | {"logprobs": True, "top_logprobs": TOP})
            texts = (self._text_of(choices[0]),)
            return ChatAnswer(texts, self._probabilities(choices[0], request.labels))
        wanted = request.samples if request.temperature else 1
        drawn: list[str] = []
        while len(drawn) < wanted:  # some servers give one answer, whatever n is
            more = {"n": wanted - len(drawn), "seed": request.seed + len(drawn)}
            drawn += [self._text_of(choice) for choice in self._choices(body | more)]
        return ChatAnswer(tuple(drawn[:wanted]))

    def _choices(self, body: dict[str, Any]) -> list[Any]:
        """Return what the server chose from, at least one."""
        found = self._call("/chat/completions", body, self._seconds)
        choices = found.get("choices") if isinstance(found, dict) else None
        if not isinstance(choices, list) or not choices:
            raise self._wrong("it has no choices")
        return choices

    def _probabilities(self, choice: Any, labels: Sequence[str]) -> tuple[float, ...]:
        """Return the probability of each label, summed over the tokens that write it."""
        try:
            top = choice["logprobs"]["content"][0]["top_logprobs"]
            pairs = [(str(one["token"]), float(one["logprob"])) for one in top]
            if any(math.isnan(value) for _, value in pairs):
                raise ValueError
        except (KeyError, IndexError, TypeError, ValueError, OverflowError):
            raise InputError(
                f"{self._url} gives no probabilities of tokens. Draw answers instead (samples=20)."
            ) from None
        named = [(token.strip().casefold(), math.exp(min(value, 0.0))) for token, value in pairs]
        return tuple(math.fsum(p for token, p in named if token == label.casefold()) for label in labels)

    def _call(self, path: str, body: dict[str, Any] | None, seconds: float) -> Any:
        """Return the JSON that the server answers. Raises MissingResource or InputError."""
        allowed_names().check(NameKind.SERVER, self._url)
        data = None if body is None else json.dumps(body).encode()
        if self._key is None:
            self._key = chat_accounts().key_of(self._url)
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        request = urllib.request.Request(self._url + path, data, headers)
        try:
            with self._opener.open(request, timeout=seconds) as response:
                content = _content(response, seconds)
        except urllib.error.HTTPError as error:
            with error:
                reason = without_secrets(_reason_of(error, seconds), [self._key])
            remedy = "Check the name of the model and the server's log."
            if error.code == _NOT_FOUND and body is not None:
                remedy = self._known_models() or remedy
            if error.code in _UNAUTHORIZED:
                remedy = f"Set its key: `pyramidion allow {self._url} --key VARIABLE`."
            raise InputError(f"{self._url} refused the request: {reason}. {remedy}") from None
        except (OSError, http.client.HTTPException) as error:
            raise MissingResource(
                f"{self._url} does not answer ({cause_of(error)}). Start the server, or correct its address."
            ) from None
        if len(content) > _LARGEST:
            raise self._wrong("it is too long")
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise self._wrong("it is no JSON") from None

    def _known_models(self) -> str:
        """Return a sentence with the names of the server's models; empty = it does not tell."""
        try:
            found = (said(name, otherwise="")[:_LONGEST_NAME] for name in self.models())
            names = list(filter(None, found))
        except (InputError, MissingResource):
            return ""
        more = f", and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        listed = without_secrets(", ".join(names[:_MOST_NAMED]), [self._key or ""])
        return f"Its models are {listed}{more}." if names else ""

    def _text_of(self, choice: Any) -> str:
        """Return the text of a choice, empty = it has none."""
        message = choice.get("message") if isinstance(choice, dict) else None
        return self._cleaned(message.get("content") if isinstance(message, dict) else None)

    def _cleaned(self, text: Any) -> str:
        """Return a text to store: without the key, and with question marks for lone surrogates."""
        if not isinstance(text, str):
            return ""
        known = text.encode("utf-8", "replace").decode()
        return known.replace(self._key, "…") if self._key else known

    def _wrong(self, what: str) -> InputError:
        return InputError(
            f"{self._url} gave an answer that cannot be read: {what}. The address is that of an API such as "
            "http://127.0.0.1:8080/v1."
        )


def _started(ask: Callable[[], ChatAnswer]) -> Future[ChatAnswer]:
    """Ask on a thread of its own, for which neither a cancelled run nor the end of the program waits."""
    future: Future[ChatAnswer] = Future()

    def run() -> None:
        try:
            future.set_result(ask())
        except BaseException as error:  # noqa: BLE001 - raised again by whoever reads the result
            future.set_exception(error)

    Thread(target=run, daemon=True).start()
    return future


def _content(response: http.client.HTTPResponse, seconds: float) -> bytes:
    """Return up to one byte more than the largest content. Raises TimeoutError after some seconds."""
    end, content = time.monotonic() + seconds, bytearray()
    while len(content) <= _LARGEST and (part := response.read1(2**16)):
        content += part
        if time.monotonic() > end:
            raise TimeoutError(f"its answer takes longer than {seconds:g} s")
    return bytes(content)


def _reason_of(error: urllib.error.HTTPError, seconds: float) -> str:
    """Return the message in the body of an error, as the API gives it, or what the status means."""
    try:
        text = _content(cast(http.client.HTTPResponse, error.fp), seconds).decode("utf-8", "replace")
    except (OSError, http.client.HTTPException):
        text = ""
    try:
        told = json.loads(text)["error"]
        text = str(told["message"] if isinstance(told, dict) else told)
    except (KeyError, TypeError, ValueError, RecursionError):
        pass  # a line, or a page
    words = status_words(error.code)
    return f"{words} ({line})" if (line := said(text, "")) else words
