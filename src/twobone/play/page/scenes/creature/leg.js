// One leg of the animal, looked at while it walks: its circles, its pole and its numbers in the formula.
import { byId } from "../../elements.js";
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { limb } from "../../limb/limb.js";
import { formula } from "../../limb/formula.js";
import { sight } from "../../stage/sight.js";
import { camera as lens } from "../../stage/camera.js";
import { frame } from "../../stage/frame.js";
import { labels } from "../../stage/labels.js";
import { isHere } from "./here.js";
import { hipsOf } from "./animal.js";
import { walk } from "./walk.js";
import { layout } from "../../panel/layout.js";
import { lesson } from "../../lesson/lesson.js";

/** @import { State } from "../../state/state.js" */
/** @import { Stance } from "./walker.js" */
/** @typedef {import("../../stage/camera.js").View} Camera */

/** What an animal is called; one from Python has a name of its own. @param {{ name: string }} animal @returns {string} */
export const nameOf = ({ name }) =>
  ({
    insect: t`insect`,
    spider: t`spider`,
    dog: t`dog`,
    horse: t`horse`,
    bird: t`bird`,
    human: t`human`,
    crab: t`crab`,
    centipede: t`centipede`,
  })[name] ?? name;

export const leg = (() => {
  const { plus, minus, times, dot, size, unit, cross } = limb.vectors;
  const now = state.now;
  const card = byId("leg");
  const LONG = 36; // pixels: shorter bones have no label
  /** @type {Record<string, number>} */
  const NEAR = { mouse: 8, pen: 12, touch: 18 }; // pixels from a leg that still hit it

  /** The number of the leg that is looked at, from 0; -1 if there is none. */
  const index = () => {
    const count = walk.at()?.feet.length ?? 0;
    return isHere() && now.leg <= count ? now.leg - 1 : -1;
  };

  /** The names of an animal's legs: "Left front leg", or "Left leg 3 of 10". @param {any} animal @returns {string[]} */
  const names = (animal) => {
    const hips = hipsOf(animal);
    /** @type {Record<number, string[]>} */
    const WORDS = { 1: [""], 2: [t`front`, t`hind`], 3: [t`front`, t`middle`, t`hind`] };
    return hips.map(([x, , z]) => {
      const side = hips.filter((hip) => hip[0] * x > 0 || (x === 0 && hip[0] === 0));
      const rank = side.filter((hip) => hip[2] > z).length,
        where = x > 0 ? t`Left` : x < 0 ? t`Right` : t`Middle`,
        word = WORDS[side.length]?.[rank];
      if (word === undefined) return t`${where} leg ${rank + 1} of ${side.length}`;
      return word ? t`${where} ${word} leg` : t`${where} leg`;
    });
  };

  /** The leg from hip to ankle as a limb in space, and its solution; null if none is looked at. */
  const solved = () => {
    const i = index(),
      at = walk.at(),
      walker = walk.walker();
    if (i < 0 || !at || !walker) return null;
    const { upper: r1, lower: r2 } = walker.anatomy.legs[i],
      pole = walker.pole(i);
    /** @type {State} */
    const s = {
      ...now,
      root: at.hips[i],
      target: at.ankles[i],
      pole,
      r1,
      r2,
      side: 1,
      policy: "clamp",
      limit: 1.2,
      soft: 0,
      least: 0,
      greatest: 180,
    };
    return { s, found: limb.solve(s, null, 3) };
  };

  // --- the picture --------------------------------------------------------------------------

  /** @type {(centre: number[], u: number[], v: number[]) => number[][]} */
  const circle = (centre, u, v) =>
    Array.from({ length: 73 }, (_, i) =>
      plus(centre, plus(times(Math.cos((i * Math.PI) / 36), u), times(Math.sin((i * Math.PI) / 36), v))),
    );

  /**
   * The shapes to draw over the animal: the circles lie in the plane of hip, knee and ankle.
   * @param {Camera} cam
   */
  const shapes = (cam) => {
    const leg = solved();
    if (!leg) return [];
    const { s, found } = leg,
      hip = s.root,
      ankle = s.target,
      foot = /** @type {Stance} */ (walk.at()).feet[index()],
      knee = plus(hip, found.joint),
      other = plus(hip, found.other),
      middle = plus(hip, found.q);
    const r = found.s * found.far,
      along = unit(found.p),
      across = r > 0 ? unit(minus(found.joint, found.q)) : unit(minus(s.pole, times(dot(s.pole, along), along)));
    const to = (/** @type {number[]} */ v) => lens.project(cam, v).slice(0, 2),
      tip = plus(hip, times(0.6 * (s.r1 + s.r2), s.pole));
    /** @type {any[]} */
    const all = [];
    const line = (/** @type {number[][]} */ points, /** @type {object} */ shape) =>
      all.push({ line: points.map(to), ...shape });
    const ring = (
      /** @type {number[]} */ centre,
      /** @type {number} */ radius,
      /** @type {number[]} */ u,
      /** @type {number[]} */ v,
      /** @type {string} */ stroke,
    ) => line(circle(centre, times(radius, u), times(radius, v)), { stroke, width: 1.5, close: true });
    ring(hip, s.r1, along, across, "r1");
    ring(ankle, s.r2, along, across, "r2");
    if (r > 0) {
      ring(middle, r, across, cross(along, across), "across");
      line([hip, other], { stroke: "r1-ghost", width: 3, dash: [7, 6] });
      line([other, ankle], { stroke: "r2-ghost", width: 3, dash: [7, 6] });
      line([middle, knee], { stroke: "across", width: 1.5, dash: [5, 4] });
    }
    line([hip, ankle], { stroke: "edge", width: 1 });
    line([hip, tip], { stroke: "ink", width: 1.5, dash: [2, 4] });
    line([hip, knee], { stroke: "r1", width: 4 });
    line([knee, ankle], { stroke: "r2", width: 4 });
    line([ankle, foot], { stroke: "ink", width: 4 });
    all.push(
      { disc: [...to(tip), 4], fill: "ink" },
      { disc: [...to(hip), 5], fill: "ink" },
      { disc: [...to(ankle), 6], fill: "target" },
      { disc: [...to(knee), 6], fill: "joint" },
    );
    const [hx] = to(hip),
      [kx] = to(knee),
      out = kx < hx ? -20 : 20;
    // Beside a bone, on the side away from the third point of the triangle.
    const beside = (/** @type {number[]} */ a, /** @type {number[]} */ b, /** @type {number[]} */ third) =>
      labels.beside(to(a), to(b), minus(to(times(0.5, plus(a, b))), to(third)), 24);
    // Bones of a small leg are told by their colours.
    const isLong = (/** @type {number[]} */ a, /** @type {number[]} */ b) => size(minus(to(a), to(b))) > LONG;
    const label = (
      /** @type {string} */ text,
      /** @type {number[]} */ v,
      /** @type {number[]} */ off,
      /** @type {string} */ fill,
      style = { italic: true, size: 20 },
    ) => ({ text, at: to(v), off, fill, ...style });
    const wanted = [
      label("x", knee, [out, -14], "joint"),
      label("p", ankle, [out, 12], "target"),
      ...(isLong(hip, knee) ? [label("r₁", times(0.5, plus(hip, knee)), beside(hip, knee, ankle), "r1")] : []),
      ...(isLong(knee, ankle) ? [label("r₂", times(0.5, plus(knee, ankle)), beside(knee, ankle, hip), "r2")] : []),
      ...(r > 0 && isLong(hip, ankle) ? [label("q", middle, beside(hip, ankle, knee), "across")] : []),
      label(t`pole`, tip, [0, -16], "soft-ink", { italic: false, size: 13 }),
    ];
    labels
      .place(
        wanted,
        [hip, knee, ankle, tip].map((v) => [...to(v), 7]),
        frame,
        [[hip, knee, ankle].map(to)],
        covers(),
      )
      .forEach((shape) => all.push(shape));
    return all;
  };

  /** @type {(point: number[], a: number[], b: number[]) => number} */
  const fromSegment = (point, a, b) => {
    const way = minus(b, a),
      t = dot(minus(point, a), way) / (dot(way, way) || 1);
    return size(minus(point, plus(a, times(Math.min(1, Math.max(0, t)), way))));
  };
  /**
   * The leg at a position in pixels, from 0; -1 if there is none.
   * @param {Camera} cam
   * @param {number[]} pixels
   * @param {string} pointer its type
   */
  const under = (cam, pixels, pointer) => {
    const at = walk.at();
    if (!at) return -1;
    const { radii } = walk.animal();
    const far = at.hips.map((hip, i) => {
      const points = [hip, at.knees[i], at.ankles[i], at.feet[i]].map((v) => lens.project(cam, v)),
        thick = radii[i].knee * points[1][2];
      return (
        Math.min(...points.slice(1).map((v, j) => fromSegment(pixels, points[j].slice(0, 2), v.slice(0, 2)))) - thick
      );
    });
    const least = Math.min(...far);
    return least < (NEAR[pointer] ?? NEAR.mouse) ? far.indexOf(least) : -1;
  };

  // --- the card -----------------------------------------------------------------------------

  const showFormula = formula.make(byId("leg-formula"));
  let told = 0;
  /** Look at a leg, or at none: -1. @param {number} i */
  const open = (i) => {
    const had = card.contains(document.activeElement);
    state.set({ leg: i + 1 }, "view");
    told = 0;
    const leg = solved();
    formula.put(byId("leg-heard"), leg ? `${names(walk.animal())[i]}. ${sayReach(leg)}` : "");
    show();
    layout.show(null);
    sight.measure();
    // The focus must not stay on something that is hidden now.
    if (!leg && had) byId(byId("panel").hidden ? "intro-why" : "choose-leg").focus();
  };
  const sayReach = (/** @type {NonNullable<ReturnType<typeof solved>>} */ { s, found }) =>
    t`Hip to ankle: ${((100 * found.far) / (s.r1 + s.r2)).toFixed(0)} % of the reach`;

  // Numbers can be read if they change ten times a second.
  const PAUSE = 100;
  const show = () => {
    const leg = solved();
    card.hidden = !leg;
    if (!leg || performance.now() - told < PAUSE) return;
    told = performance.now();
    formula.put(byId("leg-title"), names(walk.animal())[index()]);
    formula.put(byId("leg-reach"), `${sayReach(leg)}. ${walk.at()?.down[index()] ? t`On the ground` : t`In the air`}`);
    byId("leg-below").hidden = walk.animal().anatomy.legs[index()].third === 0;
    showFormula(leg.s, leg.found);
  };
  byId("leg-close").addEventListener("click", () => open(-1));

  // --- to the lesson and back ---------------------------------------------------------------

  /** Say in the lesson which leg it is about. @param {string} leg "" if it is about none */
  const cameFrom = (leg) => {
    byId("lesson-from").hidden = leg === "";
    formula.put(byId("lesson-leg"), leg);
  };
  byId("leg-lesson").addEventListener("click", () => {
    const leg = solved();
    if (!leg) return;
    const from = `${nameOf(walk.animal())}: ${names(walk.animal())[index()]}`;
    const round = (/** @type {number[]} */ v) => v.map((part) => Math.round(part * 1e4) / 1e4);
    const { r1, r2, side, policy, soft, least, greatest, pole } = leg.s;
    lesson.openWith("space", 1, {
      r1,
      r2,
      side,
      policy,
      soft,
      least,
      greatest,
      root: [0, 0, 0],
      target: round(leg.found.p),
      pole: round(pole),
    });
    cameFrom(from);
  });
  byId("lesson-return").addEventListener("click", () => {
    state.set({ scene: "creature", step: 0 });
    state.commit();
    byId("leg-lesson").focus();
  });
  state.on((/** @type {string[]} */ changed) => {
    if (changed.includes("scene")) cameFrom("");
  });

  // Boxes over the picture that hide what is below them.
  const covers = () =>
    ["bar", "tools", "leg"].flatMap((id) => {
      const over = sight.box(id);
      return over ? [[over.left, over.top, over.right, over.bottom]] : [];
    });

  return { index, names, solved, shapes, under, open, show };
})();
