"""Legs that never come near the ground, such as the arms of dinosaurs: they are not held."""

import numpy as np
import pytest

import clip_files
import dinosaurs
import people
import walkers
from dinosaurs import FEET, HANDS
from twobone import LocalPose
from twobone.motion import find_contacts, find_limbs, pin
from twobone.pictures.feet import write_html

ARMS = "left front leg, right front leg"


@pytest.mark.parametrize("hands", [0.6, 0.9])
def test_hands_in_mid_air_have_no_contacts(hands):
    clip = dinosaurs.standing(hands)
    assert len(find_limbs(clip).legs) == 4
    contacts = find_contacts(clip)
    assert [contacts[name] for name in HANDS] == [[], []]
    assert [contacts[name] for name in FEET] == [[(0, 60)]] * 2


def test_front_legs_that_end_at_their_wrists_have_contacts():
    contacts = find_contacts(dinosaurs.standing(0.3))
    assert [contacts[name] for name in HANDS] == [[(0, 60)]] * 2


def test_legs_in_the_air_are_reported():
    clip = dinosaurs.standing(0.9)
    clip.metres = 0.5
    made = pin(clip)
    assert {plant.joint for plant in made.anchors} == set(FEET)
    assert [leg.name for leg in made.report.legs_in_air] == ["left front leg", "right front leg"]
    assert [leg.height for leg in made.report.legs_in_air] == pytest.approx([0.4, 0.4])
    (warning,) = made.report.warnings
    assert warning.startswith(f"Legs that never come near the ground are not held: {ARMS}.")
    assert "--contacts" in warning
    assert made.report.as_dict()["legs_in_air"][0]["name"] == "left front leg"


def test_legs_in_the_air_are_named_on_the_page(tmp_path):
    clip = dinosaurs.standing(0.9)
    write_html(tmp_path / "page.html", clip, pin(clip))
    page = (tmp_path / "page.html").read_text()
    assert "never near the ground: left front leg (at least 0.8 m above the lowest foot), " in page


def test_hands_that_contacts_name_are_held():
    clip = dinosaurs.standing(0.9)
    made = pin(clip, {"FrontFoot.L": [(0, 60)]})
    assert [plant.joint for plant in made.anchors] == ["FrontFoot.L"]
    assert made.report.legs_in_air == ()
    assert walkers.drift(made.clip, {"FrontFoot.L": [(0, 60)]}).max() < 1e-9


def test_legs_that_are_listed_one_by_one_are_all_taken():
    clip = dinosaurs.standing(0.9)
    legs = list(find_limbs(clip).legs)
    assert find_contacts(clip, legs)["FrontFoot.L"] == [(0, 60)]
    made = pin(clip, limbs=legs)
    assert made.report.legs_in_air == ()
    assert {plant.joint for plant in made.anchors} == {*HANDS, *FEET}


def test_a_clip_in_which_nothing_is_held_reports_legs_in_the_air_too():
    clip = dinosaurs.standing(0.9)
    moved = clip.pose.translations.copy()
    moved[:, 0, 2] += 9.0 * np.random.default_rng(1).normal(size=60)
    moved[:, 0, 0] += 9.0 * np.random.default_rng(2).normal(size=60)
    made = pin(clip.with_pose(LocalPose(clip.pose.rotations, moved)))
    assert made.anchors == []
    assert len(made.report.legs_in_air) == 2


def test_a_leg_that_is_raised_throughout_is_in_the_air():
    report = pin(people.standing(60, right_hip=-60.0)).report
    assert [leg.name for leg in report.legs_in_air] == ["right leg"]


def climbing(first):
    """Return a person who climbs a ladder with rungs 0.32 apart, from some frame on.

    Each foot moves up by two rungs; the right one first, and it stands a rung above the left.
    """
    clip = people.standing(400)
    time = np.arange(400) / 50.0
    step = np.clip(np.stack([time % 2.0 - 1.0, time % 2.0], axis=-1) / 0.5, 0.0, 1.0)
    feet = 0.64 * (np.floor(time / 2.0)[:, None] + step * step * (3.0 - 2.0 * step))
    feet[:, 1] -= 0.32
    moved = clip.pose.translations.copy()
    moved[:, 0, 1] += feet.mean(-1)
    index = clip.skeleton.index
    for joint, height in (("LeftUpLeg", feet[:, 0]), ("RightUpLeg", feet[:, 1])):
        moved[:, index(joint), 1] += height - feet.mean(-1)  # legs as stiff as stilts
    return clip.with_pose(LocalPose(clip.pose.rotations, moved))[first:]


@pytest.mark.parametrize("first", [0, 35, 85])
def test_feet_that_climb_in_turn_are_not_in_the_air(first):
    clip = climbing(first)
    assert pin(clip).report.legs_in_air == ()
    contacts = find_contacts(clip)
    for side in ("Left", "Right"):
        assert sum(stop - start for start, stop in contacts[f"{side}Foot"]) > 0.4 * len(clip)


@pytest.mark.parametrize("animation", ["Walk", "Run", "Survey"])
def test_paws_of_a_fox_that_end_at_their_wrists_are_not_in_the_air(animation):
    assert pin(clip_files.glb(clip_files.FOX, animation)).report.legs_in_air == ()
