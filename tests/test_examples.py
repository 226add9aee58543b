"""Every example runs, in seconds, and says something; those that miss a library say so."""

import functools
import importlib.util
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import twobone

EXAMPLES = sorted((Path(__file__).parents[1] / "examples").glob("*.py"))
NEEDS = {
    "07_gradients_torch": ("torch", "array_api_compat"),
    "08_jax_jit": ("jax",),
    "14_a_leg_that_learns_torch": ("torch", "array_api_compat"),
    "18_ten_thousand_feet_jax": ("jax",),
    "22_replay_in_mujoco": ("mujoco",),
    "30_check_answers_in_mujoco": ("mujoco",),
    "23_game_loop_pygame": ("pygame",),
}
SAYS = {  # what must stand in the lines of an example: their beginnings and their ends
    "10_foot_on_a_step": (
        ("frame 0: knee", "TOO_FAR"),
        ("frame 4: knee [-0.1    0.7    0.376], foot [-0.1   0.27  0.35]", "REACHED"),
        ("the foot turns by", "0.0"),
        ("hips as before:", "True"),
    ),
    "11_hand_on_a_steering_wheel": (
        ("wheel  -60: elbow [0.262 0.94  0.136]", ""),
        ("wheel  +60: elbow [0.287 0.985 0.19 ]", ""),
        ("the hand turns with the wheel:", "True"),
        ("reached:", "True"),
    ),
    "12_mirrored_arm": (
        ("left : shoulder [-0.075 -0.121 -0.52   0.842]", ""),
        ("right: shoulder [-0.075 -0.121 -0.52   0.842]", ""),
        ("       hand [0.35 1.1  0.35], target [0.35 1.1  0.35]", "REACHED"),
        ("       hand [-0.35  1.1   0.35], target [-0.35  1.1   0.35]", "REACHED"),
    ),
    "13_ten_thousand_poses": (
        ("10,000 limbs in", "a second"),
        (" 4,979", "REACHED"),
        (" 4,377", "TOO_FAR"),
        ("   644", "TOO_NEAR"),
    ),
    "14_a_leg_that_learns_torch": (("step   0: the knee misses by 0.3", "m"), ("foot [", "]")),
    "15_six_legged_robot": (
        ("0.7", "m in 5 s, slide 0 m,"),
        ("margin 0.09", "of the bones"),
        ("rear left: [-45.", "]"),
        ("middle left: [  0.8", "]"),
        ("front left: [ 47.", "]"),
    ),
    "16_pin_feet": (
        ("14 contacts; feet drift by 40 mm", "before,"),
        ("by 0.000 mm after; the body moves by", "mm"),
    ),
    "27_joints_to_bvh": (
        ("bones have constant lengths; joints moved by 5.", "mm (median)"),
        ("feet drift by 1", "by 0.000 mm after"),
        ("written: motion.bvh motion.glb motion.npy motion.npz", ""),
    ),
    "17_leg_of_a_robot": (
        ("angles: [-0.      0.7556 -1.5778]", "REACHED"),
        ("foot:   [ 0.2  -0.15 -0.3 ]", ""),
        ("  branch [-0.     0.756 -1.578]", "within limits"),
        ("nearest: [ 0.054  0.4   -0.84 ]", "misses by 0.108 m"),
        ("1000 steps in", "last -1.5380"),
    ),
    "18_ten_thousand_feet_jax": (
        ("reached: 10000 of 10000", ""),
        ("largest miss: True", ""),
        ("jacobian times derivative is one: True", ""),
    ),
    "19_desk_arm": (
        ("(0.25, 0.0, 0.01) pitch -90.0, servos [2048 2212 2152 2804 2309]", ""),
        ("(0.6, 0.0, 0.0) TOO_FAR", ""),
    ),
    "20_a_robot_walks": (
        ("0.27 m", "in 6 s"),
        ("all feet reached: True", "within limits: True"),
        ("feet on the ground, at least: 3", ""),
        ("written: ", "walk.csv"),
    ),
    "21_servos_of_a_hexapod": (
        ("0.36 m in 6 s", "within: True"),
        ("pulses from 11", "rad/s"),
        ("301 rows in", "pulses.csv"),
    ),
    "22_replay_in_mujoco": (
        ("241 frames; the base moves by [0.09 0.08 ", "m"),
        ("planted feet stay: True", ""),
        ("others move by up to 0.0", "m a frame"),
    ),
    "23_game_loop_pygame": (
        ("180 frames, 6.", "m, heading 0.00"),
        ("feet on the ground:", "of 4"),
    ),
    "26_hand_on_a_rail": (
        ("on the rail: within 0.000000", "m"),
        ("frame 15: hand at [0.2  0.91 0.5 ]", ""),
        ("frame 45: hand at [0.4 1.1 1.6]", ""),
    ),
    "25_walk_uphill": (
        ("pinned: toes in contact are 0.004 to 0.045", "m above the ground"),
        ("on level ground: toes in contact are 0.030 to 0.030", "m above the ground"),
        ("on a hill: toes in contact are 0.030 to 0.032", "m above the ground"),
    ),
    "28_legs_and_arms_of_a_humanoid": (
        ("leg: [ 0.4   -0.031 -0.529  0.844 -0.316  0.031] REACHED", "True"),
        ("   knee forward", "(within limits)"),
        ("squat: 1000 of 1000", "reached"),
        ("arm, as at rest: swivel -1.438,", "beyond limits"),
        ("arm, within limits: swivel -1.932,", "within limits"),
        ("ranges of the swivel angle: [[2.905, 4.351]]", ""),
    ),
    "29_five_bar_and_delta": (
        ("five bars: [-123.61  -41.69]", "degrees"),
        ("delta: [28.04 44.53 36.34]", "degrees"),
        ("rods miss by less than 1e-15 m: True", ""),
        ("in the middle all are the same: True", ""),
    ),
    "30_check_answers_in_mujoco": (
        ("left_foot: 1000 of 1000 reached within limits;", "are MuJoCo's: True"),
        ("left_hand: 1000 of 1000 reached within limits;", "are MuJoCo's: True"),
        ("from the model: True", ""),
    ),
    "24_retarget": (
        ("hips 0.5", "m above the ground walk 1.39 m, not 2.67"),
        ("LeftFoot: 3 contacts, moves by 0.000000", "mm in them"),
        ("RightToeBase: 4 contacts, moves by 0.000000", "mm in them"),
    ),
}
LONGER = {
    "27_joints_to_bvh": 55,
    "15_six_legged_robot": 60,
    "28_legs_and_arms_of_a_humanoid": 50,
    "29_five_bar_and_delta": 55,
    "30_check_answers_in_mujoco": 51,
}  # lines; 40 are enough for the others

