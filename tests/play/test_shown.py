"""What is on the screen: after a switch of scenes, and in frames that are hidden at first."""

import base64

import pytest

from browsing import drag, middle

# Playwright's screenshot is what the browser shows; `main.compose` would draw anew.
PIXEL = """async ([text, x, y]) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes]));
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  return [...pen.getImageData(Math.round(x), Math.round(y), 1, 1).data];
}"""
RESTS = "() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(true)), 80))"


def shown(page, x, y):
    """Return the colour that the browser shows at some pixels."""
    text = base64.b64encode(page.screenshot()).decode()
    return page.evaluate(PIXEL, [text, x, y])


def joint_is_shown(page):
    """Return whether the joint is seen: lines that end there may cover some of it."""
    x, y = middle(page, "joint")
    colours = (shown(page, x + i, y + j) for i in (0, -4, 4) for j in (0, -4, 4))
    return any(red > green + 40 and red > blue + 60 for red, green, blue, _ in colours)


@pytest.mark.parametrize("before", ["plane", "hidden"])
def test_space_is_drawn_when_nothing_moves_after_the_switch(visit, before):
    page = visit(width=800, height=500, webgl=True)
    if before == "plane":
        drag(page, middle(page, "target"), (200, 200))
    else:
        page.evaluate("document.getElementById('picture').style.display = 'none'")
        page.evaluate(RESTS)
    page.locator("#scene-space").click()
    page.evaluate(RESTS)
    page.evaluate("document.getElementById('picture').style.display = ''")
    page.evaluate(RESTS)
    size = page.evaluate("[solid.width, solid.height, solid.clientWidth, solid.clientHeight]")
    assert size[:2] == size[2:]
    page.locator("#handles").evaluate("(e) => { e.style.visibility = 'hidden'; }")
    assert joint_is_shown(page)


@pytest.mark.parametrize("state", ["target=3,0.2,0", "scene=space&r1=0.8"])
def test_a_page_in_a_frame_that_opens_later_fits_it(browser, exported, tmp_path, state):
    outer = tmp_path / "outer.html"
    address = f"{exported.as_uri()}#{state}"
    outer.write_text(
        f'<body style="margin:0"><iframe src="{address}" width="700" height="420"'
        ' style="display:none;border:0"></iframe>'
    )
    page = browser.new_page(viewport={"width": 700, "height": 420})
    page.goto(outer.as_uri())
    page.wait_for_timeout(300)
    page.evaluate("document.querySelector('iframe').style.display = ''")
    frame = page.frames[1]
    frame.wait_for_function("() => main.found() !== null && main.size().width > 0")
    frame.evaluate(RESTS)
    widths = frame.evaluate("[ink.width, main.size().width, space.view.width, plane.view.width]")
    assert len(set(widths)) == 1
    scale = frame.evaluate("plane.view.scale")
    frame.evaluate("main.fit()")
    assert frame.evaluate("plane.view.scale") == pytest.approx(scale)
    page.close()


# --- slow machines ------------------------------------------------------------------------

# A graphics card that takes its time for each thing it draws, under a name that says nothing. The
# time passes on the page's clock alone: nobody waits for it.
SLOW_CARD = """
let late = 0;
const clock = performance.now.bind(performance), frame = requestAnimationFrame;
performance.now = () => clock() + late;
window.requestAnimationFrame = (act) => frame((time) => act(time + late));
for (const name of ["drawElements", "drawElementsInstanced"]) {
  const real = WebGL2RenderingContext.prototype[name];
  WebGL2RenderingContext.prototype[name] = function (...all) {
    late += COST;
    real.apply(this, all);
  };
}
const parameter = WebGL2RenderingContext.prototype.getParameter;
WebGL2RenderingContext.prototype.getParameter = function (name) {
  return name === 37446 ? "WebKit WebGL" : parameter.call(this, name);
};
"""


@pytest.mark.parametrize(("scene", "cost"), [("space", 60), ("creature", 90)])
def test_a_slow_card_is_left_for_lines(visit, scene, cost):
    script = SLOW_CARD.replace("COST", str(cost))
    page = visit(f"scene={scene}&r1=0.8", 700, 480, script=script, webgl=True)
    page.evaluate("main.wander(true)")
    page.wait_for_function("() => main.isLit() === false")
    assert page.evaluate("solid.hidden")
    assert page.evaluate("main.shapes(false).length > 20")


def test_where_lines_are_slower_the_card_is_kept(visit):
    """The times of frames are told, not taken: how busy the machine is decides nothing here."""
    page = visit("scene=space&r1=0.8", 700, 480, webgl=True)
    page.evaluate(
        "() => { window.lit = []; const real = pace.count; pace.count = (time, isLit) => {"
        " const l = real(isLit ? 600 : 900, isLit); lit.push(l); return l; }; }"
    )
    page.evaluate("main.wander(true)")
    page.wait_for_function("() => lit.includes(false) && lit.at(-1) === true")
    page.evaluate("main.wander(false)")
    assert page.evaluate("main.isLit() && !solid.hidden")


