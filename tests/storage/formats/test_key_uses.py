"""Keys of a file with what a mapping makes of them, as the import dialog lists them."""

from __future__ import annotations

import json

import pytest

from core.progress import run_to_completion
from storage.formats.import_registry import detect, find, read
from storage.formats.mappings.formats import mapped_format, mapping_text
from storage.formats.mappings.key_uses import key_uses


def uses(path, known=None):
    known = known or detect(path)
    found = run_to_completion(key_uses(path, mapping_text(known), known.name, {}))
    return {".".join(use.path): use.roles if use.is_read else None for use in found}


@pytest.fixture
def summeval(tmp_path):
    rated = dict.fromkeys(("coherence", "consistency", "fluency", "relevance"), 4)
    row = {
        "id": "a",
        "model_id": "M0",
        "decoded": "One.",
        "text": "Two words.",
        "references": ["Two."],
        "expert_annotations": [rated, rated | {"hours": 2}],
        "turker_annotations": [],
        "extra": {"page": 3},
    }
    path = tmp_path / "s.jsonl"
    path.write_text("\n".join(json.dumps(row | {"model_id": f"M{n}"}) for n in range(3)))
    return path


def test_each_key_has_what_it_becomes(summeval):
    dimensions = ("coherence", "consistency", "fluency", "relevance")
    assert uses(summeval) == {
        "id": ("topic",),
        "model_id": ("system",),
        "decoded": ("summary",),
        "text": ("document",),
        "references": ("reference",),
        **{f"expert_annotations.{name}": (f"rating:{name}",) for name in dimensions},
        "expert_annotations.hours": None,
        "extra": None,
    }


def test_keys_that_nothing_reads_are_those_that_the_import_names(summeval):
    (notice,) = [one.what for one in read(summeval).notices if one.what.startswith("Not used")]
    left_out = [name for name, roles in uses(summeval).items() if roles is None]
    assert sorted(notice.removeprefix("Not used: ").removesuffix(".").split(", ")) == sorted(left_out)


def test_first_values_are_those_of_the_first_rows(summeval):
    found = run_to_completion(key_uses(summeval, mapping_text(find("summeval")), "summeval", {}))
    assert {use.path: use.values for use in found}["model_id",] == ("M0", "M1", "M2")


def test_variables_columns_and_keys_that_are_data_are_followed(tmp_path):
    mapping = """
title = "Ours"
about = "Ours."
[rows]
let = { name = { value = "key", do = [{ before = "_" }] } }
topic = "$name"
reference = { text = "gold", name = "=A" }
[[rows.levels]]
each = "systems"
system = "$key"
summary = { text = "output", name = "$system" }
scores = { rouge = "r" }
"""
    path = tmp_path / "ours.json"
    inner = {"bart": {"output": "One.", "r": 0.5}, "t5": {"output": "Two.", "r": 0.25, "seconds": 3}}
    path.write_text(json.dumps([{"key": "a_1", "gold": "Gold.", "systems": inner}]))
    assert uses(path, mapped_format("ours", mapping)) == {
        "key": ("topic",),
        "gold": ("reference",),
        "systems.*.output": ("summary",),
        "systems.*.r": ("score:rouge",),
        "systems.*.seconds": None,
    }
