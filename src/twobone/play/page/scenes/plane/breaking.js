// The lesson "Break it": five methods side by side, at the places where they fail.
import { state } from "../../state/state.js";
import { limb } from "../../limb/limb.js";
import { plane } from "./plane.js";
import { handles } from "../../limb/handles.js";
import { panel } from "../../panel/panel.js";
import { methods } from "../../limb/methods.js";
import { lesson } from "../../lesson/lesson.js";
import { t } from "../../texts/texts.js";

(() => {
  const { live, scrub, whole, number } = lesson;
  const { plus, times, size } = limb.vectors;

  /** @type {"float64" | "float32"} */
  let type = "float64";
  // How near the target is to the edge of the reachable range: 10 to the power of -gap.
  let gap = 3,
    offset = 0.2;
  const DIRECTION = [0.8, 0.6];
  const put = (/** @type {number} */ r, by = "hand") => state.set({ target: [...times(r, DIRECTION), 0.35] }, by);

  const NAMES = { ours: "twobone", article: t`Article`, cosines: t`Law of cosines`, fabrik: "FABRIK", ccd: "CCD" };
  const TITLES = {
    ours: t`The formula of this library: that of the article, with double words (pairs of numbers) where digits cancel`,
    article: t`Inigo Quilez’s formula with one division, as it stands`,
    cosines: t`The angle at the shoulder by acos, then sin and cos`,
    fabrik: t`Forward and backward reaching inverse kinematics`,
    ccd: t`Cyclic coordinate descent`,
  };
  const SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  /** A number as one digit and a power of ten. @param {number} v */
  const power = (v) => {
    const [m, e] = v.toExponential(0).split("e");
    return `${m}·10${[...e].map((digit) => (digit === "-" ? "⁻" : (SUPER[Number(digit)] ?? ""))).join("")}`;
  };
  /** An error in last places, as HTML: letters for exponents are too small in the table. @param {number} v */
  const places = (v) => {
    if (Number.isNaN(v)) return "NaN";
    if (v < 9.95) return v.toFixed(1);
    return v < 9999.5 ? v.toFixed(0) : v.toExponential(0).replace(/e\+(.*)/, "·10<sup>$1</sup>");
  };
  /** A fraction, in few digits. @param {number} v */
  const fraction = (v) => (v > 0.9e-4 ? String(Number(v.toPrecision(2))) : power(v));
  const BAD = 0.01; // of the upper arm: an error that one can see
  /** How many decimal digits are right. @param {number} apart */
  const digits = (apart) =>
    Number.isNaN(apart) ? 0 : Math.max(0, Math.min(type === "float32" ? 7.2 : 16, -Math.log10(apart || 1e-99)));

  /** @type {ReturnType<typeof methods.compare>} */
  let rows = [];
  const errorOf = (/** @type {string} */ name) => rows.find((row) => row.name === name)?.error ?? 0;
  const stepsOf = (/** @type {string} */ name) => rows.find((row) => row.name === name)?.steps ?? 0;
  const run = (/** @type {any} */ s, /** @type {any} */ found) =>
    (rows = methods.compare(found.p, s.r1, s.r2, s.side, type));

  const TABLE = `<table class="bench"><caption class="unseen">${t`Five methods for this limb`}</caption>
    <thead><tr><th scope="col">${t`Method`}</th><th scope="col" title="${t`How often an iteration went through the limb`}">${t`Steps`}</th><th scope="col" title="${t`Additions, multiplications, divisions and square roots; f: functions of angles`}">${t`Operations`}</th><th scope="col" title="${t`The distance from the exact joint, in last places of the upper arm’s length`}">${t`Error`}</th></tr></thead>
    <tbody>${Object.entries(NAMES)
      .map(
        ([name, text]) =>
          `<tr data-method="${name}"><th scope="row" title="${TITLES[/** @type {keyof TITLES} */ (name)]}">${text}<span class="digits" aria-hidden="true"><span></span></span></th><td></td><td></td><td></td></tr>`,
      )
      .join("")}</tbody></table>`;
  const LEGEND = `<p class="small">${t`An error is the distance from the exact elbow (out of reach: from that of the clamped arm) in last places: 1 is about one unit in the last of ${live("all")} digits (${live("eps")}). Red ✕: more than 1 % of the upper arm; a ring shows that elbow in the picture. The longer the bar, the more digits are right. “4 f”: four calls of sine, cosine or their inverses. “${methods.MOST}+”: stopped after ${methods.MOST} steps.`}</p>`;
  // All of it is said in the first step.
  const SHORT = `<p class="small">${t`Errors in last places (${live("eps")}). Red ✕: more than 1 % of the upper arm; a ring shows that elbow in the picture.`}</p>`;

  /** @param {any} s @param {any} found @param {HTMLElement} section */
  const show = (s, found, section) => {
    run(s, found);
    for (const { name, steps, plain, roots, trig, error, apart, arrived } of rows) {
      const row = /** @type {HTMLElement} */ (section.querySelector(`[data-method="${name}"]`)),
        cells = row.querySelectorAll("td");
      panel.put(cells[0], `${steps}${arrived ? "" : "+"}`);
      panel.put(cells[1], Number.isNaN(plain) ? t`scaled` : `${plain + roots}${trig ? ` + ${trig} f` : ""}`);
      const html = places(error);
      if (cells[2].innerHTML !== html) cells[2].innerHTML = html;
      const bad = Number.isNaN(error) || apart > BAD,
        n = digits(apart);
      row.classList.toggle("bad", bad);
      /** @type {HTMLElement} */ (row.querySelector(".digits span")).style.width =
        `${(100 * n) / (type === "float32" ? 7.2 : 16)}%`;
    }
  };
  // Where a method puts the joint, if it is red in the table.
  const draw = (/** @type {any} */ { dot, word, root, found, s }) => {
    run(s, found);
    for (const { name, joint, apart } of rows) {
      if (!joint.every(Number.isFinite) || apart <= BAD) continue;
      dot("joint", plus(root, joint), 9, { stroke: "ink", width: 2 });
      word("joint", NAMES[/** @type {keyof NAMES} */ (name)], plus(root, joint), [0, 22], "soft-ink");
    }
  };

  const ALT = t`The arm with the circles around shoulder and target, and a ring for each method whose elbow is wrong by more than 1 %. The table of this step has all errors.`;
  const PARTS = "range root target target-line line foot bone-1 bone-2 joint miss circle-r1:thin circle-r2:thin";
  const POSE = { root: [0, 0, 0], r1: 0.8, r2: 0.6, side: 1, policy: "clamp", soft: 0, least: 0, greatest: 180 };
  const at = (/** @type {number[]} */ target, rest = {}) => ({ ...POSE, target: [...target, 0.35], ...rest });
  const setType = (/** @type {typeof type} */ name) => () => (type = name);
  // The target of a gap to the edge of the reachable range, outer or inner.
  const nearEdge = (/** @type {any} */ s, isFolded = false) =>
    isFolded ? Math.abs(s.r1 - s.r2) * (1 + 10 ** -gap) : (s.r1 + s.r2) * (1 - 10 ** -gap);
  const start =
    (/** @type {number} */ n, /** @type {typeof type} */ name = "float64") =>
    () => {
      gap = n;
      type = name;
    };
  const straight = (/** @type {number} */ n) => times(1.4 * (1 - 10 ** -n), DIRECTION);
  lesson.acts.float32 = setType("float32");
  lesson.acts.float64 = setType("float64");

  /** @type {import("../../lesson/lesson.js").Step[]} */
  const steps = [
    {
      title: t`Five methods side by side`,
      alt: ALT,
      pose: at([0.75, 0.55]),
      parts: PARTS,
      show,
      draw,
      enter: start(3),
      html: t`<p>“Article” is the formula of the first lesson, which Inigo Quilez published; the law of cosines is that of textbooks. “twobone”, the library that this page belongs to, computes the article’s formula with twice the digits where rounding could cost some. FABRIK and CCD are made for chains of many bones: they bring the hand nearer step by step, until a millionth of the arm’s length is left or ${methods.MOST} steps are done.</p>
        <p>An error of about 1 is as small as ${live("all")} digits allow. In easy poses like this one, all three formulas come that close; in steps 2, 3, 6 and 7 only twobone does.</p>${TABLE}${LEGEND}`,
      task: {
        words: t`Find a pose for which FABRIK needs more than 30 steps.`,
        reply: t`The straighter the arm, the slower an iteration. A formula always takes the same time.`,
        isDone: () => stepsOf("fabrik") > 30,
      },
    },
    {
      title: t`Straight`,
      alt: ALT,
      pose: at(straight(3)),
      parts: PARTS,
      show,
      draw,
      enter: start(3),
      html: t`<p>The gap to full stretch is ${live("gap")} of the reach, 10 to the power of ${scrub("outer")}. Standing legs are nearly straight, so they spend most of their time here.</p>
        <p>The number under the square root, ${whole("4r₁²h − w²")}, is a difference of two nearly equal numbers. Their leading digits cancel, now about ${live("lost")} of ${live("all")}; the nearer to full stretch, the more, and what remains is rounding error.</p>${TABLE}${SHORT}`,
      task: {
        words: t`Stretch the arm until the article’s formula is wrong by more than a million last places.`,
        reply: t`The law of cosines loses as many. twobone computes the difference in double words, pairs of numbers with twice the digits, and loses none.`,
        isDone: () => errorOf("article") > 1e6,
      },
    },
    {
      title: t`Folded`,
      alt: ALT,
      pose: at(times(0.05 * 1.001, DIRECTION), { r1: 1, r2: 0.95 }),
      parts: PARTS,
      show,
      draw,
      enter: start(3),
      html: t`<p>The same at the other end: bones of 1.00 and 0.95, folded back on each other. The gap to the shortest possible distance, ${whole("1.00 − 0.95 = 0.05")}, is ${live("gap")} of it, 10 to the power of ${scrub("inner")}.</p>
        <p>The digits of ${whole("4r₁²h − w²")} cancel here, too. In addition, w is a small difference of squares near 1, and the division by 2h, which is smaller still, enlarges its rounding error.</p>${TABLE}${SHORT}`,
      task: {
        words: t`Fold the arm until the law of cosines is wrong by more than a million last places.`,
        reply: t`Clamping the cosine to ${whole("[−1, 1]")} avoids NaN, but does not bring the lost digits back.`,
        isDone: () => errorOf("cosines") > 1e6,
      },
    },
    {
      title: t`The hand at the shoulder`,
      alt: ALT,
      pose: at([0.24, 0.12], { r1: 0.7, r2: 0.7 }),
      parts: PARTS,
      show,
      draw,
      enter: start(3),
      snap: (s, found) =>
        found.far > 0 && found.far < (handles.holding() ? 7 / plane.view.scale : 0.009 * (s.r1 + s.r2))
          ? [...found.root.slice(0, 2), s.target[2]]
          : null,
      html: t`<p>Two equal bones can fold so that the hand is at the shoulder. Then the line to the hand has no direction, and the elbow may be anywhere on the circle around the shoulder.</p>
        <p>The formula then divides 0 by 0. The result is NaN, “not a number”, and so is everything that is computed from it: a whole skeleton disappears. twobone always returns a <em>status</em>, one word for what happened, beside the elbow. It is now <b>${live("status")}</b>.</p>${TABLE}${SHORT}`,
      task: {
        words: t`Put the hand exactly on the shoulder.`,
        reply: t`twobone reports AMBIGUOUS and bends as if the target lay to the right: the numbers are finite, and both bones keep their lengths.`,
        isDone: (s, found) => found.far === 0,
      },
    },
    {
      title: t`Out of reach`,
      alt: ALT,
      pose: at([1.3, 0.95]),
      parts: PARTS,
      show,
      draw,
      enter: start(3),
      html: t`<p>The target is too far away. To avoid the square root of a negative number, the article’s formula takes that of 0, which places the elbow at q; its upper arm is now ${live("length")} long instead of ${live("r1")}: the bones stretch silently.</p>
        <p>To <em>clamp</em> is to point the straight or the folded arm at the target, which keeps the lengths. CCD does not detect such a target and iterates until it is stopped. twobone clamps and reports <b>${live("status")}</b>.</p>${TABLE}${SHORT}`,
      task: {
        words: t`Now bring the target too near.`,
        reply: t`The minimum reach is often forgotten: FABRIK tests for “too far” but not for “too near”.`,
        isDone: (s, found) => found.word === "TOO_NEAR",
      },
    },
    {
      title: t`One bone a million times shorter`,
      alt: ALT,
      pose: at(times(1 + 0.2e-6, DIRECTION), { r1: 1, r2: 1e-6 }),
      parts: PARTS,
      show,
      draw,
      enter: (memory) => {
        start(3)();
        offset = 0.2;
        memory.seen = new Set();
      },
      html: t`<p>A bone of 1 and one of ${whole("0.000 001")}, a leg and a claw. The reachable range is only two millionths wide; the target is at 1 plus ${scrub("offset")} millionths. Status: <b>${live("status")}</b>.</p>
        <p>The second bone is too short to be seen, but not too short to be computed with.</p>${TABLE}${SHORT}`,
      task: {
        words: t`Take the target through the whole range, from too near to too far.`,
        reply: t`The textbook formulas keep four digits of the short bone. The iterations accept any joint, because the whole range is within their tolerance.`,
        isDone: (s, found, memory) => memory.seen.add(found.word).has("TOO_NEAR") && memory.seen.has("TOO_FAR"),
      },
    },
    {
      title: t`Seven digits`,
      alt: ALT,
      pose: at(straight(3)),
      parts: PARTS,
      show,
      draw,
      enter: start(3),
      html: t`<p>Graphics cards and game engines compute in float32, with seven digits instead of sixteen. <span class="segments inline" role="group" aria-label="Type of number"><button type="button" data-act="float64" data-type="float64">float64</button><button type="button" data-act="float32" data-type="float32">float32</button></span></p>
        <p>The gap to full stretch is again ${live("gap")} of the reach, 10 to the power of ${scrub("outer")}. An error of a thousand last places, which in float32 is a ten-thousandth of the bone, makes an elbow tremble while the hand moves smoothly.</p>${TABLE}${SHORT}`,
      task: {
        words: t`Switch to float32 and stretch until the article’s formula is wrong by more than 100 last places.`,
        reply: t`twobone stays within 2.5 last places in both types: that is what the double words are for.`,
        isDone: () => type === "float32" && errorOf("article") > 100,
      },
    },
  ];
  const last = steps[6];
  last.show = (s, found, section) => {
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-type]")))
      button.setAttribute("aria-pressed", String(button.dataset.type === type));
    show(s, found, section);
  };

  const sayPower = (/** @type {string} */ value) => t`10 to the power of ${value}`;
  lesson.add("break", {
    scene: "plane",
    steps,
    live: {
      eps: () => (type === "float32" ? "2⁻²³ r₁" : "2⁻⁵² r₁"),
      lost: (s, found) =>
        number(
          Math.min(type === "float32" ? 7 : 16, Math.max(0, Math.log10((found.w * found.w) / Math.abs(found.under)))),
          0,
        ),
      gap: () => fraction(10 ** -gap),
      all: () => (type === "float32" ? "7" : "16"),
      status: (s, found) => found.word,
      r1: (s) => number(s.r1),
      length: () => number(size(rows.find((row) => row.name === "article")?.joint ?? [])),
    },
    scrubs: {
      outer: {
        label: t`Gap to full stretch, as a fraction of the reach`,
        say: sayPower,
        colour: "p",
        least: -15,
        greatest: -1,
        by: 0.25,
        get: () => -gap,
        set: (v) => put(((gap = -v), nearEdge(state.now))),
      },
      inner: {
        label: t`Gap to the minimum reach, as a fraction of it`,
        say: sayPower,
        colour: "p",
        least: -15,
        greatest: -1,
        by: 0.25,
        get: () => -gap,
        set: (v) => put(((gap = -v), nearEdge(state.now, true))),
      },
      offset: {
        label: t`Distance of the target minus one`,
        say: (value) => t`${value} millionths`,
        colour: "p",
        least: -1.5,
        greatest: 1.5,
        by: 0.1,
        digits: 1,
        get: () => offset,
        set: (v) => put(1 + (offset = v) * 1e-6),
      },
    },
  });
})();
