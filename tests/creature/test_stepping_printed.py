"""The walker in JavaScript and C++, as `tools/printing` prints it: the bits of Python's."""

import functools
import hashlib
import importlib
import json
import math
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

import generate
from printing.cpp import Cpp
from printing.javascript import JavaScript
from printing.source import Module
from slow import all_but
from steps_measured import SPEEDS, Blocks
from twobone import creature
from twobone.creature import HeightArray, Noise, Slope, Steps
from twobone.creature.stepping import joints
from twobone.creature.stepping import journey as journeys
from twobone.creature.stepping.records import Order
from twobone.terrain.heights import Grid, Wave

[(PACKAGE, PRINTED)] = generate.PACKAGES.items()
FOLDER = Path(importlib.import_module(PACKAGE).__file__).parent
STEPPING = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
NAMES = *(f"{PACKAGE}.{name}" for name in STEPPING), *PRINTED.others
FRAMES, SLOW = 100, 100.0  # frames, and a rate that is no part of that of the steps


def grounds(leg):
    """Return a ground of each kind, and its height at (x, z) in the other two languages."""
    noise, steps, slope = Noise(0.15 * leg, 2.0 * leg, 5), Steps(0.15 * leg, leg), Slope(20.0, 50.0)
    table = HeightArray([row[:9] for row in Blocks(leg, 3).heights[:12]], leg, (-2.0, -1.0))
    waves = tuple(
        Wave(*(0.5 * part / math.pi for part in wave)) for wave in noise.formula()["waves"]
    )
    grid = Grid(tuple(map(tuple, table.heights.tolist())), table.spacing, *table.origin)
    along_x, along_z = slope.formula()["rise"]
    face = steps.formula()["face"]
    yield "noise", noise, f"noise_height({{0}}, {noise.formula()['high']!r}, x, z)", waves
    yield "steps", steps, f"steps_height({steps.rise!r}, {steps.run!r}, {face!r}, z)", None
    yield "slope", slope, f"slope_height({along_x!r}, {along_z!r}, x, z)", None
    yield "table", table, "grid_height({0}, x, z)", grid


CASES = [
    *((name, "noise") for name in SPEEDS),
    *(("dog", "steps"), ("insect", "slope"), ("bird", "table")),
]
FEW = [("human", "noise"), *CASES[-3:]]  # each kind of ground
OTHERS = [case for case in CASES if case not in FEW]


