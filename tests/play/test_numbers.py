"""Numbers that are typed or come by address: taken whole and in range, or refused and said so."""

import numpy as np
import pytest

from browsing import (
    RESTS,
    button,
    field,
    limb_of,
    numbers,
    place,
    press,
    visit_again,
)
from twobone.play.page_state import DEFAULTS

pytestmark = pytest.mark.sampled(3, "nightly")

R1, SOFT = "Length of the first bone", "Softness"
LEAST, GREATEST = "Minimum joint angle", "Maximum joint angle"


def type_into(page, name, text):
    field(page, name).click(click_count=3)
    page.keyboard.type(text)


def alert(page):
    """Return the message of the controls; "" if there is none."""
    found = page.get_by_role("complementary").get_by_role("alert")
    return found.inner_text() if found.is_visible() else ""


def is_refused(page, name):
    """Say whether a field is marked, and the page says why."""
    return field(page, name).get_attribute("aria-invalid") == "true" and bool(alert(page))


def refuse(page, name, text):
    """Type a text into a field, which must refuse it, and leave."""
    value = field(page, name).input_value()
    type_into(page, name, text)
    if text == "":
        page.keyboard.press("Delete")
    assert is_refused(page, name), (name, text)
    page.keyboard.press("Enter")
    assert is_refused(page, name), (name, text)
    assert field(page, name).input_value() == text
    page.keyboard.press("Tab")
    assert field(page, name).input_value() == value
    assert field(page, name).get_attribute("aria-invalid") == "false"
    assert alert(page)  # it still says why


def test_what_is_no_number_in_range_is_refused_whole(visit):
    page = visit("scene=space&policy=proportion")  # shows every field
    fields = page.get_by_role("spinbutton").all()
    assert len(fields) == 15
    for one in fields:
        refuse(page, one.get_attribute("aria-label"), "1e7")
    for text in ("1e", "-", "1,5", "0.5x", "", "Infinity", "0x10", "1 2"):
        refuse(page, R1, text)
    refuse(page, GREATEST, "200")
    assert limb_of(page) == {**DEFAULTS, "scene": "space", "policy": "proportion"}
    assert button(page, "Undo").is_disabled()


def test_what_is_pasted_is_read_as_it_stands(visit):
    page = visit()
    field(page, R1).select_text()
    page.keyboard.insert_text("1,25 m")  # as one event, like a paste
    assert is_refused(page, R1)
    page.keyboard.press("Escape")
    assert alert(page) == ""
    assert field(page, R1).input_value() == "0.8"
    field(page, R1).select_text()
    page.keyboard.insert_text(" 1.25e-0 ")
    page.keyboard.press("Enter")
    assert limb_of(page) == {**DEFAULTS, "r1": 1.25}
    field(page, "Target").first.select_text()
    page.keyboard.insert_text("\u22120.5")  # a true minus, as the page itself writes it
    page.keyboard.press("Enter")
    assert limb_of(page)["target"][0] == -0.5


def test_the_message_says_what_may_stand_there(visit):
    page = visit()
    for name, text, words in (
        (GREATEST, "200", "200 is not between 0 and 180. The value stays 180."),
        (SOFT, "1", "1 is not at least 0 and less than 1. The value stays 0."),
        (R1, "1e7", f"{R1}: 1e7 is not between 0 and 1000000. The value stays 0.8."),
        (
            "Target: where the end of the limb should be, y",
            "0,5",
            "Target y: “0,5” is not a number (write a decimal point, as in 0.5)",
        ),
    ):
        type_into(page, name, text)
        assert words in alert(page)
    page.keyboard.press("Control+a")
    page.keyboard.type("0.7")
    assert alert(page) == ""


@pytest.mark.parametrize("text", ["hello " * 500, "1" * 3000])
def test_the_message_quotes_the_beginning_of_a_long_text(visit, text):
    page = visit()
    field(page, R1).fill(text)
    assert is_refused(page, R1)
    assert f"{text[:79]}…" in alert(page)
    assert len(alert(page)) < 200


