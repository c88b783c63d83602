"""Make expected.json: nuggets, assignments and scores of castorini/nuggetizer 0.0.6 (commit d00dc3e).

Run once as ``python -m tests.reference.nuggetizer.make FOLDER``, with the repository's ``src`` in FOLDER and
PyYAML installed; no server is asked. Its 500 trials are 5 here. Answers are keyed by the prompt, the system's
message and the user's with a blank line between them.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import types
from pathlib import Path
from typing import Any

TRIALS = 5
CASES = 30
WORDS = ("support", "partial_support", "not_support", "Support", "PARTIAL_SUPPORT", "supported", "yes")
LEVELS = ("vital", "okay", "Vital", "OKAY", "important")
BROKEN = (
    "", "I cannot do that.", "['a', 'b'", "None", "```python\n```", "[" * 300, "['a' for a in b]",
    "nuggets = ['a']",
)  # fmt: skip
"""Not tried: numbers as nuggets and the keys of a dictionary as labels, which the program accepts."""


def key(prompt: str) -> str:
    return hashlib.sha256(prompt.encode()).hexdigest()[:16]


def _answer(chance: random.Random, step: str, count: int) -> str:
    """Return an answer to a prompt: a list, sometimes of another length or none at all."""
    if chance.random() < 0.3:
        return chance.choice(BROKEN)
    if step == "creation":
        size = chance.choice((0, 1, 3, 12, 35))
        listed = [f"fact {chance.randrange(99)} of it's {at}" for at in range(size)]
    else:
        size = count + (chance.choice((-1, 1)) if chance.random() < 0.15 else 0)
        listed = [chance.choice(LEVELS if step == "importance" else WORDS) for _ in range(size)]
    text = json.dumps(listed) if chance.random() < 0.5 else repr(listed)
    return f"```python\n{text}\n```" if chance.random() < 0.3 else text


class Scripted:
    """A model that draws an answer to each prompt and trial, and records it."""

    model = "scripted"

    def __init__(self, step: str, chance: random.Random, answers: dict[str, list[str]]) -> None:
        self._step, self._chance, self._answers = step, chance, answers
        self._asked: dict[str, int] = {}

    def run(self, messages: list[dict[str, str]], temperature: float) -> tuple[Any, ...]:
        prompt = "\n\n".join(message["content"] for message in messages)
        place = key(prompt)
        given = self._answers.setdefault(place, [])
        trial = self._asked[place] = self._asked.get(place, -1) + 1
        while len(given) <= trial:
            given.append(_answer(self._chance, self._step, prompt.count("fact ")))
        return given[trial], 0, {}, None


def main(folder: str) -> None:
    classes = "OpenAI", "AzureOpenAI", "AsyncOpenAI", "AsyncAzureOpenAI", "load_dotenv", "find_dotenv"
    for missing in ("openai", "tiktoken", "dotenv"):
        module = types.ModuleType(missing)
        for name in classes:
            setattr(module, name, object)
        sys.modules[missing] = module
    sys.path.insert(0, str(Path(folder) / "src"))
    from nuggetizer.core.metrics import calculate_nugget_scores
    from nuggetizer.core.types import Document, Query, Request
    from nuggetizer.models import nuggetizer as program

    program.MAX_TRIALS = TRIALS
    cases: list[dict[str, Any]] = []
    for seed in range(CASES):
        chance = random.Random(seed)
        answers: dict[str, list[str]] = {}
        one = program.Nuggetizer()
        for name, step in (("creator", "creation"), ("scorer", "importance"), ("assigner", "assignment")):
            setattr(one, f"{name}_llm", Scripted(step, chance, answers))
        texts = [f"Reference {at} of case {seed}: it's said." for at in range(chance.choice((1, 3, 12)))]
        query = f"What happened in {seed}?"
        documents = [Document(str(at), text) for at, text in enumerate(texts)]
        nuggets = one.create(Request(Query("q", query), documents))
        summaries = [f"Summary {at} of case {seed}." for at in range(2)]
        rows = []
        for summary in summaries:
            assigned = one.assign(query, summary, nuggets)
            records = [{"importance": n.importance, "assignment": n.assignment} for n in assigned]
            scores = calculate_nugget_scores("q", records)
            names = ("strict_vital_score", "strict_all_score", "vital_score", "all_score")
            rows.append({"records": records, "scores": [getattr(scores, name) for name in names]})
        cases.append(
            {
                "query": query,
                "references": texts,
                "summaries": summaries,
                "answers": answers,
                "nuggets": [nugget.text for nugget in nuggets],
                "expected": rows,
            }
        )
    target = Path(__file__).with_name("expected.json")
    target.write_text(json.dumps(cases, separators=(",", ":")) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
