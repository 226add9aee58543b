"""The built-in animals, in numbers. Lengths are metres, angles radians, phases cycles."""

from __future__ import annotations

from twobone.creature.building import HEAD, ON_SIX, make_anatomy, pair, standing_out
from twobone.creature.gaits import wave
from twobone.creature.stepping.anatomy import Anatomy, Gait, Link, Manner

# When hind left, hind right, fore left and fore right feet land. From one gait to the next, feet
# move by a third of a cycle at most.
WALK = 0.0, 0.5, 0.2, 0.7
TROT = 0.0, 0.5, 0.5, 0.0
CANTER = 0.17, 0.5, 0.5, 0.77  # a hind foot, a diagonal pair, a fore foot
# Both hind feet, then both fore feet; one of each pair leads, on one side or on both in turn.
TRANSVERSE = 0.25, 0.37, 0.54, 0.71
ROTARY = 0.25, 0.36, 0.69, 0.57
TURNS = 0.0, 0.5
# What hangs on the front of a trunk, in the order of the fields of `Link`.
NECK = Link("neck", -1, 0.5, 0.5, 0.5, -1, 0.0, -0.3, 14.0, glance=0.12, bobs=0.6, trails=-0.3)
NODDING = NECK._replace(nod=0.1)
ON_NECK = Link("head", 0, 0.4, 0.4, 1.0, -1, 0.0, 0.25, 16.0, glance=0.3, bobs=-0.35, trails=-0.3)
EARS = (
    Link("ear_left", 1, 1.0, 0.6, 0.0, -1, 0.0, -0.5, 22.0, glance=0.25, trails=-0.8),
    Link("ear_right", 1, 1.0, 0.6, 0.0, -1, 0.0, -0.5, 22.0, glance=0.25, trails=-0.8),
)
ANTENNAE = (
    Link("antenna_left", 0, 1.6, 2.0, 0.6, 0, 0.25, 0.0, 9.0, glance=0.3, trails=-0.6),
    Link("antenna_right", 0, 1.6, 2.0, 0.6, 1, 0.25, 0.0, 11.0, glance=0.3, trails=-0.6),
)
# Claws that swing with the body, in turn.
CLAWS = (
    Link("arm_left", -1, 1.8, 1.6, 0.3, -1, 0.0, 0.0, 8.0, 0.08, glance=0.1, trails=0.4),
    Link("arm_right", -1, 1.8, 1.6, 0.3, -1, 0.0, 0.0, 8.0, -0.08, glance=0.1, trails=0.4),
    Link("forearm_left", 1, 1.6, 1.4, 0.0, -1, 0.0, 0.0, 10.0, 0.06, glance=0.25, trails=0.4),
    Link("forearm_right", 2, 1.6, 1.4, 0.0, -1, 0.0, 0.0, 10.0, -0.06, glance=0.25, trails=0.4),
)
# Palps, the small arms beside the mouth of a spider.
PALPS = (
    Link("arm_left", 0, 1.3, 1.3, 0.3, 6, 0.15, 0.0, 12.0, glance=0.35),
    Link("arm_right", 0, 1.3, 1.3, 0.3, 7, 0.15, 0.0, 12.0, glance=0.35),
)
DOG = (
    Gait(0.0, 0.62, 0.68, 0.52, WALK, WALK, 0.6, 0.05, 0.9, 0.0),
    Gait(0.55, 1.3, 0.46, 0.34, TROT, TROT, 0.0, 0.03, 1.0, -0.02, 0.5, 0.03),
    Gait(1.15, 1.7, 0.36, 0.30, CANTER, CANTER, 0.0, 0.12, 1.1, -0.05, 0.5, 0.07),
    Gait(1.6, 3.2, 0.31, 0.17, ROTARY, ROTARY, 0.0, 0.4, 1.1, -0.11, 0.5, 0.1),
)
HORSE = (
    Gait(0.0, 0.62, 0.68, 0.52, WALK, WALK, 0.7, 0.03, 1.0, 0.0),
    Gait(0.55, 1.3, 0.46, 0.34, TROT, TROT, 0.0, 0.03, 1.0, -0.05, 0.5, 0.04),
    Gait(1.15, 1.7, 0.36, 0.30, CANTER, CANTER, 0.0, 0.08, 0.9, -0.05, 0.5, 0.07),
    Gait(1.6, 3.2, 0.31, 0.17, TRANSVERSE, TRANSVERSE, 0.0, 0.22, 0.75, -0.07, 0.48, 0.09),
)
WALKS_ON_TOES = (
    Gait(0.0, 0.85, 0.66, 0.52, TURNS, TURNS, 0.4, 0.0, 0.7, 0.0, 0.42, 0.03),
    Gait(0.75, 2.4, 0.42, 0.28, TURNS, TURNS, 0.0, 0.0, 0.5, 0.02, 0.42, 0.09),
)


