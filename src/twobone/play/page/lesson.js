// The derivation of the formula in five steps. plane.js highlights what each step describes.
const lesson = (() => {
  "use strict";
  const byId = (id) => document.getElementById(id);
  const P = '<i class="c-p">p</i>', X = '<i class="c-x">x</i>', Q = '<i class="c-q">q</i>', S = '<i class="c-q">s</i>';
  const A = '<i class="c-r1">r<sub>1</sub></i>', B = '<i class="c-r2">r<sub>2</sub></i>', TWO = "<sup>2</sup>";
  const AA = `${A}${TWO}`, BB = `${B}${TWO}`;
  const CODE = [
    "def solve(px, py, r1, r2, side=1):",
    "    h = px * px + py * py",
    "    w = h + r1 * r1 - r2 * r2",
    "    s = side * sqrt(max(4 * r1*r1 * h - w*w, 0))",
    "    x = (w * px - s * py) / (2 * h)",
    "    y = (w * py + s * px) / (2 * h)",
    "    return x, y",
  ].join("\n");
  const maths = (...lines) => `<div class="maths">${lines.join("<br>")}</div>`;

  const STEPS = [
    ["Two circles", `<p>Think of an arm: the shoulder is the root, the hand must be at the target ${P}. Where is the elbow, the joint ${X}? Its distances from
      root and target are the bone lengths, so it lies on both circles.</p>${maths(`|${X}| = ${A}`, `|${X} − ${P}| = ${B}`)}<p>Vectors start at the root; |${X}| is the length of ${X}.</p>`],
    ["Their difference", `<p>Square both equations and subtract one from the other: |${X}|${TWO} cancels. What is left is linear in ${X}, so it is the equation of a straight line, perpendicular to the target direction.</p>
      ${maths(`|${X} − ${P}|${TWO} = |${X}|${TWO} − 2 ${X} · ${P} + |${P}|${TWO}`, `2 ${X} · ${P} = |${P}|${TWO} + ${AA} − ${BB}`)}<p>Both possible joints lie on it. The dot product multiplies the coordinates in pairs and adds the products.</p>`],
    ["The foot point", `<p>Call the right-hand side <i>w</i>, and |${P}|${TWO} = <i>h</i>. That line crosses the line through root and target at ${Q}, a multiple of ${P}:</p>
      ${maths(`${Q} = ${P} <i>w</i> / 2<i>h</i>`)}<p>This takes one division and no angle.</p>`],
    ["Pythagoras", `<p>The root, ${Q} and ${X} form a right triangle. Two of its sides are known: |${Q}| and ${A}. Write the third, from ${Q} to ${X}, as ${S} times |${P}|.</p>
      ${maths(`(${S} |${P}|)${TWO} = ${AA} − |${Q}|${TWO}`, `${X} = ${Q} ± ${S} ${P}<sup>⊥</sup>`)}<p>${P}<sup>⊥</sup> is ${P} rotated by 90° to the left. Plus gives one side, minus the other: <kbd>F</kbd> or the button flips it.</p>`],
    ["The code", `<p>That is all. If the number under the square root is negative, the circles do not intersect: the target is out of reach. This code then uses 0 instead.</p><pre>${CODE}</pre>`],
  ];

  const box = byId("lesson");
  byId("lesson-dots").innerHTML = "<span></span>".repeat(STEPS.length);
  // A pose whose circles intersect far from the target line, so that every step has something to show.
  const POSE = { root: [0, 0, 0], target: [0.75, 0.55, 0.35], r1: 0.8, r2: 0.6, policy: "clamp", soft: 0, least: 0, greatest: 180 };
  const showsEveryStep = () => {
    const { met, s, far } = limb.solve({ ...state.now, scene: "plane" }), { r1, r2 } = state.now;
    return met && Math.min(s * far, far) > 0.2 * Math.max(r1, r2);
  };
  const go = (step) => {
    // The step is part of the view, but the scene is part of the limb: undo and Python follow it.
    if (step && state.now.scene !== "plane") {
      state.set({ scene: "plane" });
      state.commit();
    }
    state.set({ step: Math.min(STEPS.length, Math.max(0, step)) }, "view");
    if (!state.now.step) byId("lesson-open").focus();
  };
  byId("lesson-open").addEventListener("click", () => {
    main.settleDown();
    if (!showsEveryStep()) {
      state.set({ scene: "plane", ...POSE });
      state.commit();
    }
    go(1);
    byId("lesson-next").focus({ preventScroll: true });
    if (innerWidth <= 760) byId("panel").scrollTop = 0;
  });
  byId("lesson-close").addEventListener("click", () => go(0));
  byId("lesson-back").addEventListener("click", () => go(state.now.step - 1));
  byId("lesson-next").addEventListener("click", () => go(state.now.step === STEPS.length ? 0 : state.now.step + 1));

  // --- the picture beside the card ----------------------------------------------------------

  // The part of the picture that the card leaves free: beside it or above it, whichever is larger.
  const freeArea = ({ width, height }) => {
    const whole = { left: 0, top: 0, width, height }, card = box.getBoundingClientRect();
    if (box.hidden || card.left >= width || card.top >= height) return whole;
    const parts = [{ ...whole, left: card.right, width: width - card.right }, { ...whole, height: card.top }];
    const [room, other] = parts.map((part) => Math.min(part.width, part.height));
    return Math.max(room, other) < 120 ? whole : parts[room > other ? 0 : 1];
  };
  // Whether the card covers a bone or the target line although there is a free area for them.
  const covers = ({ root, joint, end, p }) => {
    const { width, height } = main.size(), free = freeArea({ width, height });
    if (free.width * free.height === width * height) return false;
    const { plus, minus, times } = limb.vectors, card = box.getBoundingClientRect(), margin = 16;
    const points = [p, p.map(() => 0), ...(Number.isFinite(joint[0]) ? [joint, end, p] : [])].map((v) => plus(root, v));
    return points.some((a, i) => Array.from({ length: 25 }, (_, k) => plus(a, times(k / 24, minus(points[i + 1] ?? a, a)))).some((v) => {
      const [x, y] = plane.toPixels(v);
      return x > card.left - margin && x < card.right + margin && y > card.top - margin && y < card.bottom + margin;
    }));
  };

  let shown = -1;
  const show = (found) => {
    const step = state.now.scene === "plane" ? state.now.step : 0;
    byId("lesson-note").hidden = step === 5 || found.under >= 0 || found.met; // rounding may make it slightly negative
    if (step === shown) return;
    shown = step;
    box.hidden = !step;
    if (!step) return;
    const [title, text] = STEPS[step - 1];
    byId("lesson-title").textContent = `${step} of ${STEPS.length}: ${title}`;
    byId("lesson-text").innerHTML = text;
    // Disabling the focused button would drop the focus, so move it first.
    if (step === 1 && document.activeElement === byId("lesson-back")) byId("lesson-next").focus();
    byId("lesson-back").disabled = step === 1;
    byId("lesson-next").textContent = step === STEPS.length ? "Done" : "Next";
    [...byId("lesson-dots").children].forEach((dot, i) => dot.classList.toggle("on", i === step - 1));
    if (covers(found)) main.fit();
  };
  return { show, freeArea, covers, close: () => state.now.step && go(0) };
})();
