"""The printed report: ours beside the original insect, with what is wanted."""

import numpy as np
import pytest

from twobone import creature
from twobone.commands.walk_report import compare
from twobone.creature.bounds import bounds


def printed(name, *, seconds=4.0, **options):
    ground = creature.make_terrain(0.05, name, seed=2)
    walk = creature.walk(name, terrain=ground, seconds=seconds, **options)
    fine = creature.walk(name, terrain=ground, seconds=seconds, fps=120, **options)
    lines, broken = compare(walk, fine, ground, creature.animal(name))
    assert not broken
    return lines


def rows(lines):
    return {line[:38].strip(): line[38:].split() for line in lines}


def test_ours_holds_and_the_original_does_not():
    lines = printed("insect")
    assert lines[0].split() == ["insect", "original", "insect", "wanted"]
    assert not [line for line in lines if line.split("ok")[0].count("NO")]  # ours
    assert sum("NO" in line for line in lines) >= 3
    found = rows(lines)
    assert found["foot sliding"] == ["0", "ok", "0", "ok", "m", "0"]
    assert found["feet down, least"][2:] == ["3", "ok", "at", "least", "3"]
    assert found["step backwards"][3] == "NO"


def test_columns_are_aligned():
    lines = printed("spider", seconds=2.0)
    wanted = lines[0].index("wanted")
    assert {line[wanted - 2 : wanted] for line in lines} <= {"  ", ""}
    marks = {line.index(" ok ") for line in lines if " ok " in line}
    assert len(marks) == 1


@pytest.mark.slow
def test_bounds_of_another_animal_are_told_apart():
    lines = printed("spider", seconds=2.0)
    line = next(line for line in lines if "of the leg       at least" in line)
    assert line.endswith("at least 0.15 (original insect: at least 0.04)")


@pytest.mark.slow
def test_landings_of_the_original_stay_hard():
    found = [line for line in printed("insect") if "twice the frames" in line]
    ours, theirs = np.array([[line.split()[6], line.split()[8]] for line in found], float).T
    assert ours[0] < 0.5 < 0.9 < theirs[0]
    assert ours[1] < 1.2 < 1.8 < theirs[1]


@pytest.mark.slow
def test_who_is_told_to_go_backwards_is_not_blamed_for_it():
    def marks(speed):
        lines = printed("insect", seconds=2.0, speed=speed, turn=0.0)
        return next(line for line in lines if line.startswith("step backwards")).split()

    ours, theirs, mark = marks(-0.8)[2:5]
    assert float(ours) > 0.01 > float(theirs) > 0.0
    assert mark == "NO"  # of the original; ours has none
    assert marks(0.0)[2:4] == ["0", "ok"]


def test_more_is_asked_of_those_who_keep_their_feet_down():
    report = creature.report(creature.walk("insect", seconds=0.2))
    assert bounds(report)["least_feet_down"].least == 3
    assert bounds(report, duty_factor=0.75)["least_feet_down"].least == 4
    assert bounds(report, duty_factor=0.75)["least_margin_over_leg"].least == 0.10
    eight = creature.report(creature.walk("spider", seconds=0.2))
    assert bounds(eight, duty_factor=0.75)["least_feet_down"].least == 6
    assert bounds(eight)["least_margin_over_leg"].least == 0.15
    two = creature.report(creature.walk("bird", seconds=0.2))
    assert "least_margin_over_leg" not in bounds(two)
    assert not bounds(two)["drift"].holds(float("nan"))
    four = bounds(report._replace(legs=4))
    assert (four["least_feet_down"].least, four["least_margin_over_leg"].least) == (3, 0.0)
    trot = bounds(report._replace(legs=4), balance="dynamic")
    assert trot["least_feet_down"].least == 2
    assert "least_margin_over_leg" not in trot


def test_a_walk_backwards_is_one_whatever_the_length_of_its_rotations():
    ground = creature.make_terrain(0.0, "insect")
    walk, fine = (creature.walk("insect", seconds=1.0, fps=fps, speed=-0.8) for fps in (60, 120))
    found, _ = compare(walk, fine, ground, creature.animal("insect"))
    tiny = walk._replace(body_rotation=1e-200 * walk.body_rotation)
    row = "step backwards"
    assert rows(compare(tiny, fine, ground, creature.animal("insect"))[0])[row] == rows(found)[row]


def test_figures_of_ours_that_do_not_hold_are_named():
    ground = creature.make_terrain(0.0, "insect")
    walk, fine = (creature.walk("insect", seconds=1.0, fps=fps) for fps in (60, 120))
    walk.feet[30:] += [0.0, 0.5, 0.0]
    broken = compare(walk, fine, ground, creature.animal("insect"))[1]
    assert {"foot sliding", "error of a bone's length"} <= set(broken)
