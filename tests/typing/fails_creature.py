# pyright: strict
"""What is wrong with creatures: a checker must say so of each line marked, and of no other."""

from __future__ import annotations

from twobone import creature
from twobone.files.recordings import write_recording
from twobone.pictures.model import write_glb
from twobone.pictures.svg import diagram

walker = creature.Walker("insect")
walk = creature.walk("insect", seconds=1.0)

creature.walk("inesct")  # error
creature.walk("insect", terrain="mountains")  # error
creature.walk("insect", terrain=None)  # error
creature.walk("insect", seconds="4")  # error
creature.walk("insect", path="circle")  # error
creature.walk("insect", second=4.0)  # error
creature.walk("insect", progress=1)  # error
creature.animal("unicorn")  # error
creature.make_terrain("flatt")  # error
creature.make_path("square")  # error
creature.as_terrain("flat")  # error
creature.Walker("insect", "flat")  # error
creature.Walker()  # error
creature.Walker("insect", count=1.5)  # error
walker.step()  # error
walker.step(1 / 60, velocity="fast")  # error
walker.state.foot  # error
walker.wait()  # error
walk.foot  # error
creature.report(walk, "flat")  # error
creature.report(walker)  # error
creature.Noise("rough", 2.0)  # error
creature.Gait(low="slow")  # error
creature.animal("dog").with_gait("canter")  # error
creature.pair("rear")  # error
creature.wander("insect")  # error
write_recording("walk.npz", walker)  # error
write_glb("walk.glb", walk, "flat")  # error
diagram([1.2, 0.5], 1.0, 0.8, show=("circle",))  # error
diagram("there", 1.0, 0.8)  # error
