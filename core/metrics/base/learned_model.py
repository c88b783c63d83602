"""A trained model as plain arrays: its features, its regressors, and its text format in the study."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.domain.study import TopicTexts
from core.errors import InputError
from core.json_text import parse_json

Array = NDArray[np.float64]
FORMAT = 1
NAME_PATTERN = r"[\w-]+"
"""Pattern of valid model names, so that ``s3:model=NAME`` can be parsed."""

_ROWS_AT_ONCE = 64
"""Texts compared with all examples at once, which limits memory."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A measure of a metric. signature: reproduces the metric, including the hashes of its models."""

    signature: str
    measure: str


@dataclass(frozen=True, slots=True, eq=False)
class Regressor:
    """Support vector regression with a radial kernel (Drucker et al. 1997).

    examples: support vectors, shape (examples, features). weights: dual coefficients, shape (examples,).
    spread: scale by which each feature is divided, shape (features,).
    """

    examples: Array
    weights: Array
    intercept: float
    gamma: float
    spread: Array

    def predict(self, features: Array) -> Array:
        """Return scores, shape (texts,), NaN where a feature is NaN; features: shape (texts, features)."""
        scores = np.empty(len(features))
        for start in range(0, len(features), _ROWS_AT_ONCE):
            rows = slice(start, start + _ROWS_AT_ONCE)
            scores[rows] = (
                self.similarity_by_feature(features[rows]).prod(axis=2) @ self.weights + self.intercept
            )
        return scores

    def similarity_by_feature(self, features: Array) -> Array:
        """Return the similarity of texts to the examples in each feature, in (0, 1].

        Returns shape (texts, examples, features). The kernel is the product over the features.
        """
        difference = (features[:, None, :] - self.examples[None]) / self.spread
        similarity: Array = np.exp(-self.gamma * difference**2)
        return similarity


@dataclass(frozen=True, slots=True)
class TrainingTopic:
    """A topic in training. fold: index of the regressor that was trained without it."""

    id: str
    name: str
    fold: int


@dataclass(frozen=True, slots=True)
class TrainingExample:
    """A judged summary. topic: index of its topic."""

    topic: int
    system: str


@dataclass(frozen=True, eq=False)
class LearnedModel:
    """Regressors over the same examples: one per fold of topics, trained without it, then one for all.

    human: the judgement used for training.
    recipe: the other options of the training, as shown in signatures.
    features: shape (examples, features).
    weights: shape (folds + 1, examples), 0 = no support vector.
    intercepts: shape (folds + 1,).
    spreads: shape (folds + 1, features).
    gamma: of the kernel.
    """

    name: str
    human: str
    recipe: str
    inputs: tuple[Feature, ...]
    topics: tuple[TrainingTopic, ...]
    examples: tuple[TrainingExample, ...]
    features: Array
    weights: Array
    intercepts: Array
    spreads: Array
    gamma: float

    def __post_init__(self) -> None:
        check_name(self.name)
        rows, columns = len(self.examples), len(self.inputs)
        regressors = len(self.intercepts)
        shapes = (self.features.shape, self.weights.shape, self.spreads.shape)
        if shapes != ((rows, columns), (regressors, rows), (regressors, columns)):
            raise ValueError(f"arrays of shapes {shapes} do not fit together")

    @property
    def folds(self) -> int:
        """Return the number of folds."""
        return len(self.intercepts) - 1

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of everything that determines the scores, hexadecimal."""
        return hashlib.sha256(self.to_text().encode()).hexdigest()

    def fold_of(self, topic: TopicTexts) -> int:
        """Return the index of the regressor that was trained without a topic."""
        folds = {trained.name: trained.fold for trained in self.topics}
        folds.update({trained.id: trained.fold for trained in self.topics})
        return folds.get(topic.id, folds.get(topic.name, self.folds))

    def regressor(self, fold: int) -> Regressor:
        """Return the regressor trained without a fold; the last one is trained on all."""
        used = np.flatnonzero(self.weights[fold])
        return Regressor(
            self.features[used],
            self.weights[fold, used],
            float(self.intercepts[fold]),
            self.gamma,
            self.spreads[fold],
        )

    def example_names(self, fold: int) -> list[str]:
        """Return the names of the support vectors of a fold's regressor, in its order."""
        used = np.flatnonzero(self.weights[fold]).tolist()
        return [f"{self.examples[i].system} on {self.topics[self.examples[i].topic].name}" for i in used]

    def to_text(self) -> str:
        """Return the model as JSON, with arrays as little-endian float64 in base64."""
        content = {
            "format": FORMAT,
            "name": self.name,
            "human": self.human,
            "recipe": self.recipe,
            "inputs": [[feature.signature, feature.measure] for feature in self.inputs],
            "topics": [[topic.id, topic.name, topic.fold] for topic in self.topics],
            "examples": [[example.topic, example.system] for example in self.examples],
            "gamma": self.gamma,
            **{key: _packed(getattr(self, key)) for key in _ARRAYS},
        }
        return json.dumps(content, sort_keys=True)


_ARRAYS = ("features", "weights", "intercepts", "spreads")


def read_model(text: str) -> LearnedModel:
    """Parse the text of `LearnedModel.to_text`. Raises InputError if it is not a model."""
    try:
        content = parse_json(text)
        if content["format"] != FORMAT:
            raise InputError(
                f"The model {content['name']} was trained by a newer version of the program. Install that."
            )
        return LearnedModel(
            name=content["name"],
            human=content["human"],
            recipe=content["recipe"],
            inputs=tuple(Feature(*pair) for pair in content["inputs"]),
            topics=tuple(TrainingTopic(*row) for row in content["topics"]),
            examples=tuple(TrainingExample(*row) for row in content["examples"]),
            gamma=float(content["gamma"]),
            **{key: _unpacked(content[key]) for key in _ARRAYS},
        )
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"A learned model of this study cannot be read ({error}). Train it again."
        ) from error


def check_name(name: str) -> None:
    """Raise InputError unless the name is valid for a model."""
    if not re.fullmatch(NAME_PATTERN, name):
        raise InputError(
            f"The model name {name!r} is not valid. Use letters, digits, - and _, so that s3:model=NAME can "
            "be parsed."
        )


def stacked(folds: Sequence[Array]) -> NDArray[np.float64]:
    """Return one array with the values of all folds."""
    return np.stack(folds).astype(np.float64)


def _packed(values: Array) -> dict[str, Any]:
    raw = np.ascontiguousarray(values, dtype="<f8").tobytes()
    return {"shape": list(values.shape), "float64": base64.b64encode(raw).decode("ascii")}


def _unpacked(content: dict[str, Any]) -> Array:
    raw = base64.b64decode(content["float64"], validate=True)
    return np.frombuffer(raw, dtype="<f8").reshape(content["shape"]).astype(np.float64)
