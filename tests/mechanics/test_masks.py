"""Sets as plain ints, read in every way there is."""

import pytest

from hexengine.mechanics.masks import bits, lowest, mask_of, reader, units

SETS = [
    [],
    [0],
    [5],
    [0, 1, 2],
    [3, 64, 65, 300],
    [*range(0, 90, 3)],
    [*range(40)],
    [*range(7, 400, 11), 4000],
]


@pytest.mark.parametrize("members", SETS, ids=len)
def test_a_mask_holds_its_members_ascending(members):
    """Few or many of them: large masks are read otherwise than small ones."""
    mask = mask_of(members)
    assert mask_of(reversed(members)) == mask == sum(1 << member for member in members)
    assert list(units(mask)) == bits(mask) == members
    if members:
        assert lowest(mask) == members[0]


@pytest.mark.parametrize("members", [(), (2,), (0, 3)])
def test_a_column_read_at_some_places(members):
    assert reader(members)([10, 11, 12, 13]) == tuple(10 + member for member in members)
