// The lesson in space: the circle of answers, the pole vector, why knees pop, parallel transport.
import { state } from "../../state/state.js";
import { limb } from "../../limb/limb.js";
import { angles } from "../../limb/angles.js";
import { lesson } from "../../lesson/lesson.js";
import { t } from "../../texts/texts.js";

(() => {
  const { live, scrub, whole, number } = lesson;
  const { plus, minus, times, dot, size, unit, cross } = limb.vectors;
  const P = '<i class="c-p">p</i>',
    X = '<i class="c-x">x</i>',
    Q = '<i class="c-q">q</i>',
    N = "<i>n</i>",
    S = '<i class="c-q">s</i>';

  const POSE = {
    root: [0, 0, 0],
    r1: 0.8,
    r2: 0.6,
    side: 1,
    policy: "clamp",
    soft: 0,
    least: 0,
    greatest: 180,
    pole: [0, 1, 0],
    yaw: 35,
    pitch: 18,
    zoom: 1,
  };
  const at = (/** @type {number[]} */ target, rest = {}) => ({ ...POSE, target, ...rest });
  const direction = (/** @type {any} */ found) => (found.far > 0 ? unit(found.p) : [1, 0, 0]);
  /** The angle from the pole to the target line, in degrees. */
  const toPole = (/** @type {any} */ s, /** @type {any} */ found) => {
    const d = direction(found),
      along = Math.abs(dot(d, s.pole));
    return angles.degrees(Math.atan2(size(cross(d, s.pole)), along));
  };
  const bend = (/** @type {any} */ found) => 180 - angles.degrees(angles.of(found).joint);

  // --- the plot of step 4: how far the joint is bent, by the distance of the target ------------

  const LEFT = 0.8,
    RIGHT = 1.1,
    WIDE = 380,
    HIGH = 150,
    MOST = 100;
  const toPlot = (/** @type {number} */ far, /** @type {number} */ degrees) => [
    ((far - LEFT) / (RIGHT - LEFT)) * WIDE,
    HIGH - (degrees / MOST) * HIGH,
  ];
  const PLOT = `<figure class="plot"><svg viewBox="-4 -8 ${WIDE + 8} ${HIGH + 32}" role="img" aria-label="${t`How far the elbow is bent, by the distance of the hand: ever more steeply down to 0 at 100 % of the reach`}">
    <path class="axis" d="M0 ${HIGH}H${WIDE}M${toPlot(1, 0)[0]} 0V${HIGH}"/><path class="curve"/><circle r="6"/>
    <text x="0" y="${HIGH + 18}">80 %</text><text x="${toPlot(1, 0)[0]}" y="${HIGH + 18}" text-anchor="middle">${t`100 % of the reach`}</text><text x="44" y="${toPlot(LEFT, 90)[1] + 4}">${t`bend of the elbow`}</text>${[30, 60, 90].map((degrees) => `<path class="axis" d="M0 ${toPlot(LEFT, degrees)[1]}h6"/><text x="10" y="${toPlot(LEFT, degrees)[1] + 4}">${degrees}°</text>`).join("")}</svg></figure>`;
  let plotted = "";
  /** @param {any} s @param {any} found @param {HTMLElement} section */
  const plot = (s, found, section) => {
    const circle = /** @type {SVGElement} */ (section.querySelector("circle[r='6']")),
      reach = s.r1 + s.r2;
    const key = [s.r1, s.r2, s.soft].join();
    if (key !== plotted) {
      plotted = key;
      const points = Array.from({ length: 241 }, (_, i) => {
        const far = LEFT + ((RIGHT - LEFT) * i) / 240,
          found = limb.solve({ ...s, root: [0, 0, 0], target: [far * reach, 0, 0], pole: [0, 1, 0] });
        return toPlot(far, bend(found))
          .map((v) => v.toFixed(1))
          .join(" ");
      });
      section.querySelector(".curve")?.setAttribute("d", `M${points.join("L")}`);
    }
    const [x, y] = toPlot(Math.min(RIGHT, Math.max(LEFT, found.far / reach)), bend(found));
    circle.setAttribute("cx", x.toFixed(1));
    circle.setAttribute("cy", y.toFixed(1));
  };

  // --- step 5: the plane is carried along -------------------------------------------------------

  let isCarried = false;
  /** @type {number[] | null} */
  let before = null;
  /** Rotate v by the shortest arc from one unit vector to another. @param {number[]} from @param {number[]} to @param {number[]} v */
  const byShortestArc = (from, to, v) => {
    const k = cross(from, to),
      c = dot(from, to);
    return c < -0.999999 ? v : plus(plus(v, cross(k, v)), times(1 / (1 + c), cross(k, cross(k, v))));
  };
  // The part of the pole that counts: perpendicular to the target direction.
  const square = (/** @type {number[]} */ pole, /** @type {number[]} */ d) => unit(minus(pole, times(dot(pole, d), d)));
  state.on((/** @type {string[]} */ changed, /** @type {string} */ by) => {
    if (
      !isCarried ||
      by === "lesson" ||
      !changed.includes("target") ||
      !lesson.isOpen() ||
      state.now.lesson !== "space"
    )
      return;
    const d = unit(minus(state.now.target, state.now.root));
    if (before && size(d) > 0) state.set({ pole: byShortestArc(before, d, square(state.now.pole, before)) }, "lesson");
    if (size(d) > 0) before = d;
  });
  lesson.acts.carry = () => {
    isCarried = !isCarried;
    before = unit(minus(state.now.target, state.now.root));
    const pole = square(state.now.pole, before);
    if (isCarried && size(before) > 0 && size(pole) > 0) state.set({ pole }, "lesson");
  };

  /** @type {import("../../lesson/lesson.js").Step[]} */
  const steps = [
    {
      title: t`A whole circle of answers`,
      alt: t`Two spheres, one around the shoulder and one around the hand, that meet in a circle: every point of it is a place for the elbow.`,
      pose: at([0.75, 0.3, 0.35]),
      html: t`<p>In space a length is a sphere: the elbow is on the <b class="c-r1">blue sphere</b> around the shoulder, of radius ${live("r1")}, and on the <b class="c-r2">orange sphere</b> around the hand, of radius ${live("r2")}. Spheres that cross meet in a <b class="c-q">circle</b>.</p>
        <p>So there is a whole circle of answers; the dashed arm shows the one opposite to the present one. The circle is perpendicular to the line from shoulder to hand, around the point ${Q} of that line, and its radius is ${S}, now ${live("s")}: both are those of the lesson <em>In the plane</em>. Put your own hand on a table: your elbow can still swing.</p>
        <p>Which answer the arm takes is decided by a direction, the pole: the dotted line with a ring at its end. That is the next step.</p>`,
      task: {
        words: t`Stretch the arm until the radius is less than 0.20.`,
        reply: t`A straight arm has one answer again: the circle shrinks to a point.`,
        isDone: (s, found) => found.s * found.far < 0.2,
      },
    },
    {
      title: t`The pole picks one point`,
      alt: t`The circle of places, and a dotted line from the shoulder to a ring, the pole: the elbow is the point of the circle farthest in its direction.`,
      pose: at([0.75, 0.3, 0.35]),
      html: t`<p>Something must choose. A <b>pole vector</b> ${N} is the direction towards which the joint bends: forward for knees, mostly down and back for elbows. Here it starts pointing up. Of all points on the circle, ${X} is the one farthest in that direction.</p>
        <p>Only the part of ${N} perpendicular to ${P} counts, written ${N}<sub>⊥</sub>; it is ${N} without its part along ${P}: ${whole(`${N}<sub>⊥</sub> = ${N} − (${N}·${P} / |${P}|²) ${P}`)}. (In space the dot product has a third term, for the third coordinate.) Its direction ${whole(`${N}<sub>⊥</sub> / |${N}<sub>⊥</sub>|`)} takes the place of ${whole(`± ${P}<sup>⊥</sup> / |${P}|`)}; the rest of the formula stays.</p>`,
      task: {
        words: t`Turn the pole until the elbow points down.`,
        reply: t`The formula never asks how the arm got there: same hand, same pole, same elbow.`,
        isDone: (s, found) => found.s > 0 && dot(minus(found.joint, found.q), [0, 1, 0]) < -0.7 * found.s * found.far,
      },
    },
    {
      title: t`Where the pole fails`,
      alt: t`The pole, the line to the hand, and the circle of places around that line.`,
      pose: at([0.85, 0.7, -0.25]),
      html: t`<p>If the pole points at the hand, or away from it, no part of it is perpendicular to that line, and no direction is better than another. The pole is now ${live("angle")} from the line to the hand.</p>
        <p>The trouble starts earlier: when the line to the hand now turns sideways by one degree, the elbow turns around it by up to ${live("swing")}. With the pole 5° from the line it is 11°. When the hand passes the direction of the pole, the elbow flips to the other side.</p>`,
      task: {
        words: t`Bring the hand and the pole within 5° of each other.`,
        reply: t`Exactly on the line the library reports AMBIGUOUS and bends the elbow in a fixed direction.`,
        isDone: (s, found) => toPole(s, found) < 5,
      },
    },
    {
      title: t`Why knees pop`,
      alt: t`An arm that is almost straight; its circle of places is small.`,
      pose: at(times(1.33, unit([0.75, 0.3, 0.35]))),
      show: plot,
      html: t`<p>The hand is at ${live("reach")} of the reach, the length of both bones together, and the elbow is still bent by ${live("bend")} (0° is straight). In the last percent of the distance before full stretch, the elbow opens by more than ten degrees, because its distance ${S} from the line to the hand is a square root, which falls to 0 ever more steeply:</p>${PLOT}
        <p>A knee does the same: while the foot moves steadily, the knee opens faster and faster, then stops at once. Animators say that it pops. With <em>softness</em>, now ${scrub("soft")} of the reach, the arm begins to slow down that much before full stretch, and the hand stays a little behind the target.</p>`,
      task: {
        words: t`Set the softness to 0.05 or more, then pull the target beyond the reach.`,
        reply: t`The elbow comes to rest smoothly. In Python: <code>unreachable=twobone.Soft(0.05)</code>.`,
        isDone: (s, found) => s.soft >= 0.05 && found.far > s.r1 + s.r2,
      },
    },
    {
      title: t`Carry the pole along`,
      alt: t`The circle of places, and the pole, which moves with the hand once it is carried along.`,
      pose: at([0.55, 0.6, 0.35]),
      enter: () => {
        isCarried = false;
        before = null;
      },
      show: (s, found, section) =>
        section.querySelector("[data-act=carry]")?.setAttribute("aria-pressed", String(isCarried)),
      html: t`<p>A pole that stays fixed must fail somewhere. <b>Parallel transport</b> has no fixed direction: whenever the line to the hand turns a little, the same rotation turns the pole, and with it the whole arm, without a twist around the line.</p>
        <p><button type="button" data-act="carry" aria-pressed="false">Carry the pole along</button></p>
        <p>The pole is now ${live("angle")} from the line to the hand. When it is carried along, only its part perpendicular to the line is kept, so it is at 90° to the line, and stays there wherever the hand goes. The price: the elbow depends on the path that the hand has taken.</p>`,
      task: {
        words: t`Switch it on, and take the hand straight over the shoulder, to within 15° of the vertical.`,
        reply: t`No flip. In Python: <code>limb.reach(…, bend="transport")</code>.`,
        isDone: (s, found) => isCarried && angles.degrees(Math.acos(Math.min(1, direction(found)[1]))) < 15,
      },
    },
  ];

  lesson.add("space", {
    scene: "space",
    steps,
    live: {
      r1: (s) => number(s.r1),
      r2: (s) => number(s.r2),
      s: (s, found) => number(found.s * found.far),
      angle: (s, found) => `${number(toPole(s, found), 0)}°`,
      swing: (s, found) => {
        const cot = 1 / Math.tan((toPole(s, found) * Math.PI) / 180);
        return cot < 1000 ? `${number(cot, 1)}°` : t`more than 1000°`;
      },
      reach: (s, found) => `${number((100 * found.far) / (s.r1 + s.r2), 1)} %`,
      bend: (s, found) => `${number(bend(found), 1)}°`,
    },
    scrubs: {
      soft: {
        label: t`Softness`,
        say: (value) => t`${value} of the reach`,
        colour: "ink",
        least: 0,
        greatest: 0.3,
        by: 0.01,
        get: (s) => s.soft,
        set: (soft) => state.set({ soft }),
      },
    },
  });
})();
