"""The printed report: measures of a walk, with what is wanted."""

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


def test_a_walk_holds_what_is_wanted():
    lines = printed("insect")
    assert lines[0].split() == ["insect", "wanted"]
    assert not any(" NO " in line for line in lines)
    found = rows(lines)
    assert found["foot sliding"] == ["0", "ok", "m", "0"]
    assert found["feet down, least"][1:] == ["ok", "at", "least", "3"]


def test_columns_are_aligned():
    lines = printed("spider", seconds=2.0)
    wanted = lines[0].index("wanted")
    assert {line[wanted - 2 : wanted] for line in lines} <= {"  ", ""}
    marks = {line.index(" ok ") for line in lines if " ok " in line}
    assert len(marks) == 1


def test_who_is_told_to_go_backwards_is_not_blamed_for_it():
    def row(speed):
        lines = printed("insect", seconds=2.0, speed=speed, turn=0.0)
        return rows(lines)["step backwards"]

    assert float(row(-0.8)[0]) > 0.01
    assert "ok" not in row(-0.8)
    assert row(0.0)[:2] == ["0", "ok"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", ["insect", "dog", "crab"])
def test_a_walk_along_a_path_and_a_short_one_hold_what_is_wanted(name):
    animal, ground = creature.animal(name), creature.make_terrain("flat", name)
    for options in ({"path": [[0.0, 1.5 * animal.length]]}, {"seconds": 0.8}):
        walk = creature.walk(name, terrain=ground, **options)
        options["seconds"] = len(walk.time[1:]) * walk.dt
        fine = creature.walk(name, terrain=ground, fps=120, **options)
        assert compare(walk, fine, ground, animal)[1] == []


def test_a_step_back_on_the_way_is_told():
    ground = creature.make_terrain("flat", "insect")
    walk, fine = (creature.walk("insect", seconds=2.0, fps=fps, turn=0.0) for fps in (60, 120))
    walk.stations[60:] -= [0.0, 0.0, 0.1]
    assert "step backwards" in compare(walk, fine, ground, creature.animal("insect"))[1]


def test_bounds_are_those_of_the_ground_and_of_the_legs():
    insect = creature.report(creature.walk("insect", seconds=0.2))
    even, steep = bounds(insect, ground="even"), bounds(insect)
    assert even["least_margin_over_leg"].least == 0.05
    assert steep["least_margin_over_leg"].least == 0.03
    assert even["least_feet_down"].least == 3
    assert even["depth_of_legs"].most == 0.01 * insect.leg < steep["depth_of_legs"].most
    eight = creature.report(creature.walk("spider", seconds=0.2))
    assert bounds(eight, ground="even")["least_margin_over_leg"].least == 0.08
    two = creature.report(creature.walk("bird", seconds=0.2))
    runs = bounds(two, ground="even", steady=False)
    assert not {"least_margin_over_leg", "least_feet_down"} & runs.keys()
    assert not runs["drift"].holds(float("nan"))
    assert "backwards" not in bounds(insect, backwards=True)
    # A walker's own steps have no accelerations.
    assert "least_acceleration" in even
    assert "least_acceleration" not in bounds(insect._replace(frames=2 * insect.frames))


def test_a_walk_backwards_is_one_whatever_the_length_of_its_rotations():
    ground = creature.make_terrain(0.0, "insect")
    walk, fine = (creature.walk("insect", seconds=1.0, fps=fps, speed=-0.8) for fps in (60, 120))
    found, _ = compare(walk, fine, ground, creature.animal("insect"))
    tiny = walk._replace(station_rotations=1e-200 * walk.station_rotations)
    row = "step backwards"
    assert rows(compare(tiny, fine, ground, creature.animal("insect"))[0])[row] == rows(found)[row]


def test_figures_of_ours_that_do_not_hold_are_named():
    ground = creature.make_terrain(0.0, "insect")
    walk, fine = (creature.walk("insect", seconds=1.0, fps=fps) for fps in (60, 120))
    walk.feet[30:] += [0.0, 0.5, 0.0]
    broken = compare(walk, fine, ground, creature.animal("insect"))[1]
    assert {"foot sliding", "error of a bone's length"} <= set(broken)