# Whether what has the focus is on top at its middle and near its lower edge.
ON_TOP = """() => {
  const own = document.activeElement, { left, bottom, width, height } = own.getBoundingClientRect();
  return [2, height / 2].every((up) => {
    return own.contains(document.elementFromPoint(left + width / 2, bottom - up));
  });
}"""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1280, 600), (844, 390), (320, 256)])
def test_the_message_does_not_lie_on_its_field(visit, width, height):
    page = visit("scene=space&policy=proportion", width=width, height=height)
    for one in page.get_by_role("spinbutton").all():
        name = one.get_attribute("aria-label")
        page.get_by_role("heading", name="Controls").scroll_into_view_if_needed()
        type_into(page, name, "1,5")
        assert is_refused(page, name)
        assert page.evaluate(ON_TOP)
        page.keyboard.press("Tab")  # the message stays, and the next field is clear of it too
        assert page.evaluate(ON_TOP)


def test_digits_on_the_way_to_a_number_do_not_push_the_other_joint_limit(visit):
    page = visit("least=90")
    type_into(page, GREATEST, "120")
    assert limb_of(page)["least"] == 90
    page.keyboard.press("Tab")
    assert (limb_of(page)["least"], limb_of(page)["greatest"]) == (90, 120)
    type_into(page, GREATEST, "45")
    page.keyboard.press("Enter")
    assert (limb_of(page)["least"], limb_of(page)["greatest"]) == (45, 45)


@pytest.mark.parametrize("soft", ["0.9999999999", "0.99999"])
def test_a_field_shows_nothing_that_it_refuses(visit, soft):
    page = visit(f"soft={soft}")
    assert field(page, SOFT).input_value() == soft
    field(page, SOFT).focus()
    page.keyboard.press("ArrowUp")  # it is beyond the last step already
    assert limb_of(page)["soft"] == float(soft)
    page.keyboard.press("ArrowDown")
    assert limb_of(page)["soft"] == 0.99


def test_a_digit_that_is_taken_back_rounds_nothing(visit):
    page = visit("r1=0.123456789&greatest=179.99999&limit=1.23456789&policy=proportion")
    before = limb_of(page)
    for name in (R1, GREATEST, "Maximum stretch"):
        field(page, name).focus()
        page.keyboard.press("Home")
        page.keyboard.type("1")
        assert limb_of(page) != before or is_refused(page, name)
        page.keyboard.press("Backspace")
        page.keyboard.press("Tab")
        assert limb_of(page) == before


def test_the_slider_starts_from_the_softness_there_is(visit):
    page = visit("soft=0.7")
    slider = page.get_by_role("slider", name=SOFT)
    assert slider.get_attribute("aria-valuetext") == "0.7 of the reach"
    slider.focus()
    page.keyboard.press("ArrowLeft")
    assert limb_of(page)["soft"] == 0.69


def test_undo_works_in_a_field_whose_number_is_committed(visit):
    page = visit()
    one = field(page, R1)

    def press(keys, wanted):
        page.keyboard.press(keys)
        assert limb_of(page)["r1"] == wanted
        assert one.input_value() == str(wanted)

    one.focus()
    press("ArrowUp", 0.81)
    press("ArrowUp", 0.82)
    press("Control+z", 0.81)
    type_into(page, R1, "0.5")
    press("Enter", 0.5)
    press("Control+z", 0.81)
    press("Control+y", 0.5)
    page.keyboard.type("7")  # the browser sees one run of typing, 0.57
    assert limb_of(page)["r1"] == 0.57
    press("Control+z", 0.5)
    press("Control+y", 0.57)
    page.keyboard.type("x")  # not a number: no undo step
    assert is_refused(page, R1)
    press("Control+z", 0.57)
    assert not is_refused(page, R1)
    press("Control+z", 0.5)
    press("Control+z", 0.81)


BAD = (
    "r1=1e9", "r1=1,5", "r1=0x10", "target=1,,2", "target=1,2", "least=90&greatest=20", "side=",
    "yaw=1e5", "seed=1.5", "r2=1e", "policy=clamp2",
)  # fmt: skip


def test_an_address_with_a_bad_number_says_so_and_leaves_it_out(visit):
    page = visit()
    for bad in BAD:
        visit_again(page, f"{bad}&soft=0.25")
        page.evaluate(RESTS)
        assert bad in alert(page)
        assert field(page, SOFT).input_value() == "0.25"
        assert place(page, "target") == [0.75, 0.55]
        assert place(page, "r1") == [0.8]
    page.keyboard.press("f")
    page.evaluate(RESTS)
    assert alert(page) == ""


