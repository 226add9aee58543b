"""What the built-in animals look like: data, in lengths of a leg. See `appearance.py`."""

from twobone.creature.appearance import Appearance, Capsule, Ellipsoid, LegRadii, Pivot, both
from twobone.creature.palette import Palette

# An ant-like insect: a long thorax that bears the legs, a waist, an abdomen that tapers behind.
INSECT = Appearance(
    (
        Ellipsoid("body", (0.0, 0.0, 0.0), (0.215, 0.1, 0.385), 3.0),
        Ellipsoid("light", (0.0, 0.045, 0.06), (0.14, 0.085, 0.24), 2.0),
        Capsule("body", (0.0, 0.03, -0.3), (0.0, 0.05, -0.46), (0.075, 0.06), "tail"),
        Ellipsoid("body", (0.0, 0.07, -0.68), (0.18, 0.135, 0.26), 2.0, (0.12, 0.0, 0.0), "tail"),
        Capsule("body", (0.0, 0.09, -0.72), (0.0, 0.115, -1.04), (0.12, 0.02), "tail"),
        Ellipsoid("light", (0.0, 0.1, -0.6), (0.165, 0.12, 0.045), 2.0, (0.12, 0.0, 0.0), "tail"),
        Ellipsoid(
            "light", (0.0, 0.105, -0.75), (0.16, 0.115, 0.045), 2.0, (0.12, 0.0, 0.0), "tail"
        ),
        Capsule("body", (0.0, 0.02, 0.34), (0.0, 0.04, 0.46), (0.075, 0.07), "head"),
        Ellipsoid("accent", (0.0, 0.05, 0.53), (0.135, 0.105, 0.13), 2.2, (0.2, 0.0, 0.0), "head"),
        *both(
            Ellipsoid("dark", (0.105, 0.085, 0.57), (0.045, 0.055, 0.06), node="head"),
            Capsule("body", (0.05, 0.12, 0.62), (0.15, 0.27, 0.72), (0.016, 0.012), "antenna_left"),
            Capsule("body", (0.15, 0.27, 0.72), (0.27, 0.25, 1.0), (0.012, 0.012), "antenna_left"),
            Capsule("body", (0.065, 0.0, 0.62), (0.075, -0.02, 0.72), (0.022, 0.02), "head"),
            Capsule("body", (0.075, -0.02, 0.72), (0.015, -0.025, 0.78), (0.02, 0.008), "head"),
        ),
    ),
    LegRadii(0.05, 0.032, 0.02, 0.012, 0.0, 0.013),
    head=(0.0, 0.02, 0.36),
    tail=(0.0, 0.04, -0.36),
    pivots=both(Pivot("antenna_left", (0.05, 0.12, 0.62))),
    palette=Palette(
        body=("#4A2420", "#A9604E"),
        light=("#B4793F", "#DDA868"),
        accent=("#8E3422", "#D4725A"),
        feet=("#33201B", "#7F5246"),
        dark=("#17191D", "#101216"),
        thighs=("#5A2C25", "#B06A56"),
        shins=("#8A4A34", "#CB8868"),
        metatarsi=("#6E3B2B", "#B87560"),
    ),
)

