"""What docs/guarantees.md promises of values and exceptions holds for every public function."""

import builtins
import importlib
import inspect
import re
import sys
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest

import robot_files
import twobone
import twobone.errors
from slow import all_but
from twobone import (
    GlobalPose,
    Limb,
    LocalPose,
    Skeleton,
    TwoBoneError,
    creature,
    motion,
    pose,
    robots,
    rotations,
)
from twobone.files import recordings
from twobone.film.encoder import write_mp4
from twobone.pictures import svg
from twobone.pictures.model import write_glb
from twobone.pictures.walking import write_svg

PROJECT = Path(__file__).parents[1]
PAGE = PROJECT / "docs" / "guarantees.md"
if not PAGE.exists():
    pytest.skip("only an installed package, no project around it", allow_module_level=True)

ROW = re.compile(r"^\| (`.*`) \| (never|`\w+`(?:, `\w+`)*) \|(.*)\|$", re.MULTILINE)
NAME = re.compile(r"`([\w.]+)`")
FILES = {
    "pictures.svg": ["diagram", "overview"],
    "pictures.model": ["write_glb"],
    "pictures.walking": ["write_svg"],
    "film.encoder": ["write_mp4"],
    "files.recordings": ["read_recording", "write_recording"],
}
METHODS = {
    "Limb": ["reach", "controls"],
    "Skeleton": ["to_global", "to_local"],
    "Page": ["update", "answer", "lead", "shove"],
    "Walker": ["step", "shove", "put"],
    "Robot": ["limb", "leg", "arm", "pose_limb", "redundant_limb"],
    "Leg": [
        *("solve_all", "reach", "solve", "solve_xyz", "forward_kinematics", "jacobian"),
        "velocity",
    ],
    "Arm": [
        *("solve_all", "reach", "solve", "solve_xyz", "forward_kinematics", "jacobian", "pitch"),
        "velocity",
    ],
    "PoseLimb": [
        *("solve_all", "reach", "solve", "solve_pose", "forward_kinematics", "jacobian"),
        "velocity",
    ],
    "RedundantLimb": [
        *("solve_all", "reach", "solve", "solve_pose", "forward_kinematics", "jacobian"),
        *("velocity", "swivel", "swivel_ranges"),
    ],
}
MADE_BY_OTHERS = ("Page", "Robot", "Leg", "Arm", "PoseLimb", "RedundantLimb")


class Promise(NamedTuple):
    """What a row of a table says of a function."""

    errors: list[str]  # the names of the exceptions that values can raise
    arguments: tuple[str, ...]  # those whose values can raise it


def promises():
    """Return what the page says: sections by room, rows by function."""
    _, _, text = PAGE.read_text(encoding="utf-8").partition("## Exceptions and values")
    text = text.partition("## Accuracy")[0]
    found = {}
    for section in text.split("\n### ")[1:]:
        room = NAME.match(section)[1]
        for names, error, arguments in ROW.findall(section):
            told = [name for name in NAME.findall(arguments) if not name.endswith("Error")]
            for name in NAME.findall(names):
                found[f"{room}.{name}"] = Promise(NAME.findall(error), tuple(told))
    return found


PROMISES = promises()


# --- every function is there --------------------------------------------------------------


def is_plain(thing):
    """Say whether it takes no values to compute with: constants, types, records, exceptions."""
    if typing.get_origin(thing) is not None:  # of annotations, such as `Unreachable`
        return True
    if not inspect.isclass(thing):
        return not callable(thing)
    return issubclass(thing, tuple | int | Exception) or thing is twobone.Policy


def public():
    """Return the names of all public functions, classes and methods that take values."""
    limbs = set(twobone.__all__)
    for room in (twobone, rotations, pose, creature, robots):
        for name in room.__all__:
            thing = getattr(room, name)
            if is_plain(thing) or (room is pose and name in limbs):
                continue
            if name not in MADE_BY_OTHERS:
                yield f"{room.__name__}.{name}"
            yield from (f"{room.__name__}.{name}.{method}" for method in METHODS.get(name, ()))
    for module, names in FILES.items():
        yield from (f"twobone.{module}.{name}" for name in names)


def test_every_public_function_is_in_a_table():
    assert sorted(PROMISES) == sorted(public())


# --- every function does what its row says ------------------------------------------------


class Call(NamedTuple):
    """A function, values of arguments that are sound, and what is not tried."""

    function: Callable
    values: dict[str, Any]
    fixed: Mapping[str, Any] = MappingProxyType({})


LEG_OF_TWO = {
    "hip": (0.1, 0.0),
    "foot": (0.1, 0.0),
    "bones": (0.3, 0.3, 0.1),
    "pole": (0.0, 0.0, 1.0),
    "angles": (1.2, 0.5, 0.3, 0.2),
}
Q = [0.0, 0.0, 0.0, 1.0]
X, Y, Z = np.eye(3)
LEG = Skeleton([-1, 0, 1, 1], [[0, 1, 0], [0, -0.5, 0.01], [0, -0.5, -0.01], [0, -0.2, 0]])
LIMB = Limb(LEG, 0, 1, 2)
START, MID, END = np.eye(4), np.eye(4), np.eye(4)
MID[:3, 3], END[:3, 3] = Y, X + Y