def dog() -> Anatomy:
    """Return a dog: it walks, trots and gallops."""
    hind = pair(
        0,
        hip=(0.10, -0.08),
        foot=(0.10, 0.03),
        bones=(0.245, 0.25, 0.19),
        pole=(0.12, 0.1, 1.0),
        angles=(1.15, 0.75, 0.15, 0.3),
        share=0.45,
    )
    fore = pair(
        1,
        hip=(0.10, -0.06),
        foot=(0.10, 0.02),
        bones=(0.235, 0.315, 0.13),
        pole=(0.12, 0.1, -1.0),
        angles=(1.25, 0.85, 1.1, 0.35),
        share=0.55,
    )
    return make_anatomy(
        name="dog",
        height=0.70,
        along=(-0.37, 0.38),
        bend=0.55,
        limp=1.0,
        tilt=0.95,
        bank=0.5,
        belly=0.16,
        legs=(*hind, *fore),
        gaits=DOG,
        stride=2.0,
        lift=0.16,
        quick=0.30,
        strong=0.7,
        waits=False,
        steady=False,
        balance=0.0,
        straight=0.955,
        least=0.5,
        wide=0.35,
        manner=Manner(
            *(1.0, 0.25, 0.10, 0.12, 0.18, 0.12, 0.07, 0.5, 0.35, 0.5, 1.6),
            *(0.012, 0.45, 0.02, 0.16, 0.0, 3.0, -0.5),
        ),
        tail=4,
        links=(NODDING, ON_NECK, *EARS),
    )


def horse() -> Anatomy:
    """Return a horse: it walks, trots, canters and gallops."""
    hind = pair(
        0,
        hip=(0.17, -0.06),
        foot=(0.17, 0.02),
        bones=(0.45, 0.44, 0.47),
        pole=(0.1, 0.1, 1.0),
        angles=(1.4, 0.75, 0.1, 0.35),
        share=0.43,
    )
    fore = pair(
        1,
        hip=(0.17, -0.10),
        foot=(0.17, 0.02),
        bones=(0.40, 0.44, 0.45),
        pole=(0.1, 0.1, -1.0),
        angles=(1.45, 0.5, 1.1, 0.30),
        share=0.57,
        locks=0.9,
    )
    return make_anatomy(
        name="horse",
        height=1.36,
        along=(-0.56, 0.56),
        bend=0.25,
        limp=1.0,
        tilt=0.95,
        bank=0.4,
        belly=0.34,
        legs=(*hind, *fore),
        gaits=HORSE,
        stride=2.05,
        lift=0.15,
        quick=0.5,
        strong=0.5,
        waits=False,
        steady=False,
        balance=0.0,
        straight=0.975,
        least=0.36,
        wide=0.35,
        manner=Manner(
            *(1.0, 0.22, 0.10, 0.12, 0.15, 0.09, 0.07, 0.35, 0.35, 0.4, 2.0),
            *(0.006, 0.2, 0.02, 0.1, 0.0, 2.5, 0.9),
        ),
        tail=4,
        links=(NODDING, ON_NECK, *EARS),
    )


