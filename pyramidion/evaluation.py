"""Evaluation of a table or of text files in one step, without a study."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from core.errors import InputError
from core.operations.options import EvaluateRequest
from core.progress import run_to_completion
from core.stats.types import Level
from pyramidion import frames
from pyramidion._process import set_up
from pyramidion.study import CoefficientName, LevelName, PyramidionWarning, member, request_of
from storage.evaluation import EvaluatedFiles, TemporaryStudy

if TYPE_CHECKING:
    from pandas import DataFrame

Paths = str | Path | Sequence[str | Path]
"""A file, or several."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The results of `pyramidion.evaluate`.

    scores: a row for each measure and system, the best system on top. Columns: measure, system, mean, low and
        high (95 % interval over topics), topics, is_best, compared_with (the baseline), difference,
        difference_low, difference_high, p, p_adjusted, reason (why there is no interval or test), signature,
        higher_is_better.
    correlations: what ``pyramidion correlate`` prints, a row for each judgement and measure; empty without
        judgements.
    notes: how the file was read, and the methods.
    """

    scores: DataFrame
    correlations: DataFrame
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        judged = self.correlations.to_html(index=False, notebook=True) if len(self.correlations) else ""
        return f"{self.scores.to_html(index=False, notebook=True)}{judged}"


def evaluate(
    data: DataFrame | Paths,
    references: Paths | None = None,
    metrics: str | Sequence[str] = (),
    human: str | Sequence[str] = (),
    *,
    documents: Paths | None = None,
    columns: Mapping[str, str] | None = None,
    scale: tuple[float, float] = (1, 5),
    baseline: str = "",
    level: LevelName | None = None,
    coefficient: CoefficientName = "pearson",
    draws: int = 10_000,
    seed: int = 0,
    study: str | Path | None = None,
) -> Evaluation:
    """Score and compare systems, and correlate the metrics with ratings, as ``pyramidion evaluate`` does.

    data: a table with a row for each summary, as a DataFrame or a file, or several; or text files of
        outputs, one per system, with one text per line.
    references, documents: text files whose lines belong to those of the outputs.
    metrics: as ``-m`` takes them; none = rouge-1, rouge-2, rouge-l and chrf.
    human: columns with ratings; none = every column that looks like one.
    columns: of the table by role, as ``--map`` takes them: ``{"summary": "output", "topic": "doc_id"}``; what
        is not given is guessed, and described in the notes. scale: of the ratings.
    baseline: system that the others are tested against, empty = the first one.
    level: of correlations, None = system, or global with fewer than three systems.
    study: file of a new study that keeps everything, None = nothing is kept.

    A metric that could not be computed is warned about (PyramidionWarning).
    Raises InputError for unknown names and files that do not fit, BadImport with all problems of a table.

    >>> import pandas, pyramidion
    >>> table = pandas.DataFrame(
    ...     {
    ...         "system": ["a", "b"],
    ...         "topic": ["1", "1"],
    ...         "reference": ["The old bridge is open."] * 2,
    ...         "summary": ["The bridge is open.", "It rains."],
    ...     }
    ... )
    >>> scores = pyramidion.evaluate(table, metrics="rouge-1").scores
    >>> scores[["measure", "system", "mean", "is_best"]].values.tolist()
    [['rouge-1.f', 'a', 0.88889, True], ['rouge-1.f', 'b', 0.0, False]]
    """
    set_up()
    request = request_of(
        EvaluateRequest,
        metrics=metrics,
        judgements=human,
        baseline=baseline,
        level=None if level is None else member(Level, "level", level),
        coefficient=coefficient,
        draws=draws,
        seed=seed,
    )
    low, high = scale
    options = {f"map.{role}": column for role, column in (columns or {}).items()}
    options |= {"low": str(low), "high": str(high)}
    target = None if study is None else Path(study)
    if target is not None:
        from storage.database.study_database import check_new

        check_new(target)
    with ExitStack() as stack:
        if isinstance(data, str | Path | Sequence):
            paths = _paths(data)
        else:
            folder = stack.enter_context(TemporaryDirectory(prefix="pyramidion-", ignore_cleanup_errors=True))
            paths = (_written(data, Path(folder, "data.parquet")),)
        files = EvaluatedFiles(paths, _paths(references), _paths(documents), options=options)
        temporary = stack.enter_context(TemporaryStudy())
        found = run_to_completion(temporary.evaluate(files, request))
        if target is not None:
            temporary.keep(target)
    for problem in found.problems:
        warnings.warn(problem, PyramidionWarning, stacklevel=2)
    scores, correlations = (
        frames.inferred_frame(records, columns) for columns, records in (*found.blocks(), ((), ()))[:2]
    )
    return Evaluation(scores, correlations, found.notes)


def _paths(given: Paths | None) -> tuple[Path, ...]:
    if given is None:
        return ()
    return (Path(given),) if isinstance(given, str | Path) else tuple(map(Path, given))


def _written(frame: DataFrame, path: Path) -> Path:
    """Write a table to a file for the reader of tables. Raises InputError for what Arrow cannot hold."""
    import pyarrow
    from pyarrow import parquet

    try:
        parquet.write_table(pyarrow.Table.from_pandas(frame, preserve_index=False), path)
    except (pyarrow.ArrowException, ValueError, TypeError) as error:
        raise InputError(
            f"The table has a column that cannot be read: {error}. Use one type per column, such as text."
        ) from error
    return path
