"""`pyramidion compare`."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from cli.console import print_json, run_with_progress
from cli.handlers.experiment_output import print_result, write_files
from cli.opening import open_sound
from cli.options.output import OutputOptions
from cli.output import check_output_folder
from core.errors import InputError
from core.experiments.analyses.across_studies import compare, number_duplicates
from core.files.study_address import StudyAddress, resolved
from core.results.result_json import to_document
from core.stats.correlation import Coefficient, Level


def compare_studies(
    paths: Sequence[StudyAddress],
    humans: Sequence[str],
    *,
    measures: Sequence[str],
    level: Level,
    coefficient: Coefficient,
    weights: Sequence[float],
    on_common: bool,
    output: Path | None,
    form: OutputOptions,
) -> None:
    """Print the correlations of measures with human judgements in several studies, with ranks.

    Raises InputError on unknown names, and where the studies share no measure.
    """
    if len({resolved(path) for path in paths}) < len(paths):
        raise InputError("A study is given twice. Give each study once.")
    if output is not None:
        check_output_folder(output, "compare")
    names = number_duplicates([path.stem for path in paths])
    with ExitStack() as stack:
        studies = [
            (name, stack.enter_context(open_sound(path))) for name, path in zip(names, paths, strict=True)
        ]
        steps = compare(
            studies,
            judgements=humans,
            measures=measures,
            level=level,
            coefficient=coefficient,
            weights=weights,
            on_common=on_common,
        )
        result = run_with_progress(steps, "comparing", "No result was saved.")
    if form.as_json:
        print_json({"studies": [str(path) for path in paths], **to_document(result)})
    else:
        print_result(result, form)
    if output is not None:
        write_files(result, output, "compare")
