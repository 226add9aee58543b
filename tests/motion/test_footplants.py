"""Footplants: pauses, and heels and toes at the foot's own length above any ground."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from twobone.motion import footplants
from twobone.motion.footplants import plants_of

COUNT = 40


def rows(*spans):
    on = np.zeros((1, COUNT), bool)
    for first, last in spans:
        on[0, first:last] = True
    return on


def test_short_pauses_are_held():
    on = rows((0, 5), (7, 10), (14, 20))
    plants = plants_of(on, np.zeros_like(on), 3)
    assert plants.spans.tolist() == [[0, 0, 10], [0, 14, 20]]
    assert plants.held.sum() == 16
    assert plants.index[0, [0, 6, 12, 15]].tolist() == [0, 0, -1, 1]


def test_pauses_in_which_a_joint_is_to_slide_are_not_held():
    on = rows((0, 5), (7, 10))
    assert plants_of(on, rows((5, 6)), 3).spans.tolist() == [[0, 0, 5], [0, 7, 10]]


@pytest.mark.parametrize("pause", [0, 1, 2])
def test_contacts_on_both_sides_of_a_jump_are_two(pause):
    on, at = rows((0, 10), (10 + pause, 20)), np.zeros((3, 1, COUNT))
    at[0, 0, 10:] = 1.0
    for apart, count in ((2.0, 1), (0.5, 2)):
        plants = plants_of(*footplants.split_at_jumps(on, rows(), at, np.array([apart])), 3)
        assert len(plants.spans) == count


spans = st.lists(st.tuples(st.integers(0, COUNT - 1), st.integers(1, 15)), min_size=1, max_size=4)


@given(spans, spans, st.integers(0, 2**31), st.sampled_from([0.0, 0.3]))
def test_heels_and_toes_held_together_are_at_the_length_of_the_foot(heels, toes, seed, slope):
    def plants(found):
        on = rows(*((first, first + size) for first, size in found))
        return plants_of(on, np.zeros_like(on), 1)

    def ground(points):
        return slope * points[0]

    random = np.random.default_rng(seed)
    ends, balls = plants(heels), plants(toes)
    at = (
        random.normal(scale=0.05, size=(3, 1, COUNT)),
        random.normal(scale=0.05, size=(3, 1, COUNT)),
    )
    at[1][2] += 0.2
    least, lengths = np.zeros((1, COUNT)), np.full((1, COUNT), 0.2)
    pairs = [
        footplants.anchors(each, where, least + 1.0, least, 1, ground)
        for each, where in zip((ends, balls), at, strict=True)
    ]
    heel, toe = footplants.at_own_length(ends, balls, *pairs, lengths, 1, ground)
    for i, j in footplants._pairs(ends, balls, lengths)[0]:
        assert np.linalg.norm(toe[:, j] - heel[:, i]) == pytest.approx(0.2, abs=1e-12)
    assert np.isfinite(heel).all()


def test_anchors_are_mean_positions_and_not_below_the_ground():
    on = rows((0, 4), (10, 14))
    plants = plants_of(on, np.zeros_like(on), 1)
    at = np.zeros((3, 1, COUNT))
    at[0, 0, :4] = [1.0, 1.2, 1.4, 1.6]
    at[1, 0, :4], at[1, 0, 10:14] = 0.03, -0.05
    least, weights = np.zeros((1, COUNT)), np.ones((1, COUNT))
    places, above = footplants.anchors(plants, at, weights, least, 1, lambda p: 0.0 * p[0])
    assert places[:, 0] == pytest.approx([1.3, 0.03, 0.0])
    assert places[1, 1] == above[1] == 0.0
    weights[0, 3] = 5.0
    places, _ = footplants.anchors(plants, at, weights, least, 1, lambda p: 0.0 * p[0])
    assert places[0, 0] == pytest.approx((1.0 + 1.2 + 1.4 + 5 * 1.6) / 8)


@pytest.mark.parametrize("drop", [0.0, 0.15, 0.1999])
def test_heels_and_toes_at_their_length_are_not_moved(drop):
    on = rows((0, 20))
    plants = plants_of(on, np.zeros_like(on), 1)
    heel, toe = np.zeros((3, 1)), np.zeros((3, 1))
    heel[1], toe[2] = drop, np.sqrt(0.2**2 - drop**2)
    found = footplants.at_own_length(
        plants,
        plants,
        (heel.copy(), heel[1].copy()),
        (toe.copy(), toe[1].copy()),
        np.full((1, COUNT), 0.2),
        1,
        lambda points: 0.0 * points[0],
    )
    assert np.abs(found[0] - heel).max() < 1e-12
    assert np.abs(found[1] - toe).max() < 1e-12