DOG, DESK = (robots.read_urdf(make()) for make in (robot_files.quadruped, robot_files.desk_arm))
DOG_LEG, FOOTHOLD = DOG.leg("FR_foot"), np.array([0.2, -0.14, -0.3])
HUMAN, LBR = (robots.read_urdf(make()) for make in (robot_files.humanoid_leg, robot_files.iiwa))
HUMAN_LEG = HUMAN.pose_limb("tip")
IIWA = LBR.redundant_limb("tip", rest=[0.0, 0.5, 0.0, -1.5, 0.0, 1.0, 0.0])
GRIP = np.array([0.4, 0.1, 0.6])
SOLE, UPRIGHT = np.array([0.0, 0.1, -0.95]), np.array([0.0, 0.0, 0.1, 1.0])
DESK_ARM, PICK = DESK.arm("tip"), np.array([0.2, 0.0, 0.1])
MODEL = robot_files.model_of(robot_files.quadruped(), "FR_foot")


def urdf(place):
    place = " ".join(map(repr, np.asarray(place, np.float64).tolist()))
    return robot_files.robot(robot_files.joint("a", "base", "link", place))


def rows(value, count=3):
    value = np.asarray(value, np.float64)
    return np.tile(value, (count,) + (1,) * value.ndim)


def limb_with(least=10.0, greatest=170.0, share=0.5, **options):
    return Limb(LEG, 0, 1, 2, limits=(least, greatest), twist={3: share}, **options)


def reach(rotations, translations, **options):
    return LIMB.reach(LocalPose(rotations, translations), **options)


def reach_in_world(positions, rotations, **options):
    return LIMB.reach(GlobalPose(positions, rotations), bend="transport", **options)


def legs(*, hip, foot, bones, pole, angles):
    return [
        leg
        for station in (0, 1)
        for leg in creature.pair(station, hip=hip, foot=foot, bones=bones, pole=pole, angles=angles)
    ]


def anatomy(height, along, stride, bones=LEG_OF_TWO["bones"]):
    return creature.make_anatomy(
        height=height,
        along=along,
        stride=stride,
        legs=legs(**LEG_OF_TWO | {"bones": bones}),
        gaits=creature.animal("dog").anatomy.gaits,
    )


def dog(bones):
    made = creature.animal("dog").anatomy
    upper, lower, third = bones
    changed = [leg._replace(upper=upper, lower=lower, third=third) for leg in made.legs]
    return creature.Animal(made._replace(legs=tuple(changed)))


def walker():
    return creature.Walker("insect")


def update(**fields):
    with twobone.play(port=0, open_browser=False) as page:
        page.update(**fields)


def answer():
    with twobone.play(port=0, open_browser=False) as page:
        page.answer()


def lead(**order):
    with twobone.play(port=0, open_browser=False) as page:
        page.lead(**order)


def shove(velocity):
    with twobone.play(port=0, open_browser=False) as page:
        page.shove(velocity)


def serve(port):
    twobone.play(port, open_browser=False).close()


def report(dt=1 / 60, **arrays):
    return creature.report(WALK._replace(dt=dt, **arrays))


def write(tmp_path, dt=1 / 60, **arrays):
    recordings.write_recording(tmp_path / "walk.json", WALK._replace(dt=dt, **arrays))


def model(tmp_path, dt=1 / 60, **arrays):
    write_glb(tmp_path / "walk.glb", WALK._replace(dt=dt, **arrays))


def picture(tmp_path, dt=1 / 60, **arrays):
    write_svg(tmp_path / "walk.svg", WALK._replace(dt=dt, **arrays))


def film(tmp_path, dt=1 / 60, **arrays):
    pytest.importorskip("av", reason="PyAV is not installed")
    write_mp4(tmp_path / "walk.mp4", WALK._replace(dt=dt, **arrays), size=(64, 36))


def read(tmp_path, dt=1 / 60):
    fields = WALK._replace(dt=dt)._asdict()
    known = {name: value for name, value in fields.items() if value is not None}
    np.savez(tmp_path / "walk.npz", **known)
    recordings.read_recording(tmp_path / "walk.npz")