examples = pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)


@functools.cache
def run(example, *, python=("-W", "error")):
    """Run an example as a process; return what it printed."""
    done = subprocess.run(
        [sys.executable, *python, str(example)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"SDL_VIDEODRIVER": "dummy"},  # pygame opens no window
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def is_missing(example):
    return [name for name in NEEDS.get(example.stem, ()) if not importlib.util.find_spec(name)]


@pytest.mark.sampled(3)
@examples
def test_an_example_runs_and_says_what_it_should(example):
    if is_missing(example):
        pytest.skip(f"{is_missing(example)[0]} is not installed")
    lines = run(example).splitlines()
    assert len(lines) >= 3
    assert not any("skipped" in line for line in lines)
    for start, end in SAYS.get(example.stem, ()):
        assert any(line.startswith(start) and line.endswith(end) for line in lines), start


def test_what_examples_must_say_is_of_examples_that_there_are():
    assert SAYS.keys() <= {path.stem for path in EXAMPLES}


@pytest.mark.parametrize(("hand", "angle"), [((0.35, 0.2), -90.4), ((-0.35, -0.2), -90.4)])
def test_the_angles_of_an_arm_have_no_full_turns(hand, angle):
    example = EXAMPLES[0].read_text(encoding="utf-8")
    assert example.count("hand = (0.35, 0.20)") == 1
    said = run(example.replace("hand = (0.35, 0.20)", f"hand = {hand}"), python=("-c",))
    found = float(re.search(r"elbow (\S+) degrees", said)[1])
    assert found == pytest.approx(angle, abs=0.06)


def test_ten_thousand_poses_are_met_to_the_last_digits():
    said = run(next(path for path in EXAMPLES if path.stem == "13_ten_thousand_poses"))
    off = [float(v) for v in re.findall(r"is off by (\S+) m", said)]
    assert len(off) == 2
    assert max(off) < 1e-13


def test_a_leg_learns():
    example = next(path for path in EXAMPLES if path.stem == "14_a_leg_that_learns_torch")
    if is_missing(example):
        pytest.skip(f"{is_missing(example)[0]} is not installed")
    misses = [float(v) for v in re.findall(r"misses by (\S+) m", run(example))]
    assert misses == sorted(misses, reverse=True)
    assert misses[-1] < 0.01


@pytest.mark.parametrize("name", NEEDS)
def test_an_example_without_its_library_says_so_in_one_line(name, tmp_path):
    """The library is hidden behind one of the same name that cannot be imported."""
    for package in NEEDS[name]:
        (tmp_path / f"{package}.py").write_text(f"raise ImportError('no {package}')\n")
    example = str(EXAMPLES[0].parent / f"{name}.py")
    script = "import sys, runpy\n"
    script += f"sys.path.insert(0, {str(tmp_path)!r})\nrunpy.run_path({example!r})"
    said = run(script, python=("-W", "error", "-c"))
    assert re.fullmatch(r"skipped: .*\n", said)


@examples
def test_an_example_is_short_and_says_what_it_shows(example):
    text = example.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGER.get(example.stem, 40)
    assert text.startswith('"""')


def test_examples_are_numbered_without_gaps():
    assert [int(path.name[:2]) for path in EXAMPLES] == list(range(1, len(EXAMPLES) + 1))


def test_drawn_files_exist():
    said = run(next(path for path in EXAMPLES if path.stem == "09_draw_it"))
    paths = [Path(line.split()[-1]) for line in said.splitlines()]
    assert len(paths) == 5
    assert all(path.read_text(encoding="utf-8").startswith("<svg") for path in paths)


def test_a_robot_goes_to_a_file_of_its_own(tmp_path):
    example = next(path for path in EXAMPLES if path.stem == "15_six_legged_robot")
    script = f"import sys, runpy\nsys.argv = ['robot', {str(tmp_path / 'mine.glb')!r}]\n"
    run(f"{script}runpy.run_path({str(example)!r})", python=("-W", "error", "-c"))
    assert (tmp_path / "mine.glb").read_bytes()[:4] == b"glTF"


def test_servos_put_the_feet_where_the_walk_has_them(monkeypatch, tmp_path):
    """Walk along coxa, femur and tibia by the three angles, and arrive."""
    example = next(path for path in EXAMPLES if path.stem == "15_six_legged_robot")
    monkeypatch.setattr(sys, "argv", ["robot", str(tmp_path / "robot.glb")])
    names = runpy.run_path(str(example))
    yaw, femur, tibia = names["servos"][1:]
    away = names["COXA"] + names["FEMUR"] * np.cos(femur) + names["TIBIA"] * np.cos(femur - tibia)
    up = names["FEMUR"] * np.sin(femur) + names["TIBIA"] * np.sin(femur - tibia)
    side, walk = np.tile([1.0, -1.0], 3), names["walk"]
    roots = np.repeat(names["roots"], 2, axis=0)
    x = side * (roots[:, 0] + away * np.cos(yaw))
    z = roots[:, 1] + away * np.sin(yaw)
    feet = twobone.rotations.rotate(walk.body_rotation[:, None], np.stack([x, up, z], -1))
    # A trunk that is tilted by its feet is a straight line to so much.
    np.testing.assert_allclose(feet + walk.body_position[:, None], walk.feet, rtol=0, atol=1e-4)


def test_a_million_legs_take_little_memory():
    said = run(next(path for path in EXAMPLES if path.stem == "04_many_at_once"))
    megabytes = float(re.search(r"additional memory: ([\d.]+) MB", said).group(1))
    assert megabytes < 10.0
