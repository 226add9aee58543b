"""Numbers that are typed or come by address: taken whole and in range, or refused and said so."""

import re

import numpy as np
import pytest

from browsing import limb_of
from twobone.play import page_state

FIELDS = [
    "target-x", "target-y", "target-z", "root-x", "pole-z", "r1", "r2", "limit", "soft", "least",
    "greatest",
]  # fmt: skip


def type_into(page, field, text):
    page.locator(f"#{field}").click(click_count=3)
    page.keyboard.type(text)


def is_refused(page, field):
    """Say whether a field is marked, the page says why, and what is in force is as before."""
    marked = page.locator(f"#{field}").get_attribute("aria-invalid") == "true"
    return marked and page.locator("#refused").is_visible()


def refuse(page, field, text):
    """Type a text into a field, which must refuse it, and leave."""
    before, value = limb_of(page), page.locator(f"#{field}").input_value()
    type_into(page, field, text)
    if text == "":
        page.keyboard.press("Delete")
    assert is_refused(page, field), (field, text)
    page.keyboard.press("Enter")
    assert is_refused(page, field), (field, text)
    assert page.locator(f"#{field}").input_value() == text
    assert limb_of(page) == before, (field, text)
    page.keyboard.press("Tab")
    assert page.locator(f"#{field}").input_value() == value
    assert page.locator(f"#{field}").get_attribute("aria-invalid") == "false"
    assert page.locator("#refused").is_visible()  # it still says why
    assert limb_of(page) == before, (field, text)


def test_what_is_no_number_in_range_is_refused_whole(visit):
    page = visit("scene=space&policy=proportion")  # shows every field
    for field in FIELDS:
        refuse(page, field, "1e7")
    for text in ("1e", "-", "1,5", "0.5x", "", "Infinity", "0x10", "1 2"):
        refuse(page, "r1", text)
    refuse(page, "greatest", "200")
    assert not page.evaluate("state.canUndo()")


def test_what_is_pasted_is_read_as_it_stands(visit):
    page = visit()
    before = limb_of(page)
    page.evaluate("document.getElementById('r1').select()")
    page.evaluate("document.getElementById('r1').focus()")
    page.keyboard.insert_text("1,25 m")  # as one event, like a paste
    assert is_refused(page, "r1")
    page.keyboard.press("Escape")
    assert page.locator("#refused").is_hidden()
    assert page.locator("#r1").input_value() == "0.8"
    page.evaluate("document.getElementById('r1').select()")
    page.keyboard.insert_text(" 1.25e-0 ")
    page.keyboard.press("Enter")
    assert limb_of(page) == {**before, "r1": 1.25}
    page.evaluate("document.getElementById('target-x').select()")
    page.keyboard.insert_text("\u22120.5")  # a true minus, as the page itself writes it
    page.keyboard.press("Enter")
    assert limb_of(page)["target"][0] == -0.5


def test_the_message_says_what_may_stand_there(visit):
    page = visit()
    for field, text, words in (
        ("greatest", "200", "200 is not between 0 and 180. The value stays 180."),
        ("soft", "1", "1 is not at least 0 and less than 1. The value stays 0."),
        (
            "r1",
            "1e7",
            "Length of the first bone: 1e7 is not between 0 and 1000000. The value stays 0.8.",
        ),
        ("target-y", "0,5", "Target y: “0,5” is not a number (write a decimal point, as in 0.5)"),
    ):
        type_into(page, field, text)
        assert words in page.locator("#refused").inner_text()
    assert page.locator("#refused").get_attribute("role") == "alert"
    page.keyboard.press("Control+a")
    page.keyboard.type("0.7")
    assert page.locator("#refused").is_hidden()


@pytest.mark.parametrize("text", ["hello " * 500, "1" * 3000])
def test_the_message_quotes_the_beginning_of_a_long_text(visit, text):
    page = visit()
    page.locator("#r1").fill(text)
    assert is_refused(page, "r1")
    said = page.locator("#refused").inner_text()
    assert f"{text[:79]}…" in said
    assert len(said) < 200


# What the browser shows at the middle and near the lower edge of the field that has the focus.
ON_TOP = """() => {
  const { left, bottom, width, height } = document.activeElement.getBoundingClientRect();
  return [2, height / 2].map((up) => document.elementFromPoint(left + width / 2, bottom - up)?.id);
}"""


