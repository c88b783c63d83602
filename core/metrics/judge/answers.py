"""Answers of judges: their values, and the form in which a study keeps them."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.ports.scoring_inputs import SettingSource

ANSWERS = "answers."
"""Beginning of the keys of settings that hold answers."""

_NUMBER = re.compile(r"(?<![\w.,-])-?\d+(?:\.\d+)?(?![\w])")
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True)
class JudgeAnswer:
    """The answer to one prompt.

    prompt: SHA-256 of the prompt, 16 digits. system, other: whose summaries it is about; other empty = none.
    criterion: its name. texts: as the model wrote them. probabilities: of the possible answers, empty = not
    asked for. value: NaN = none. failures: texts without a value.
    """

    prompt: str
    system: str
    criterion: str
    texts: tuple[str, ...]
    probabilities: tuple[float, ...]
    value: float
    failures: int
    is_cut: bool = False
    other: str = ""


def prompt_hash(prompt: Sequence[str]) -> str:
    """Return 16 hexadecimal digits of the SHA-256 of a prompt."""
    return hashlib.sha256("".join(prompt).encode()).hexdigest()[:16]


def answers_key(signature: str, topic_id: str) -> str:
    """Return the key of the setting with the answers of a metric on a topic, up to 64 characters."""
    return f"{ANSWERS}{hashlib.sha256(signature.encode()).hexdigest()[:20]}.{topic_id}"[:64]


def to_text(signature: str, answers: Sequence[JudgeAnswer]) -> str:
    """Return the answers of a metric, by its signature, as JSON; a value that is none is null."""
    rows = [{**asdict(one), "value": None if math.isnan(one.value) else one.value} for one in answers]
    return json.dumps({"signature": signature, "answers": rows}, ensure_ascii=False, separators=(",", ":"))


def from_text(text: str) -> tuple[str, list[JudgeAnswer]]:
    """Return the signature and answers of `to_text`; nothing if they cannot be read."""
    try:
        read: Any = json.loads(text) if text else {"signature": "", "answers": []}
        answers = [
            JudgeAnswer(
                str(row["prompt"]),
                str(row["system"]),
                str(row["criterion"]),
                tuple(map(str, row["texts"])),
                tuple(map(float, row["probabilities"])),
                math.nan if row["value"] is None else float(row["value"]),
                int(row["failures"]),
                bool(row["is_cut"]),
                str(row["other"]),
            )
            for row in read["answers"]
        ]
        return str(read["signature"]), answers
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        return "", []


def stored_answers(settings: SettingSource) -> Iterator[tuple[str, str, list[JudgeAnswer]]]:
    """Yield the topic's id, the signature and the answers of everything that a study keeps."""
    for key in settings.keys(ANSWERS):
        signature, answers = from_text(settings.get(key))
        if answers:
            yield key.rpartition(".")[2], signature, answers


def parsed_value(text: str, values: Mapping[str, float]) -> float:
    """Return the value of a written answer, NaN = it has none or several.

    values: by possible answer. A number counts if the answer begins with it or contains no other one, and
    if it is on the scale; a word such as yes or A likewise.
    """
    lowest, highest = min(values.values()), max(values.values())
    if all(name.isdecimal() for name in values):
        found = [float(number) for number in _NUMBER.findall(text)]
        begins = _NUMBER.match(text.strip())
        if not found or (begins is None and len(set(found)) > 1):
            return math.nan
        return found[0] if lowest <= found[0] <= highest else math.nan
    by_word = {name.casefold(): value for name, value in values.items()}
    words = [word for word in _WORD.findall(text) if word.casefold() in by_word]
    if any(len(name) == 1 for name in by_word):  # “a” is an article, “A” an answer
        words = [word for word in words if word.isupper()]
    if not words:
        return math.nan
    begins_so = text.strip().casefold().startswith(words[0].casefold())
    if not begins_so and len({word.casefold() for word in words}) > 1:
        return math.nan
    return by_word[words[0].casefold()]


def expected_value(probabilities: Sequence[float], values: Sequence[float], least: float) -> float:
    """Return Σ p·v ÷ Σ p; NaN where the probabilities sum to less than `least` or to nothing.

    Source: Liu et al. 2023 (G-Eval).
    """
    total = math.fsum(probabilities)
    if not total > 0 or total < least:
        return math.nan
    return math.fsum(p * v for p, v in zip(probabilities, values, strict=True)) / total
