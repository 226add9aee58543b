// The limb in space: the view, the limb as solids for stage.js, and the same as 2D shapes.
import { limb } from "../../limb/limb.js";
import { frame } from "../../stage/frame.js";
import { camera } from "../../stage/camera.js";
import { flat } from "../../stage/flat.js";
import { labels } from "../../stage/labels.js";
import { t } from "../../texts/texts.js";

/** @typedef {import("../../state/state.js").State} State */
/** @typedef {import("../../stage/draw.js").Shape} Shape */
/** @typedef {import("../../stage/camera.js").View} View */
/** @typedef {{ a: number[], b: number[], ra: number, rb: number, colour: string }} Cone */

export const space = (() => {
  const { plus, minus, times, dot, size, unit, cross } = limb.vectors;

  // `extents`: how far things go from the centre, across, up and towards the viewer, and how many pixels their labels
  // take beyond that.
  const view = {
    centre: [0, 0, 0],
    reach: 1.4,
    extents: [[1.4, 1.4, 0, 0]],
  };
  const ROOM = 0.9; // of the free part: what the limb takes
  const LABEL = 28; // pixels from the tip of the pole

  // Pixels per unit without a zoom: the whole reach fits the free part, and what there is beyond it. What is
  // nearer than the centre is larger by the perspective.
  const scaleOf = () => {
    const { width, height } = frame.free,
      { reach, extents } = view;
    const least = extents
      .flatMap(([across, up, near, label]) => [
        [width, across, near],
        [height - 2 * label, up, near],
      ])
      .map(([room, far, near]) => room / (far + (near * room) / (camera.LENS * frame.height)));
    return (ROOM / 2) * Math.min(width / reach, height / reach, ...least);
  };
  /** @type {(s: State) => View} */
  const at = (s) => camera.at(s, { centre: view.centre, scale: scaleOf() });

  /** @param {State} s */
  const fit = (s) => {
    view.centre = s.root.slice();
    view.reach = Math.max(s.r1 + s.r2, size(minus(s.target, s.root)) * 0.9) || 1;
    // Both spheres, of which the outline is in front of the middle, and the pole with its label.
    const { right, up, back } = at(s);
    view.extents = [
      [s.root, s.r1, s.r1 / 2, 0],
      [s.target, s.r2, s.r2 / 2, 0],
      [poleTip(s), 0, 0, LABEL],
    ].map((/** @type {any} */ [at, r, near, label]) => {
      const way = minus(at, s.root);
      return [Math.abs(dot(way, right)) + r, Math.abs(dot(way, up)) + r, dot(way, back) + near, label];
    });
  };
  /** @type {(s: State) => number} */
  const floorOf = (s) => s.root[1] - 1.02 * view.reach;
  /** @type {(s: State) => number[]} */
  const poleTip = (s) => plus(s.root, times(0.8 * view.reach, unit(s.pole)));

  // --- curves -------------------------------------------------------------------------------

  /** @type {(centre: number[], u: number[], v: number[], count?: number) => number[][]} */
  const circle = (centre, u, v, count = 72) =>
    Array.from({ length: count + 1 }, (_, i) => {
      const a = (2 * Math.PI * i) / count;
      return plus(centre, plus(times(Math.cos(a), u), times(Math.sin(a), v)));
    });
  // Two unit vectors perpendicular to an axis and to each other.
  /** @type {(axis: number[]) => number[][]} */
  const perpendiculars = (axis) => {
    const least = Math.abs(axis[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0];
    const u = unit(cross(axis, least));
    return [u, cross(axis, u)];
  };
  // The visible outline of a sphere is this circle.
  /** @type {(cam: View, centre: number[], r: number) => number[][]} */
  const outline = (cam, centre, r) => {
    const away = minus(cam.eye, centre),
      d = size(away);
    if (d <= r * 1.001) return [];
    const [u, v] = perpendiculars(unit(away)),
      ratio = r / d,
      wide = r * Math.sqrt(1 - ratio * ratio);
    return circle(plus(centre, times(r * ratio, unit(away))), times(wide, u), times(wide, v));
  };
  // The circle in which the two spheres intersect.
  /** @type {(s: State, found: any) => number[][]} */
  const intersection = (s, found) => {
    const [u, v] = perpendiculars(unit(found.p)),
      r = found.s * found.far;
    return circle(plus(s.root, found.q), times(r, u), times(r, v));
  };

  // --- the scene ----------------------------------------------------------------------------

  /** @param {State} s @param {any} found */
  const parts = (s, found) => {
    const joint = plus(s.root, found.joint),
      end = plus(s.root, found.end),
      other = plus(s.root, found.other);
    const thin = 0.026 * view.reach;
    /** @type {Cone[]} */
    const solids = [];
    const glass = [],
      wires = [];
    /** @type {(a: number[], b: number[], ra: number, rb: number, colour: string) => unknown} */
    const bone = (a, b, ra, rb, colour) => solids.push({ a, b, ra, rb, colour });
    /** @type {(a: number[], r: number, colour: string) => unknown} */
    const ball = (a, r, colour) => bone(a, a, r, r, colour);
    if (Number.isFinite(joint[0])) {
      bone(s.root, joint, 1.5 * thin, thin, "r1");
      bone(joint, end, thin, 0.7 * thin, "r2");
      ball(joint, 1.5 * thin, "joint");
      if (found.s > 0) ball(other, 0.9 * thin, "joint-ghost");
    }
    ball(s.root, 1.9 * thin, "ink");
    ball(s.target, 1.4 * thin, "target");
    if (found.s > 0) {
      const points = intersection(s, found);
      for (let i = 1; i < points.length; i++)
        wires.push({ a: points[i - 1], b: points[i], r: 0.22 * thin, colour: "across" });
    }
    glass.push({ a: s.root, r: s.r1, colour: "r1" }, { a: s.target, r: s.r2, colour: "r2" });
    return { solids, wires, glass, floor: floorOf(s), isFixed: true, isHigh: true, joint, end, other };
  };

  /** What changes on the first screen, and beside the controls, where handles of both lengths are shown. */
  const look = { isPlain: () => false, hasLengths: () => false };

  /** @param {State} s @param {any} found @param {boolean} solid */
  const shapes = (s, found, solid) => {
    const cam = at(s),
      { solids, wires, glass, floor, isHigh, joint, end, other } = parts(s, found);
    /** @type {Shape[]} */
    const all = [];
    const to = (/** @type {number[]} */ v) => camera.project(cam, v).slice(0, 2);
    /** @type {(shape: Shape) => unknown} */
    const add = (shape) => all.push(shape);
    /** @type {(points: number[][], shape: Shape) => unknown} */
    const line = (points, shape) => points.length > 0 && add({ line: points.map(to), ...shape });
    if (!solid) {
      add(flat.shadow({ solids: [...solids, ...wires], isHigh }, cam, camera.project, () => floor));
      const [cx, , cz] = view.centre,
        step = view.reach / 2;
      for (let i = -6; i <= 6; i++) {
        const alpha = 0.9 * (1 - Math.abs(i) / 7);
        line(
          [
            [cx + i * step, floor, cz - 6 * step],
            [cx + i * step, floor, cz + 6 * step],
          ],
          { stroke: "line", alpha },
        );
        line(
          [
            [cx - 6 * step, floor, cz + i * step],
            [cx + 6 * step, floor, cz + i * step],
          ],
          { stroke: "line", alpha },
        );
      }
      for (const { a, r, colour } of glass) {
        line(outline(cam, a, r), { fill: colour, alpha: 0.07, close: true });
        const [x, z] = [
          [r, 0, 0],
          [0, 0, r],
        ];
        line(circle(a, x, z), { stroke: colour, dash: [2, 4] });
      }
      for (const { a, b, r, colour } of wires)
        line([a, b], { stroke: colour, width: 2 * r * camera.project(cam, a)[2] });
      for (const shape of flat.solids({ solids }, cam, camera.project)) add(shape);
    }
    for (const { a, r, colour } of glass) line(outline(cam, a, r), { stroke: colour, width: 1.5, close: true });
    line([s.root, poleTip(s)], { stroke: "soft-ink", width: 1.5, dash: [2, 4] });
    line([s.root, s.target], { stroke: "edge" });
    if (Number.isFinite(joint[0])) {
      if (found.s > 0) {
        line([s.root, other], { stroke: "r1-ghost", width: 3, dash: [7, 6] });
        line([other, end], { stroke: "r2-ghost", width: 3, dash: [7, 6] });
        const foot = plus(s.root, found.q);
        line([foot, joint], { stroke: "across", width: 1.5, dash: [5, 4] });
      }
      if (size(minus(end, s.target)) > 1e-9 * view.reach)
        line([end, s.target], { stroke: "amber", width: 2, dash: [2, 5] });
    }
    /** @type {(import("../../stage/labels.js").Label & { off: number[] })[]} */
    const names = [];
    /** @type {(text: string, v: number[], off: number[], fill: string, style?: { italic?: boolean, size: number }) => unknown} */
    const label = (text, v, off, fill, style = { italic: true, size: 22 }) =>
      names.push({ text, at: to(v), off, fill, ...style });
    const known = Number.isFinite(joint[0]),
      [rx] = to(s.root),
      [jx] = to(known ? joint : s.root),
      out = jx < rx ? -24 : 24;
    // On the side where the joint is.
    const beside = (/** @type {number[]} */ a, /** @type {number[]} */ b) => labels.beside(to(a), to(b), [out, 0], 24);
    // Words instead of symbols on the first screen.
    const isPlain = look.isPlain(),
      name = (
        /** @type {string} */ symbol,
        /** @type {string} */ words,
        /** @type {number[]} */ v,
        /** @type {number[]} */ off,
        /** @type {string} */ fill,
      ) => (isPlain ? label(words, v, times(1.5, off), fill, { size: 16 }) : label(symbol, v, off, fill));
    if (known) name("x", t`elbow`, joint, [out, -16], "joint");
    name("p", t`hand`, s.target, [22, -12], "target");
    if (!isPlain && known) {
      label("r₁", times(0.5, plus(s.root, joint)), beside(s.root, joint), "r1");
      label("r₂", times(0.5, plus(joint, end)), beside(joint, end), "r2");
      if (found.s > 0) label("q", plus(s.root, found.q), [0, 22], "across");
    }
    label(t`shoulder`, s.root, [-1.5 * out, 24], "ink", { size: isPlain ? 16 : 13 });
    label(t`pole`, poleTip(s), [0, -20], "soft-ink", { size: 13 });
    // Labels stay off the limb, its other solution and the circle between the spheres.
    const crossed = known
      ? [[s.root, joint, end], ...(found.s > 0 ? [[s.root, other, end], intersection(s, found)] : [])].map((points) =>
          points.map(to),
        )
      : [];
    const way = unit(found.p),
      lengths = look.hasLengths() ? [minus(s.root, times(s.r1, way)), plus(s.target, times(s.r2, way))] : [];
    const marks = [s.root, s.target, ...(known ? [joint] : []), poleTip(s), ...lengths].map((v) => [...to(v), 8]);
    labels.place(names, marks, frame, crossed).forEach(add);
    if (!solid) {
      add({ disc: [...to(s.target), 6], fill: "target", name: "target" });
      if (Number.isFinite(joint[0])) add({ disc: [...to(joint), 6], fill: "joint", name: "joint" });
    }
    return all;
  };

  return { view, look, camera: at, fit, parts, shapes, poleTip };
})();