# Timers that a test lets run: a browser may run them before the event of a new address.
TIMERS = """{
const wait = window.setTimeout, later = [];
window.setTimeout = (act, ...rest) => (window.isHeld ? later.push(act) : wait(act, ...rest));
window.paste = (text) => {
  location.hash = text;
  for (const act of later) act();
}; }"""


def test_an_address_that_comes_before_the_last_one_is_written_down_is_read(visit):
    page = visit("r1=1.5", script=TIMERS)
    page.evaluate("window.isHeld = true")
    page.keyboard.press("f")
    page.evaluate("window.isHeld = false, paste('r1=1e9')")
    page.evaluate(RESTS)
    assert "r1=1e9" in alert(page)


def test_an_address_that_is_good_says_nothing(visit):
    page = visit("r1=1e-3&utm_source=mail&target=-.5,+2,1.&greatest=90")
    assert alert(page) == ""
    assert place(page, "target") == [-0.5, 2]


# --- wandering ----------------------------------------------------------------------------


def test_a_number_that_is_typed_ends_the_wandering_and_is_a_step_of_its_own(visit):
    page = visit("")
    type_into(page, R1, "0.9")
    page.keyboard.press("Enter")
    typed = limb_of(page)
    assert typed["target"] != DEFAULTS["target"]
    press(page, "Undo")
    assert limb_of(page) == typed | {"r1": 0.8}  # where the wandering ended
    press(page, "Redo")
    assert limb_of(page) == typed
    press(page, "Motion")
    page.wait_for_timeout(300)
    press(page, "Flip the side F")
    flipped = limb_of(page)
    press(page, "Undo")
    assert limb_of(page) == flipped | {"side": 1}
    assert flipped["target"] != typed["target"]


def test_a_number_taken_back_ends_the_wandering_alone(visit):
    page = visit("")
    type_into(page, "Target: where the end of the limb should be, x", "12x")
    page.keyboard.press("Escape")
    rests = limb_of(page)
    assert rests["target"][0] not in (0.75, 12)
    press(page, "Undo")
    press(page, "Redo")
    assert limb_of(page) == rests


def test_to_undo_stops_the_wandering(visit):
    page = visit("")
    page.wait_for_timeout(200)
    assert place(page, "target") != [0.75, 0.55]
    page.keyboard.press("Control+z")
    assert limb_of(page) == DEFAULTS
    page.wait_for_timeout(100)
    assert place(page, "target") == [0.75, 0.55]


# --- the formula --------------------------------------------------------------------------


def formula(page):
    """Return the lines of the formula: what stands before each number, and the number."""
    text = page.get_by_role("region", name="Formula").inner_text()
    lines = text[text.index("p = ") :].replace("\n=", " =").replace("\n", " ")
    names = ("p =", "h =", "w =", "q =", "s =", "x", "joint =")
    ends = [lines.index(f"{names[0]}")]
    for name in names[1:]:
        ends.append(lines.index(f" {name}", ends[-1]) + 1)
    return dict(zip("phwqsxj", (lines[a:b] for a, b in zip(ends, [*ends[1:], None], strict=True)),
                    strict=True))  # fmt: skip


def bracket(text):
    """Return the vector at the end of a line."""
    return numbers(text[text.rindex("(") :])


@pytest.mark.parametrize("scene", ["plane", "space"])
def test_fields_formula_and_picture_mean_the_same_with_a_root(visit, scene):
    page = visit(f"scene={scene}&root=1,-2,0.5&target=1.75,-1.45,0.85")
    wide = 3 if scene == "space" else 2
    values = [float(one.input_value()) for one in page.get_by_role("spinbutton").all()]
    target, root = values[:wide], values[wide : 2 * wide]
    lines = formula(page)
    p = bracket(lines["p"])
    assert "target \u2212 root" in lines["p"]
    assert p == pytest.approx(np.subtract(target, root), abs=6e-3)
    assert numbers(lines["h"])[-1] == pytest.approx(np.dot(p, p), abs=0.02)
    joint = bracket(lines["j"])
    assert joint == pytest.approx(np.add(root, bracket(lines["x"])), abs=0.011)
    assert place(page, "joint") == pytest.approx(joint, abs=6e-3)


@pytest.mark.parametrize(
    ("state", "says", "s"),
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
def test_the_formula_claims_only_the_joint_that_it_gives(visit, state, says, s):
    lines = formula(visit(state))
    assert ("±" in lines["x"]) == (says is None)
    assert says is None or says in lines["x"]
    assert s is None or lines["s"].strip().endswith(s)