WALK = creature.walk("bird", seconds=0.1)
ON_TWO_BONES = creature.original_insect(0.0, seconds=0.1)
PLANE = {"target": rows([1.0, 1.0]), "r1": rows(1.0), "r2": rows(1.0)}
SPACE = PLANE | {"target": rows([1.0, 1.0, 0.0]), "pole": rows(Y)}
LIMBS = {
    "start": rows(START),
    "mid": rows(MID),
    "end": rows(END),
    "target": rows([1.5, 0.0, 0.0]),
    "pole": rows(Y),
    "mid_axis": rows(Z),
}
SHARES = {"twist": rows(0.1), "soften": rows(0.9), "weight": rows(0.5)}
WEIGHTS = {f"{name}_weight": rows(0.5) for name in ("position", "rotation", "pole")}
REST = {"rotations": rows(LEG.rotations), "translations": rows(LEG.offsets)}
THERE = {"positions": rows(LEG.rest.positions), "rotations": rows(LEG.rest.rotations)}
FOOT = {"target": rows([0.0, 0.3, 0.2])}
TURNED = {"p": rows(Q), "q": rows([1.0, 0.0, 0.0, 0.0])}
ONE = {"px": 1.0, "py": 1.0, "r1": 1.0, "r2": 1.0, "side": 1.0}
DIAGRAM = {"target": np.ones(2), "r1": 1.0, "r2": 1.0, "side": 1.0}
OVERVIEW = {"targets": rows([1.0, 1.0]), "r1": 1.0, "r2": 1.0, "side": 1.0}
FIELDS = {"target": [1.0, 1.0], "r1": 1.0, "r2": 1.0, "side": 1, "soft": 0.1}
AIM = {"joint": rows(START), "forward": rows(Y), "weight": rows(0.5)}