@pytest.mark.parametrize(
    ("width", "height"), [(390, 844), (1280, 600), (640, 400), (844, 390), (320, 256)]
)
@pytest.mark.parametrize("scene", ["plane", "space"])
def test_the_message_does_not_lie_on_its_field(visit, scene, width, height):
    page = visit(f"scene={scene}&policy=proportion", width=width, height=height)
    for field in filter(lambda field: page.locator(f"#{field}").is_visible(), FIELDS):
        page.locator("#panel").evaluate("(panel) => { panel.scrollTop = 0; }")
        type_into(page, field, "1,5")
        assert is_refused(page, field)
        assert page.evaluate(ON_TOP) == [field] * 2
        page.keyboard.press("Tab")  # the message stays, and the next field is clear of it too
        following = page.evaluate("document.activeElement.id")
        assert page.evaluate(ON_TOP) == [following] * 2


def test_digits_on_the_way_to_a_number_do_not_push_the_other_joint_limit(visit):
    page = visit("least=90")
    type_into(page, "greatest", "120")
    assert limb_of(page)["least"] == 90
    page.keyboard.press("Tab")
    assert (limb_of(page)["least"], limb_of(page)["greatest"]) == (90, 120)
    type_into(page, "greatest", "45")
    page.keyboard.press("Enter")
    assert (limb_of(page)["least"], limb_of(page)["greatest"]) == (45, 45)


def test_a_number_that_python_sends_meanwhile_is_the_one_that_stands(visit):
    page = visit()
    type_into(page, "r1", "1e")
    page.evaluate("state.set({ r1: 0.65 }, 'python')")
    page.keyboard.press("Escape")
    assert limb_of(page)["r1"] == 0.65
    assert page.locator("#r1").input_value() == "0.65"


@pytest.mark.parametrize("soft", ["0.9999999999", "0.99999"])
def test_a_field_shows_nothing_that_it_refuses(visit, soft):
    page = visit(f"soft={soft}")
    assert page.locator("#soft").input_value() == soft
    page.locator("#soft").focus()
    page.keyboard.press("ArrowUp")  # it is beyond the last step already
    assert limb_of(page)["soft"] == float(soft)
    page.keyboard.press("ArrowDown")
    assert limb_of(page)["soft"] == 0.99


def test_a_digit_that_is_taken_back_rounds_nothing(visit):
    page = visit("r1=0.123456789&greatest=179.99999&limit=1.23456789&policy=proportion")
    before = limb_of(page)
    for field in ("r1", "greatest", "limit"):
        page.locator(f"#{field}").focus()
        page.keyboard.press("Home")
        page.keyboard.type("1")
        assert limb_of(page) != before or is_refused(page, field)
        page.keyboard.press("Backspace")
        page.keyboard.press("Tab")
        assert limb_of(page) == before


def test_the_slider_starts_from_the_softness_there_is(visit):
    page = visit("soft=0.7")
    page.locator("#soft-slider").focus()
    page.keyboard.press("ArrowLeft")
    assert limb_of(page)["soft"] == 0.69


def test_a_field_that_nobody_types_in_shows_the_limb_as_it_is(visit):
    page = visit("soft=0.2")
    page.locator("#r1").click()
    page.keyboard.press("Control+a")
    page.evaluate("state.set({ r1: 0.4567, soft: 0.3 }, 'python')")
    page.wait_for_function("() => document.getElementById('r1').value === '0.4567'")
    page.keyboard.type("0.5")  # what was selected is replaced, longer as it is now
    page.keyboard.press("Enter")
    assert limb_of(page)["r1"] == 0.5
    page.locator("#soft-slider").focus()
    page.evaluate("state.set({ soft: 0.4 }, 'python')")
    page.wait_for_function("() => document.getElementById('soft-slider').value === '0.4'")


def test_undo_works_in_a_field_whose_number_is_committed(visit):
    page = visit()
    page.locator("#r1").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Control+z")
    assert limb_of(page)["r1"] == 0.81
    page.wait_for_function("() => document.getElementById('r1').value === '0.81'")
    type_into(page, "r1", "0.5")
    page.keyboard.press("Enter")
    page.keyboard.press("Control+z")
    assert limb_of(page)["r1"] == 0.81
    page.keyboard.press("Control+y")
    assert limb_of(page)["r1"] == 0.5
    page.wait_for_function("() => document.getElementById('r1').value === '0.5'")


def test_undo_takes_back_what_is_being_typed(visit):
    page = visit()

    def press(keys, r1):
        page.keyboard.press(keys)
        assert limb_of(page)["r1"] == r1
        page.wait_for_function(f"() => document.getElementById('r1').value === '{r1}'")

    type_into(page, "r1", "0.5")
    press("Enter", 0.5)
    page.keyboard.type("7")  # the browser sees one run of typing, 0.57
    assert limb_of(page)["r1"] == 0.57
    press("Control+z", 0.5)
    press("Control+y", 0.57)
    page.keyboard.type("x")  # not a number: no undo step
    assert is_refused(page, "r1")
    press("Control+z", 0.57)
    assert not is_refused(page, "r1")
    press("Control+z", 0.5)
    press("Control+z", 0.8)