# The legs start at the front part; the abdomen is the larger one.
SPIDER = Appearance(
    (
        Ellipsoid("body", (0.0, 0.0, 0.03), (0.165, 0.09, 0.22), 2.4),
        Ellipsoid("light", (0.0, 0.055, 0.0), (0.1, 0.05, 0.13)),
        Capsule("body", (0.0, 0.02, -0.16), (0.0, 0.04, -0.26), (0.05, 0.05), "tail"),
        Ellipsoid("body", (0.0, 0.09, -0.43), (0.176, 0.163, 0.235), 2.0, (0.2, 0.0, 0.0), "tail"),
        Ellipsoid("accent", (0.0, 0.21, -0.36), (0.06, 0.05, 0.06), node="tail"),
        Ellipsoid("accent", (0.0, 0.215, -0.47), (0.085, 0.055, 0.06), node="tail"),
        Capsule("body", (0.0, 0.07, -0.62), (0.0, 0.06, -0.68), (0.05, 0.02), "tail"),
        Ellipsoid("body", (0.0, 0.025, 0.215), (0.095, 0.08, 0.088), node="head"),
        *both(
            Ellipsoid("accent", (0.035, 0.075, 0.275), (0.026, 0.026, 0.024), node="head"),
            Ellipsoid("accent", (0.08, 0.07, 0.245), (0.019, 0.019, 0.019), node="head"),
            Ellipsoid("accent", (0.03, 0.105, 0.235), (0.015, 0.015, 0.015), node="head"),
            Ellipsoid("accent", (0.06, 0.088, 0.205), (0.015, 0.015, 0.015), node="head"),
            Capsule("body", (0.04, 0.0, 0.28), (0.045, -0.06, 0.31), (0.036, 0.026), "head"),
            Capsule("accent", (0.045, -0.055, 0.31), (0.02, -0.09, 0.29), (0.016, 0.004), "head"),
            Capsule("light", (0.09, 0.0, 0.25), (0.12, 0.03, 0.38), (0.022, 0.02), "arm_left"),
            Capsule("light", (0.12, 0.03, 0.38), (0.1, -0.05, 0.44), (0.02, 0.016), "arm_left"),
        ),
    ),
    LegRadii(0.04, 0.022, 0.015, 0.009, 0.0, 0.01),
    head=(0.0, 0.02, 0.14),
    tail=(0.0, 0.03, -0.2),
    pivots=both(Pivot("arm_left", (0.09, 0.0, 0.25))),
    palette=Palette(
        body=("#37313F", "#8C82A0"),
        light=("#756A86", "#BDB3CE"),
        accent=("#B8322A", "#F0695C"),
        feet=("#26222C", "#6C647C"),
        dark=("#15171B", "#101216"),
        thighs=("#463E50", "#968CAA"),
        shins=("#6A5F78", "#B2A8C3"),
        metatarsi=("#4A4154", "#968CAA"),
    ),
)