def human() -> Anatomy:
    """Return a human: two legs that walk and run."""
    legs = pair(
        0,
        hip=(0.10, -0.03),
        foot=(0.085, 0.1),
        bones=(0.445, 0.425, 0.155),
        pole=(0.05, 0.0, 1.0),
        angles=(0.36, 0.95, 0.05, 0.55),
        heel=0.18,
    )
    return make_anatomy(
        name="human",
        height=0.99,
        along=(0.0,),
        tilt=0.0,
        bank=0.1,
        belly=0.1,
        legs=tuple(legs),
        gaits=(
            Gait(0.0, 0.75, 0.64, 0.55, TURNS, TURNS, 0.47, 0.0, 0.4, -0.003, 0.34, 0.08, 0.1),
            Gait(0.65, 2.2, 0.42, 0.26, TURNS, TURNS, 0.0, 0.0, 0.9, -0.036, 0.4, 0.18, 0.12),
        ),
        stride=2.0,
        lift=0.10,
        quick=0.35,
        strong=0.5,
        waits=False,
        steady=False,
        balance=0.0,
        straight=0.99,
        least=0.5,
        wide=0.3,
        manner=Manner(
            *(1.0, 0.0, 0.0, 0.09, 0.16, 0.16, 0.06, 0.3, 0.5, 0.5, 0.0), *(0.004, 0.25, 0.02, 0.07)
        ),
        links=(
            Link("chest", -1, -0.8, 0.5, 0.3, -1, 0.0, -0.2, 14.0),
            Link("head", 0, 0.3, 0.2, 1.0, -1, 0.0, 0.05, 14.0, glance=0.3, trails=-0.3),
            # Each arm swings with the leg of the other side.
            Link("arm_left", 0, 1.0, 0.3, 0.0, 1, 0.9, -0.5, 30.0, 0.0, 0.8, trails=0.55),
            Link("arm_right", 0, 1.0, 0.3, 0.0, 0, 0.9, -0.5, 30.0, 0.0, 0.8, trails=0.55),
            Link("forearm_left", 2, 1.0, 1.0, 0.0, 1, 0.35, 2.0, 25.0, trails=0.25),
            Link("forearm_right", 3, 1.0, 1.0, 0.0, 0, 0.35, 2.0, 25.0, trails=0.25),
        ),
    )


def bird() -> Anatomy:
    """Return a bird: two legs that walk and run."""
    legs = pair(
        0,
        hip=(0.13, 0.0),
        foot=(0.11, 0.13),
        bones=(0.30, 0.43, 0.40),
        pole=(0.2, 0.0, 1.0),
        angles=(0.95, 0.75, 0.1, 0.3),
        still=0.3,
    )
    return make_anatomy(
        name="bird",
        height=0.86,
        along=(0.0,),
        tilt=0.0,
        bank=0.1,
        belly=0.2,
        legs=tuple(legs),
        gaits=WALKS_ON_TOES,
        stride=2.2,
        lift=0.16,
        quick=0.28,
        strong=0.6,
        waits=False,
        steady=False,
        balance=0.0,
        straight=0.95,
        least=0.36,
        wide=0.3,
        manner=Manner(
            *(1.0, 0.0, 0.0, 0.12, 0.16, 0.16, 0.06, 0.4, 0.4, 0.5, 1.0), *(0.01, 0.5, 0.012, 0.2)
        ),
        tail=2,
        links=(
            Link("neck", -1, 0.3, 0.0, 0.5, -1, 0.0, -0.45, 0.0, holds=2.2),
            Link("head", 0, 0.3, 0.0, 1.0, -1, 0.0, 0.0, 25.0, glance=0.5, trails=-0.3),
        ),
    )


