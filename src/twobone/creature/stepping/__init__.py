"""A walker that plans a step ahead and then poses: one animal, in scalar Python.

The modules in the order of a step (`walking`): `command` (what is asked for, the gait, its clock),
`path` (how far the trunk goes, as far as `support` allows), `legs` (which lift with a plan, swing
along it and land; `footholds` and `costs` choose where, `swings` has the way there), `levels` (how
high the trunk is; `belly` clears the ground), `rhythm` (how the forces of the feet move it), `pose`
(the trunk in space, and what is `hanging` on it) and, when a pose is read, `joints` (ankles and
knees) and `shown` (with rotations). `limbs` has the geometry of a leg, `standing` how a walk
starts, `journey` its poses in time. `creature/kinds.py` has the animals.

All of it is in the subset of Python that `tools/printing` prints: records without methods, no
NumPy, no closures, no exceptions.
"""
