"""A metric in another language: a program that reads summaries and writes values as JSON Lines."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.domain.study import TopicTexts
from core.errors import BadSetting, InputError
from core.files.programs import command_problem, exchange, files_of, wrong_line
from core.metrics.base import Array, Explanation, Need, Pool, Prepared, Resources, TopicScores, setting
from core.metrics.base.pooling import PooledMetric
from core.metrics.registry import register

_NAME = re.compile(r"[\w-]+")
_SLOW = "Raise seconds=, or make the program faster."


@dataclass(frozen=True, slots=True)
class PreparedValues(Prepared):
    """Answer of the program.

    values: shape (systems, references, measures), or (systems, 1, measures) where it reads all at once.
    """

    values: Array


@register
@dataclass(frozen=True)
class ExternalMetric(PooledMetric[PreparedValues]):
    """Values written by a program, which is started without a shell once for every 16 topics.

    It reads one line per summary from its standard input: ``{"id", "summary", "query"}``, with
    ``"references"`` and ``"documents"``, lists of texts, as `texts` says. It writes one line per summary, in
    any order: ``{"id"}`` and a number, or null, for each of its measures. With ``pool=mean`` or ``pool=max``
    each line has one reference, and the values of the references are pooled here, so that other references
    need no other run.

    Limits:
        What the values mean, and whether they are reproducible, is up to the program; the signature holds a
        SHA-256 of its files. A study never starts a program by itself.
    """

    name: ClassVar[str] = "external"
    family: ClassVar[str] = "Other programs"
    about: ClassVar[str] = "Values of a program that reads and writes JSON Lines."
    program_setting: ClassVar[str] = "command"
    reads_query: ClassVar[bool] = True
    unlabelled: ClassVar[frozenset[str]] = frozenset({"command", "label", "measures_of", "seconds"})
    default_seconds: ClassVar[float] = 0.01

    command: str = setting("", "Program with its arguments, as in a shell.", title="Command")
    label: str = setting(
        "external", "Name of the metric in tables, the first part of its measures.", title="Name"
    )
    measures_of: str = setting(
        "score",
        "Names of the program's measures, separated by +, such as precision+recall.",
        title="Measures",
    )
    texts: str = setting(
        "references",
        "Texts that the program reads with each summary.",
        choices=("references", "documents", "both"),
        title="Texts",
    )
    pooling: str = setting(
        "joint",
        "joint: the program reads all references at once; mean, max: one at a time, and the values are "
        "averaged or the best one counts.",
        choices=("joint", "mean", "max"),
        title="References",
    )
    better: str = setting(
        "higher", "Whether higher or lower values are better.", choices=("higher", "lower"), title="Better"
    )
    seconds: float = setting(3600.0, "Time limit of each start in seconds.", low=0.1, title="Seconds")

    def __post_init__(self) -> None:
        super().__post_init__()
        names = self.measures_of.split("+")
        for name in (self.label, *names):
            if not _NAME.fullmatch(name) or name == "id":
                raise BadSetting(
                    f"{self.name}: {name!r} is no name of a metric or measure. Use letters, digits, - and _."
                )
        if len(set(names)) < len(names):
            raise BadSetting(f"{self.name}: measures_of={self.measures_of} has a name twice; keep one.")
        if self.pooling != "joint" and self.texts == "documents":
            raise BadSetting(f"{self.name}: pooling={self.pooling} needs references. Set texts=references.")
        if self.pooling == "max" and self.better == "lower":
            raise BadSetting(f"{self.name}: pooling=max conflicts with better=lower. Use joint or mean.")

    @property
    def needs(self) -> frozenset[Need]:  # type: ignore[override]
        """Return what the program reads."""
        return frozenset({Need.PROGRAM, *self._texts()})

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return self.better == "higher"

    @property
    def pool(self) -> Pool:
        return Pool(self.pooling)

    def measures(self) -> tuple[str, ...]:
        return tuple(f"{self.label}.{name}" for name in self.measures_of.split("+"))

    def signature_extras(self, resources: Resources) -> dict[str, str]:
        """Return a hash of the program and of the files among its arguments."""
        return {"program": resources.files_hash(files_of(self.command))[:12]}

    def check(self, resources: Resources) -> None:
        """Raise InputError where the program cannot be started, NotAllowed where the user did not name it."""
        if problem := command_problem(self.command):
            raise InputError(problem)

    def score_ahead(self, topics: Sequence[TopicTexts], resources: Resources) -> None:
        """Start the program once for several topics."""
        self._waiting(resources).update(self._run(topics, resources))

    def prepare(self, topic: TopicTexts, resources: Resources) -> PreparedValues:
        values = self._waiting(resources).pop(self._key(topic), None)
        if values is None:
            (values,) = self._run([topic], resources).values()
        return PreparedValues(topic, values)

    def score(self, prepared: PreparedValues) -> TopicScores:
        if self.pool is Pool.JOINT:
            return TopicScores(prepared.values[:, 0])
        return self.combine_all(prepared.values, {})

    def explain(self, prepared: PreparedValues, system: int) -> dict[str, Explanation]:
        values = prepared.values[system]
        if self.pool is Pool.JOINT:
            return {
                name: Explanation(f"value of {self.label}", value=float(value))
                for name, value in zip(self.measures(), values[0], strict=True)
            }
        trees = [
            [Explanation(f"against {reference.name}", value=float(value)) for value in row]
            for reference, row in zip(prepared.topic.references, values, strict=True)
        ]
        return self.pool_trees(f"{self.pooling} of the references", trees)

    def _texts(self) -> frozenset[Need]:
        references, documents = frozenset({Need.REFERENCES}), frozenset({Need.DOCUMENTS})
        return {"references": references, "documents": documents, "both": references | documents}[self.texts]

    def _waiting(self, resources: Resources) -> dict[str, Array]:
        """Return the values of topics that are not prepared yet, by `_key`."""
        return resources.once(("external", self), dict[str, Array])

    def _run(self, topics: Sequence[TopicTexts], resources: Resources) -> dict[str, Array]:
        """Return the values of topics by `_key`. Raises InputError where the program fails."""
        self.check(resources)
        rows = [(self._key(topic), self._questions(topic)) for topic in topics]
        flat = [row for _, of_topic in rows for row in of_topic]
        found = iter(self._answers(flat))
        values = {}
        for (key, of_topic), topic in zip(rows, topics, strict=True):
            each = np.array([next(found) for _ in of_topic]).reshape(
                len(topic.summaries), -1, len(self.measures())
            )
            values[key] = each
        return values

    def _questions(self, topic: TopicTexts) -> list[dict[str, Any]]:
        """Return the program's rows of a topic, without ids; summaries outside, references inside."""
        needs = self._texts()
        references = [text.content for text in topic.references]
        documents = {"documents": [text.content for text in topic.documents]}
        rest = documents if Need.DOCUMENTS in needs else {}
        groups: list[dict[str, Any]] = [{}]
        if Need.REFERENCES in needs:
            sets = [references] if self.pool is Pool.JOINT else [[one] for one in references]
            groups = [{"references": each} for each in sets]
        return [
            {"summary": summary.content, "query": topic.query, **group, **rest}
            for summary in topic.summaries
            for group in groups
        ]

    def _key(self, topic: TopicTexts) -> str:
        return hashlib.sha256(json.dumps(self._questions(topic)).encode()).hexdigest()

    def _answers(self, questions: Sequence[dict[str, Any]]) -> list[list[float]]:
        """Return the values that the program wrote for each row, NaN = undefined."""
        names = self.measures_of.split("+")
        form = f'{{"id": "…", {", ".join(f"{json.dumps(name)}: 0.5" for name in names)}}} per summary'
        found: dict[int, list[float]] = {}
        rows = ({"id": str(place), **row} for place, row in enumerate(questions))
        for number, row in exchange(self.command, rows, self.seconds, _SLOW, form):
            if not row["id"].isascii() or not row["id"].isdigit() or int(row["id"]) >= len(questions):
                raise wrong_line(number, f"{row['id']!r} is no id that it was given", form)
            if int(row["id"]) in found:
                raise wrong_line(number, f"it has the id {row['id']} a second time", form)
            found[int(row["id"])] = [_number(row, name, number, form) for name in names]
        missing = len(questions) - len(found)
        if missing:
            raise InputError(
                f"The program wrote nothing on {missing} of {len(questions)} summaries. Write a line for "
                "each of them."
            )
        return [found[place] for place in range(len(questions))]


def _number(row: dict[str, Any], name: str, number: int, form: str) -> float:
    if name not in row:
        raise wrong_line(number, f"it has no {json.dumps(name)}", form)
    value = row[name]
    if value is None:
        return math.nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong_line(number, f"its {json.dumps(name)} is neither a number nor null", form)
    if math.isinf(value):
        raise wrong_line(number, f"its {json.dumps(name)} is infinite", form)
    return float(value)
