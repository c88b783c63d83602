"""Entities by rules and by a pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy

from core.domain.study import Text, join_sentences
from core.errors import InputError, MissingResource
from core.models.nlp.entities import load_entity_finder, resolve_finder


def entity_texts(text: Text, name: str = "rules") -> list[str]:
    return [text.content[slice(*entity.span)] for entity in load_entity_finder(name).entities(text)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It opened on 3 March 2014 and on Friday, June 5th.", ["3 March 2014", "Friday, June 5th"]),
        ("In the 1990s, in May 2015 and on 2012-04-01 it rained.", ["1990s", "May 2015", "2012-04-01"]),
        (
            "He paid $2.6 million, 3 percent and £5.5m at 10:30.",
            ["$2.6 million", "3 percent", "£5.5m", "10:30"],
        ),
        ("They met Mr. J. K. Smith of the Bank of England.", ["Mr. J. K. Smith", "Bank of England"]),
        ("The Court heard Ann Lee's plea.", ["Court", "Ann Lee"]),
        ("Rain is expected.", []),
        ("They may go, and May said so.", ["May"]),
        ("", []),
    ],
)
def test_names_numbers_and_dates_are_found_by_their_spelling(sentence: str, expected: list[str]) -> None:
    assert entity_texts(Text("d", "d", *join_sentences([sentence] if sentence else []))) == expected


def test_a_sentence_initial_word_is_a_name_if_it_is_one_elsewhere() -> None:
    text = Text("d", "d", *join_sentences(["Lee won 🌉.", "Nobody thanked Lee.", "Roads closed."]))
    assert entity_texts(text) == ["Lee", "Lee"]
    places = [text.content[slice(*entity.sentence)] for entity in load_entity_finder("rules").entities(text)]
    assert places == ["Lee won 🌉.", "Nobody thanked Lee."]


@pytest.fixture
def pipeline(tmp_path: Path) -> str:
    """A pipeline that knows two entities and divides sentences at full stops."""
    made = spacy.blank("en")
    made.add_pipe("sentencizer")
    ruler = made.add_pipe("entity_ruler")
    ruler.add_patterns([{"label": "GPE", "pattern": "old town"}, {"label": "DATE", "pattern": "Monday"}])
    made.to_disk(tmp_path / "pipeline")
    return str(tmp_path / "pipeline")


def test_a_pipeline_finds_entities_in_its_sentences_or_the_given_ones(pipeline: str) -> None:
    content = "It rained. The old town slept on Monday."
    (town, day) = load_entity_finder(pipeline).entities(Text("d", "d", content))
    assert [content[slice(*span)] for span in (town.span, day.span)] == ["old town", "Monday"]
    assert town.sentence == day.sentence == (11, 40)
    text = Text("d", "d", content, ((0, 18), (19, 40)))  # the first entity crosses its end
    (day,) = load_entity_finder(pipeline).entities(text)
    assert day.sentence == (19, 40)


def test_missing_or_unusable_pipelines_are_reported(pipeline: str, tmp_path: Path) -> None:
    assert resolve_finder("auto") in ("rules", "en_core_web_sm")
    assert resolve_finder(pipeline) == pipeline
    with pytest.raises(MissingResource, match="There is no parser"):
        load_entity_finder(str(tmp_path / "nothing"))
    spacy.blank("en").to_disk(tmp_path / "blank")
    with pytest.raises(InputError, match="has no entity recognizer"):
        load_entity_finder(str(tmp_path / "blank"))
    (Path(pipeline) / "config.cfg").write_text("[nlp]\n", encoding="utf-8")
    with pytest.raises(InputError, match="cannot be loaded"):
        load_entity_finder(pipeline)
