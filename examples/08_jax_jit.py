"""JAX: use solve with jit and vmap, and compute the Jacobian of the joint."""

import sys

try:
    import jax
except ImportError as missing:
    sys.exit(print(f"skipped: this example needs JAX ({missing})"))

import jax.numpy as jnp

import twobone

jax.config.update("jax_enable_x64", True)


@jax.jit
def elbow(target):
    return twobone.solve(target, 1.0, 0.8)


targets = jnp.array([[1.2, 0.5], [0.3, 1.4], [2.5, 0.0]])
print("elbows\n", elbow(targets).round(3))

# Arguments broadcast, so vmap is not needed, but it works too.
print("the same under vmap:", bool(jnp.allclose(jax.vmap(elbow)(targets), elbow(targets))))

jacobian = jax.jit(jax.jacobian(elbow))(targets[0])
step = 1e-6
nudged = (elbow(targets[0] + jnp.array([step, 0.0])) - elbow(targets[0])) / step
print("derivative by the target's x:", jacobian[:, 0].round(4), "difference:", nudged.round(4))