CALLS = {
    "twobone.solve": [
        Call(twobone.solve, PLANE | {"side": rows(1.0)}),
        Call(twobone.solve, SPACE, {"unreachable": twobone.Soft(0.1) | twobone.Stretch(1.5)}),
        Call(twobone.solve, PLANE, {"unreachable": twobone.Limits(10, 170)}),
        Call(twobone.solve, SPACE, {"unreachable": "stretch"}),
    ],
    "twobone.solve_both": [Call(twobone.solve_both, PLANE), Call(twobone.solve_both, SPACE)],
    "twobone.reach": [Call(twobone.reach, SPACE | {"root": rows(np.zeros(3))})],
    "twobone.solve_xy": [Call(twobone.solve_xy, ONE)],
    "twobone.solve_xyz": [Call(twobone.solve_xyz, ONE | dict(pz=0.0, nx=0.0, ny=1.0, nz=0.0))],
    "twobone.nearest_branch": [
        Call(twobone.nearest_branch, {"joints": rows(np.eye(2)), "joint": rows([1.0, 0.5])})
    ],
    "twobone.follow_branch": [
        Call(twobone.follow_branch, {"joints": rows(np.eye(2)), "side": 1.0, "hysteresis": 0.1})
    ],
    "twobone.correct_limb": [
        Call(twobone.correct_limb, LIMBS),
        Call(twobone.correct_limb, LIMBS | SHARES),
    ],
    "twobone.correct_aim": [
        Call(twobone.correct_aim, AIM | {"target": rows(X)}),
        Call(
            twobone.correct_aim,
            AIM | {"direction": rows(X), "up": rows(Z), "pole": rows(Z), "offset": rows(0.1 * X)},
        ),
    ],
    "twobone.Skeleton": [
        Call(
            Skeleton,
            {
                "parents": LEG.parents,
                "offsets": LEG.offsets,
                "rotations": LEG.rotations,
                "scales": np.ones(4),
            },
        )
    ],
    "twobone.Skeleton.to_global": [
        Call(lambda **pose: LEG.to_global(LocalPose(**pose)), REST),
    ],
    "twobone.Skeleton.to_local": [
        Call(lambda **pose: LEG.to_local(GlobalPose(**pose)), THERE),
    ],
    "twobone.Limb": [
        Call(limb_with, {"mid_axis": X}),
        Call(limb_with, {"bend_towards": Z}),
        Call(lambda limits: limb_with(*limits), {"limits": [10.0, 170.0]}),
        Call(lambda twist: limb_with(share=twist), {"twist": 0.5}),
    ],
    "twobone.Limb.reach": [
        Call(reach, REST | FOOT | WEIGHTS | {"pole": rows(Z), "end_rotation": rows(Q)}),
        Call(reach, REST | FOOT, {"unreachable": twobone.Stretch(2.0)}),
        Call(reach_in_world, THERE | FOOT | {"pole_point": rows(Z), "fade_degrees": 10.0}),
    ],
    "twobone.Limb.controls": [Call(lambda **pose: LIMB.controls(LocalPose(**pose)), REST)],
    "twobone.Soft": [Call(twobone.Soft, {"softness": 0.1})],
    "twobone.Stretch": [Call(twobone.Stretch, {"limit": 1.1})],
    "twobone.Limits": [Call(twobone.Limits, {"least_degrees": 10.0, "greatest_degrees": 90.0})],
    "twobone.engine": [Call(twobone.engine, {"threads": twobone.engine().threads})],
    "twobone.play": [Call(serve, {"port": 0})],
    "twobone.Page.update": [Call(update, FIELDS)],
    "twobone.Page.answer": [Call(answer, {})],
    "twobone.Page.lead": [Call(lead, {"velocity": np.ones(2), "turn": 0.1})],
    "twobone.Page.shove": [Call(shove, {"velocity": np.ones(2)})],
    "twobone.rotations.shortest_arc": [
        Call(rotations.shortest_arc, {"a": rows(X), "b": rows(Y), "axis": rows(Z)})
    ],
    "twobone.rotations.look_at": [
        Call(
            rotations.look_at,
            dict(direction=rows(X), up=rows(Y), forward=rows(Z), local_up=rows(Y)),
        )
    ],
    "twobone.rotations.frame": [Call(rotations.frame, {"x": rows(X), "y": rows(Y)})],
    "twobone.rotations.multiply": [Call(rotations.multiply, TURNED)],
    "twobone.rotations.inverse": [Call(rotations.inverse, {"q": rows(Q)})],
    "twobone.rotations.normalize": [Call(rotations.normalize, {"q": rows(Q)})],
    "twobone.rotations.rotate": [Call(rotations.rotate, {"q": rows(Q), "v": rows(X)})],
    "twobone.rotations.nlerp": [Call(rotations.nlerp, TURNED | {"weight": rows(0.5)})],
    "twobone.rotations.slerp": [Call(rotations.slerp, TURNED | {"weight": rows(0.5)})],
    "twobone.rotations.twist_swing": [Call(rotations.twist_swing, {"q": rows(Q), "axis": rows(Z)})],
    "twobone.rotations.matrix_to_quaternion": [
        Call(rotations.matrix_to_quaternion, {"matrix": rows(np.eye(3))})
    ],
    "twobone.rotations.quaternion_to_matrix": [
        Call(rotations.quaternion_to_matrix, {"q": rows(Q)})
    ],
    "twobone.rotations.rotation_vector_to_quaternion": [
        Call(rotations.rotation_vector_to_quaternion, {"rotation_vector": rows(X)})
    ],
    "twobone.rotations.quaternion_to_rotation_vector": [
        Call(rotations.quaternion_to_rotation_vector, {"q": rows(Q)})
    ],
    "twobone.rotations.euler_to_quaternion": [
        Call(rotations.euler_to_quaternion, {"angles": rows(X)}, {"order": "ZYX"}),
        Call(rotations.euler_to_quaternion, {"angles": rows([0.1, 0.2])}, {"order": "XY"}),
    ],
    "twobone.rotations.quaternion_to_euler": [
        Call(rotations.quaternion_to_euler, {"q": rows(Q)}, {"order": "XYX"}),
        Call(rotations.quaternion_to_euler, {"q": rows(Q), "near": rows(X)}, {"order": "ZYX"}),
        Call(rotations.quaternion_to_euler, {"q": rows(Q), "near": rows([1.0])}, {"order": "Y"}),
        Call(
            rotations.quaternion_to_euler, {"q": rows(Q), "near": rows([1, 1.0])}, {"order": "YZ"}
        ),
    ],
    "twobone.rotations.angle_about": [
        Call(rotations.angle_about, {"axis": rows(Z), "a": rows(X), "b": rows(Y)})
    ],
    "twobone.rotations.clamp_angle": [
        Call(rotations.clamp_angle, {"angle": rows(2.5), "least": rows(0.0), "greatest": rows(2.0)})
    ],
    "twobone.creature.animal": [Call(lambda: creature.animal("dog"), {})],
    "twobone.creature.make_anatomy": [
        Call(
            lambda fields: anatomy(fields[0], (fields[1], fields[2]), fields[3]),
            {"fields": [0.5, -0.3, 0.3, 2.0]},
        ),
        Call(
            lambda fields: anatomy(0.5, (-0.3, 0.3), 2.0, tuple(fields)),
            {"fields": [0.3, 0.3, 0.1]},
        ),
    ],
    "twobone.creature.make_animal": [
        Call(
            creature.make_animal,
            {"hips": 1.0, "trunk": 0.9, "width": 0.3, "stance": 0.3, "hind": np.array([0.6, 0.5])},
            {"legs": 4},
        ),
        Call(
            creature.make_animal,
            {"ankles": 0.1, "neck_length": 0.1, "tail_length": 0.1},
            {"legs": 2, "hips": 0.9, "hind": (0.45, 0.4, 0.15)},
        ),
    ],
    "twobone.creature.pair": [
        Call(
            lambda **given: creature.pair(0, **given),
            LEG_OF_TWO | {"share": 1.0},
        )
    ],
    "twobone.creature.Flat": [Call(creature.Flat, {"height": 0.0})],
    "twobone.creature.Slope": [Call(creature.Slope, {"degrees": 9.0, "heading_degrees": 0.0})],
    "twobone.creature.Steps": [Call(creature.Steps, {"rise": 0.1, "run": 0.2})],
    "twobone.creature.Noise": [Call(creature.Noise, {"rms": 0.1, "wavelength": 1.0, "seed": 1})],
    "twobone.creature.HeightArray": [
        Call(
            creature.HeightArray,
            {"heights": np.zeros((3, 3)), "spacing": 1.0, "origin": np.zeros(2)},
        )
    ],
    "twobone.creature.as_terrain": [Call(creature.as_terrain, {"value": 0.0})],
    "twobone.creature.make_terrain": [Call(creature.make_terrain, {"kind": 0.1, "seed": 1})],
    "twobone.creature.make_path": [Call(lambda: creature.make_path("eight"), {})],
    "twobone.creature.Walker": [
        Call(
            creature.Walker,
            {"terrain": 0.0, "count": 2, "position": np.zeros(2), "heading": 0.0},
            {"animal": "insect"},
        ),
        Call(lambda animal: creature.Walker(dog(animal)), {"animal": [0.3, 0.3, 0.15]}),
    ],
    "twobone.creature.Walker.step": [
        Call(
            lambda **values: walker().step(**values),
            {"dt": 1 / 60, "velocity": np.zeros(2), "turn": 0.0},
        )
    ],
    "twobone.creature.Walker.shove": [
        Call(lambda velocity: walker().shove(velocity), {"velocity": np.zeros(2)})
    ],
    "twobone.creature.Walker.put": [
        Call(lambda **values: walker().put(**values), {"position": np.zeros(2), "heading": 0.0})
    ],
    "twobone.creature.walk": [
        Call(
            creature.walk, {"terrain": 0.1, "speed": 1.0, "turn": 0.0, "seed": 1}, {"seconds": 0.04}
        ),
        Call(creature.walk, {"path": np.ones((2, 2)), "seconds": 0.04, "fps": 60.0}),
    ],
    "twobone.creature.walk_cycle": [
        Call(creature.walk_cycle, {"speed": 0.9}, {"creature": "dog"}),
        Call(creature.walk_cycle, {"fps": 30.0}, {"creature": "dog"}),
    ],
    "twobone.creature.original_insect": [
        Call(
            creature.original_insect, {"terrain": 0.0, "speed": 0.7, "surge": 0.1}, {"seconds": 0.1}
        ),
        Call(creature.original_insect, {"seconds": 0.1, "dt": 0.05}, {"terrain": 0.0}),
    ],
    "twobone.creature.record": [
        Call(lambda dt: creature.record(walker(), [walker().state], dt), {"dt": 0.1})
    ],
    "twobone.creature.report": [
        Call(report, {"dt": 0.1}),
        Call(report, {name: getattr(WALK, name) for name in ("time", "hips", "knees", "feet")}),
        Call(report, {name: getattr(WALK, name) for name in ("station_rotations", "bones")}),
        Call(report, {name: getattr(WALK, name) for name in ("stations", "ankles", "ground")}),
        Call(lambda terrain: creature.report(WALK, terrain), {"terrain": 0.0}),
    ],
    "twobone.creature.servo_angles": [
        Call(
            lambda coxa, neutral: creature.servo_angles(ON_TWO_BONES, coxa, neutral),
            {"coxa": 0.0, "neutral": 0.0},
        )
    ],
    "twobone.creature.table": [Call(lambda: creature.table({"dog": creature.report(WALK)}), {})],
    "twobone.robots.read_urdf": [
        Call(lambda file: robots.read_urdf(urdf(file)), {"file": [0.1, 0.0, 0.2]})
    ],
    "twobone.robots.from_mujoco": [
        Call(lambda rest: robots.from_mujoco(MODEL, "ball", rest=rest), {"rest": [0.1, 0.8, -1.6]})
    ],
    **{
        f"twobone.robots.Robot.{method}": [
            Call(getattr(robot, method), {"rest": rest, "point": X}, {"tip": tip})
        ]
        for method, robot, tip, rest in (
            ("limb", DOG, "FR_calf", [0.1, 0.8, -1.6]),
            ("leg", DOG, "FR_calf", [0.1, 0.8, -1.6]),
            ("arm", DESK, "gripper", [0.1, 0.2, 0.3, 0.4, 0.5]),
            ("pose_limb", HUMAN, "tip", [0.0, 0.1, -0.5, 1.0, -0.5, 0.1]),
            ("redundant_limb", LBR, "tip", [0.0, 0.5, 0.0, -1.5, 0.0, 1.0, 0.0]),
        )
    },
    **{
        f"twobone.robots.Leg.{method}": [
            Call(getattr(DOG_LEG, method), given | more)
            for given in ({"target": rows(FOOTHOLD)}, {"target": FOOTHOLD})
            for more in ({}, *([] if method == "solve_all" else [{"near": [0.1, 0.8, -1.6]}]))
        ]
        for method in ("solve_all", "reach", "solve")
    },
    **{
        f"twobone.robots.Arm.{method}": [
            Call(getattr(DESK_ARM, method), given | more)
            for given in ({"target": rows(PICK)}, {"target": PICK})
            for more in ({"pitch": -1.5}, {"pitch": -1.5, "roll": 0.3})
        ]
        for method in ("solve_all", "reach", "solve")
    },
    "twobone.robots.Leg.solve_xyz": [
        Call(DOG_LEG.solve_xyz, {"x": 0.2, "y": -0.1, "z": -0.3, "branch": 1})
    ],
    "twobone.robots.Arm.solve_xyz": [
        Call(DESK_ARM.solve_xyz, {"x": 0.2, "y": 0.0, "z": 0.1, "pitch": -1.5, "branch": 1}),
        Call(DESK_ARM.solve_xyz, {"x": 0.2, "y": 0.0, "z": 0.1, "pitch": -1.5, "roll": 0.2}),
    ],
    **{
        f"twobone.robots.{kind}.{method}": [
            Call(getattr(limb, method), {"angles": angles}) for angles in (rows(pose), pose)
        ]
        for kind, limb, pose in (("Leg", DOG_LEG, DOG_LEG.rest), ("Arm", DESK_ARM, DESK_ARM.rest))
        for method in ("forward_kinematics", "jacobian", *["pitch"] * (kind == "Arm"))
    },
    **{
        f"twobone.robots.PoseLimb.{method}": [
            Call(getattr(HUMAN_LEG, method), {"position": where, "rotation": how} | more)
            for where, how in ((rows(SOLE), rows(UPRIGHT)), (SOLE, UPRIGHT))
            for more in ({}, *([] if method == "solve_all" else [{"near": HUMAN_LEG.rest}]))
        ]
        for method in ("solve_all", "reach", "solve")
    },
    "twobone.robots.PoseLimb.solve_pose": [
        Call(HUMAN_LEG.solve_pose, {"position": SOLE, "rotation": UPRIGHT, "branch": 1})
    ],
    **{
        f"twobone.robots.PoseLimb.{method}": [
            Call(getattr(HUMAN_LEG, method), {"angles": angles})
            for angles in (rows(HUMAN_LEG.rest), HUMAN_LEG.rest)
        ]
        for method in ("forward_kinematics", "jacobian")
    },
    **{
        f"twobone.robots.RedundantLimb.{method}": [
            Call(getattr(IIWA, method), {"position": where, "rotation": how} | more)
            for where, how in ((rows(GRIP), rows(UPRIGHT)), (GRIP, UPRIGHT))
            for more in (
                {"swivel": 0.3},
                *([] if method == "solve_all" else [{"near": IIWA.rest}, {"elbow": X}]),
            )
        ]
        for method in ("solve_all", "reach", "solve")
    },
    **{
        f"twobone.robots.{type(limb).__name__}.velocity": [
            Call(
                limb.velocity,
                {"angles": rows(limb.rest), "twist": rows(np.ones(6)), "damping": damping},
            )
            for damping in (0.05, 0.0)
        ]
        for limb in (HUMAN_LEG, IIWA)
    },
    **{
        f"twobone.robots.{type(limb).__name__}.velocity": [
            Call(limb.velocity, {"angles": rows(limb.rest), "velocity": rows(X), **more})
            for more in ({"damping": 0.05}, {"damping": 0.0}, rates)
        ]
        for limb, rates in ((DOG_LEG, {}), (DESK_ARM, {"pitch_rate": 0.5, "roll_rate": -0.2}))
    },
    "twobone.robots.RedundantLimb.solve_pose": [
        Call(IIWA.solve_pose, {"position": GRIP, "rotation": UPRIGHT, "branch": 1, "swivel": 0.2})
    ],
    "twobone.robots.RedundantLimb.swivel_ranges": [
        Call(IIWA.swivel_ranges, {"position": where, "rotation": how})
        for where, how in ((rows(GRIP), rows(UPRIGHT)), (GRIP, UPRIGHT))
    ],
    **{
        f"twobone.robots.RedundantLimb.{method}": [
            Call(getattr(IIWA, method), {"angles": angles})
            for angles in (rows(IIWA.rest), IIWA.rest)
        ]
        for method in ("forward_kinematics", "jacobian", "swivel")
    },
    "twobone.robots.walk": [
        Call(
            lambda **given: robots.walk(DOG, **given),
            {"rest": [0.0, 0.9, -1.8], "terrain": 0.0, "speed": 0.1, "turn": 0.0}
            | {"foot_radius": 0.02, "lead_in": 0.1},
            {"seconds": 0.04},
        ),
        Call(
            lambda **given: robots.walk(DOG, [0.0, 0.9, -1.8], **given),
            {"seconds": 0.04, "fps": 60.0},
        ),
    ],
    "twobone.pictures.svg.diagram": [Call(svg.diagram, DIAGRAM)],
    "twobone.pictures.svg.overview": [Call(svg.overview, OVERVIEW)],
    "twobone.files.recordings.read_recording": [Call(read, {"dt": 0.1})],
    "twobone.files.recordings.write_recording": [
        Call(write, {"dt": 0.1}),
        Call(write, {"feet": WALK.feet}),
    ],
    "twobone.pictures.model.write_glb": [
        Call(model, {"dt": 0.1}),
        Call(model, {"feet": WALK.feet}),
    ],
    "twobone.pictures.walking.write_svg": [
        Call(picture, {"dt": 0.1}),
        Call(picture, {"feet": WALK.feet}),
    ],
    "twobone.film.encoder.write_mp4": [Call(film, {"dt": 0.1}), Call(film, {"feet": WALK.feet})],
}

