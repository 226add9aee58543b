// The character in the picture: a camera that follows it, the scene for stage.js, and its limbs, poles and
// targets as 2D shapes.
import { state } from "../../state/state.js";
import { limb as planar } from "../../limb/limb.js";
import { flat } from "../../stage/flat.js";
import { labels } from "../../stage/labels.js";
import { camera as lens } from "../../stage/camera.js";
import { frame } from "../../stage/frame.js";
import { fromYUp, yUp } from "./clips.js";
import { toWorld } from "./skeleton.js";
import { texts } from "./texts.js";

/** @typedef {import("./posing.js").Posing} Posing */
/** @typedef {import("./posing.js").Shown} Shown */
/** @typedef {import("./rotations.js").Vector} Vector */

const { plus, minus, times, size, unit } = planar.vectors;

const SAMPLES = 24; // frames of a clip in which limbs are measured
const ROOM = 0.84,
  RINGS = 12, // of the free width or height, what a character takes in perspective; pixels for the rings of its handles
  RATE = 4; // per second, at which the camera follows

export class View {
  box = { centre: [0, 0, 0], reach: 1, floor: 0 };
  high = 1; // the largest extent of the character, its height and its width
  tall = 1;
  broad = 1;
  /** @type {number[] | null} */
  offset = null; // from the middle of the body to the centre of the view
  drift = [0, 0, 0]; // velocity of the centre, while it follows

  /** Fit the view to the pose of a character. @param {Posing} posing */
  fit(posing) {
    const { character, source, world } = posing,
      box = character.model ? character.model.box() : null;
    const points = box ?? world.positions.map((v) => yUp(v, source.up)).filter((v) => v.every(Number.isFinite)),
      spans = [0, 1, 2].map((axis) => points.map((v) => v[axis])).map((each) => [Math.min(...each), Math.max(...each)]);
    const wide = spans.map(([a, b]) => b - a);
    this.high = Math.max(...wide) || 1;
    this.tall = wide[1];
    this.broad = Math.hypot(wide[0], wide[2]);
    this.box.reach = 0.54 * Math.max(this.tall, 0.9 * this.broad) || 1;
    this.box.floor = character.floor ?? spans[1][0] - (box ? 0 : 0.02) * this.high;
    this.box.centre = spans.map(([a, b]) => (a + b) / 2);
    this.drift = [0, 0, 0];
    this.offset = minus(this.box.centre, this.middle(posing, world));
    this.broad = Math.max(this.broad, 2 * this.swing(posing));
  }
  // The middle between the limbs.
  middle(/** @type {Posing} */ { limbs, source: { up } }, /** @type {Posing["world"]} */ world) {
    const starts = limbs.length ? limbs.map(({ start }) => world.positions[start]) : [world.positions[0]];
    return yUp(times(1 / starts.length, starts.reduce(plus)), up);
  }
  // How far limbs swing from the centre of the view in the clip, over the ground.
  swing(/** @type {Posing} */ posing) {
    const {
        clip,
        frame,
        limbs,
        source: { skeleton, up },
      } = posing,
      distances = [0];
    for (let i = 0; i < SAMPLES; i++) {
      const world = toWorld(skeleton, clip.poseAt((i / SAMPLES) * (clip.count - 1))),
        centre = plus(this.middle(posing, world), this.offset ?? [0, 0, 0]);
      for (const joint of limbs.flatMap(({ mid, end }) => [mid, end])) {
        const [x, , z] = minus(yUp(world.positions[joint], up), centre);
        distances.push(Math.hypot(x, z));
      }
    }
    clip.poseAt(frame); // which models show
    return Math.max(...distances.filter(Number.isFinite));
  }
  /** Follow the character over the ground, smoothly as time passes, or at once. @param {Posing} posing @param {number} [seconds] */
  follow(posing, seconds = Infinity) {
    if (!this.offset) return;
    const [x, , z] = plus(this.middle(posing, posing.world), this.offset),
      there = [x, this.box.centre[1], z],
      kept = Math.exp(-RATE * seconds);
    // A critically damped g-h filter, which does not lag behind a steady walk.
    const expected = kept ? plus(this.box.centre, times(seconds, this.drift)) : there,
      error = minus(there, expected);
    if (!kept || size(error) > 2 * this.box.reach) {
      this.box.centre = there;
      this.drift = [0, 0, 0];
      return;
    }
    this.box.centre = plus(expected, times(1 - kept * kept, error));
    if (seconds) this.drift = plus(this.drift, times((1 - kept) ** 2 / seconds, error));
  }
  camera() {
    const { width, height } = frame.free,
      [wide, high] = [width, height].map((v) => ROOM * Math.max(1, v - RINGS)),
      scale = Math.min(high / this.tall, wide / this.broad);
    return lens.at(state.now, { centre: this.box.centre, scale: Number.isFinite(scale) ? scale : height });
  }
  /** A point of the file in pixels. @param {Vector} v @param {string} up */
  toPixels(v, up) {
    return lens.project(this.camera(), yUp(v, up));
  }
  /** The point at a position in pixels, at the depth of another point. @param {number[]} pixels @param {Vector} like @param {string} up */
  toWorld(pixels, like, up) {
    return fromYUp(lens.unproject(this.camera(), pixels, yUp(like, up)), up);
  }
  /** A direction of the picture, right, up and towards the viewer, in the axes of the file. @param {Vector} v @param {string} up */
  toAxes([x, y, z], up) {
    const { right, back } = this.camera(),
      level = unit([back[0], 0, back[2]]);
    return fromYUp(plus(plus(times(x, right), [0, y, 0]), times(z, level)), up);
  }
  /** Where the handle of a pole is: beyond the joint, towards the pole. @param {{ joint: Vector, pole: Vector, limb: import("./posing.js").PosedLimb }} shown */
  poleTip({ joint, pole, limb }) {
    return plus(joint, times(0.55 * limb.reach, unit(pole)));
  }