BAD = (
    "r1=1e9", "r1=1,5", "r1=0x10", "target=1,,2", "target=1,2", "least=90&greatest=20", "side=",
    "yaw=1e5", "seed=1.5", "r2=1e", "policy=clamp2",
)  # fmt: skip


def test_an_address_with_a_bad_number_says_so_and_leaves_it_out(visit):
    page = visit(f"{BAD[0]}&soft=0.25")
    for address in BAD:
        page.evaluate("(text) => { location.hash = text; }", f"{address}&soft=0.25")
        page.wait_for_function("(t) => document.getElementById('refused').innerText.includes(t)",
                               arg=address)  # fmt: skip
        assert limb_of(page) == {**page_state.DEFAULTS, "soft": 0.25}
    page.keyboard.press("f")
    page.wait_for_function("() => document.getElementById('refused').hidden")


def test_an_address_that_comes_before_the_last_one_is_written_down_is_read(visit):
    page = visit("r1=1.5")
    page.evaluate("""() => {
      const later = [], wait = window.setTimeout;
      window.setTimeout = (act) => later.push(act);
      state.set({ r1: 0.5 }, "commit");
      window.setTimeout = wait;
      location.hash = "r1=1e9";
      for (const act of later) act(); // the event of the new address comes after this
    }""")
    page.wait_for_function("() => document.getElementById('refused').innerText.includes('r1=1e9')")


def test_an_address_that_is_good_says_nothing(visit):
    page = visit("r1=1e-3&utm_source=mail&target=-.5,+2,1.&greatest=90")
    assert page.locator("#refused").is_hidden()
    assert limb_of(page)["target"] == [-0.5, 2, 1]


# --- the formula --------------------------------------------------------------------------


def line(page, name):
    """Return both halves of a line of the formula, as they are shown."""
    return page.locator(f"#formula-{name}").inner_text().split("\n")


def numbers(text):
    return [float(part) for part in re.findall(r"-?\d+\.\d+", text.replace("\u2212", "-"))]


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_fields_formula_and_picture_mean_the_same_with_a_root(visit, scene):
    page = visit(f"scene={scene}&root=1,-2,0.5&target=1.75,-1.45,0.85")
    wide = 3 if scene == "space" else 2
    field = [float(page.locator(f"#target-{axis}").input_value()) for axis in "xyz"[:wide]]
    root = [float(page.locator(f"#root-{axis}").input_value()) for axis in "xyz"[:wide]]
    p = numbers(line(page, "p")[-1])
    assert "target \u2212 root" in line(page, "p")[0]
    assert p == pytest.approx(np.subtract(field, root), abs=6e-3)
    assert numbers(line(page, "h")[-1])[0] == pytest.approx(np.dot(p, p), abs=0.02)
    x, joint = (numbers(line(page, name)[-1]) for name in ("x", "joint"))
    assert joint == pytest.approx(np.add(root, x), abs=0.011)
    said = page.locator("#handle-joint").get_attribute("aria-label")
    assert numbers(said) == pytest.approx(joint, abs=6e-3)
    # The letter p is not given to what is not p.
    assert "p" not in page.locator("#field-target > span").inner_text().lower().split()


@pytest.mark.parametrize(
    ("address", "says", "s"),
    [
        ("target=3,1,0", "clamped", "not real"),
        ("target=0.05,0,0", "clamped", "not real"),
        ("target=3,1,0&policy=stretch", "with stretched bones", "not real"),
        ("target=3,1,0&policy=proportion", "stretched to the limit", "not real"),
        ("target=1.2,0.1,0&policy=proportion&limit=1.9&soft=.2", "with stretched bones", None),
        ("target=0.2,0,0", None, "0.0000"),
        ("target=3,1,0&policy=nan", "not given", "not real"),
        ("target=1.38,0,0&soft=0.1", "softened", None),
        ("target=1.2,0.2,0&greatest=90", "clamped", None),
        ("target=0,0,0&r2=0.8", "one of many", "undefined"),
        ("target=0.75,0.55,0", None, None),
    ],
)
def test_the_formula_claims_only_the_joint_that_it_gives(visit, address, says, s):
    page = visit(address)
    label = line(page, "x")[0]
    assert ("±" in label) == (says is None)
    assert says is None or says in label
    assert s is None or line(page, "s")[-1] == s
