"""Find the elbow of an arm in the plane, and its joint angles."""

import math

import twobone

upper, fore = 0.31, 0.26  # lengths of the two bones, in metres
hand = (0.35, 0.20)  # target of the hand, relative to the shoulder

elbow = twobone.solve_xy(*hand, upper, fore)
print(f"the elbow is at ({elbow[0]:.3f}, {elbow[1]:.3f})")

# Check: both bones have the lengths given above.
print(f"upper arm {math.hypot(*elbow):.3f}, forearm {math.dist(elbow, hand):.3f}")

# Solving needs no angles. If motors need them, compute them from the points. A difference of two
# angles can be off by a full turn: `math.remainder` returns it between -180 and 180 degrees.
shoulder = math.atan2(elbow[1], elbow[0])
forearm = math.atan2(hand[1] - elbow[1], hand[0] - elbow[0])
turn = math.remainder(forearm - shoulder, math.tau)  # 0 is straight
print(f"shoulder {math.degrees(shoulder):.1f} degrees, elbow {math.degrees(turn):.1f} degrees")
