"""What shares a place on the screen: boxes of words and controls, and what is drawn below them."""

from browsing import CLOCK, PEN
from twobone.pictures import theme

# `look()` returns what is wrong in a picture. Words and controls are all that is seen in front of
# it, whatever they are; a bone is a thick line or an area in a colour of bones.
LOOK = """{
const BONES = FIRST_AND_SECOND, HAND = TARGET, FLOOR = ["#dedbd3", "#e3e0d9"];
const isSeen = (one) => one.checkVisibility({ visibilityProperty: true })
  && one.getClientRects().length && getComputedStyle(one).clipPath === "none";
const parts = "h1, button, p, select, input, section";
window.covers = () => {
  const found = [...document.querySelectorAll(`main :is(${parts})`)].filter((one) => isSeen(one)
    && !one.closest("[role=group][aria-label*=':']") && !one.parentElement.closest("main section"));
  return found.map((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const name = one.innerText?.trim() || one.ariaLabel || one.tagName;
    return { name, one, box: [left, top, right, bottom] };
  });
};
const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
const inner = ([a, b, c, d]) => [a + 1.5, b + 1.5, c - 1.5, d - 1.5]; // borders may be shared
window.boxOf = ({ line, disc: [x, y, r] = [] }) => {
  if (!line) return [x - r, y - r, x + r, y + r];
  const [xs, ys] = [0, 1].map((i) => line.map((v) => v[i]));
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
};
window.isBone = ({ fill, stroke, width, line, alpha }) =>
  line && alpha > 0.5 && (BONES.includes(fill) || (BONES.includes(stroke) && width >= 3));
// All that is drawn of a scene, but for the grid and the shadow of the floor, which have no end.
window.boxes = () =>
  pictured().filter((v) => !FLOOR.includes(v.fill) && !FLOOR.includes(v.stroke)).map(boxOf);
// What is wrong in a window: what meets, is cut or cannot be reached.
window.faults = () => {
  const wrong = new Set(), stage = document.querySelector("main"), all = covers();
  const { left, top, right, bottom } = document.querySelector("[role=img]").getBoundingClientRect();
  const isIn = ([a, b, c, d]) => a >= left && b >= top && c <= right && d <= bottom + 0.5;
  all.forEach(({ name, one, box }, i) => {
    for (const { name: other, one: two, box: there } of all.slice(i + 1))
      if (meet(inner(box), there) && !one.contains(two)) wrong.add(`${name} meets ${other}`);
    if (!isIn(box)) wrong.add(`${name} is outside`);
    if (one.clientWidth && one.scrollWidth > one.clientWidth + 1) wrong.add(`${name} is cut`);
  });
  for (const box of boxes()) {
    if (!isIn(box)) wrong.add("the picture is cut");
    for (const { name, box: there } of all) if (meet(box, there)) wrong.add(`it meets ${name}`);
  }
  for (const { scrollWidth, clientWidth, tagName } of [stage, document.documentElement])
    if (scrollWidth > clientWidth) wrong.add(`${tagName} scrolls sideways`);
  for (const part of stage.querySelectorAll("button, select, input[type=range]")) {
    if (!isSeen(part) || part.closest("[role=group][aria-label*=':']")) continue;
    const name = part.innerText?.trim() || part.ariaLabel;
    part.scrollIntoView({ block: "nearest" });
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!part.contains(there)) wrong.add(`${name} cannot be reached`);
    if (right - left < 24 || bottom - top < 24) wrong.add(`${name} is too small`);
  }
  stage.scrollTop = 0;
  return [...wrong];
};
window.look = (all = covers()) => {
  const wrong = new Set(), marks = pictured();
  const { left, top, right, bottom } = document.querySelector("[role=img]").getBoundingClientRect();
  const texts = marks.filter((v) => v.text !== undefined).map((v) => [v.text, boxOf(v)]);
  texts.forEach(([text, box], i) => {
    for (const [other, there] of texts.slice(i + 1))
      if (meet(box, there)) wrong.add(`${text}, ${other}`);
    for (const { name, box: there } of all)
      if (meet(box, there)) wrong.add(`${text} below ${name}`);
    if (box[0] < left || box[1] < top || box[2] > right || box[3] > bottom)
      wrong.add(`${text} outside`);
  });
  const points = marks.filter(isBone).flatMap((v) => v.line.map((at) => ["a bone", at]));
  for (const { disc, fill } of marks) if (disc && fill === HAND) points.push(["the hand", disc]);
  for (const [name, [x, y]] of points) {
    if (x < left || y < top || x > right || y > bottom) wrong.add(`${name} outside`);
    for (const { name: other, box } of all)
      if (meet([x, y, x, y], box)) wrong.add(`${name} below ${other}`);
  }
  return { wrong: [...wrong], labels: texts.length, bones: points.length };
};
// Frames of some milliseconds, one after the other, by the clock of the test.
window.watch = async (count, milliseconds) => {
  hold();
  await new Promise((done) => setTimeout(done, 100)); // for the frame that was due before
  const wrong = new Set(), first = JSON.stringify(pictured());
  let labels = 0, bones = 0, all = [];
  for (let i = 0; i < count; i++) {
    tick(milliseconds);
    if (i % 20 === 0) all = covers();
    const found = look(all);
    for (const words of found.wrong) wrong.add(words);
    labels += found.labels;
    bones += found.bones;
  }
  const moved = JSON.stringify(pictured()) !== first;
  return { wrong: [...wrong], labels: labels / count, bones: bones / count, moved };
}; }
"""
LOOK = LOOK.replace(
    "FIRST_AND_SECOND", str([tone.light.lower() for tone in (theme.FIRST, theme.SECOND)])
).replace("TARGET", repr(theme.TARGET.light.lower()))
SEEN = CLOCK + PEN + LOOK


def watched(page, count, milliseconds):
    """Return what is wrong in any of some frames, and the means of labels and points of bones.

    The page was opened with `script=SEEN`.
    """
    return page.evaluate("([count, each]) => watch(count, each)", [count, milliseconds])
