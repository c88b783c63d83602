"""Any table or JSON by any mapping: what is not imported is named, and nothing is imported twice."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from core.progress import run_to_completion
from storage.formats.import_registry import ImportRequest, read_steps
from storage.formats.mappings.formats import mapped_format

NAMES = st.sampled_from(["id", "model", "who", "a", "b", "c", "d.e", "Q 1"])
USES = st.sampled_from(["document", "reference", "summary", "rating", "score", "unused"])


@st.composite
def cases(draw):
    """Return columns with their uses, and rows: each text says where it is from."""
    columns = {name: draw(USES) for name in draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))}
    count = draw(st.integers(1, 4))
    rows = []
    for row in range(count):
        values = {}
        for at, (name, use) in enumerate(columns.items()):
            is_number = use in ("rating", "score")
            values[name] = row + at / 8 if is_number else f"text {row} of {name}"
        rows.append(values)
    return columns, rows, draw(st.booleans())


def mapping_of(columns):
    """Return a mapping in which each row is a topic, and each used column has one use."""
    lines = [
        'title = "t"',
        'about = "a"',
        "[rows]",
        'topic = "=t{$row}"',
        'system = "=M"',
        'annotator = "=A"',
    ]
    for use in ("document", "reference", "summary"):
        rules = [
            f"{{ name = {{ constant = {json.dumps(name)} }}, text = {{ key = {json.dumps(name)} }} }}"
            for name, found in columns.items()
            if found == use
        ]
        lines += [f"{use} = [{', '.join(rules)}]"] if rules else []
    for use, kind in (("ratings", "rating"), ("scores", "score")):
        values = [
            f"{json.dumps(name)} = {{ key = {json.dumps(name)} }}"
            for name, found in columns.items()
            if found == kind
        ]
        lines += [f"{use} = {{ {', '.join(values)} }}"] if values else []
    return "\n".join(lines)


@given(cases())
@settings(max_examples=60, deadline=None)
def test_each_value_is_imported_once_or_its_column_is_named(case):
    columns, rows, is_table = case
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("rows.csv" if is_table else "rows.jsonl")
        out = io.StringIO()
        if is_table:
            writer = csv.DictWriter(out, list(columns))
            writer.writeheader()
            writer.writerows(rows)
        else:
            out.writelines(json.dumps(row) + "\n" for row in rows)
        path.write_text(out.getvalue(), "utf-8")
        if all(use == "unused" for use in columns.values()):
            return
        known = mapped_format("any", mapping_of(columns))
        content = run_to_completion(read_steps(ImportRequest(path, known)))
    found = Counter(
        text.content
        for topic in content.topics
        for kind in (topic.documents, topic.references, topic.summaries)
        for text in kind.values()
    )
    texts = [name for name, use in columns.items() if use in ("document", "reference", "summary")]
    assert found == Counter(row[name] for row in rows for name in texts)
    numbers = Counter((r.dimension, r.value) for r in content.ratings)
    numbers += Counter((s.measure, s.value) for s in content.scores)
    rated = [name for name, use in columns.items() if use in ("rating", "score")]
    assert numbers == Counter((name, row[name]) for row in rows for name in rated)
    named = next((n.what for n in content.notices if n.what.startswith("Not used: ")), "Not used: .")
    unused = {name for name, use in columns.items() if use == "unused"}
    assert set(filter(None, named.removeprefix("Not used: ").removesuffix(".").split(", "))) == unused