def order_at(name, frame):
    """Return what is asked for: ahead, a curve, to the side, nothing."""
    speed = SPEEDS[name]
    turns = [(0.0, speed, 0.0), (0.1, speed, 0.4), (0.3 * speed, 0.2, -0.3), (0.0, 0.0, 0.0)]
    return turns[4 * frame // FRAMES]


def numbers_of(animal, pose):
    """Return all numbers of a pose in one list, and the joints of one leg."""
    found = [angle for link in pose.links for angle in link]
    found += [*pose.tail_yaw, *pose.tail_pitch]
    for frame in pose.frames:
        found += [frame.x, frame.y, frame.z, frame.yaw, frame.pitch, frame.roll]
    for stand in pose.stands:
        found += [*stand.hip, *stand.foot, stand.angle, stand.facing, float(stand.down)]
    last = joints.joints_of(animal, pose, len(animal.legs) - 1)
    return [*found, *last.knee, *last.ankle]


@functools.cache
def hash_of(name, kind):
    """Return the hash of one case in Python."""
    animal = creature.animal(name).anatomy
    ground = next(g for k, g, *_ in grounds(animal.reach) if k == kind).height_at
    journey, numbers = journeys.set_off(animal, 1.0, 2.0, 0.3, ground), []
    for frame in range(FRAMES):
        order = Order(*map(float, order_at(name, frame)))
        journeys.travel(animal, journey, order, 1.0 / SLOW, ground)
        numbers += numbers_of(animal, journeys.seen(journey))
    return hashlib.sha256(struct.pack(f"<{len(numbers)}d", *numbers)).hexdigest()


def hashes(cases):
    return {f"{name} {kind}": hash_of(name, kind) for name, kind in cases}


def printed(language, suffix, folder, *rest):
    """Print the walker and the solver into a folder."""
    program = generate.solver([Module(name) for name in (*NAMES, generate.TRANSCENDENTAL)])
    places = {
        name: ("" if name in NAMES else "solver/") + name.rpartition(".")[2] + suffix
        for name in program.modules
    }
    (folder / "solver").mkdir()
    for name, text in generate.printed_as(language, program, places, *rest).items():
        (folder / name).write_text(text, encoding="utf-8")


# --- JavaScript ---------------------------------------------------------------------------

ON_NODE = """
const { createHash } = require("node:crypto");
(async () => {
  const journeys = await import(FOLDER + "journey.mjs");
  const heights = await import(FOLDER + "heights.mjs");
  const found = {};
  const joints = await import(FOLDER + "joints.mjs");
  const lastOf = ({ knee, ankle }) => [knee.x, knee.y, knee.z, ankle.x, ankle.y, ankle.z];
  const numbersOf = (animal, pose) => [
    ...pose.links.flatMap(({ yaw, pitch, roll }) => [yaw, pitch, roll]),
    ...pose.tailYaw, ...pose.tailPitch,
    ...pose.frames.flatMap((f) => [f.x, f.y, f.z, f.yaw, f.pitch, f.roll]),
    ...pose.stands.flatMap((s) => [
      s.hip.x, s.hip.y, s.hip.z, s.foot.x, s.foot.y, s.foot.z, s.angle, s.facing, Number(s.down),
    ]),
    ...lastOf(joints.jointsOf(animal, pose, animal.legs.length - 1)),
  ];
  for (const [name, animal, given, height, orders] of CASES) {
    const ground = height(heights, given);
    const journey = journeys.setOff(animal, 1, 2, 0.3, ground), numbers = [];
    for (const [aside, ahead, turn] of orders) {
      journeys.travel(animal, journey, { aside, ahead, turn }, 1 / SLOW, ground);
      numbers.push(...numbersOf(animal, journeys.seen(journey)));
    }
    const bytes = Buffer.from(new Float64Array(numbers).buffer);
    found[name] = createHash("sha256").update(bytes).digest("hex");
  }
  process.stdout.write(JSON.stringify(found));
})();
"""


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(word.title() for word in rest)


def as_json(value):
    """Return a record as an object whose names are those of JavaScript."""
    if hasattr(value, "_fields"):
        return {camel(k): as_json(v) for k, v in zip(value._fields, value, strict=True)}
    return [as_json(each) for each in value] if isinstance(value, tuple) else value


@pytest.mark.parametrize("walks", all_but([FEW, OTHERS], FEW), ids=["few", "others"])
def test_javascript_walks_with_the_same_bits(node, walks, tmp_path):
    printed(JavaScript, ".mjs", tmp_path)
    cases = []
    for name, kind in walks:
        animal = creature.animal(name).anatomy
        _, _, height, given = next(each for each in grounds(animal.reach) if each[0] == kind)
        call = "heights." + camel(height.partition("(")[0]) + "(" + height.partition("(")[2]
        function = f"(heights, given) => (x, z) => {call.format('given')}"
        orders = json.dumps([order_at(name, frame) for frame in range(FRAMES)])
        parts = json.dumps(f"{name} {kind}"), json.dumps(as_json(animal))
        cases.append(f"[{', '.join([*parts, json.dumps(as_json(given)), function, orders])}]")
    script = ON_NODE.replace("FOLDER", json.dumps(tmp_path.as_uri() + "/"))
    script = script.replace("CASES", f"[{', '.join(cases)}]").replace("SLOW", repr(SLOW))
    assert json.loads(node(script)) == hashes(walks)


# --- C++ ----------------------------------------------------------------------------------

IN_CPP = """
#include <cstdio>
#include "heights.hpp"
#include "joints.hpp"
#include "journey.hpp"
using namespace printed;
static std::vector<double> numbers_of(const anatomy::Anatomy &animal, const records::Pose &pose) {
    std::vector<double> found;
    for (const auto &f : pose.links) py::extend(found, std::vector<double>{f.yaw, f.pitch, f.roll});
    py::extend(found, pose.tail_yaw);
    py::extend(found, pose.tail_pitch);
    for (const auto &f : pose.frames)
        py::extend(found, std::vector<double>{f.x, f.y, f.z, f.yaw, f.pitch, f.roll});
    for (const auto &s : pose.stands)
        py::extend(found, std::vector<double>{s.hip.x, s.hip.y, s.hip.z, s.foot.x, s.foot.y,
                                              s.foot.z, s.angle, s.facing, double(s.down)});
    const auto last = joints::joints_of(animal, pose, py::Int(animal.legs.size()) - 1);
    for (const auto &p : {last.knee, last.ankle})
        py::extend(found, std::vector<double>{p.x, p.y, p.z});
    return found;
}
template <class Ground>
static void walk(const anatomy::Anatomy &animal, const std::vector<records::Order> &orders,
                 const Ground &ground) {
    auto journey = journey::set_off(animal, 1.0, 2.0, 0.3, ground);
    for (const auto &order : orders) {
        journey::travel(animal, journey, order, 1.0 / SLOW, ground);
        const auto found = numbers_of(animal, journey::seen(journey));
        std::fwrite(found.data(), sizeof(double), found.size(), stdout);
    }
}
int main() {
BODY}
"""


def as_cpp(value):
    """Return a number, text, tuple or record as C++."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(value)
    if hasattr(value, "_fields"):
        home = type(value).__module__.rpartition(".")[2]
        return f"{home}::{type(value).__name__}{{{', '.join(map(as_cpp, value))}}}"
    if isinstance(value, tuple):
        return "{" + ", ".join(map(as_cpp, value)) + "}"
    return repr(value)


@pytest.fixture
def walked_in_cpp(tmp_path):
    """Return what the printed C++ prints, in bytes."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("a C++ compiler is not installed")
    printed(Cpp, ".hpp", tmp_path, "printed")
    shutil.copy(generate.SUPPORT, tmp_path)
    body = ""
    for name, kind in CASES:
        animal = creature.animal(name).anatomy
        _, _, height, given = next(each for each in grounds(animal.reach) if each[0] == kind)
        orders = ", ".join(
            f"{{{', '.join(repr(float(v)) for v in order_at(name, frame))}}}"
            for frame in range(FRAMES)
        )
        given = "0" if given is None else as_cpp(given)
        if kind == "noise":
            given = f"py::List<heights::Wave>{given}"
        body += f"""{{
    const auto given = {given};
    (void)given;
    const auto ground = [&]([[maybe_unused]] double x, [[maybe_unused]] double z) {{
        return heights::{height.format("given")};
    }};
    walk({as_cpp(animal)}, {{{orders}}}, ground);
}}
"""
    main = IN_CPP.replace("BODY", body).replace("SLOW", repr(SLOW))
    (tmp_path / "main.cpp").write_text(main, encoding="utf-8")
    flags = [
        "-std=c++17",
        f"-I{tmp_path}",
        "-O1",
        "-ffp-contract=off",
        "-Wall",
        "-Wextra",
        "-Werror",
    ]
    made = str(tmp_path / "main")
    subprocess.run([compiler, *flags, str(tmp_path / "main.cpp"), "-o", made], check=True)
    return subprocess.run([made], capture_output=True, check=True).stdout


@pytest.mark.nightly  # the kernel is the same C++, and its walks are compared each time
def test_cpp_walks_with_the_same_bits(walked_in_cpp):
    at, found = 0, {}
    for name, kind in CASES:
        animal = creature.animal(name).anatomy
        each = (
            6
            + 3 * len(animal.links)
            + 2 * animal.tail
            + 6 * len(animal.along)
            + 9 * len(animal.legs)
        )
        size = 8 * FRAMES * each
        found[f"{name} {kind}"] = hashlib.sha256(walked_in_cpp[at : at + size]).hexdigest()
        at += size
    assert at == len(walked_in_cpp)
    assert found == hashes(CASES)


def test_the_walks_are_walks():
    # No two are alike, and none is stuck.
    assert len(set(hashes(FEW).values())) == len(FEW)
    animal = creature.animal("dog").anatomy
    ground = next(iter(grounds(animal.reach)))[1].height_at
    journey = journeys.set_off(animal, 1.0, 2.0, 0.3, ground)
    for frame in range(FRAMES):
        order = Order(*map(float, order_at("dog", frame)))
        journeys.travel(animal, journey, order, 1.0 / SLOW, ground)
    assert math.hypot(journey.walk.x - 1.0, journey.walk.z - 2.0) > 0.3
