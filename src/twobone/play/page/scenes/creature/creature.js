// The animal in the picture: a camera that follows it, the scene for stage.js, the same as 2D shapes.
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { limb } from "../../limb/limb.js";
import { camera as lens } from "../../stage/camera.js";
import { frame } from "../../stage/frame.js";
import { stage } from "../../stage/stage.js";
import { orbit } from "../../stage/orbit.js";
import { flat } from "../../stage/flat.js";
import { land } from "./land.js";
import { steering } from "./steering.js";
import { walk } from "./walk.js";
import { leg, nameOf } from "./leg.js";

/** @import { Stance } from "./walk.js" */
/** @import { Terrain } from "../../walker/types.js" */

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
  const WIDE = 0.37,
    HIGH = 0.42; // pixels for `reach`, of each free one: the largest animal takes nearly all of the width
  /** @type {any} */
  let seen = null;
  let last = 0;
  // The point the camera looks at: between body and ground, so that the feet of long legs are in view.
  const focus = () => plus(at().place, [0, -Math.max(0.15 * walk.animal().leg, 0.38 * walk.animal().height), 0]);
  // Follow the animal smoothly, so that its steps do not shake the picture.
  /** @type {(time: number) => void} */
  const follow = (time) => {
    const animal = walk.animal(),
      at = walk.at();
    if (!at) return;
    const away = size(minus(focus(), view.centre));
    view.reach = Math.max(
      0.62 * Math.max(...animal.footholds.map((/** @type {number[]} */ [x, z]) => 2 * Math.hypot(x, z))),
      1.2 * animal.height,
      0.95 * animal.extent,
    );
    const fraction =
      seen === animal && away < 3 * animal.leg ? 1 - Math.exp(-Math.min(0.1, (time - last) / 1000) * 3.5) : 1;
    view.centre = plus(view.centre, times(fraction, minus(focus(), view.centre)));
    [seen, last] = [animal, time];
  };
  // Raise the camera until it is above the ground.
  const camera = () => {
    const seen = orbit.shown(),
      { width, height } = frame.free,
      scale = Math.min(WIDE * width, HIGH * height) / view.reach;
    for (let { pitch } = seen; ; pitch += 3) {
      const cam = lens.at({ ...seen, pitch }, { centre: view.centre, scale });
      if (pitch > 80 || !walk.ground() || cam.eye[1] > land.height(ground(), cam.eye[0], cam.eye[2]) + 0.05 * cam.far)
        return cam;
    }
  };
  const isCalm = () => !walk.at() || size(minus(focus(), view.centre)) < 1e-3 * view.reach;

  // --- the scene ----------------------------------------------------------------------------

  /** @type {(v: number[], above?: number) => number[]} */
  const on = ([x, , z], above = 0) => [x, land.height(ground(), x, z) + above, z];
  /** @type {(points: number[][], r: number, colour: string) => Wire[]} */
  const path = (points, r, colour) => points.slice(1).map((b, i) => ({ a: points[i], b, r, colour }));
  // A line between two points, draped over the ground.
  /** @type {(a: number[], b: number[], above: number) => number[][]} */
  const draped = (a, b, above) => {
    const count = Math.ceil(size(minus(b, a)) / (0.12 * walk.animal().leg)) + 1;
    return Array.from({ length: count + 1 }, (_, i) => on(plus(times(1 - i / count, a), times(i / count, b)), above));
  };
  /** @type {(centre: number[], r: number, above: number) => number[][]} */
  const circle = (centre, r, above) =>
    Array.from({ length: 13 }, (_, i) =>
      on(plus(centre, [r * Math.cos((i * Math.PI) / 6), 0, r * Math.sin((i * Math.PI) / 6)]), above),
    );

  const legs = () => {
    const { hips, knees, feet } = at(),
      { leg: long, radii, hocks, sole, kneecap } = walk.animal(),
      looked = leg.index();
    /** @type {Cone[]} */
    const solids = [];
    /** @type {(a: number[], b: number[], ra: number, rb: number, colour: string) => unknown} */
    const bone = (a, b, ra, rb, colour) => solids.push({ a, b, ra, rb, colour });
    /** @type {(a: number[], r: number, colour: string) => unknown} */
    const ball = (a, r, colour) => r > 0 && bone(a, a, r, r, colour);
    hips.forEach((/** @type {number[]} */ hip, /** @type {number} */ i) => {
      const r = radii[i],
        hock = leg.hockOf(i),
        shin = minus(hock ?? knees[i], feet[i]),
        up = times(1 / Math.max(size(shin), 1e-9 * long), shin);
      // While a leg is looked at, only that leg has colours; a bent shin has none beside its straight second bone.
      const isPlain = looked >= 0 && looked !== i,
        [first, sphere] = isPlain ? ["joints", "joints"] : ["r1", "joint"];
      const second = isPlain || (hock && looked >= 0) ? "light" : "r2";
      bone(hip, knees[i], r.hip, kneecap * r.knee, first);
      const ankle = plus(feet[i], times(r.ankle, up));
      if (hock) {
        bone(knees[i], hock, r.knee, hocks[i].radius, second);
        bone(plus(hock, times(hocks[i].heel, up)), ankle, hocks[i].radius, r.ankle, second);
      } else bone(knees[i], ankle, r.knee, r.ankle, second);
      for (const joint of [hip, knees[i]]) ball(joint, r.joint, "joints");
      ball(plus(feet[i], times(sole * r.foot, up)), r.foot, sphere);
    });
    return solids;
  };
  // The parts of body, head, tail and feet: {half, centre, axes, power, colour} or {a, b, ra, rb, colour}.
  /** @type {Record<string, string>} */
  const PAINTS = { accent: "joint", feet: "joint" };
  // The height and the rotation of the trunk at z = `along`; null if it is stiff. See pictures/trunk.py.
  /** @type {(along: number) => { at: number[], height: number, turn: number[] } | null} */
  const onTrunk = (along) => {
    const { bend } = at();
    if (!bend.some(Boolean)) return null;
    const [c, d, e, f] = bend,
      height = c + along * (d + along * (e + along * f)),
      slope = d + along * (2 * e + along * (3 * f));
    const upright = 1 + Math.sqrt(1 + slope * slope),
      long = Math.hypot(slope, upright);
    return { at: [0, 0, along], height, turn: [-slope / long, 0, 0, upright / long] };
  };
  /** @type {() => Part[]} */
  const body = () => {
    const { place, turned, feet, soles } = at();
    return walk.animal().parts.flatMap((/** @type {Part} */ part) => {
      const colour = PAINTS[part.paint] ?? part.paint,
        pivot = walk.animal().pivots[part.node];
      const end = pivot && at()[/** @type {"head" | "tail"} */ (part.node)],
        middle = part.centre ?? times(0.5, plus(part.start, part.end));
      // Where on a trunk that bends the part sits, and how the trunk moves and pitches there.
      const trunk = part.node === "foot" ? null : onTrunk((pivot ?? middle)[2]);
      /** @type {(v: number[]) => number[]} */
      const ownAxis = (v) => {
        const turned = end ? walk.rotate(end, v) : v;
        return trunk ? walk.rotate(trunk.turn, turned) : turned;
      };
      /** @type {(v: number[]) => number[]} */
      const own = (v) => {
        if (!trunk) return pivot ? plus(pivot, ownAxis(minus(v, pivot))) : v;
        // A head is attached at its pivot; a part of the body to the middle of the trunk.
        const from = pivot ?? trunk.at;
        return plus(plus(from, [0, trunk.height, 0]), ownAxis(minus(v, from)));
      };
      const spots =
        part.node === "foot"
          ? feet.map((/** @type {number[]} */ foot, /** @type {number} */ i) => [foot, soles[i]])
          : [[place, turned]];
      return spots.map((/** @type {number[][]} */ [spot, turn]) => {
        /** @type {(v: number[]) => number[]} */
        const to = (v) => plus(spot, walk.rotate(turn, own(v)));
        if (part.half)
          return {
            half: part.half,
            power: part.power,
            axes: part.axes.map((/** @type {number[]} */ v) => walk.rotate(turn, ownAxis(v))),
            centre: to(part.centre),
            colour,
          };
        const a = to(part.start),
          ball = size(minus(part.end, part.start)) === 0;
        return { a, b: ball ? a : to(part.end), ra: part.radii[0], rb: part.radii[1], colour };
      });
    });
  };
  /** @type {() => Wire[]} */
  const marks = () => {
    const { place, feet, down } = at(),
      long = walk.animal().leg,
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
  // The ground extends until the fog hides it: see `range` in stage.js.
  const parts = (best = false) => {
    const far = camera().far;
    const made = body();
    return {
      solids: [...legs(), ...made.filter((v) => v.a)],
      boxes: made.filter((v) => v.half),
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
      { hips, knees, feet } = at();
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
        all.push({ line: [hip, knees[i], feet[i]].map(to), close: true, fill: "across", alpha: 0.16 });
        all.push({ line: [hip, feet[i]].map(to), stroke: "across", width: 1.5, dash: [5, 4] });
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