# A deep chest, a tucked waist that bends, a neck that rises to the head, a raised tail.
DOG = Appearance(
    (
        Ellipsoid("body", (0.0, -0.05, 0.36), (0.155, 0.18, 0.3), 2.4),
        Ellipsoid("body", (0.0, -0.04, 0.53), (0.19, 0.165, 0.18), 2.4),
        Capsule("body", (0.0, -0.02, 0.3), (0.0, 0.01, -0.02), (0.15, 0.125)),
        Capsule("body", (0.0, 0.01, -0.02), (0.0, 0.0, -0.4), (0.125, 0.125)),
        Ellipsoid("body", (0.0, -0.03, -0.51), (0.19, 0.155, 0.2), 2.4),
        Ellipsoid("light", (0.0, -0.06, 0.6), (0.115, 0.12, 0.135), 2.0, (-0.4, 0.0, 0.0)),
        Capsule("body", (0.0, 0.07, 0.65), (0.0, 0.384, 0.8), (0.118, 0.097), "neck"),
        Ellipsoid(
            "accent", (0.0, 0.25, 0.717), (0.128, 0.038, 0.128), 3.0, (0.57, 0.0, 0.0), "neck"
        ),
        Ellipsoid(
            "body", (0.0, 0.468, 0.869), (0.128, 0.123, 0.159), 2.2, (0.15, 0.0, 0.0), "head"
        ),
        Capsule("light", (0.0, 0.426, 0.947), (0.0, 0.397, 1.149), (0.085, 0.056), "head"),
        Ellipsoid("dark", (0.0, 0.423, 1.199), (0.03, 0.026, 0.024), node="head"),
        *both(
            Ellipsoid("dark", (0.071, 0.511, 0.999), (0.021, 0.024, 0.019), node="head"),
            Capsule(
                "body", (0.083, 0.538, 0.824), (0.123, 0.708, 0.79), (0.063, 0.017), "ear_left"
            ),
        ),
        Capsule("body", (0.0, 0.05, -0.64), (0.0, 0.15, -0.8), (0.06, 0.053), "tail"),
        Capsule("body", (0.0, 0.15, -0.8), (0.0, 0.29, -0.91), (0.053, 0.044), "tail"),
        Capsule("body", (0.0, 0.29, -0.91), (0.0, 0.44, -0.96), (0.044, 0.032), "tail"),
        Capsule("light", (0.0, 0.44, -0.96), (0.0, 0.57, -0.95), (0.032, 0.016), "tail"),
        Ellipsoid("feet", (0.0, 0.042, 0.035), (0.05, 0.042, 0.082), 2.4, node="foot"),
    ),
    (
        LegRadii(0.14, 0.062, 0.036, 0.03, 0.0, 0.0, 0.03),
        LegRadii(0.115, 0.058, 0.038, 0.031, 0.0, 0.0),
    ),
    head=(0.0, 0.4, 0.81),
    tail=(0.0, 0.05, -0.64),
    pivots=(Pivot("neck", (0.0, 0.07, 0.65)), *both(Pivot("ear_left", (0.083, 0.54, 0.824)))),
    palette=Palette(
        body=("#B4713A", "#D0935A"),
        light=("#EAD9BD", "#F1E4CC"),
        accent=("#1F6F8B", "#4FB3CF"),
        feet=("#EAD9BD", "#F1E4CC"),
        dark=("#2A211C", "#1D1815"),
        thighs=("#B4713A", "#D0935A"),
        shins=("#C98A54", "#DDA974"),
        metatarsi=("#EAD9BD", "#F1E4CC"),
    ),
)

# A barrel between croup and withers, a long neck that rises to a long head, a tail that hangs.
HORSE = Appearance(
    (
        Ellipsoid("body", (0.0, -0.03, 0.0), (0.215, 0.22, 0.44), 2.3),
        Capsule("body", (0.0, -0.005, -0.36), (0.0, -0.02, 0.34), (0.2, 0.205)),
        Ellipsoid("body", (0.0, -0.01, -0.4), (0.21, 0.215, 0.25), 2.3),
        Ellipsoid("body", (0.0, -0.025, 0.36), (0.2, 0.23, 0.28), 2.3),
        Capsule("body", (0.0, 0.02, 0.42), (0.0, 0.36, 0.74), (0.19, 0.105), "neck"),
        Capsule("body", (0.0, 0.36, 0.74), (0.0, 0.44, 0.8), (0.095, 0.085), "neck"),
        Capsule("accent", (0.0, 0.13, 0.36), (0.0, 0.52, 0.755), (0.03, 0.033), "neck"),
        Ellipsoid(
            "accent", (0.06, 0.295, 0.535), (0.04, 0.065, 0.245), 2.2, (-0.8, 0.0, 0.0), "neck"
        ),
        Capsule("accent", (0.0, 0.53, 0.8), (0.0, 0.44, 0.89), (0.03, 0.018), "head"),
        Capsule("body", (0.0, 0.42, 0.82), (0.0, 0.2, 1.06), (0.092, 0.055), "head"),
        Ellipsoid("light", (0.0, 0.175, 1.085), (0.055, 0.06, 0.07), 2.2, (0.7, 0.0, 0.0), "head"),
        *both(
            Ellipsoid("dark", (0.072, 0.4, 0.87), (0.02, 0.022, 0.022), node="head"),
            Capsule("body", (0.045, 0.5, 0.77), (0.06, 0.6, 0.79), (0.028, 0.008), "ear_left"),
        ),
        Capsule("accent", (0.0, 0.06, -0.6), (0.0, 0.03, -0.71), (0.05, 0.06), "tail"),
        Capsule("accent", (0.0, 0.03, -0.71), (0.0, -0.16, -0.77), (0.06, 0.07), "tail"),
        Capsule("accent", (0.0, -0.16, -0.77), (0.0, -0.38, -0.78), (0.07, 0.06), "tail"),
        Capsule("accent", (0.0, -0.38, -0.78), (0.0, -0.56, -0.77), (0.06, 0.02), "tail"),
        Ellipsoid("feet", (0.0, 0.024, 0.012), (0.04, 0.024, 0.046), 3.0, node="foot"),
    ),
    (
        LegRadii(0.14, 0.075, 0.042, 0.027, 0.0, 0.0, 0.02),
        LegRadii(0.115, 0.064, 0.038, 0.027, 0.0, 0.0),
    ),
    head=(0.0, 0.44, 0.8),
    tail=(0.0, 0.06, -0.58),
    pivots=(Pivot("neck", (0.0, 0.04, 0.46)), *both(Pivot("ear_left", (0.045, 0.5, 0.77)))),
    palette=Palette(
        body=("#7A4A2B", "#B98358"),
        light=("#9A6B48", "#CDA07A"),
        accent=("#2A1D16", "#6B5140"),
        feet=("#2A1D16", "#6B5140"),
        dark=("#17120F", "#100D0B"),
        thighs=("#7A4A2B", "#B98358"),
        shins=("#5A3722", "#946A48"),
        metatarsi=("#2A1D16", "#6B5140"),
    ),
)

