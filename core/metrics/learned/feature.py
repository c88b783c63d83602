"""A feature: one measure of another metric, read by a learned metric."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Feature:
    """A measure of a metric. signature: reproduces the metric, including the hashes of its models."""

    signature: str
    measure: str