NUMBERS = (np.nan, np.inf, -np.inf, 0.0, -1.0, 5.0, 1e16, 1e308, -1e308, 1e-310)


def hostile(value):
    """Return values of the same shape and type that nobody hopes for."""
    if isinstance(value, int):
        return [0, -1]
    if isinstance(value, float):
        return NUMBERS
    value = np.asarray(value, np.float64)
    found = [np.full_like(value, number) for number in NUMBERS]
    for number in (np.nan, np.inf, 1e308, 1e-310):  # one part beside sound ones
        part = value.copy()
        part.flat[0] = number
        found.append(part)
    random = np.random.default_rng(1).normal(size=value.shape)
    return [*found, 3.0 * value, random, np.sort(value)[..., ::-1]]


def raised(call, name, value):
    """Return the class of what a hostile value raises; warnings are raised too."""
    given = call.values | {name: value}
    if isinstance(call.values[name], list):
        given[name] = value.tolist()
    try:
        call.function(**given, **call.fixed)
    except Exception as error:
        return type(error)
    return None


# Each of these takes half a second: what is drawn, and what other functions here compute as well.
LONG = {
    "twobone.pictures.model.write_glb",
    "twobone.pictures.svg.diagram",
    "twobone.film.encoder.write_mp4",
    "twobone.creature.walk_cycle",
    "twobone.robots.RedundantLimb.reach",
    "twobone.robots.RedundantLimb.solve",
    "twobone.robots.RedundantLimb.solve_all",
    "twobone.robots.PoseLimb.reach",
}


