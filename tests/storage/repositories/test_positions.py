"""Places of rows among siblings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from storage.repositories.positions import assign_positions


def test_rows_at_the_end_go_after_everything_that_ever_stood_there():
    assert assign_positions(["a", "x", "y"], {"a": 1.0, "removed": 5.0}) == {"x": 6.0, "y": 7.0}


def test_a_row_between_two_goes_half_way_to_the_next_taken_place():
    assert assign_positions(["a", "x", "b"], {"a": 1.0, "removed": 2.0, "b": 3.0}) == {"x": 1.5}


def test_a_row_before_all_goes_before_all():
    assert assign_positions(["x", "a"], {"a": 1.0}) == {"x": 0.0}


def test_one_row_that_moves_moves_alone():
    places = {name: float(at) for at, name in enumerate("abcdef")}
    assert assign_positions(["e", "a", "b", "c", "d", "f"], places) == {"e": -1.0}


def test_places_never_run_out():
    order, places = ["a", "b"], {"a": 1.0, "b": 2.0}
    for number in range(200):
        order.insert(1, str(number))
        places |= assign_positions(order, places)
        assert sorted(order, key=places.__getitem__) == order


@given(
    st.lists(st.integers(0, 30), unique=True, max_size=12),
    st.dictionaries(st.integers(0, 30), st.integers(-5, 60), max_size=12),
)
def test_any_order_is_kept_and_no_place_is_given_twice(order, known):
    names = [str(item) for item in order]
    taken = {str(item): float(at) for item, at in known.items()}
    taken = {name: place for place, name in {place: name for name, place in taken.items()}.items()}
    found = assign_positions(names, taken)
    after = taken | found
    assert sorted(names, key=after.__getitem__) == names
    assert len(set(after.values())) == len(after)
    in_order = [name for name in names if name in taken]
    if in_order == sorted(in_order, key=taken.__getitem__):
        assert not set(found) & set(taken)