_ARM = (
    Capsule("light", (0.175, 0.45, 0.0), (0.2, 0.17, -0.01), (0.05, 0.038), "arm_left"),
    Capsule("light", (0.2, 0.17, -0.01), (0.205, -0.06, 0.03), (0.037, 0.027), "forearm_left"),
    Ellipsoid(
        "accent", (0.205, -0.125, 0.045), (0.022, 0.07, 0.04), 2.0, (-0.2, 0.0, 0.0), "forearm_left"
    ),
)

# A pelvis, a chest with arms, a head.
HUMAN = Appearance(
    (
        Ellipsoid("body", (0.0, 0.02, 0.0), (0.155, 0.12, 0.11), 2.4),
        Ellipsoid("light", (0.0, 0.19, 0.0), (0.138, 0.15, 0.098), 2.6),
        Ellipsoid("light", (0.0, 0.33, 0.0), (0.16, 0.19, 0.105), 2.5, node="chest"),
        *both(*_ARM),
        *both(Capsule("light", (0.02, 0.49, 0.0), (0.16, 0.452, 0.0), (0.055, 0.056), "chest")),
        Capsule("accent", (0.0, 0.48, 0.0), (0.0, 0.58, 0.01), (0.05, 0.045), "chest"),
        Ellipsoid("accent", (0.0, 0.67, 0.025), (0.075, 0.105, 0.09), 2.2, node="head"),
        Ellipsoid("accent", (0.0, 0.655, 0.115), (0.016, 0.022, 0.02), node="head"),
        Ellipsoid("dark", (0.0, 0.7, -0.002), (0.082, 0.092, 0.088), 2.2, (0.35, 0.0, 0.0), "head"),
        Ellipsoid("feet", (0.0, 0.03, 0.02), (0.04, 0.03, 0.06), 2.4, node="foot"),
    ),
    LegRadii(0.085, 0.055, 0.036, 0.03, 0.0, 0.0, 0.0, 0.055),
    head=(0.0, 0.58, 0.0),
    pivots=(
        Pivot("chest", (0.0, 0.14, 0.0)),
        *both(Pivot("arm_left", (0.175, 0.45, 0.0)), Pivot("forearm_left", (0.2, 0.17, -0.01))),
    ),
    palette=Palette(
        body=("#2F4A63", "#7FA3C2"),
        light=("#3F7F78", "#86C2BA"),
        accent=("#B77A57", "#E0AE8C"),
        feet=("#3A2F2B", "#8C7A70"),
        dark=("#2B211C", "#4A3A31"),
        thighs=("#2F4A63", "#7FA3C2"),
        shins=("#3B5A77", "#91B3D0"),
        metatarsi=("#3A2F2B", "#8C7A70"),
    ),
)

