"""Policies are values: immutable, equal by what they say, shown as what makes them again."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest

import twobone
from twobone import Limits, Policy, Soft, Stretch
from twobone.core import policies

MAKERS = {
    "soft": lambda: Soft(0.1),
    "stretch": lambda: Stretch(limit=1.2),
    "without limit": lambda: Stretch(math.inf),
    "limits": lambda: Limits(30, 150),
    "default limits": lambda: Limits(),
    "chain": lambda: Limits(30, 150) | Soft(0.1) | Stretch(2),
}
makers = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@makers
def test_policies_made_alike_are_equal_and_all_others_are_not(make):
    assert make() == make()
    assert hash(make()) == hash(make())
    assert [make() == other() for other in MAKERS.values()].count(True) == 1
    assert len({one() for one in MAKERS.values()} | {make()}) == len(MAKERS)
    assert make() != repr(make())


@makers
def test_what_is_shown_makes_an_equal_policy(make):
    assert eval(repr(make()), {name: getattr(twobone, name) for name in twobone.__all__}) == make()


@makers
def test_copies_are_equal(make):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(make(), protocol)) == make()
    assert copy.copy(make()) == copy.deepcopy(make()) == make()
    target = [[5.0, 0.0], [0.3, 0.0]]
    want = twobone.solve(target, 1.0, 0.8, unreachable=make())
    found = twobone.solve(target, 1.0, 0.8, unreachable=pickle.loads(pickle.dumps(make())))
    np.testing.assert_array_equal(found, want)


@makers
def test_policies_do_not_change(make):
    policy = make()
    for name in vars(policy):
        with pytest.raises(AttributeError, match=name):
            setattr(policy, name, 0.5)
        with pytest.raises(AttributeError, match=name):
            delattr(policy, name)
    with pytest.raises(AttributeError, match="hardness"):
        policy.hardness = 0.5
    assert policy == make()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Soft(np.float32(0.5)), Soft(0.5)),
        (Soft(softness=np.array(0.5)), Soft(0.5)),
        (Stretch(2), Stretch(np.int64(2))),
        (Stretch(10**400), Stretch(limit=math.inf)),
        (Limits(-0.0, 90), Limits(0, np.float32(90))),
        (Limits(greatest_degrees=90), Limits(0.0, 90.0)),
        ((Limits(0, 90) | Soft(0.1)) | Stretch(2), Limits(0, 90) | (Soft(0.1) | Stretch(2))),
    ],
    ids=repr,
)
def test_equal_numbers_make_equal_policies_that_are_shown_alike(one, other):
    assert one == other
    assert hash(one) == hash(other)
    assert repr(one) == repr(other)


def test_the_order_of_a_chain_counts():
    assert Limits(0, 90) | Soft(0.1) != Soft(0.1) | Limits(0, 90)


# --- policies of one's own ----------------------------------------------------------------


class Share(Policy):
    def __init__(self, share):
        self.share = share

    def place(self, xp, distance, inner, outer):
        return self.share * outer


class Other(Share):
    pass


class Plain(Policy):
    def place(self, xp, distance, inner, outer):
        return inner


@dataclasses.dataclass(frozen=True)
class Frozen(Policy):
    share: float

    def place(self, xp, distance, inner, outer):
        return self.share * outer


class Softer(Soft):
    def __init__(self, softness, note):
        super().__init__(softness)
        self.note = note


def test_objects_of_ones_own_class_equal_only_themselves():
    policies = [Plain(), Plain(), Share(0.5), Share(0.5), Other(0.5), Softer(0.1, "a"), Soft(0.1)]
    policies += [Softer(0.1, "a"), Softer(0.1, "b")]
    assert len(set(policies)) == len(policies)
    for i, one in enumerate(policies):
        assert [one == other for other in policies] == [i == k for k in range(len(policies))]
        assert (one | Soft(0.2)) == (one | Soft(0.2))


def test_ones_own_frozen_dataclass_is_a_value():
    assert Frozen(0.5) == Frozen(0.5) != Frozen(0.6)
    assert hash(Frozen(0.5) | Soft(0.1)) == hash(Frozen(0.5) | Soft(0.1))
    assert Frozen(0.5) | Soft(0.1) == Frozen(0.5) | Soft(0.1) != Frozen(0.6) | Soft(0.1)


def test_policies_of_ones_own_may_change_and_are_shown_with_what_they_know():
    share = Share(0.5)
    assert repr(share) == "Share(share=0.5)"
    share.share, share._hidden, share.itself = 0.25, 1, share
    assert repr(share) == "Share(share=0.25, itself=...)"
    assert twobone.reach([1.9, 0.0], 1.0, 1.0, unreachable=share).end[0] == pytest.approx(0.5)
    assert repr(Plain()) == "Plain()"
    assert repr(Frozen(0.1) | Softer(0.2, "b")) == "Frozen(share=0.1) | Softer(0.2)"
    with pytest.raises(AttributeError, match="softness"):
        Softer(0.2, "b").softness = 0.3


def test_an_attribute_called_policies_makes_no_chain():
    plain = Plain()
    plain.policies = [Stretch(2), Soft(0.1)]
    assert (plain | Soft(0.1)).policies == (plain, Soft(0.1))


# --- static arguments ---------------------------------------------------------------------


def test_jax_traces_once_for_equal_policies():
    jax = pytest.importorskip("jax", reason="JAX is not installed")
    traced = []

    def joint(target, unreachable):
        traced.append(unreachable)
        return twobone.solve(target, 1.0, 1.0, unreachable=unreachable)

    compiled = jax.jit(joint, static_argnames="unreachable")
    for policy in (Soft(0.1), Soft(0.1), Soft(np.float64(0.1)), Soft(0.2), Soft(0.1)):
        found = compiled(jax.numpy.array([1.95, 0.0]), unreachable=policy)
        want = twobone.solve(np.array([1.95, 0.0], np.float32), 1.0, 1.0, unreachable=policy)
        np.testing.assert_allclose(found, want, atol=1e-6)
    assert traced == [Soft(0.1), Soft(0.2)]


def test_names_are_shown_as_they_are_written():
    assert repr(policies.resolve("clamp")) == "'clamp'"
