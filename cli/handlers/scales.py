"""`pyramidion scales`."""

from __future__ import annotations

from collections.abc import Sequence

from cli.console import print_json, print_message, print_table
from cli.errors import require_writable
from cli.opening import editor_id
from core.domain.ratings import Dimension
from core.domain.scale_templates import TEMPLATES, add_template, find_template
from core.files.study_address import StudyAddress
from core.formatting.numbers import pluralize
from storage.study_file import open_study


def list_scales(path: StudyAddress, templates: Sequence[str], editor: str, *, as_json: bool) -> None:
    """List the rating scales of a study, after adding those of templates. editor: who adds them.

    Raises InputError for an unknown template.
    """
    chosen = [find_template(key) for key in templates]
    with open_study(path) as study:
        if chosen:
            require_writable(study)
            before = study.ratings.dimensions()
            after: Sequence[Dimension] = tuple(before)
            for template in chosen:
                after = add_template(after, template)
            study.ratings.edit_dimensions(before, after, editor_id(study, editor)).result()
            print_message(f"{path}: {pluralize(len(after) - len(before), 'scale')} added.")
        scales, counts = study.ratings.dimensions(), study.ratings.counts()
    rows = [
        {
            "name": scale.name,
            "low": scale.low,
            "high": scale.high,
            "kind": scale.kind.value,
            "required": scale.is_required,
            "ratings": sum(counts.get(scale.id, {}).values()),
            "question": scale.question,
        }
        for scale in scales
    ]
    if as_json:
        print_json({"study": str(path), "scales": rows})
        return
    cells = [
        {
            **row,
            "range": scale.range_text + ("" if scale.is_required else " (optional)"),
            "ratings": f"{row['ratings']:,}",
        }
        for row, scale in zip(rows, scales, strict=True)
    ]
    heads = {"name": "Scale", "range": "Range", "ratings": "Ratings", "question": "Question"}
    if cells:
        print_table(cells, heads, right=("ratings",))
    else:
        print_message("The study has no rating scales. Add one with --template, or in the window.")


def list_templates(*, as_json: bool) -> None:
    """List the templates of rating scales."""
    rows = [
        {
            "template": template.key,
            "title": template.title,
            "scales": [scale.name for scale in template.scales],
            "source": template.source,
        }
        for template in TEMPLATES
    ]
    if as_json:
        print_json({"templates": rows})
        return
    cells = [{**row, "scales": ", ".join(row["scales"])} for row in rows]
    print_table(cells, {"template": "Template", "scales": "Scales", "source": "Source"})
