"""One arm in the plane: where is the elbow?"""

import math

import twobone

upper, fore = 0.31, 0.26  # lengths of the bones, in metres
hand = (0.35, 0.20)  # where the hand must be, seen from the shoulder

elbow = twobone.solve_xy(*hand, upper, fore)
print(f"the elbow is at ({elbow[0]:.3f}, {elbow[1]:.3f})")

# Walk the bones forwards: both have their lengths.
print(f"upper arm {math.hypot(*elbow):.3f}, forearm {math.dist(elbow, hand):.3f}")

# Angles are not needed to find the joint, but motors may want them.
shoulder = math.atan2(elbow[1], elbow[0])
bend = math.atan2(hand[1] - elbow[1], hand[0] - elbow[0]) - shoulder
print(f"shoulder {math.degrees(shoulder):.1f} degrees, elbow {math.degrees(bend):.1f} degrees")
