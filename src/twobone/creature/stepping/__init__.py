"""A walker that plans a step ahead and then poses: one animal, in scalar Python.

The modules in the order of a step (`walking`): `command` (what is asked for, the gait, its clock),
`path` (how far the trunk goes, as far as `support` allows), `legs` (which lift with a plan of
`footholds`, and land), `levels` (how high the trunk is), `rhythm` (how the forces of the feet move
it), `pose` (the trunk in space) and, when a pose is read, `joints` (ankles and knees). `limbs` has
the geometry of a leg, `zoo` the animals, `standing` how a walk starts, `journey` its poses in time.

All of it is in the subset of Python that `tools/printing` prints: records without methods, no
NumPy, no closures, no exceptions.
"""
