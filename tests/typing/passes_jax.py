"""JAX: arrays in, arrays out, also under jit, vmap and grad."""

from __future__ import annotations

from typing import assert_type

import jax
import jax.numpy as jnp
import numpy as np

import twobone
from twobone import rotations
from twobone.pose import GlobalPose, LocalPose, Skeleton

target = jnp.array([1.0, 1.0])

assert_type(twobone.solve(target, 1.0, 1.0), jax.Array)
assert_type(twobone.solve(target, jnp.ones(()), np.ones(5), unreachable="nan"), jax.Array)
assert_type(twobone.solve([target, target], 1.0, 1.0), jax.Array)
assert_type(twobone.solve(np.zeros(3), 1.0, 1.0, pole=jnp.ones(3)), jax.Array)
assert_type(twobone.solve_both(target, 1.0, 1.0), jax.Array)
assert_type(twobone.reach(target, 1.0, 1.0), twobone.Reach[jax.Array, jax.Array])
assert_type(twobone.reach(target, 1.0, 1.0).status, jax.Array)


@jax.jit
def elbow(hand: jax.Array) -> jax.Array:
    """Return what a function of one's own says it does."""
    return twobone.solve(hand, 1.0, 0.8)


elbow(target)

skeleton = Skeleton([-1, 0, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01]])
leg = twobone.Limb(skeleton, 0, 1, 2)
rest = LocalPose(jnp.asarray(skeleton.rotations))
assert_type(leg.reach(rest, target).pose, LocalPose[jax.Array])
assert_type(leg.reach(skeleton.rest, target, bend="rest").pose, GlobalPose[jax.Array])
assert_type(skeleton.to_global(rest).positions, jax.Array)
assert_type(rotations.multiply(target, target), jax.Array)
