// The lesson in the plane: from two lengths to the formula, in seven steps.
import { state } from "../../state/state.js";
import { limb } from "../../limb/limb.js";
import { plane } from "./plane.js";
import { handles } from "../../limb/handles.js";
import { lesson } from "../../lesson/lesson.js";
import { t } from "../../texts/texts.js";

(() => {
  const { live, scrub, term, whole, number } = lesson;
  const { plus, minus, times, size, unit } = limb.vectors;

  const P = '<i class="c-p">p</i>',
    X = '<i class="c-x">x</i>',
    Q = '<i class="c-q">q</i>',
    S = '<i class="c-q">s</i>';
  const A = '<i class="c-r1">r<sub>1</sub></i>',
    B = '<i class="c-r2">r<sub>2</sub></i>',
    TWO = "<sup>2</sup>";
  const AA = `${A}${TWO}`,
    BB = `${B}${TWO}`,
    H = "<i>h</i>",
    W = "<i>w</i>";
  const XX = whole(`|${X}|${TWO}`);
  const maths = (/** @type {string[]} */ ...lines) =>
    `<div class="maths">${lines.map((line) => `<div>${line}</div>`).join("")}</div>`;
  const upper = term("bone-1", "r1", t`upper arm`),
    fore = term("bone-2", "r2", t`forearm`);
  const elbow = term("joint", "x", t`elbow`),
    hand = term("target", "p", t`hand`),
    shoulder = term("root", "ink", t`shoulder`);

  // Points on the line across: where the number `probe` of step 5 is.
  let probe = 0.3;
  const footOf = (/** @type {any} */ found) => plus(found.root, found.q);
  const acrossOf = (/** @type {any} */ found) => {
    const [x, y] = unit(found.p);
    return [-y, x];
  };
  const probeOf = (/** @type {any} */ found) => plus(footOf(found), times(probe, acrossOf(found)));
  const squareTo = (/** @type {any} */ found, /** @type {number[]} */ v) => size(minus(probeOf(found), v)) ** 2;
  const long = (/** @type {any} */ found) => found.s * found.far;
  const places = (/** @type {any} */ s, /** @type {any} */ found) => {
    if (found.word === "TOO_FAR" || found.word === "TOO_NEAR") return 0;
    return long(found) < 1e-6 * (s.r1 + s.r2) ? 1 : 2;
  };
  const POSE = { root: [0, 0, 0], r1: 0.8, r2: 0.6, side: 1, policy: "clamp", soft: 0, least: 0, greatest: 180 };
  const at = (/** @type {number} */ x, /** @type {number} */ y, rest = {}) => ({
    ...POSE,
    target: [x, y, 0.35],
    ...rest,
  });

  // A drag that comes close to the edge of the reachable range ends on it, where the circles touch.
  const snap = (/** @type {any} */ s, /** @type {any} */ found) => {
    const near = handles.holding() ? 7 / plane.view.scale : 0.0055 * (s.r1 + s.r2);
    const edge = [found.outer, found.inner].find((r) => r > 0 && Math.abs(found.far - r) < near);
    if (!edge || found.far === 0) return null;
    const [x, y] = plus(found.root, times(edge / found.far, found.p));
    return [x, y, s.target[2]];
  };

  const CODE = [
    ["h = px*px + py*py", "h"],
    ["w = h + r1*r1 - r2*r2", "w"],
    ["S = 4*r1*r1*h - w*w", "S"],
    ["k = side * sqrt(max(S, 0))", "k"],
    ["ex = (w*px - k*py) / (2*h)", "ex"],
    ["ey = (w*py + k*px) / (2*h)", "ey"],
  ];

  // What these lines compute. Where the target cannot be reached it is not what the library answers.
  const rootOf = (/** @type {any} */ s, /** @type {any} */ { under }) => s.side * Math.sqrt(Math.max(under, 0));
  const coded = (/** @type {any} */ { w, h }, /** @type {number} */ along, /** @type {number} */ across) =>
    number((w * along + across) / (2 * h), 4);

  /** @type {import("../../lesson/lesson.js").Step[]} */
  const steps = [
    {
      title: t`Two lengths and a question`,
      pose: at(0.75, 0.55),
      hasWords: true,
      parts: "range root target bone-1 bone-2 joint miss",
      alt: t`An arm: the upper arm from the shoulder to the elbow, the forearm from the elbow to the hand.`,
      html: t`<p>An arm has two bones: ${upper} and ${fore}. The ${shoulder} stays where it is, the ${hand} goes where you drag it (that place is the <em>target</em>), and the ${elbow} must follow, because bones keep their lengths:
        the upper arm ${scrub("r1")}, the forearm ${scrub("r2")}. Drag these numbers, too, to the left or to the right. (The grey area is where the hand can go.)</p>
        <p><em>The hand is there, so where is the elbow?</em> Animators, games and robots ask this for every arm and leg, many times a second. It is called inverse kinematics: from where the end must be to how the joints bend, not the other way round.</p>`,
      task: {
        words: t`Take the hand to the left of the shoulder.`,
        reply: t`Wherever the hand went, the elbow had a place. How is it found?`,
        isDone: (s) => s.target[0] < s.root[0] - 0.02,
      },
    },
    {
      title: t`One length is a circle`,
      pose: at(0.75, 0.55),
      hasWords: true,
      parts: "root target circle-r1 bone-1 joint extra",
      room: 1,
      alt: t`A circle around the shoulder, with the upper arm as its radius. The forearm is left out.`,
      html: t`<p>Forget the forearm for a moment. Wherever the upper arm points (thin lines are some of its directions), the ${elbow} is ${scrub("r1")} away from the ${shoulder}. All places at that distance form the ${term("circle-r1", "r1", t`blue circle`)}.</p>
        <p>So one length alone leaves a whole circle of places. The hand, ${live("far")} away from the shoulder, is on it only if the upper arm is as long as that.</p>`,
      draw: ({ line, root, s }) => {
        for (let i = 0; i < 16; i++)
          line("extra", [root, plus(root, times(s.r1, [Math.cos((i * Math.PI) / 8), Math.sin((i * Math.PI) / 8)]))], {
            stroke: "r1-ghost",
            width: 1,
          });
      },
      task: {
        words: t`Drag the length of the upper arm until the circle goes through the hand.`,
        reply: t`A circle is nothing but all points at one distance.`,
        isDone: (s, found) => Math.abs(s.r1 - found.far) < 0.0101,
      },
    },
    {
      title: t`Two lengths are two circles`,
      pose: at(0.75, 0.55),
      hasWords: true,
      parts: "root target circle-r1 circle-r2 bone-1 bone-2 joint other other-joint",
      alt: t`Two circles: one around the shoulder, with the upper arm as its radius, and one around the hand, with the forearm. The elbow is where they cross, or at their other crossing.`,
      html: t`<p>The ${elbow} is also ${scrub("r2")} away from the ${hand}: it is on the ${term("circle-r2", "r2", t`orange circle`)} around the hand as well. It must be where the ${term("circle-r1 circle-r2", "ink", t`two circles`)} meet.</p>
        <p>Now they meet in <b>${live("points")}</b>. Circles that cross meet twice, so an arm usually has two answers. They are mirror images of each other in the line from shoulder to hand, and both are right. <button type="button" data-act="flip" title="Switch to the other solution (F)">Flip <kbd>F</kbd></button></p>`,
      snap,
      task: {
        words: t`Drag the hand until there is only one place for the elbow.`,
        reply: t`The circles touch: the arm is straight, or folded back on itself.`,
        isDone: (s, found) => places(s, found) === 1,
      },
    },
    {
      title: t`Too far, too near: no answer`,
      pose: at(1.25, 0.95),
      hasWords: true,
      parts: "range root target circle-r1 circle-r2 bone-1 bone-2 joint miss other other-joint",
      snap,
      alt: t`The circles around shoulder and target, and the grey ring of all places that the hand can reach.`,
      html: t`<p>The hand must go to the ${term("target", "p", t`target`)}, which is ${live("far")} away, and both bones together are ${live("outer")} long. If the target is farther away than ${live("outer")}, the circles do not meet: there is <b>no</b> place for the elbow. This arm then points at the target and stops short.</p>
        <p>If the target is nearer than the difference of the lengths, ${live("inner")}, one circle lies inside the other: the folded arm ends beyond it. In between is the ${term("range", "ink", t`grey reachable range`)}, with two answers; exactly at its limits the circles touch, and there is one (bones of equal length are special, see <em>Break it</em>). The circles now meet in <b>${live("points")}</b>.</p>`,
      task: {
        words: t`There is a second case without an answer: bring the target too near.`,
        reply: t`${whole("|r₁ − r₂|")} ≤ distance ≤ ${whole("r₁ + r₂")}: in between there are two answers, at the limits one, beyond them none.`,
        isDone: (s, found) => found.word === "TOO_NEAR",
      },
    },
    {
      title: t`Subtract the circles: a line`,
      pose: at(0.95, 0.5),
      parts: "root target circle-r1 circle-r2 line joint other-joint extra",
      room: 1,
      alt: t`The two circles, and the straight line through the two points where they cross; a dot on the line, with its distances from shoulder and hand.`,
      html: t`<p>Now we need symbols. The shoulder is the origin, the ${elbow} is the point ${X}, and the ${hand}, at the target, is the point ${P}; the lengths are ${A} and ${B}. ${whole(`|${X}|`)} is how far ${X} is from the shoulder, ${whole(`|${X} − ${P}|`)} how far from the hand. With ${whole(`${X} = (a, b)`)} and ${whole(`${P} = (c, d)`)}, ${XX} is ${whole(`a${TWO} + b${TWO}`)}, and the dot product ${whole(`${X}·${P}`)} is ${whole("ac + bd")}. Each circle is an equation:</p>
        ${maths(`|${X}|${TWO} = ${AA}`, `|${X} − ${P}|${TWO} = |${X}|${TWO} − 2 ${X}·${P} + |${P}|${TWO} = ${BB}`)}
        <p>Subtract the second from the first, and ${XX} is gone. What is left has ${X} without a square, so it is a straight ${term("line", "q", t`line`)}, and both answers are on it:</p>
        ${maths(`2 ${X}·${P} = |${P}|${TWO} + ${AA} − ${BB}`)}
        <p>Check the purple point on this line, ${scrub("probe")} from the middle between the two answers: its squared distances from shoulder and hand, ${live("d1")} and ${live("d2")}, always differ by ${whole(`${AA} − ${BB} = ${live("difference")}`)}.</p>`,
      draw: ({ line, dot, root, target, found }) => {
        const v = probeOf(found);
        line("extra", [root, v], { stroke: "r1", width: 2, dash: [2, 5] });
        line("extra", [v, target], { stroke: "r2", width: 2, dash: [2, 5] });
        dot("extra", v, 6, { fill: "across" });
      },
      task: {
        words: t`Drag the hand until the dashed line goes through the hand.`,
        reply: t`Now the forearm is perpendicular to the line from shoulder to hand, and ${whole("|p|² = 0.64 − 0.36")}.`,
        isDone: (s, found) => size(minus(found.q, found.p)) < 0.014,
      },
    },
    {
      title: t`A right angle gives the rest`,
      pose: at(0.8, 0.55, { r1: 0.7, r2: 0.9 }),
      parts: "root target target-line line foot square triangle bone-1 bone-2:thin joint circle-r1:thin",
      room: 0.8,
      alt: t`The line from shoulder to hand, the dashed line perpendicular to it on which both answers lie, and the right triangle of shoulder, foot point and elbow.`,
      html: t`<p>The two answers (one is drawn here) are mirror images, so the dashed line through both is perpendicular to the line from shoulder to hand. These two lines cross at the ${term("foot", "q", t`foot point`)} ${Q}, ${live("percent")} of the way to the hand. The points of that way are <i>t</i> ${P}, from ${whole("<i>t</i> = 0")} at the shoulder to 1 at the hand. Put ${whole(`<i>t</i> ${P}`)} in place of ${X} in the equation of the dashed line, and solve it for <i>t</i>:</p>
        ${maths(`${Q} = <i>t</i> ${P},&emsp;<i>t</i> = ${W} / (2${H})`, `${H} = |${P}|${TWO},&emsp;${W} = ${H} + ${AA} − ${BB}`)}
        <p>${term("triangle", "q", t`Shoulder, q and elbow`)} form a right triangle. The upper arm is ${scrub("r1")}, the forearm ${scrub("r2")}, and ${Q} is ${live("q")} away from the shoulder. Pythagoras gives the third side, the length ${S}:</p>
        ${maths(`${S}${TWO} = ${AA} − |${Q}|${TWO}`, `${live("s2")} = ${live("r1sq")} − ${live("q2")}`, `${S} = ${live("s")}`)}`,
      task: {
        words: t`Drag the hand until s is as long as the upper arm (the forearm must be the longer bone).`,
        reply: t`Then the foot is at the shoulder. Closer still, it lies behind the shoulder, and the formula still holds.`,
        isDone: (s, found) => size(found.q) < 0.02 && found.s > 0,
      },
    },
    {
      title: t`Two answers, six lines of code`,
      pose: at(0.8, 0.55),
      parts:
        "root target target-line line foot square triangle bone-1 bone-2 joint other other-joint circle-r1:thin circle-r2:thin",
      room: 1,
      alt: t`The right triangle of shoulder, foot point and elbow, and the other answer on the other side of the line to the hand.`,
      html: t`<p>From ${Q} go the length ${S} to either side, along ${P}<sup>⊥</sup>: ${P} turned left by 90°. Divided by its length ${whole(`|${P}|`)}, it is 1 long:</p>
        ${maths(`${X} = ${Q} ± ${S} ${P}<sup>⊥</sup> / |${P}|`)}
        <p>${whole(`|${Q}|${TWO}`)} is ${whole(`${W}${TWO} / (4${H})`)}, so ${whole(`${S}${TWO} = ${AA} − ${W}${TWO} / (4${H})`)}. Multiplied by 4${H} it has no division; the code calls it S:</p>
        ${maths(`S = 4${H}${S}${TWO} = 4${AA}${H} − ${W}${TWO}`, `√S = 2 ${S} |${P}|,&emsp;${S} / |${P}| = √S / (2${H})`)}
        <p>In coordinates, ${P} is ${whole("(px, py)")} and ${P}<sup>⊥</sup> is ${whole("(−py, px)")}. <code>side</code> is +1 for the elbow to the left of the way to the hand and −1 for the right, and <code>k</code> is √S with that sign. With ${whole(`${P} = ${live("p")}`)}, ${whole(`${A} = ${live("r1")}`)} and ${whole(`${B} = ${live("r2")}`)}, one square root gives the elbow ${whole("(ex, ey)")}, without an angle or a sine:</p>
        <div class="code"><table aria-label="The formula as code, with its current values">${CODE.map(([text, name]) => `<tr><td>${text}</td><td data-live="${name}"></td></tr>`).join("")}</table></div>
        <p>Switch the side: <button type="button" data-act="flip" class="mono" title="Switch to the other solution (F)">side = ${live("side")}</button>. If <code>S</code> is negative, the circles do not meet: <code>max(S, 0)</code> makes it 0, which stretches the bones. Real code must not do that.</p>`,
      task: {
        words: t`Switch to the other side.`,
        reply: t`That is all of it. Next: what changes in space, and how to break this formula.`,
        isDone: (s) => s.side === -1,
      },
    },
  ];

  const units = (/** @type {string} */ value) => t`${value} units`;
  lesson.add("plane", {
    scene: "plane",
    steps,
    live: {
      far: (s, found) => number(found.far),
      outer: (s, found) => number(found.outer),
      inner: (s, found) => number(found.inner),
      points: (s, found) => [t`no point`, t`1 point`, t`2 points`][places(s, found)],
      d1: (s, found) => number(squareTo(found, found.root)),
      d2: (s, found) => number(squareTo(found, plus(found.root, found.p))),
      difference: (s) => number(s.r1 ** 2 - s.r2 ** 2),
      percent: (s, found) => `${number((100 * found.w) / (2 * found.h), 0)} %`,
      q: (s, found) => number(size(found.q)),
      q2: (s, found) => number(size(found.q) ** 2),
      r1sq: (s) => number(s.r1 ** 2),
      s2: (s, found) => number(s.r1 ** 2 - size(found.q) ** 2),
      s: (s, found) => (found.under < 0 ? t`no such length` : number(long(found))),
      p: (s, found) => `(${found.p.map((/** @type {number} */ v) => number(v)).join(", ")})`,
      r1: (s) => number(s.r1),
      r2: (s) => number(s.r2),
      side: (s) => (s.side > 0 ? "+1" : "−1"),
      h: (s, found) => number(found.h, 4),
      w: (s, found) => number(found.w, 4),
      S: (s, found) => number(found.under, 4),
      k: (s, found) => number(rootOf(s, found), 4),
      ex: (s, found) => coded(found, found.p[0], -rootOf(s, found) * found.p[1]),
      ey: (s, found) => coded(found, found.p[1], rootOf(s, found) * found.p[0]),
    },
    scrubs: {
      r1: {
        label: t`Length of the upper arm`,
        say: units,
        colour: "r1",
        least: 0.1,
        greatest: 1.5,
        by: 0.01,
        get: (s) => s.r1,
        set: (r1) => state.set({ r1 }),
      },
      r2: {
        label: t`Length of the forearm`,
        say: units,
        colour: "r2",
        least: 0.1,
        greatest: 1.5,
        by: 0.01,
        get: (s) => s.r2,
        set: (r2) => state.set({ r2 }),
      },
      probe: {
        label: t`Distance of the purple point from the middle of the line`,
        say: units,
        colour: "q",
        least: -1,
        greatest: 1,
        by: 0.02,
        get: () => probe,
        set: (v) => (probe = v),
      },
    },
  });
})();