@pytest.mark.parametrize("name", all_but(sorted(PROMISES), *sorted(PROMISES.keys() - LONG)))
def test_values_raise_what_the_table_says_and_nothing_else(name, tmp_path, state_home):
    promise, seen = PROMISES[name], set()
    errors = [getattr(twobone, error) for error in promise.errors]
    for call in CALLS[name]:
        if "tmp_path" in inspect.signature(call.function).parameters:
            call = call._replace(fixed={"tmp_path": tmp_path})
        call.function(**call.values, **call.fixed)  # sound values never raise
        for argument, sound in call.values.items():
            for value in hostile(sound):
                found = raised(call, argument, value)
                if found is not None:
                    assert argument in promise.arguments, (argument, value, found)
                    assert found in errors, (argument, value)
                    seen.add(argument)
    assert seen == set(promise.arguments)


def test_a_function_that_breaks_its_promise_is_noticed(monkeypatch, tmp_path, state_home):
    def solve(target, **others):
        if np.isnan(target).any():
            raise ValueError

    monkeypatch.setitem(CALLS, "twobone.solve", [Call(solve, PLANE)])
    with pytest.raises(AssertionError, match="ValueError"):
        test_values_raise_what_the_table_says_and_nothing_else(
            "twobone.solve", tmp_path, state_home
        )