_TOES = tuple(
    Capsule("feet", (0.0, 0.016, 0.0), end, (0.016, 0.008), "foot")
    for end in (
        (0.0, 0.009, 0.16),
        (0.075, 0.009, 0.13),
        (-0.075, 0.009, 0.13),
        (0.0, 0.009, -0.08),
    )
)

# An egg on long shins, with tail feathers, folded wings, a neck and a small head with a beak.
BIRD = Appearance(
    (
        Ellipsoid("body", (0.0, 0.03, 0.06), (0.185, 0.185, 0.34), 2.0, (-0.25, 0.0, 0.0)),
        # Within the size of the body, so that no knee enters it; the tail is above the knees.
        Capsule("body", (0.0, -0.01, -0.1), (0.0, -0.01, -0.26), (0.15, 0.09)),
        *both(
            Ellipsoid("light", (0.155, 0.085, -0.06), (0.045, 0.09, 0.29), 2.0, (-0.16, 0.06, 0.0)),
        ),
        Capsule("body", (0.0, 0.01, -0.28), (0.0, 0.01, -0.44), (0.075, 0.03), "tail"),
        Ellipsoid("light", (0.0, 0.0, -0.5), (0.075, 0.018, 0.2), 2.4, (0.1, 0.0, 0.0), "tail"),
        *both(
            Ellipsoid(
                "body", (0.05, -0.005, -0.47), (0.05, 0.016, 0.19), 2.4, (0.1, -0.22, 0.0), "tail"
            ),
        ),
        Capsule("body", (0.0, 0.11, 0.25), (0.0, 0.43, 0.265), (0.11, 0.06), "neck"),
        Ellipsoid("light", (0.0, 0.19, 0.31), (0.075, 0.12, 0.07), 2.0, (0.1, 0.0, 0.0), "neck"),
        Ellipsoid("body", (0.0, 0.48, 0.29), (0.085, 0.083, 0.105), node="head"),
        Capsule("accent", (0.0, 0.47, 0.38), (0.0, 0.44, 0.55), (0.036, 0.008), "head"),
        *both(Ellipsoid("dark", (0.068, 0.505, 0.33), (0.018, 0.022, 0.022), node="head")),
        *_TOES,
    ),
    LegRadii(0.1, 0.036, 0.022, 0.016, 0.0, 0.0),
    head=(0.0, 0.44, 0.27),
    tail=(0.0, 0.0, -0.32),
    pivots=(Pivot("neck", (0.0, 0.1, 0.24)),),
    palette=Palette(
        body=("#2C6470", "#5FA3B0"),
        light=("#E6D6B4", "#EFE3C9"),
        accent=("#D8862B", "#EFA64F"),
        feet=("#C2762A", "#E59A48"),
        dark=("#15191C", "#101316"),
        thighs=("#2C6470", "#5FA3B0"),
        shins=("#D08A3A", "#EBAA5E"),
        metatarsi=("#D08A3A", "#EBAA5E"),
    ),
)

_CLAW = (
    Capsule("body", (0.2, 0.0, 0.38), (0.37, 0.03, 0.53), (0.042, 0.045), "arm_left"),
    Capsule("body", (0.37, 0.03, 0.53), (0.36, 0.12, 0.61), (0.042, 0.04), "forearm_left"),
    Ellipsoid(
        "accent", (0.335, 0.185, 0.65), (0.07, 0.098, 0.06), 2.2, (0.45, 0.0, 0.25), "forearm_left"
    ),
    Capsule("accent", (0.345, 0.24, 0.67), (0.285, 0.365, 0.715), (0.039, 0.01), "forearm_left"),
    Capsule("light", (0.29, 0.215, 0.68), (0.235, 0.31, 0.725), (0.027, 0.009), "forearm_left"),
)

