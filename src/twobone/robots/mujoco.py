"""Limbs of a compiled MuJoCo model, read from its attributes; MuJoCo itself is not imported."""

from __future__ import annotations

import math
from typing import Any

from twobone.core.arrays import FINITE_FLOATS
from twobone.errors import ArrayTypeError, RobotError
from twobone.robots.chain import IDENTITY, Step, chain_of, from_wxyz
from twobone.robots.limb import Arm, Leg, Rest
from twobone.robots.pose_limb import PoseLimb
from twobone.robots.robot import limb_of
from twobone.rotations.angles import rotated_about

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint


def from_mujoco(
    model: Any, tip: str, base: str | None = None, rest: Rest | None = None
) -> Leg | Arm | PoseLimb:
    """Return the limb of a compiled MuJoCo model that ends at a tip.

    Parameters
    ----------
    model : mujoco.MjModel
        The compiled model.
    tip : str
        The name of a site, a geom or a body.
    base : str, optional
        The name of the body at which the limb begins, and in whose axes targets are given; by
        default the last body above the tip with a free joint, or the world.
    rest : sequence of n numbers, or mapping from joint names to numbers, optional
        The rest pose, as for `Robot.limb`.

    Returns
    -------
    Leg, Arm or PoseLimb
        Angles are those of `MjData.qpos`, limits are those of `jnt_range`.

    Raises
    ------
    RobotError
        If there is no such name, or the joints do not fit.
    ArrayTypeError
        If `model` is not a compiled model.

    Examples
    --------
    >>> from twobone import robots
    >>> leg = robots.from_mujoco(model, "FR_foot")  # doctest: +SKIP
    >>> data.qpos[7:10] = leg.solve([0.2, -0.14, -0.3])  # doctest: +SKIP
    """
    if not hasattr(model, "body_parentid"):
        raise ArrayTypeError("model", "a compiled mujoco.MjModel", type(model).__name__)
    body, point = _tip_of(model, tip)
    last = None if base is None else _body_of(model, base, tip)
    path = []
    while body not in (0, last):
        path.append(body)
        if last is None and _joints_of(model, body, FREE):
            path.pop()
            break
        body = int(model.body_parentid[body])
    if last is not None and body != last:
        raise RobotError(f"`base` must be above {tip!r}, got {base!r}.", tip=tip)
    steps = [step for each in reversed(path) for step in _steps(model, each, tip)]
    return limb_of(chain_of(tip, model.body(body).name, steps, point), rest)


def _tip_of(model, name):
    """Return the body that carries a site, a geom or a body, and its position there."""
    for kind in ("site", "geom"):
        try:
            index = getattr(model, kind)(name).id
        except KeyError:
            continue
        bodies, positions = getattr(model, f"{kind}_bodyid"), getattr(model, f"{kind}_pos")
        return int(bodies[index]), _floats(positions[index])
    return _body_of(model, name, name), (0.0, 0.0, 0.0)


def _body_of(model, name, tip):
    try:
        return int(model.body(name).id)
    except KeyError as error:
        message = f"The model has no site, geom or body {name!r}: {error.args[0]}"
        raise RobotError(message, tip=tip) from None


def _joints_of(model, body, kind=None):
    first, count = int(model.body_jntadr[body]), int(model.body_jntnum[body])
    every = range(first, first + count)
    return [each for each in every if kind is None or model.jnt_type[each] == kind]


def _steps(model, body, tip):
    """Yield the transform of a body, and its joints."""
    yield Step(_floats(model.body_pos[body]), from_wxyz(_floats(model.body_quat[body])))
    for joint in _joints_of(model, body):
        name, kind = model.joint(joint).name, int(model.jnt_type[joint])
        if kind != HINGE:
            what = ("is free", "is a ball joint", "slides")[kind]
            message = f"{tip}: joint {name!r} must rotate about one axis, but it {what}."
            raise RobotError(message, tip=tip)
        axis, at = _floats(model.jnt_axis[joint]), _floats(model.jnt_pos[joint])
        limited = bool(model.jnt_limited[joint])
        limits = _floats(model.jnt_range[joint]) if limited else (-math.inf, math.inf)
        yield Step(at, IDENTITY, name, axis, limits)
        # `qpos0` is the angle in the pose in which the model is described.
        angle = -float(model.qpos0[model.jnt_qposadr[joint]])
        columns = [rotated_about(FINITE_FLOATS, axis, angle, v) for v in IDENTITY]
        rotation = tuple(zip(*columns, strict=True)) if angle else IDENTITY
        yield Step((0.0, 0.0, 0.0), rotation)
        yield Step(tuple(-part for part in at), IDENTITY)


def _floats(values):
    return tuple(map(float, values))
