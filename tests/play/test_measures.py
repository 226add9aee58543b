"""The figures of a walk that the page shows are those of Python's report."""

import numpy as np
import pytest

from twobone import creature
from twobone.play.animals_table import as_json


@pytest.mark.parametrize(("name", "kind"), [("insect", 0.1), ("bird", "steps"), ("dog", 0.0)])
def test_figures_are_those_of_the_report(modules, name, kind):
    ground = creature.make_terrain(kind, name, seed=1)
    walker = creature.Walker(name, ground)
    states = []
    for frame in range(90):
        walker.step(1 / 60, (0.1, 0.9 * walker.animal.walking_speed), 0.3)
        state = walker.state
        slips = np.where(frame % 9 == 0, 1e-4, 0.0)  # so that no figure is 0
        sunk = 2.0 * (frame == 5)
        states.append(state._replace(feet=state.feet - slips, knees=state.knees - sunk))
    wanted = creature.report(creature.record(walker, states, 1 / 60), ground)._asdict()
    frames = [
        {
            "place": state.body_position,
            "turned": state.body_rotation,
            "down": state.stance,
            **{each: getattr(state, each) for each in ("hips", "knees", "ankles", "feet")},
        }
        for state in states
    ]
    found = modules(
        {"scenes/creature/measures": "figures", "scenes/creature/ground": "makeGround"},
        "figures(given.frames, given.anatomy, makeGround(given.ground))",
        {
            "frames": frames,
            "anatomy": as_json(walker.animal.anatomy),
            "ground": ground.formula(),
        },
    )
    assert len(found) == 9
    for figure, value in found.items():
        # A figure that is not finite is none on the page: a dog that flies has no margin.
        number = float(wanted[figure]) if np.isfinite(wanted[figure]) else None
        assert value == pytest.approx(number, rel=1e-9, abs=1e-12), figure
        assert value != 0.0 or figure in ("least_feet_down", "backwards")