# A carapace wider than long, claws held in front, eyes on stalks.
CRAB = Appearance(
    (
        Ellipsoid("body", (0.0, 0.0, 0.0), (0.5, 0.145, 0.42), 3.0),
        Ellipsoid("light", (0.0, 0.06, -0.01), (0.38, 0.115, 0.31), 2.4),
        *both(
            *_CLAW,
            Capsule("body", (0.1, 0.08, 0.36), (0.115, 0.2, 0.42), (0.022, 0.018), "head"),
            Ellipsoid("dark", (0.115, 0.225, 0.425), (0.034, 0.034, 0.034), node="head"),
        ),
    ),
    LegRadii(0.055, 0.036, 0.026, 0.01, 0.0, 0.012),
    head=(0.0, 0.0, 0.34),
    pivots=both(Pivot("arm_left", (0.22, 0.0, 0.36)), Pivot("forearm_left", (0.37, 0.035, 0.525))),
    palette=Palette(
        body=("#B5402A", "#D9644B"),
        light=("#DE8A5C", "#EDA67E"),
        accent=("#C9502F", "#E8784F"),
        feet=("#5E231A", "#94493A"),
        dark=("#1B1614", "#14110F"),
        thighs=("#B84631", "#DA6A52"),
        shins=("#D67C56", "#E99B78"),
        metatarsi=("#9C4A34", "#C4745C"),
    ),
)


def _segments():
    """Return the segments of a centipede, one for each pair of legs, dark and light in turn."""
    half = (0.235, 0.105, 0.31)
    return tuple(
        Ellipsoid("light" if i % 2 else "body", (0.0, 0.015, 0.4762 * i - 2.1429), half, 2.6)
        for i in range(10)
    )


CENTIPEDE = Appearance(
    (
        *_segments(),
        Ellipsoid("accent", (0.0, 0.03, 2.5), (0.2, 0.105, 0.2), 2.2, (0.12, 0.0, 0.0), "head"),
        *both(
            Ellipsoid("dark", (0.15, 0.075, 2.58), (0.045, 0.045, 0.05), node="head"),
            Capsule("accent", (0.09, 0.07, 2.66), (0.24, 0.2, 2.95), (0.026, 0.02), "antenna_left"),
            Capsule("accent", (0.24, 0.2, 2.95), (0.5, 0.2, 3.25), (0.02, 0.012), "antenna_left"),
            Capsule("body", (0.14, -0.03, 2.55), (0.12, -0.06, 2.72), (0.04, 0.03), "head"),
            Capsule("body", (0.12, -0.06, 2.72), (0.03, -0.06, 2.78), (0.03, 0.008), "head"),
            Capsule("body", (0.1, 0.01, -2.36), (0.2, 0.05, -2.7), (0.034, 0.026), "tail"),
            Capsule("body", (0.2, 0.05, -2.7), (0.3, 0.02, -3.1), (0.026, 0.01), "tail"),
        ),
    ),
    LegRadii(0.055, 0.042, 0.028, 0.014, 0.0, 0.016),
    head=(0.0, 0.02, 2.36),
    tail=(0.0, 0.01, -2.36),
    pivots=both(Pivot("antenna_left", (0.09, 0.07, 2.66))),
    palette=Palette(
        body=("#4E3520", "#94704D"),
        light=("#7A5230", "#B58A5E"),
        accent=("#A83F1F", "#E07650"),
        feet=("#8A5A1E", "#C79445"),
        dark=("#17140F", "#11100C"),
        thighs=("#B9812F", "#DDAA58"),
        shins=("#D6A648", "#EBC47A"),
        metatarsi=("#A8752B", "#D3A052"),
    ),
)
