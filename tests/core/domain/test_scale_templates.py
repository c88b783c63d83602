"""Templates of rating scales."""

from __future__ import annotations

import pytest

from core.domain.name_checks import name_problem
from core.domain.ratings import Dimension, check_dimensions
from core.domain.scale_templates import TEMPLATES, add_template, find_template
from core.errors import InputError


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: template.key)
def test_scales_of_a_template_are_valid_and_have_questions(template) -> None:
    scales = add_template((), template)
    check_dimensions(scales)
    assert [name_problem(scale.name) for scale in scales] == [""] * len(scales)
    assert all(scale.question.endswith("?") for scale in scales)
    assert len({scale.id for scale in scales}) == len(template.scales)


def test_names_that_are_used_are_not_added_again() -> None:
    own = Dimension("1", "fluency", 0.0, 100.0)
    scales = add_template((own,), find_template("summeval"))
    assert [scale.name for scale in scales] == ["fluency", "coherence", "consistency", "relevance"]
    assert scales[0] is own
    assert add_template(scales, find_template("dialsummeval")) == scales


def test_an_unknown_template_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="Known: tac, duc, "):
        find_template("nothing")