  // --- the scene ----------------------------------------------------------------------------

  /** The bones of a character without a mesh, as round cones. @param {Posing} posing */
  bones({ source: { skeleton, up }, world, limbs }) {
    const at = world.positions.map((v) => yUp(v, up)),
      thick = 0.028 * this.high,
      solids = [];
    const colours = new Map(),
      joints = limbs.map(({ mid }) => mid);
    for (const { limb, start, mid, end } of limbs) {
      const path = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ colour) => {
        for (let joint = to; joint >= 0 && joint !== from; joint = skeleton.parents[joint]) colours.set(joint, colour);
      };
      path(start, mid, "r1");
      if (!limb.isDetached) path(mid, end, "r2");
      else solids.push({ a: at[mid], b: at[end], ra: 0.8 * thick, rb: 0.6 * thick, colour: "r2" });
    }
    const below = skeleton.parents.map(() => 1);
    for (const joint of skeleton.order.toReversed())
      if (skeleton.parents[joint] >= 0) below[skeleton.parents[joint]] += below[joint];
    skeleton.parents.forEach((parent, joint) => {
      if (parent < 0) return;
      const long = size(minus(at[joint], at[parent])),
        colour = colours.get(joint);
      // The way from a root on the ground to the hips is no part of the body.
      if (long < 0.004 * this.high || (skeleton.parents[parent] < 0 && skeleton.children[parent].length === 1)) return;
      const isTrunk = !colour && below[joint] > 0.25 * below[skeleton.order[0]],
        wide = colour ? thick : isTrunk ? 1.5 * thick : 0.8 * thick,
        r = Math.min(0.32 * long, wide);
      solids.push({
        a: at[parent],
        b: at[joint],
        ra: r,
        rb: colour === "r2" ? 0.75 * r : 0.9 * r,
        colour: colour ?? (isTrunk ? "body" : "light"),
      });
      if (/^head$/i.test(skeleton.names[parent]))
        solids.push({
          a: times(0.5, plus(at[parent], at[joint])),
          r: Math.min(0.8 * long, 0.07 * this.high),
          colour: "light",
        });
    });
    for (const joint of joints) solids.push({ a: at[joint], r: 1.12 * thick, colour: "joint" });
    return solids;
  }
  /** The scene for stage.js. @param {Posing} posing */
  parts(posing) {
    const { character, world } = posing;
    const solids = character.solids ? character.solids(world) : character.model ? [] : this.bones(posing);
    return {
      solids,
      wires: [],
      glass: [],
      floor: this.box.floor,
      isFixed: true,
      model: character.model?.object ?? null,
    };
  }

  // --- 2D shapes ----------------------------------------------------------------------------

  /** @param {Posing} posing @param {Shown[]} limbs @param {boolean} isLit @param {import("./posing.js").PosedLimb | null} chosen */
  shapes(posing, limbs, isLit, chosen) {
    const cam = this.camera(),
      { up } = posing.source,
      at = (/** @type {Vector} */ v) => lens.project(cam, yUp(v, up)).slice(0, 2);
    /** @type {any[]} */
    const all = [];
    if (!isLit) this.draw(posing, cam, all);
    const isModel = posing.character.model;
    for (const { limb, root, joint, end, target, pole, isPinned } of limbs) {
      const isChosen = limb === chosen,
        [a, b, c] = [root, joint, end].map(at);
      if (isModel) {
        const width = isChosen || isPinned ? 4 : 2.5;
        all.push(
          { line: [a, b], stroke: "ground", width: width + 2.5, alpha: 0.7 },
          { line: [b, c], stroke: "ground", width: width + 2.5, alpha: 0.7 },
        );
        all.push({ line: [a, b], stroke: "r1", width }, { line: [b, c], stroke: "r2", width });
        all.push({ disc: [...b, width + 1], fill: "joint" });
      }
      if (isChosen || isPinned) {
        const line = [b, at(this.poleTip({ joint, pole, limb }))];
        // A lighter line below the dots, because the body may be dark.
        all.push({ line, stroke: "ground", width: 4, alpha: 0.8 }, { line, stroke: "ink", width: 1.5, dash: [2, 4] });
      }
      if (isPinned && size(minus(target, end)) > 1e-6 * limb.reach)
        all.push({ line: [c, at(target)], stroke: "amber", width: 2, dash: [2, 5] });
    }
    const shown = limbs.find(({ limb }) => limb === chosen);
    if (shown) {
      const marks = limbs.map(({ target }) => [...at(target), 10]),
        tip = this.poleTip(shown);
      for (const label of labels.place(
        [{ text: texts.poleLabel, at: at(tip), off: [0, -22], fill: "ink", size: 13 }],
        [...marks, [...at(tip), 8]],
        frame,
      )) {
        const [x, y] = label.at;
        // A plate below the word, because the body may be dark.
        all.push(
          {
            line: [
              [x - 11, y],
              [x + 11, y],
            ],
            stroke: "card",
            width: 18,
          },
          label,
        );
      }
    }
    return all;
  }
  // Without WebGL: the ground, and the bones or the limbs as lines.
  /** @param {Posing} posing @param {import("../../stage/camera.js").View} cam @param {any[]} all */
  draw(posing, cam, all) {
    const [cx, , cz] = this.box.centre,
      step = this.box.reach / 2,
      { floor } = this.box,
      to = (/** @type {number[]} */ v) => lens.project(cam, v).slice(0, 2);
    const { character, world } = posing,
      parts = { solids: character.solids ? character.solids(world) : this.bones(posing) };
    all.push(flat.shadow(parts, cam, lens.project, () => floor));
    for (let i = -6; i <= 6; i++) {
      const alpha = 0.9 * (1 - Math.abs(i) / 7);
      all.push({
        line: [
          [cx + i * step, floor, cz - 6 * step],
          [cx + i * step, floor, cz + 6 * step],
        ].map(to),
        stroke: "line",
        alpha,
      });
      all.push({
        line: [
          [cx - 6 * step, floor, cz + i * step],
          [cx + 6 * step, floor, cz + i * step],
        ].map(to),
        stroke: "line",
        alpha,
      });
    }
    all.push(...flat.solids(parts, cam, lens.project));
  }
}
