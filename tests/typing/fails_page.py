# pyright: strict
"""What is wrong with a page: a checker must say so of each line marked, and of no other."""

from __future__ import annotations

import twobone

page = twobone.play(port=0, open_browser=False)
page.scene = "plain"  # error
page.policy = "soft"  # error
page.target = "there"  # error
page.r1 = "long"  # error
page.side = "left"  # error
page.targets = (1.0, 1.0)  # error
page.target.x  # error
page.update(scene="plain")  # error
page.update(taget=(1.0, 1.0))  # error
page.update(r1="1.0")  # error
page.on_change(3)  # error
page.animal = "cow"  # error
page.animal = 3  # error
page.terrain = "hills"  # error
page.lead("fast")  # error
page.lead(1.0, speed=2.0)  # error
page.shove()  # error
page.on_step(lambda page: None)  # error
page.wait_for_page("soon")  # error
page.answers()  # error
twobone.play(port="8765")  # error
twobone.play(8765, False)  # error
twobone.play(browser=False)  # error
