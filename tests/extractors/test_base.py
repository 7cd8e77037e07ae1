"""How many entities several relations have."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.extractors import EntityCounter, ExtractedRelation
from factprobe.records import Relation

sides = st.lists(st.sampled_from([0, 1, 2, 3, 1 << 40, (1 << 64) - 1]) | st.integers(0, 30), unique=True, max_size=9)


@pytest.mark.parametrize("pending", [0, 100, 1 << 20])
@given(relations=st.lists(st.tuples(sides, sides), max_size=9))
def test_each_counts_once(pending: int, relations: list[tuple[list[int], list[int]]]) -> None:
    entities = EntityCounter()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("factprobe.extractors.base._MAX_PENDING_BYTES", pending)
        for ends in relations:
            found = (array("Q", sorted(end)).tobytes() for end in ends)
            entities.add(ExtractedRelation(Relation("p", "[X] p [Y]"), 0, 0, *found))
    assert len(entities) == len({number for ends in relations for end in ends for number in end})
