// The animal in the picture: a camera that follows it, the scene for stage.js, the same as 2D shapes.
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { limb } from "../../limb/limb.js";
import { draw } from "../../stage/draw.js";
import { camera as lens } from "../../stage/camera.js";
import { frame } from "../../stage/frame.js";
import { stage } from "../../stage/stage.js";
import { orbit } from "../../stage/orbit.js";
import { flat } from "../../stage/flat.js";
import { land } from "./land.js";
import { steering } from "./steering.js";
import { walk } from "./walk.js";
import { leg, nameOf } from "./leg.js";
import { distanceOf, reachOf } from "./animal.js";
import { linksAt, placed, rotate, tailAt, trunkAt } from "./body.js";

/** @import { Spot } from "./body.js" */
/** @import { Terrain } from "./ground.js" */
/** @import { Stance } from "./walker.js" */

/** @typedef {{ a: number[], b: number[], r: number, colour: string }} Wire */
/** @typedef {{ a: number[], b: number[], ra: number, rb: number, colour: string }} Cone */
/** A superellipsoid or a round cone. @typedef {any} Part */

export const creature = (() => {
  const { plus, minus, times, dot, size } = limb.vectors;
  const now = state.now;
  // The pose and the ground, once there is an animal.
  const at = () => /** @type {Stance} */ (walk.at()),
    ground = () => /** @type {Terrain} */ (walk.ground());

  // --- the camera ---------------------------------------------------------------------------

  const view = { centre: [0, 0.6, 0], reach: 3 };
  const FILL = 0.635; // of the free width or height: what the animal takes, on average over all directions
  /** @type {any} */
  let seen = null;
  let last = 0;
  // The point the camera looks at: the middle of the animal.
  const focus = () => plus(at().place, rotate(at().turned, walk.animal().box.centre));
  const FOLLOWS = 3.5; // per second
  // Follow the animal smoothly, so that its steps do not shake the picture; as far ahead as a follower stays behind.
  /** @type {(time: number) => void} */
  const follow = (time) => {
    const animal = walk.animal(),
      at = walk.at();
    if (!at) return;
    const goal = plus(focus(), times(1 / FOLLOWS, walk.walker()?.velocity ?? [0, 0, 0])),
      away = size(minus(goal, view.centre));
    view.reach = reachOf(animal);
    const fraction =
      seen === animal && away < 3 * animal.length ? 1 - Math.exp(-Math.min(0.1, (time - last) / 1000) * FOLLOWS) : 1;
    view.centre = plus(view.centre, times(fraction, minus(goal, view.centre)));
    [seen, last] = [animal, time];
  };
  // Raise the camera until it is above the ground.
  const camera = () => {
    const seen = orbit.shown(),
      { width, height } = frame.free,
      focal = (lens.LENS * frame.height) / 2;
    const part = [width, height].map((v) => (FILL * v) / focal),
      scale = focal / distanceOf(walk.animal(), part);
    for (let { pitch } = seen; ; pitch += 3) {
      const cam = lens.at({ ...seen, pitch }, { centre: view.centre, scale });
      if (pitch > 80 || !walk.ground() || cam.eye[1] > land.height(ground(), cam.eye[0], cam.eye[2]) + 0.05 * cam.far)
        return cam;
    }
  };
  // A breath does not disturb it.
  const isCalm = () => !walk.at() || size(minus(focus(), view.centre)) < 1e-3 * view.reach + walk.breath().way;

  // --- the scene ----------------------------------------------------------------------------

  /** @type {(v: number[], above?: number) => number[]} */
  const on = ([x, , z], above = 0) => [x, land.height(ground(), x, z) + above, z];
  /** @type {(points: number[][], r: number, colour: string) => Wire[]} */
  const path = (points, r, colour) => points.slice(1).map((b, i) => ({ a: points[i], b, r, colour }));
  // A line between two points, draped over the ground.
  /** @type {(a: number[], b: number[], above: number) => number[][]} */
  const draped = (a, b, above) => {
    const count = Math.ceil(size(minus(b, a)) / (0.12 * walk.animal().length)) + 1;
    return Array.from({ length: count + 1 }, (_, i) => on(plus(times(1 - i / count, a), times(i / count, b)), above));
  };
  /** @type {(centre: number[], r: number, above: number) => number[][]} */
  const circle = (centre, r, above) =>
    Array.from({ length: 13 }, (_, i) =>
      on(plus(centre, [r * Math.cos((i * Math.PI) / 6), 0, r * Math.sin((i * Math.PI) / 6)]), above),
    );

  /** The colour of a paint of the animal. @type {(paint: string) => string} */
  const colourOf = (paint) => walk.animal().colours[paint][draw.isDark() ? 1 : 0];
  const legs = () => {
    const { hips, knees, ankles, feet } = at(),
      { length: long, radii, sole, kneecap, inLine, anatomy } = walk.animal(),
      looked = leg.index();
    /** @type {Cone[]} */
    const solids = [];
    /** @type {(a: number[], b: number[], ra: number, rb: number, colour: string) => unknown} */
    const bone = (a, b, ra, rb, colour) => solids.push({ a, b, ra, rb, colour });
    /** @type {(a: number[], r: number, colour: string) => unknown} */
    const ball = (a, r, colour) => r > 0 && bone(a, a, r, r, colour);
    hips.forEach((hip, i) => {
      const r = radii[i],
        knee = knees[i],
        ankle = ankles[i],
        isStraight = anatomy.legs[i].third === 0,
        last = minus(isStraight ? knee : ankle, feet[i]),
        up = times(1 / Math.max(size(last), 1e-9 * long), last),
        tip = plus(feet[i], times(r.tip, up));
      // The leg that is looked at has the colours of the formula.
      const [first, second] = now.bones || looked === i ? ["r1", "r2"] : ["thighs", "shins"].map(colourOf);
      bone(hip, knee, r.hip, kneecap * r.knee, first);
      if (isStraight) bone(knee, tip, r.knee, r.tip, second);
      else {
        bone(knee, ankle, r.knee, r.ankle, second);
        const shin = minus(ankle, knee),
          across = minus(shin, times(dot(shin, up), up)),
          backwards = times(1 / Math.max(size(across), inLine * size(shin), 1e-9 * long), across),
          heel = plus(plus(ankle, times(r.heel, up)), times(r.under, backwards));
        bone(heel, tip, kneecap * r.ankle, kneecap * r.tip, colourOf("metatarsi"));
      }
      for (const joint of [hip, knee]) ball(joint, r.joint, colourOf("joints"));
      ball(plus(feet[i], times(sole * r.foot, up)), r.foot, colourOf("feet"));
    });
    return solids;
  };
  // The parts of body, head, tail and feet: {half, centre, axes, power, colour} or {a, b, ra, rb, colour}.
  /** The middle of a part. @type {(part: Part) => number[]} */
  const middleOf = (part) => part.centre ?? times(0.5, plus(part.start, part.end));
  /** @type {() => Part[]} */
  const body = () => {
    const stance = at(),
      { parts, links, tail: start, tip, anatomy } = walk.animal(),
      { along } = anatomy,
      feet = stance.feet.map((to, i) => ({ from: [0, 0, 0], to, turn: stance.soles[i] }));
    const hanging = linksAt(along, stance, links),
      tail = tailAt(along, stance, start, tip),
      tailway = minus(tip, start),
      square = dot(tailway, tailway) || 1;
    /** The link of the tail that bears a part: as far along it. @type {(middle: number[]) => Spot} */
    const linkOf = (middle) => {
      const part = dot(minus(middle, start), tailway) / square;
      return tail[Math.min(tail.length - 1, Math.max(0, Math.floor(part * tail.length)))];
    };
    /** @type {(part: Part) => Spot[]} */
    const spotsOf = (part) => {
      if (part.node === "foot") return feet;
      const link = links.findIndex((/** @type {Part} */ { node }) => node === part.node);
      if (link >= 0) return [hanging[link]];
      const middle = middleOf(part);
      return [part.node === "tail" ? linkOf(middle) : trunkAt(along, stance, middle[2])];
    };
    return parts.flatMap((/** @type {Part} */ part) => {
      const colour = colourOf(part.paint);
      return spotsOf(part).map((spot) => {
        if (part.half)
          return {
            half: part.half,
            power: part.power,
            axes: part.axes.map((/** @type {number[]} */ v) => rotate(spot.turn, v)),
            centre: placed(spot, part.centre),
            colour,
          };
        const a = placed(spot, part.start),
          isBall = size(minus(part.end, part.start)) === 0;
        return { a, b: isBall ? a : placed(spot, part.end), ra: part.radii[0], rb: part.radii[1], colour };
      });
    });
  };
  /** @type {() => Wire[]} */
  const marks = () => {
    const { place, feet, down } = at(),
      long = walk.animal().length,
      thin = 0.006 * long,
      high = 0.018 * long;
    /** @type {Wire[]} */
    const wires = [];
    feet.forEach(
      (/** @type {number[]} */ foot, /** @type {number} */ i) =>
        down[i] && wires.push(...path(circle(foot, 0.055 * long, high), thin, "soft-ink")),
    );
    if (now.polygon) {
      const { hull, margin } = walk.support(),
        colour = margin >= 0 ? "target" : "amber";
      hull.forEach((/** @type {number[]} */ a, /** @type {number} */ i) =>
        wires.push(...path(draped(a, hull[(i + 1) % hull.length], high), 1.3 * thin, colour)),
      );
      wires.push(...path(circle(place, 0.025 * long, high), 2 * thin, colour));
    }
    if (now.paths)
      for (const trail of walk.trails())
        for (let i = 1; i < trail.length; i++)
          if (trail[i][3] - trail[i - 1][3] < 150)
            wires.push({ a: trail[i - 1], b: trail[i], r: thin, colour: "across" });
    const goal = steering.goal();
    if (goal)
      wires.push(
        ...path(circle(goal, 0.16 * long, high), 1.5 * thin, "target"),
        ...path(circle(goal, 0.05 * long, high), 1.5 * thin, "target"),
      );
    return wires;
  };
  /**
   * Where the animal takes light of the sky from the ground: below its feet and its body.
   * @type {(boxes: Part[]) => import("../../stage/stage.js").Spot[]}
   */
  const spots = (boxes) => {
    const { length } = walk.animal(),
      lift = (/** @type {number[]} */ [x, y, z]) => Math.max(0, y - land.height(ground(), x, z));
    const feet = at().feet.map((foot) => ({
      at: foot,
      r: 0.09 * length,
      dark: 0.5 * Math.exp(-((lift(foot) / (0.12 * length)) ** 2)),
    }));
    const bulky = boxes.filter(({ half }) => Math.min(...half) > 0.09 * length);
    return feet.concat(
      bulky.map(({ centre, half: [a, , c] }) => {
        const small = 1.3 * Math.sqrt(a * c),
          r = Math.hypot(small, 0.55 * lift(centre));
        return { at: centre, r, dark: (0.45 * small) / r };
      }),
    );
  };
  // The ground extends until the fog hides it: see `range` in stage.js.
  const parts = (best = false) => {
    const far = camera().far;
    const made = body(),
      boxes = made.filter((v) => v.half);
    return {
      solids: [...legs(), ...made.filter((v) => v.a)],
      boxes,
      spots: spots(boxes),
      wires: marks(),
      glass: [],
      floor: 0,
      land: land.around(ground(), view.centre, far + 5.2 * view.reach, best || stage.isRound() ? 112 : 64),
    };
  };

  // --- 2D shapes ----------------------------------------------------------------------------

  /** @param {boolean} solid whether WebGL draws the solids */
  const shapes = (solid) => {
    if (!walk.at()) return [];
    const cam = camera(),
      to = (/** @type {number[]} */ v) => lens.project(cam, v).slice(0, 2),
      deep = (/** @type {number[]} */ v) => -dot(minus(v, cam.eye), cam.back);
    /** @type {import("../../stage/draw.js").Shape[]} */
    const all = [],
      { hips, knees, ankles } = at();
    if (!solid) {
      const made = body(),
        parts = { solids: [...legs(), ...made.filter((v) => v.a)], boxes: made.filter((v) => v.half) };
      all.push(flat.shadow(parts, cam, lens.project, (x, z) => land.height(ground(), x, z)));
      const cell = view.reach / 2,
        [cx, , cz] = view.centre.map((v) => Math.round(v / cell) * cell);
      for (let i = -7; i <= 7; i++)
        for (const along of [0, 2]) {
          /** @type {number[][]} */
          const line = Array.from({ length: 29 }, (_, k) =>
            on(along ? [cx + (k / 2 - 7) * cell, 0, cz + i * cell] : [cx + i * cell, 0, cz + (k / 2 - 7) * cell]),
          ).filter((v) => deep(v) > 0.1 * cam.far);
          if (line.length > 1) all.push({ line: line.map(to), stroke: "line", alpha: 0.9 * (1 - Math.abs(i) / 8) });
        }
      for (const { a, b, r, colour } of marks())
        if (deep(a) > 0.1 * cam.far)
          all.push({ line: [to(a), to(b)], stroke: colour, width: Math.max(1, 2 * r * lens.project(cam, a)[2]) });
      all.push(...flat.solids(parts, cam, lens.project));
    }
    if (now.triangles)
      hips.forEach((/** @type {number[]} */ hip, /** @type {number} */ i) => {
        all.push({ line: [hip, knees[i], ankles[i]].map(to), close: true, fill: "across", alpha: 0.16 });
        all.push({ line: [hip, ankles[i]].map(to), stroke: "across", width: 1.5, dash: [5, 4] });
      });
    return [...all, ...leg.shapes(cam)];
  };

  const say = () => {
    const at = walk.at();
    return at
      ? t`A walking ${nameOf(walk.animal())}: ${at.down.filter(Boolean).length} of ${at.down.length} feet on the ground`
      : t`No animal`;
  };

  return { say, view, camera, follow, isCalm, parts, shapes };
})();