def insect() -> Anatomy:
    """Return an insect on six legs, like Quilez's."""
    along = (-0.8, 0.0, 0.8)
    legs = standing_out(
        [(1.45, 1.2 * z) if z else (1.7, -0.1) for z in along],
        hip=0.5,
        bones=(1.35, 1.2, 0.32),
        pole=(0.3, 1.0, 0.0),
        angles=(1.05, 0.4, 0.5, 0.15),
        locks=0.5,
    )
    return make_anatomy(
        name="insect",
        height=1.05,
        along=along,
        legs=legs,
        gaits=(wave(3, 0.7, 0.52, 0.56),),
        belly=0.28,
        half=0.4,
        tilt=0.9,
        limp=0.15,
        bend=0.08,
        stride=2.2,
        lift=0.22,
        manner=ON_SIX._replace(heave=1.6, pitch=1.5, roll=1.0, pelvis_yaw=0.16, wag=3.0),
        tail=2,
        links=(HEAD, *ANTENNAE),
    )


# Cosine and sine of -64, -23, 23 and 64 degrees, as numbers: those of C differ between machines.
FANNED = (
    (0.43837114678907746, -0.898794046299167),
    (0.9205048534524404, -0.39073112848927377),
    (0.9205048534524404, 0.39073112848927377),
    (0.43837114678907746, 0.898794046299167),
)


def spider() -> Anatomy:
    """Return a spider: eight long legs around a small trunk."""
    along = (-0.375, -0.125, 0.125, 0.375)
    legs = standing_out(
        [(1.95 * out, 1.95 * ahead - z) for z, (out, ahead) in zip(along, FANNED, strict=True)],
        hip=0.35,
        bones=(1.5, 1.25, 0.42),
        pole=(0.5, 1.0, 0.0),
        angles=(1.3, 0.3, 0.4, 0.15),
        locks=0.4,
    )
    return make_anatomy(
        name="spider",
        height=1.05,
        along=along,
        legs=legs,
        gaits=(wave(4, 0.7, 0.55, 0.45),),
        belly=0.31,
        half=0.3,
        stride=2.0,
        manner=ON_SIX._replace(heave=1.5, pitch=1.2, roll=1.0, wag=3.0),
        tail=2,
        links=(HEAD, *PALPS),
    )


def crab() -> Anatomy:
    """Return a crab: eight legs, wide and low."""
    along = (-0.6, -0.2, 0.2, 0.6)
    legs = standing_out(
        [(1.5, 0.5 * z) for z in along],
        hip=0.6,
        bones=(0.8, 0.68, 0.26),
        pole=(0.4, 1.0, 0.0),
        angles=(1.15, 0.4, 0.3, 0.15),
    )
    return make_anatomy(
        name="crab",
        height=0.62,
        along=along,
        legs=legs,
        gaits=(wave(4, 0.7, 0.52, 0.49),),
        belly=0.26,
        half=0.6,
        tilt=1.0,
        bank=0.85,
        stride=2.2,
        lift=0.22,
        sideways=True,
        manner=ON_SIX._replace(roll=0.15, drop=0.01),
        links=(HEAD, *CLAWS),
    )


def centipede() -> Anatomy:
    """Return a centipede: twenty short legs along a trunk that bends."""
    along = tuple(-2.25 + 0.5 * k for k in range(10))
    legs = standing_out(
        [(0.7, 0.0)] * len(along),
        hip=0.22,
        bones=(0.48, 0.40, 0.17),
        pole=(1.0, 1.0, 0.0),
        angles=(1.2, 0.3, 0.4, 0.15),
    )
    manner = Manner(
        *(0.8, 0.0, 0.3, 0.1, 0.2, 0.2, 0.05, 0.0, 0.1, 0.8, 2.0), *(0.01, 0.4, 0.0, 0.3, 0.02)
    )
    return make_anatomy(
        name="centipede",
        height=0.45,
        along=along,
        legs=legs,
        gaits=(wave(10, 0.70, 0.62, 0.35),),
        belly=0.11,
        limp=1.0,
        bend=0.45,
        stride=2.0,
        lift=0.22,
        quick=0.3,
        strong=0.5,
        steady=False,
        balance=0.0,
        manner=manner,
        tail=3,
        links=(HEAD, *ANTENNAE),
    )
