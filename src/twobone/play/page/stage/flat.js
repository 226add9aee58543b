// Solids as flat 2D shapes, where WebGL does not draw them: round cones and superellipsoids from back to front,
// over the shadow that the sun casts on the ground. They are those of a scene of stage.js.
import { hullOf } from "./hull.js";
import { limb } from "../limb/limb.js";
import { stage } from "./stage.js";

/** @typedef {import("./draw.js").Shape} Shape */
/** @typedef {import("./stage.js").Solid} Solid */
/** @typedef {import("./stage.js").Box} Box */
/** @typedef {import("./stage.js").View & { at: number[] }} View */
/** A point in pixels, and the pixels per unit at its depth. @typedef {(cam: View, v: number[]) => number[]} Project */
/** @typedef {{ at: number[][], r: number[], colour: string }} Piece the ends of a round cone, and their radii */

export const flat = (() => {
  const { plus, minus, times, dot, size, unit } = limb.vectors;
  const FINE = 0.1; // pixels that the sides of an outline may be off its arc: less than is seen
  const MOST = 24; // pieces of a cone: one that is longer than that many times its radius is nearly a line

  // --- outlines -----------------------------------------------------------------------------

  /** @type {(disc: number[], from: number, to: number) => number[][]} */
  const arc = ([x, y, r], from, to) => {
    const count = Math.ceil((to - from) / (2 * Math.acos(1 - FINE / Math.max(r, 2 * FINE))));
    return Array.from({ length: count + 1 }, (_, i) => {
      const a = from + ((to - from) * i) / count;
      return [x + r * Math.cos(a), y + r * Math.sin(a)];
    });
  };
  /** The outline of two discs and of what lies between them. @type {(one: number[], other: number[]) => Shape} */
  const capsule = (one, other) => {
    const [along, across] = minus(other, one),
      away = Math.hypot(along, across),
      apart = one[2] - other[2];
    if (away <= Math.abs(apart)) return { disc: apart > 0 ? one : other };
    const way = Math.atan2(across, along),
      half = Math.acos(apart / away);
    return {
      line: [...arc(one, way + half, way + 2 * Math.PI - half), ...arc(other, way - half, way + half)],
      close: true,
    };
  };
  // Points on a superellipsoid whose half axes are 1: `around` times `high`, and its poles. They are kept.
  /** @type {Map<string, number[][]>} */
  const forms = new Map();
  /** @type {(power: number, around: number, high: number) => number[][]} */
  const form = (power, around, high) => {
    const key = `${power},${around},${high}`,
      known = forms.get(key);
    if (known) return known;
    const points = [];
    for (let i = 0; i <= high; i++)
      for (let j = 0; j < around; j++) {
        const a = (i / high - 0.5) * Math.PI,
          b = (2 * Math.PI * j) / around;
        const v = [Math.cos(a) * Math.cos(b), Math.sin(a), Math.cos(a) * Math.sin(b)];
        points.push(times(v.reduce((sum, part) => sum + Math.abs(part) ** power, 0) ** (-1 / power), v));
      }
    forms.set(key, points);
    return points;
  };
  /** @type {(box: Box, around: number, high: number) => number[][]} */
  const surface = ({ half, axes: [u, v, w], centre, power }, around, high) =>
    form(power, around, high).map(([x, y, z]) => {
      const [a, b, c] = [x * half[0], y * half[1], z * half[2]];
      return [0, 1, 2].map((i) => centre[i] + a * u[i] + b * v[i] + c * w[i]);
    });

  // --- from back to front -------------------------------------------------------------------

  /**
   * A cone as pieces that are about as long as their radius: each is then in front of or behind what it touches.
   * @type {(solid: Solid) => Piece[]}
   */
  const pieces = ({ a, b = a, r = 0, ra = r, rb = r, colour }) => {
    const count = Math.min(MOST, Math.max(1, Math.ceil((2 * size(minus(b, a))) / (ra + rb || 1))));
    const at = (/** @type {number} */ i) => plus(a, times(i / count, minus(b, a))),
      radius = (/** @type {number} */ i) => ra + ((rb - ra) * i) / count;
    return Array.from({ length: count }, (_, i) => ({ at: [at(i), at(i + 1)], r: [radius(i), radius(i + 1)], colour }));
  };
  /** A point in the axes of a box, in which it is |x|^p + |y|^p + |z|^p < 1. @type {(v: number[], box: Box) => number[]} */
  const own = ([x, y, z], { half, axes, centre: [a, b, c] }) =>
    axes.map(([u, v, w], i) => ((x - a) * u + (y - b) * v + (z - c) * w) / half[i]);
  /** @type {(x: number, y: number, z: number, power: number) => number} */
  const valueAt = (x, y, z, power) => Math.abs(x) ** power + Math.abs(y) ** power + Math.abs(z) ** power;
  /**
   * Whether a ray meets a box before a point, where it is 1, or beyond it: both ends in the axes of the box.
   * @type {(eye: number[], point: number[], power: number, isBeyond: boolean) => boolean}
   */
  const meets = ([x, y, z], [a, b, c], power, isBeyond) => {
    const [u, v, w] = [a - x, b - y, c - z],
      long = u * u + v * v + w * w,
      closest = -(x * u + y * v + z * w) / long;
    // The box is in a ball with this radius, the rest of the ray that is in it from `low` to `high`.
    const far = x * x + y * y + z * z - closest * closest * long,
      within = Math.max(1, 3 ** (1 - 2 / power)) - far;
    if (within <= 0) return false;
    const half = Math.sqrt(within / long);
    let [low, high] = [
      Math.max(closest - half, isBeyond ? 1 : 0),
      isBeyond ? closest + half : Math.min(closest + half, 1),
    ];
    if (low >= high) return false;
    // The value has one minimum along a ray.
    for (let i = 0; i < 16; i++) {
      const third = (high - low) / 3,
        [s, t] = [low + third, high - third];
      const [first, second] = [
        valueAt(x + s * u, y + s * v, z + s * w, power),
        valueAt(x + t * u, y + t * v, z + t * w, power),
      ];
      if (first < 1 || second < 1) return true;
      if (first < second) high = t;
      else low = s;
    }
    return false;
  };

  /**
   * Return solids and boxes as shapes, from back to front.
   * @param {{ solids: Solid[], boxes?: Box[] }} parts
   * @param {View} cam
   * @param {Project} project
   * @returns {Shape[]}
   */
  const solids = ({ solids: cones, boxes = [] }, cam, project) => {
    const to = (/** @type {number[]} */ v) => project(cam, v),
      deep = (/** @type {number[]} */ v) => -dot(minus(v, cam.eye), cam.back);
    const behind = boxes.toSorted((u, v) => deep(v.centre) - deep(u.centre)),
      eyes = behind.map((box) => own(cam.eye, box));
    // The pieces that are drawn before each box, and after the last one.
    const layers = Array.from(
      { length: behind.length + 1 },
      () => /** @type {{ piece: Piece, near: number }[]} */ ([]),
    );
    for (const piece of cones.flatMap(pieces)) {
      const fronts = piece.at.map((v, end) => minus(v, times(piece.r[end], unit(minus(v, cam.eye)))));
      // A piece is drawn before the first box that hides it, or else after the last one that it hides.
      const ends = behind.map((box) => fronts.map((v) => own(v, box)));
      const isMet = (/** @type {number} */ i, /** @type {boolean} */ isBeyond) =>
        ends[i].some((v) => meets(eyes[i], v, behind[i].power, isBeyond));
      const hiding = behind.findIndex((_, i) => isMet(i, false)),
        layer = hiding < 0 ? behind.findLastIndex((_, i) => isMet(i, true)) + 1 : hiding;
      // A ball is in front of the cones that begin in its centre, if it is thicker.
      layers[layer].push({ piece, near: Math.max(...fronts.map(deep)) });
    }
    return layers.flatMap((layer, i) => {
      /** @type {Shape[]} */
      const shapes = layer
        .sort((u, v) => v.near - u.near)
        .map(({ piece: { at, r, colour } }) => {
          const [one, other] = at.map((v, end) => {
            const [x, y, k] = to(v);
            return [x, y, k * r[end]];
          });
          return { ...capsule(one, other), fill: colour };
        });
      const box = behind[i];
      if (!box) return shapes;
      // Of one that sticks in others, only what is outside of them.
      const others = behind.filter(
        (other) => other !== box && size(minus(other.centre, box.centre)) < size(other.half) + size(box.half),
      );
      const outside = surface(box, 24, 12).filter((v) =>
        others.every((other) => {
          const [x, y, z] = own(v, other);
          return valueAt(x, y, z, other.power) >= 1;
        }),
      );
      return outside.length > 2
        ? [...shapes, { line: hullOf(outside.map(to)), close: true, fill: box.colour }]
        : shapes;
    });
  };

  // --- their shadow -------------------------------------------------------------------------

  /**
   * Return the shadow of solids and boxes on the ground, as one shape.
   * @param {{ solids: Solid[], boxes?: Box[], isHigh?: boolean }} parts
   * @param {View} cam
   * @param {Project} project
   * @param {(x: number, z: number) => number} height of the ground
   * @returns {Shape}
   */
  const shadow = ({ solids: cones, boxes = [], isHigh }, cam, project, height) => {
    const sun = stage.sun(!!isHigh),
      to = (/** @type {number[]} */ v) => project(cam, v).slice(0, 2);
    // Where the sun casts a point: on hills, closer to it with each step.
    const cast = (/** @type {number[]} */ v) => {
      let [x, , z] = v;
      for (let i = 0; i < 3; i++) {
        const far = (v[1] - height(x, z)) / sun[1];
        [x, z] = [v[0] - far * sun[0], v[2] - far * sun[2]];
      }
      return [x, height(x, z), z];
    };
    const CORNERS = Array.from({ length: 8 }, (_, i) => [Math.cos((i * Math.PI) / 4), Math.sin((i * Math.PI) / 4)]);
    const round = (/** @type {number[]} */ v, /** @type {number} */ r) =>
      CORNERS.map(([x, z]) => plus(v, [r * x, 0, r * z]));
    const ofCones = cones.map(({ a, b = a, r = 0, ra = r, rb = r }) => [...round(cast(a), ra), ...round(cast(b), rb)]);
    const ofBoxes = boxes.map((box) => surface(box, 8, 4).map(cast));
    return { areas: [...ofCones, ...ofBoxes].map((points) => hullOf(points.map(to))), fill: "shade" };
  };

  return { solids, shadow };
})();
