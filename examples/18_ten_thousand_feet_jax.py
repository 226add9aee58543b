"""Solve ten thousand feet of a robot at once with JAX, and differentiate their angles."""

import numpy as np

try:
    import jax
except ImportError as missing:
    raise SystemExit(print(f"skipped: {missing}")) from None

from twobone import Status, robots

jax.config.update("jax_enable_x64", True)
JOINT = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/>'
JOINT += '<origin xyz="{3}"/><axis xyz="{4}"/></joint>'
text = "".join(f'<link name="{name}"/>' for name in ("body", "coxa", "femur", "tibia", "foot"))
text += JOINT.format("yaw", "body", "coxa", "0.1 0 0", "0 0 1")
text += JOINT.format("lift", "coxa", "femur", "0.05 0 0", "0 1 0")
text += JOINT.format("knee", "femur", "tibia", "0.07 0 0", "0 1 0")
text += JOINT.format("end", "tibia", "foot", "0.13 0 0", "0 1 0").replace("continuous", "fixed")
leg = robots.read_urdf(f"<robot>{text}</robot>").leg("foot", rest=[0.0, -0.5, 1.5])

rng = np.random.default_rng(1)
feet = jax.numpy.asarray(rng.uniform([0.18, -0.08, -0.1], [0.26, 0.08, 0.0], (10_000, 3)))
answer = jax.jit(leg.reach)(feet)
print("reached:", int(np.sum(answer.status == Status.REACHED)), "of", len(feet))
print("largest miss:", float(np.abs(answer.end - feet).max()) < 1e-15, "(below 1e-15 m)")

# How fast must the joints move if the foot moves? The derivative of the angles tells.
slopes = jax.vmap(jax.jacobian(leg.solve))(feet[:100])
moved = leg.jacobian(answer.angles[:100]) @ slopes
print("jacobian times derivative is one:", bool(np.abs(moved - np.eye(3)).max() < 1e-9))
