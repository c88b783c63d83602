"""The command `evaluate`: from tables or text files to scores, tests and correlations, without a study."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.commands.correlate import show_correlations
from cli.commands.import_export import MappingName, TableOptions, chosen_format
from cli.completion import completing, import_formats
from cli.console import print_json, print_message, print_table, without_nan
from cli.options import OutputOptions, expand_option_groups, output_option
from core.errors import InputError
from core.files.atomic_write import STANDARD_OUTPUT, atomic_open, check_writable
from core.formatting.numbers import UNDEFINED, format_p, format_score
from core.formatting.tables import csv_rows, to_latex, to_markdown
from core.operations.options import EvaluateRequest
from core.progress import run_with_progress

if TYPE_CHECKING:
    from core.operations.evaluate import Evaluation

_WRITERS = {".md": to_markdown, ".tex": to_latex}
_BASELINE = "(baseline)"


@expand_option_groups
def evaluate(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Tables (.csv, .tsv, .xlsx, .parquet, .jsonl) with summaries, references and ratings; or "
            "text files with one text per line: the references, then the outputs of systems.",
            show_default=False,
        ),
    ],
    request: EvaluateRequest,
    references: Annotated[
        list[Path] | None,
        typer.Option(
            "--reference",
            "-r",
            metavar="FILE",
            help="Text file of references; all FILEs are outputs then. Can be repeated, for several "
            "references per line.",
        ),
    ] = None,
    documents: Annotated[
        list[Path] | None,
        typer.Option(
            "--document",
            metavar="FILE",
            help="Text file of source documents, for metrics that read them. Can be repeated.",
        ),
    ] = None,
    file_format: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="Format of the tables, as for `import`. Default: detected.",
            autocompletion=completing(import_formats),
        ),
    ] = "",
    mapping: MappingName = "",
    *,
    columns: TableOptions,
    study: Annotated[
        Path | None,
        typer.Option(metavar="NEW", help="Also keep everything as a new study.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None,
        output_option(
            "FILE", "File to write instead: .csv, .json, .md or .tex; - for CSV on standard output."
        ),
    ] = None,
    form: OutputOptions,
) -> None:
    """Score and compare systems from a table or text files, in one step.

    No study is needed. For each system: the mean by each metric with its interval, and a paired test against
    the baseline, the first system. If the table has ratings: the correlations of the metrics with them, with
    intervals. The numbers are those of import, score and correlate.

    As with sacreBLEU, `evaluate refs.txt out1.txt out2.txt -m rouge-2` reads one text per line; where
    sacreBLEU has several references as arguments, use -r for each.
    """
    from storage.evaluation import EvaluatedFiles, TemporaryStudy

    if output is not None:
        _check_output(output)
    if study is not None:
        from storage.database.study_database import check_new

        check_new(study)
    texts = tuple(references or ()), tuple(documents or ())
    evaluated = EvaluatedFiles(
        tuple(files), *texts, chosen_format(file_format, mapping), columns.reader_options()
    )
    with TemporaryStudy() as temporary:
        found = run_with_progress(
            temporary.evaluate(evaluated, request), "Evaluating", "No result was saved."
        )
        if study is not None:
            temporary.keep(study)
    is_json = form.as_json or (output is not None and output.suffix.lower() == ".json")
    if output is None and not is_json and not form.as_csv:
        _show(found)
    elif output is None and is_json:
        print_json(_document(found))
    else:
        _write(found, output or STANDARD_OUTPUT, as_json=is_json)
    for sentence in (*found.notes, *found.problems):
        print_message(sentence)
    if study is not None:
        print_message(f"Created {study}.")
    raise typer.Exit(1 if found.problems else 0)


def _check_output(output: Path) -> None:
    if output == STANDARD_OUTPUT:
        return
    if output.suffix.lower() not in ("", ".csv", ".json", *_WRITERS):
        raise InputError(
            f"-o {output}: an evaluation cannot be written as {output.suffix.lower()}. Use .csv, .json, .md "
            "or .tex, or - for standard output."
        )
    check_writable(output)


def _document(found: Evaluation) -> dict[str, Any]:
    judged = found.correlations
    return {"scores": found.records(), "correlations": judged.records() if judged is not None else []}


def _write(found: Evaluation, output: Path, *, as_json: bool) -> None:
    if as_json:
        text = json.dumps(without_nan(_document(found)), ensure_ascii=False, indent=1) + "\n"
    elif (writer := _WRITERS.get(output.suffix.lower())) is not None:
        *tables, last = found.result().tables
        last = replace(last, note=" ".join((*found.problems, *found.notes)))  # which explain marks too
        text = "\n".join(map(writer, (*tables, last)))
    else:
        text = "\n".join(_csv(columns, records) for columns, records in found.blocks())
    with atomic_open(output) as file:
        file.write(text)


def _csv(columns: Sequence[str], records: Sequence[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    write_row = csv_rows(text)
    for row in (columns, *([record[column] for column in columns] for record in records)):
        write_row(row)
    return text.getvalue()


def _show(found: Evaluation) -> None:
    """Print the systems by each measure, best on top, then the correlations."""
    from core.comparison.stand_ins import marked_labels

    names = marked_labels(found.refs)
    texts = [
        {
            "measure": names[score.measure],
            "system": score.system,
            "mean": format_score(score.mean),
            "interval": _interval(score.low, score.high),
            "topics": f"{score.topics:,}",
            "difference": format_score(score.difference) if score.compared_with else _BASELINE,
            "of_difference": _interval(score.difference_low, score.difference_high),
            "p": format_p(score.p_adjusted),
            "note": score.reason,
        }
        for score in found.scores
    ]
    heads = {"measure": "Measure", "system": "System", "mean": "Mean", "interval": "95% interval"}
    heads |= {"topics": "Topics"}
    if any(score.compared_with for score in found.scores):
        heads |= {"difference": "Difference", "of_difference": "95% interval", "p": "p (adjusted)"}
    heads |= {"note": "Note"} if any(score.reason for score in found.scores) else {}
    right = [key for key in heads if key not in ("measure", "system", "note")]
    print_table(texts, heads, title="Scores of systems", right=right)
    if found.correlations is not None:
        show_correlations(found.correlations)


def _interval(low: float, high: float) -> str:
    return f"{format_score(low)} to {format_score(high)}" if math.isfinite(low) else UNDEFINED
