// The Space scene: an orbiting camera, the limb as solids for stage.js, and the same as 2D shapes.
import { limb } from "./limb.js";
import { flat } from "./flat.js";
import { labels } from "./labels.js";
import { t } from "./texts.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./draw.js").Shape} Shape */
/** @typedef {{ a: number[], b: number[], ra: number, rb: number, colour: string }} Cone */

export const space = (() => {
  const { plus, minus, times, dot, size, unit, cross } = limb.vectors;

  // `near`: how much closer the camera comes in a picture that is narrower than high. `aside`: how far
  // to the right the centre lies, in pixels, and `down` how far below the middle, because of the words of
  // the first screen; `clear` is the height that they leave free, `share` how much of its usual size an
  // animal has beside them.
  const view = { centre: [0, 0, 0], reach: 1.4, near: 1, aside: 0, down: 0, clear: 600, share: 1, width: 800, height: 600, free: { left: 0, top: 0, width: 800, height: 600 } };
  const LENS = 2.2, NEAR = 1.3;

  /** @typedef {{ back: number[], right: number[], up: number[], eye: number[], centre: number[], far: number, lens: number }} Camera */
  // The camera: its axes, its position and its distance from the centre.
  /** @type {(s: { yaw: number, pitch: number, zoom: number }, view?: { centre: number[], reach: number, near?: number, aside?: number, down?: number }) => Camera} */
  const camera = (s, { centre: middle, reach, near = 1, aside = 0, down = 0 } = view) => {
    const yaw = (s.yaw * Math.PI) / 180, pitch = (s.pitch * Math.PI) / 180;
    const back = [Math.sin(yaw) * Math.cos(pitch), Math.sin(pitch), Math.cos(yaw) * Math.cos(pitch)];
    const right = [Math.cos(yaw), 0, -Math.sin(yaw)], up = cross(back, right);
    const tall = Math.min(1, view.width / view.height);
    const far = (3.1 * reach) / s.zoom / tall / Math.min(near, 1 / tall);
    const pixel = (2 * far) / (LENS * view.height);
    const centre = aside || down ? plus(middle, plus(times(-aside * pixel, right), times(down * pixel, up))) : middle;
    return { back, right, up, far, eye: plus(centre, times(far, back)), centre, lens: LENS };
  };
  // Project a point to pixels; return x, y and the pixels per unit at its depth.
  /** @type {(cam: Camera, v: number[]) => number[]} */
  const project = (cam, v) => {
    const d = minus(v, cam.eye), depth = Math.max(1e-3 * cam.far, -dot(d, cam.back));
    const k = (cam.lens * view.height) / 2 / depth;
    return [view.width / 2 + k * dot(d, cam.right), view.height / 2 - k * dot(d, cam.up), k];
  };
  // The point at a position in pixels, at the depth of another point.
  /** @type {(cam: Camera, pixels: number[], like: number[]) => number[]} */
  const unproject = (cam, [x, y], like) => {
    const k = project(cam, like)[2], depth = -dot(minus(like, cam.eye), cam.back);
    const aside = plus(times((x - view.width / 2) / k, cam.right), times((view.height / 2 - y) / k, cam.up));
    return plus(plus(cam.eye, times(-depth, cam.back)), aside);
  };

  // How much of its usual size an animal has where this many pixels are free: the legs of the largest take this
  // share of the shorter side of the picture.
  const WIDEST = 0.88;
  /** @type {(free: number) => number} */
  const shareOf = (free) => Math.min(1, free / (WIDEST * Math.min(view.width, view.height)));

  /** @param {State} s */
  const fit = (s) => {
    view.centre = s.root.slice();
    view.reach = Math.max(s.r1 + s.r2, size(minus(s.target, s.root)) * 0.9) || 1;
    // A narrow picture shows both spheres if they are narrower than the whole reach.
    const { right, up } = camera(s), way = minus(s.target, s.root), far = (/** @type {number[]} */ axis) => Math.max(s.r1, Math.abs(dot(way, axis)) + s.r2);
    const high = (view.reach * view.clear) / view.width / Math.max(far(up), 0.9 * view.reach); // with the pole
    view.near = Math.max(1, Math.min(NEAR, view.reach / far(right), high));
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
  /** @type {(cam: Camera, centre: number[], r: number) => number[][]} */
  const outline = (cam, centre, r) => {
    const away = minus(cam.eye, centre), d = size(away);
    if (d <= r * 1.001) return [];
    const [u, v] = perpendiculars(unit(away)), ratio = r / d, wide = r * Math.sqrt(1 - ratio * ratio);
    return circle(plus(centre, times(r * ratio, unit(away))), times(wide, u), times(wide, v));
  };
  // The circle in which the two spheres intersect.
  /** @type {(s: State, found: any) => number[][]} */
  const intersection = (s, found) => {
    const [u, v] = perpendiculars(unit(found.p)), r = found.s * found.far;
    return circle(plus(s.root, found.q), times(r, u), times(r, v));
  };

  // --- the scene ----------------------------------------------------------------------------

  /** @param {State} s @param {any} found */
  const parts = (s, found) => {
    const joint = plus(s.root, found.joint), end = plus(s.root, found.end), other = plus(s.root, found.other);
    const thin = 0.026 * view.reach;
    /** @type {Cone[]} */
    const solids = [];
    const glass = [], wires = [];
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
      for (let i = 1; i < points.length; i++) wires.push({ a: points[i - 1], b: points[i], r: 0.22 * thin, colour: "across" });
    }
    glass.push({ a: s.root, r: s.r1, colour: "r1" }, { a: s.target, r: s.r2, colour: "r2" });
    return { solids, wires, glass, floor: floorOf(s), isFixed: true, isHigh: true, joint, end, other };
  };

  /** What changes on the first screen. */
  const look = { isPlain: () => false };

  /** @param {State} s @param {any} found @param {boolean} solid */
  const shapes = (s, found, solid) => {
    const cam = camera(s), { solids, wires, glass, floor, isHigh, joint, end, other } = parts(s, found);
    /** @type {Shape[]} */
    const all = [];
    const at = (/** @type {number[]} */ v) => project(cam, v).slice(0, 2);
    /** @type {(shape: Shape) => unknown} */
    const add = (shape) => all.push(shape);
    /** @type {(points: number[][], shape: Shape) => unknown} */
    const line = (points, shape) => points.length > 0 && add({ line: points.map(at), ...shape });
    if (!solid) {
      add(flat.shadow({ solids: [...solids, ...wires], isHigh }, cam, project, () => floor));
      const [cx, , cz] = view.centre, step = view.reach / 2;
      for (let i = -6; i <= 6; i++) {
        const alpha = 0.9 * (1 - Math.abs(i) / 7);
        line([[cx + i * step, floor, cz - 6 * step], [cx + i * step, floor, cz + 6 * step]], { stroke: "line", alpha });
        line([[cx - 6 * step, floor, cz + i * step], [cx + 6 * step, floor, cz + i * step]], { stroke: "line", alpha });
      }
      for (const { a, r, colour } of glass) {
        line(outline(cam, a, r), { fill: colour, alpha: 0.07, close: true });
        const [x, z] = [[r, 0, 0], [0, 0, r]];
        line(circle(a, x, z), { stroke: colour, dash: [2, 4] });
      }
      for (const { a, b, r, colour } of wires) line([a, b], { stroke: colour, width: 2 * r * project(cam, a)[2] });
      for (const shape of flat.solids({ solids }, cam, project)) add(shape);
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
      if (size(minus(end, s.target)) > 1e-9 * view.reach) line([end, s.target], { stroke: "amber", width: 2, dash: [2, 5] });
    }
    /** @type {(import("./labels.js").Label & { off: number[] })[]} */
    const names = [];
    /** @type {(text: string, v: number[], off: number[], fill: string, style?: { italic?: boolean, size: number }) => unknown} */
    const label = (text, v, off, fill, style = { italic: true, size: 22 }) => names.push({ text, at: at(v), off, fill, ...style });
    const known = Number.isFinite(joint[0]), [rx] = at(s.root), [jx] = at(known ? joint : s.root), out = jx < rx ? -24 : 24;
    // On the side where the joint is.
    const beside = (/** @type {number[]} */ a, /** @type {number[]} */ b) => labels.beside(at(a), at(b), [out, 0], 24);
    // Words instead of symbols on the first screen.
    const isPlain = look.isPlain(), name = (/** @type {string} */ symbol, /** @type {string} */ words, /** @type {number[]} */ v, /** @type {number[]} */ off, /** @type {string} */ fill) =>
      isPlain ? label(words, v, times(1.5, off), fill, { size: 16 }) : label(symbol, v, off, fill);
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
    const crossed = known ? [[s.root, joint, end], ...(found.s > 0 ? [[s.root, other, end], intersection(s, found)] : [])].map((points) => points.map(at)) : [];
    const marks = [s.root, s.target, ...(known ? [joint] : []), poleTip(s)].map((v) => [...at(v), 8]);
    labels.place(names, marks, view, crossed).forEach(add);
    if (!solid) {
      add({ disc: [...at(s.target), 6], fill: "target", name: "target" });
      if (Number.isFinite(joint[0])) add({ disc: [...at(joint), 6], fill: "joint", name: "joint" });
    }
    return all;
  };

  // The part of the reach within which the motion keeps the target in sight.
  const share = () => (view.width < view.height ? 1 / view.near : 1);

  return { view, look, shareOf, share, camera, project, unproject, fit, parts, shapes, poleTip, floorOf };
})();