@pytest.mark.parametrize("folder", ["", "docs", "src/twobone", "benchmarks"])
def test_no_sentence_promises_more_than_the_page(folder):
    too_much = re.compile(
        r"values never raise|values never do|exact to the last bit", re.IGNORECASE
    )
    files = [*(PROJECT / folder).glob("*.md"), *(PROJECT / folder).glob("*.toml")]
    files += [] if folder == "" else (PROJECT / folder).rglob("*.py")
    assert files
    for path in files:
        text = " ".join(path.read_text(encoding="utf-8").split())
        assert not too_much.search(text), path
        for match in re.finditer(r"every finite (?:input|limb)", text):
            around = text[match.start() - 200 : match.end() + 200]
            assert "except" in around or "but" in around, path


ASKED = {
    "solve": lambda: twobone.solve([9.0, 0.0], 1.0, 1.0, unreachable="raise"),
    "solve_both": lambda: twobone.solve_both([9.0, 0.0], 1.0, 1.0, unreachable="raise"),
    "reach": lambda: twobone.reach([np.nan, 0.0], 1.0, 1.0, unreachable="raise"),
    "correct_limb": lambda: twobone.correct_limb(
        START, MID, END, 9.0 * X, mid_axis=Z, unreachable="raise"
    ),
    "Limb.reach": lambda: LIMB.reach(LocalPose(LEG.rotations), 9.0 * X, unreachable="raise"),
    "pictures.svg.diagram": lambda: svg.diagram([9.0, 0.0], 1.0, 1.0, unreachable="raise"),
    "pictures.svg.overview": lambda: svg.overview([[9.0, 0.0]], 1.0, 1.0, unreachable="raise"),
}


@pytest.mark.parametrize("name", ASKED)
def test_unreachable_targets_raise_where_that_is_asked_for(name):
    with pytest.raises(twobone.UnreachableError):
        ASKED[name]()


def test_only_these_functions_have_a_policy_that_can_raise():
    found = set()
    for name in public():
        room, _, rest = name.removeprefix("twobone.").rpartition(".")
        owner = twobone
        for part in filter(None, room.split(".")):
            owner = getattr(owner, part)
        if "unreachable" in inspect.signature(getattr(owner, rest)).parameters:
            found.add(name.removeprefix("twobone."))
    assert found == set(ASKED)


