"""`pin` changes no more than it must: clean clips hardly, and no leg snaps straight."""

import numpy as np
import pytest

import clip_files
import contact_labels
import walkers
from twobone.motion import curves, find_limbs, pin

MM = 0.001
RATES = pytest.mark.parametrize("every", [1, 4], ids=["120 fps", "30 fps"])


def given(clip):
    """Return labels of a clean clip as contacts."""
    flags = contact_labels.labels(clip)
    return {name: curves.runs(flags[:, k]).tolist() for k, name in enumerate(contact_labels.FEET)}


def knee_angles(clip, legs):
    """Return the angles (T, L) of knees in degrees; 180 is straight."""
    at = walkers.positions(clip)
    found = []
    for leg in legs:
        upper, lower = at[:, leg.start] - at[:, leg.mid], at[:, leg.end] - at[:, leg.mid]
        sizes = np.linalg.norm(upper, axis=-1) * np.linalg.norm(lower, axis=-1)
        found.append(np.degrees(np.arccos(np.clip((upper * lower).sum(-1) / sizes, -1.0, 1.0))))
    return np.stack(found, axis=-1)


# Contacts that are found last until feet are fast, and so the body moves for longer ones.
@RATES
@pytest.mark.parametrize(
    ("labels", "hips", "air", "knees"),
    [("given", 9, 20, 6.0), ("found", 17, 31, 8.0)],
    ids=["given", "found"],
)
def test_a_clean_walk_is_hardly_changed(every, labels, hips, air, knees):
    clip = clip_files.cmu("02_01", every)
    legs = find_limbs(clip).legs
    made = pin(clip, given(clip) if labels == "given" else None, legs)
    moved = walkers.positions(made.clip) - walkers.positions(clip)
    angles = np.abs(knee_angles(made.clip, legs) - knee_angles(clip, legs))
    assert np.abs(moved[:, 0, 1]).max() < hips * MM
    assert made.report.feet_in_air_moved_95 < air * MM
    assert np.percentile(angles, 95) < knees
    assert made.report.drift_95.after < 1e-9


@RATES
def test_a_run_that_slides_keeps_its_bent_knees_and_its_smooth_push_offs(every):
    # The last tenth of a second is left out: the body jumps there, by up to 12 mm in a frame.
    clean = clip_files.cmu("09_01", every)[: 134 // every]
    clip = clip_files.stretched(clean, 1.15)
    legs = find_limbs(clip).legs
    made = pin(clip, given(clean), legs).clip
    straight = [int(np.sum(knee_angles(each, legs) > 175.0)) for each in (clip, made)]
    assert straight[1] <= straight[0] + 2
    ankles = [leg.end for leg in legs]
    jerks = [walkers.accelerations(each, ankles).max() for each in (clip, made)]
    assert jerks[1] < 1.05 * jerks[0]


@RATES
@pytest.mark.parametrize("factor", [0.85, 1.15])
def test_contacts_that_are_found_hold_the_feet_of_a_run_that_slides(every, factor):
    clean = clip_files.cmu("09_01", every)
    made = pin(clip_files.stretched(clean, factor)).clip
    assert np.percentile(walkers.drift(made, given(clean)), 95) < 1 * MM