def test_a_pause_is_no_slow_picture(visit):
    page = visit("scene=space&r1=0.8", 700, 480, webgl=True)
    page.evaluate("() => { window.times = []; pace.count = (t, isLit) => (times.push(t), isLit); }")
    for _ in range(2):
        page.evaluate("main.wander(true)")
        page.wait_for_function("() => times.length > 2")
        page.evaluate("main.wander(false)")
        page.wait_for_timeout(1000)
    page.evaluate("main.wander(true)")
    page.wait_for_function("(count) => times.length > count + 2", arg=page.evaluate("times.length"))
    assert page.evaluate("times.filter((t) => t > 900).length") == 0


def test_frames_that_compile_shaders_are_no_reason_to_draw_with_lines(visit):
    """The times of frames are told: the first three of a scene and of a level take long."""
    page = visit("scene=plane", 700, 480, panel=False, webgl=True)
    page.evaluate(
        "() => { window.lit = []; const real = pace.count; let slow = 3, level = stage.level();"
        " pace.count = (time, isLit) => { lit.push(real(slow-- > 0 ? 1500 : 40, isLit));"
        " if (stage.level() !== level) [slow, level] = [3, stage.level()]; return lit.at(-1); }; }"
    )
    page.locator("#scene-creature").click()
    page.wait_for_function("() => lit.length > 60")
    assert page.evaluate("lit.every(Boolean) && main.isLit()")


# --- at rest, and back to WebGL -----------------------------------------------------------


@pytest.mark.parametrize("scene", ["space", "creature", "character"])
def test_what_does_not_move_is_drawn_at_full_quality(visit, scene):
    page = visit(f"scene={scene}&r1=0.8&ground=flat", 700, 480, webgl=True)
    page.evaluate("stage.coarsen(9), main.wander(true)")
    page.wait_for_function("() => solid.width < 0.5 * solid.clientWidth")
    page.evaluate("main.wander(false)")
    page.wait_for_function("() => solid.width === solid.clientWidth")
    # Nothing moves, so nothing is drawn.
    drawn = page.evaluate("main.times.length")
    page.wait_for_timeout(500)
    assert page.evaluate("main.times.length") <= drawn + 1
    page.evaluate("stage.coarsen(9), main.wander(true)")
    page.wait_for_function("() => solid.width < 0.5 * solid.clientWidth")


def test_a_card_that_is_fast_at_rest_is_fast_in_motion(visit):
    page = visit("scene=space&r1=0.8", 500, 300, webgl=True)
    page.evaluate("() => { stage.whenDrawn = (then) => then(); }")
    page.evaluate("() => { stage.coarsen(9); performance.now = () => 0; main.drawNow(); }")
    assert page.evaluate("stage.isCoarse()")
    page.wait_for_function("() => !stage.isCoarse()")


# The card of SLOW_CARD, until it is told to be fast.
PASSING = SLOW_CARD.replace("late += COST", "late += window.isFast ? 0 : 90")


def test_a_card_that_was_slow_for_a_while_draws_again(visit):
    page = visit("scene=space&r1=0.8", 700, 480, script=PASSING, webgl=True)
    page.evaluate("main.wander(true)")
    page.wait_for_function("() => main.isLit() === false")
    assert page.locator("#drawing-words").inner_text().startswith("Flat for now")
    # Another scene is tried with one frame, out of sight.
    page.locator("#scene-character").click()
    page.wait_for_function(
        "(n) => main.times.length > n + 5", arg=page.evaluate("main.times.length")
    )
    assert page.evaluate("main.isLit() === false && solid.hidden")
    page.evaluate("window.isFast = true")
    page.locator("#scene-space").click()
    page.wait_for_function("() => main.isLit() === true && !solid.hidden")
    assert page.locator("#drawing-words").inner_text() == ""


def test_a_reader_chooses_how_scenes_are_drawn(visit):
    page = visit("scene=space&r1=0.8", 700, 480, script=PASSING, webgl=True)
    choose, lit = page.locator("#drawing").select_option, "main.isLit() && !solid.hidden"
    choose("flat")
    page.wait_for_function(f"() => !({lit})")
    assert page.locator("#drawing-words").inner_text() == ""
    choose("solid")
    page.wait_for_function(f"() => {lit}")
    page.evaluate("main.wander(true)")
    page.wait_for_function("() => stage.isCoarsest() && main.times.length > 40")
    assert page.evaluate(lit)  # hopelessly slow as it is
    choose("auto")
    page.wait_for_function("() => main.isLit() === false")


def test_a_context_that_nobody_restores_is_replaced(visit):
    page = visit("scene=space&r1=0.8", 700, 480, webgl=True)
    page.evaluate("stage.context().getExtension('WEBGL_lose_context').loseContext()")
    page.wait_for_function("() => main.isLit() === false")
    assert page.locator("#drawing-words").inner_text().startswith("Flat: WebGL is not available")
    page.locator("#scene-character").click()
    page.wait_for_function("() => main.isLit() === true && !solid.hidden")
    assert page.evaluate("!stage.context().isContextLost() && solid === stage.context().canvas")
    # And once more, by hand.
    page.evaluate("stage.context().getExtension('WEBGL_lose_context').loseContext()")
    page.wait_for_function("() => main.isLit() === false")
    page.locator("#drawing").select_option("solid")
    page.wait_for_function("() => main.isLit() === true && !solid.hidden")