# --- exceptions ---------------------------------------------------------------------------


def exceptions():
    """Return the rows of the table of exceptions: name, base, attributes."""
    text = PAGE.read_text(encoding="utf-8").partition("## Exception classes")[2]
    found = re.findall(r"^\| `(\w+)` \|([^|]*)\|[^|]*\|([^|]*)\|$", text, re.MULTILINE)
    return {name: (NAME.findall(base), NAME.findall(facts)) for name, base, facts in found}


def classes():
    """Return the public exceptions of errors.py by name."""
    found = {n: v for n, v in vars(twobone.errors).items() if n[0] != "_" and isinstance(v, type)}
    return {n: v for n, v in found.items() if v.__module__ == "twobone.errors"}


def test_every_exception_can_be_imported_from_the_package():
    for name, kind in classes().items():
        assert name in twobone.__all__
        assert getattr(twobone, name) is kind
        assert issubclass(kind, TwoBoneError)


def test_the_table_of_exceptions_is_complete():
    assert set(exceptions()) == set(classes())


MADE = {
    "TwoBoneError": lambda: svg.diagram([1.0, 1.0], 1.0, 1.0, show=["no"]),
    "ShapeError": lambda: twobone.solve([1.0], 1.0, 1.0),
    "ArrayTypeError": lambda: twobone.solve("no", 1.0, 1.0),
    "PolicyError": lambda: twobone.Soft(2.0),
    "LimitsError": lambda: rotations.clamp_angle(0.0, 2.0, 1.0),
    "UnreachableError": ASKED["solve"],
    "PoseError": lambda: Limb(LEG, 2, 1, 0),
    "CreatureError": lambda: creature.Flat(np.nan),
    "RobotError": lambda: twobone.robots.read_urdf(
        "<robot name='post'><link name='a'/></robot>"
    ).limb("a"),
    "PageError": lambda: serve(-1),
    "EngineError": lambda: twobone.engine(threads=0),
    "MissingError": lambda: importlib.import_module("twobone.film.encoder").load_encoder(),
    "ClipError": lambda: motion.Clip(LEG, LocalPose(LEG.rotations), 30.0),
    "FileError": lambda: recordings.read_recording(__file__),
}


@pytest.mark.parametrize("name", sorted(classes()))
def test_an_exception_has_the_base_and_the_facts_of_the_table(name, monkeypatch):
    bases, facts = exceptions()[name]
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(getattr(twobone, name)) as caught:
        MADE[name]()
    assert type(caught.value) is getattr(twobone, name)
    assert all(isinstance(caught.value, getattr(builtins, base)) for base in bases)
    assert all(hasattr(caught.value, fact) for fact in facts)


def test_nothing_else_is_raised_on_purpose():
    """Each `raise` names one of ours, but for what Python or the operating system expects."""
    source = Path(twobone.__file__).parent
    ours = {*classes(), "CommandError", "MissedError", "BundleError", "ragged", "error"}
    ours |= {"undefined_axis"}  # returns a PoseError
    ours |= {"text.error", "text.unexpected", "self.error", "self.unexpected"}  # ClipErrors
    caught_here = {
        ("core/arrays.py", "TypeError"),
        ("core/arrays.py", "AssertionError"),
        ("core/arrays.py", "ValueError"),  # what NumPy's `broadcast_shapes` raises
        ("core/for_accelerators.py", "ArithmeticError"),
        ("core/torch_graphs.py", "NotImplementedError"),  # caught by Dynamo, which leaves its graph
        ("core/torch_programs.py", "AssertionError"),
        ("core/programs.py", "NotTraceableError"),
        ("robots/straight.py", "NotTraceableError"),
        ("core/threads.py", "interrupt"),  # what a signal handler raised
        ("commands/completion.py", "click.BadParameter"),
        ("commands/endings.py", "KeyboardInterrupt"),
        ("commands/endings.py", "ending.__context__"),  # a broken pipe
        ("commands/numbers.py", "click.BadParameter"),
        ("commands/play.py", "click.BadParameter"),
        ("files/csv_rows.py", "parsed.wrong"),  # a FileError
        ("files/json_rows.py", "parsed.wrong"),
        ("files/json_rows.py", "ValueError"),
        ("play/messages.py", "ValueError"),
        ("play/server.py", "ConnectionError"),
    }
    expected = {
        ("core/immutable.py", "AttributeError"),  # as for whatever cannot be set
        ("__init__.py", "AttributeError"),  # of a name that a module does not have
        ("core/__init__.py", "AttributeError"),  # likewise
        ("files/atomic.py", "IsADirectoryError"),
        ("files/atomic.py", "PermissionError"),
        ("files/atomic.py", "OSError"),
    }
    for path in sorted(source.rglob("*.py")):
        for name in re.findall(r"^ +raise ([\w.]+)", path.read_text(encoding="utf-8"), re.M):
            where = str(path.relative_to(source)).replace("\\", "/"), name
            assert name in ours or where in caught_here | expected, where
