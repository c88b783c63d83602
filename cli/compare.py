"""`pyramidion compare`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from cli.console import follow, put_json, say
from cli.correlate import choice
from cli.resample import show_table
from core.errors import InputError
from core.experiments.across_studies import compare, told_apart
from core.experiments.result_json import to_document
from core.report.result_files import check_folder, write_result
from core.report.tables import to_csv
from core.stats.correlation import Coefficient, Level
from storage.study_file import open_study


def compare_studies(
    paths: Sequence[Path],
    humans: Sequence[str],
    *,
    measures: Sequence[str],
    level: str,
    coefficient: str,
    output: Path | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Print how well the measures of several studies follow people in each, with ranks.

    Raises InputError on unknown names, and where the studies share no measure.
    """
    if len({path.resolve() for path in paths}) < len(paths):
        raise InputError("A study is named twice; name each once.")
    if output is not None:
        check_folder(output)
    names = told_apart([path.stem for path in paths])
    chosen = choice(Level, level, "--level"), choice(Coefficient, coefficient, "--coefficient")
    with ExitStack() as stack:
        studies = [
            (name, stack.enter_context(open_study(path))) for name, path in zip(names, paths, strict=True)
        ]
        steps = compare(studies, judgements=humans, measures=measures, level=chosen[0], coefficient=chosen[1])
        result = follow(steps, "comparing")
    if as_json:
        put_json({"studies": [str(path) for path in paths], **to_document(result)})
    else:
        for table in result.tables:
            sys.stdout.write(to_csv(table)) if as_csv else show_table(table)
        for sentence in (*result.policy, *result.warnings):
            say(sentence)
    if output is not None:
        files = write_result(result, output, "compare")
        say(f"{output} holds {len(files)} files: {', '.join(file.name for file in files)}.")
