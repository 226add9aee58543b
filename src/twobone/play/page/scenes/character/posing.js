// The character that is shown, and how it is posed: the clip and its frame, the limbs that were taken, and
// the pose that comes of both. Without the page, so that it can be tested and timed alone.
import { twobone } from "../../solver.js";
import { limbsIn } from "./clips.js";
import { controlsOf, reach } from "./reach.js";
import { aboveOf, toWorld } from "./skeleton.js";
import { conjugate, minus, rotate, size } from "./rotations.js";

/** @typedef {import("./rotations.js").Vector} Vector */
/** @typedef {import("./skeleton.js").Pose} Pose */
/** @typedef {import("./skeleton.js").World} World */
/** @typedef {import("./clips.js").Source} Source */
/** @typedef {import("./clips.js").PosedLimb} PosedLimb */
/** @typedef {{ soft: number, least: number, greatest: number, bend: "pole" | "rest" | "transport", endIsLocal: boolean }} Settings */
/** @typedef {{ target: Vector, pole: Vector, before: Vector[] | null }} Pin the pole in the space of the parent of start */
/** @typedef {{ limb: PosedLimb, isPinned: boolean, target: Vector, pole: Vector, root: Vector, joint: Vector, end: Vector, word: string, by: number, isSoft: boolean }} Shown */
/** @typedef {{ name: string, source: Source, solids?: ((world: World) => any[]) | null, floor?: number, model?: import("./gltf.js").Model | null }} Character */

/** @type {() => Settings} */
const defaults = () => ({ soft: 0, least: 0, greatest: 180, bend: "pole", endIsLocal: false });

export class Posing {
  /** @param {Character} character */
  constructor(character) {
    this.character = character;
    this.source = character.source;
    this.index = 0; // of the clip
    this.frame = 0;
    /** @type {PosedLimb[]} */
    this.limbs = [];
    /** @type {Vector | null} */
    this.ahead = null; // where the body faces, y up
    /** The pose of the last `solve`. @type {World} */
    this.world = toWorld(character.source.skeleton, character.source.skeleton.rest);
    /** @type {Map<string, Pin>} */
    this.pins = new Map();
    /** @type {Map<string, Settings>} */
    this.choices = new Map();
    /** How strongly each expression of the model is shown, 0 to 1. @type {number[]} */
    this.face = (character.model?.expressions ?? []).map(() => 0);
    // A clip to begin with: one that stands or walks, if names say so, or the first.
    const named = (/** @type {RegExp} */ word) => this.source.clips.findIndex(({ name }) => word.test(name ?? ""));
    this.choose(Math.max(0, [/idle|stand|wave/i, /walk/i].map(named).find((index) => index >= 0) ?? 0));
  }
  get clip() {
    return this.source.clips[this.index];
  }
  /** Take a clip of the character; its limbs are those that Python finds in it. @param {number} index */
  choose(index) {
    this.index = index;
    this.frame = 0;
    const { limbs, ahead } = limbsIn(this.source, this.clip);
    this.limbs = limbs;
    this.ahead = ahead;
  }
  /** @param {PosedLimb} limb */
  key({ start, mid, end }) {
    return `${start} ${mid} ${end}`;
  }
  /** @param {PosedLimb} limb */
  settings(limb) {
    const key = this.key(limb),
      found = this.choices.get(key) ?? defaults();
    this.choices.set(key, found);
    return found;
  }
  /** Advance the clip by some seconds, from its end to its beginning. @param {number} seconds */
  advance(seconds) {
    const { count, fps } = this.clip;
    this.frame = count > 1 ? (this.frame + seconds * fps) % count : 0;
  }
  /** Hold a limb's end at a target, or its pole somewhere, from the pose that is shown. @param {PosedLimb} limb @param {{ target?: Vector, pole?: Vector }} changes */
  hold(limb, { target, pole }) {
    const key = this.key(limb),
      shown = this.solve().limbs.find((one) => one.limb === limb),
      above = conjugate(aboveOf(this.source.skeleton, this.world, limb.start));
    if (!shown) return;
    const old = this.pins.get(key) ?? { target: shown.target, pole: rotate(above, shown.pole), before: null };
    this.pins.set(key, { ...old, target: target ?? old.target, pole: pole ? rotate(above, pole) : old.pole });
  }
  /** Let a limb follow the clip again; without one, all. @param {PosedLimb | null} [limb] */
  release(limb = null) {
    if (limb) this.pins.delete(this.key(limb));
    else {
      this.pins.clear();
      this.choices.clear();
      this.face.fill(0);
    }
  }
  /** @param {PosedLimb} limb */
  isPinned(limb) {
    return this.pins.has(this.key(limb));
  }

  /** The pose of the frame with all taken limbs where they are held. @returns {{ pose: Pose, world: World, limbs: Shown[] }} */
  solve() {
    const { skeleton } = this.source,
      pose = this.clip.poseAt(this.frame),
      world = toWorld(skeleton, pose);
    /** @type {Shown[]} */
    const limbs = this.limbs.map((limb) => {
      const { soft, least, greatest, bend, endIsLocal } = this.settings(limb),
        pin = this.pins.get(this.key(limb)),
        present = controlsOf(skeleton, limb.limb, world);
      const shown = {
        limb,
        isPinned: pin !== undefined,
        target: pin?.target ?? present.target,
        pole: present.pole,
        word: "REACHED",
        by: 0,
        isSoft: false,
        root: world.positions[limb.start],
        joint: [],
        end: [],
      };
      if (!pin) return shown;
      shown.pole = rotate(aboveOf(skeleton, world, limb.start), pin.pole);
      const limits = least > 0 || greatest < 180 ? [least, greatest] : null,
        unreachable = limits || soft ? { limits, soft: soft || null } : "clamp";
      const found = reach(skeleton, limb.limb, pose, world, pin.target, {
        pole: bend === "rest" ? null : shown.pole,
        bend,
        before: pin.before,
        endIsLocal,
        unreachable,
      });
      pin.before = found.transported;
      shown.word = twobone.STATUS[found.status];
      shown.by = size(minus(pin.target, world.positions[limb.end]));
      const far = size(found.goal),
        [first, second] = [
          [limb.start, limb.mid],
          [limb.mid, limb.end],
        ].map(([a, b]) => size(minus(world.positions[a], world.positions[b])));
      const at = (/** @type {number} */ degrees) =>
        Math.sqrt(
          Math.max(0, first * first + second * second - 2 * first * second * Math.cos((degrees * Math.PI) / 180)),
        );
      shown.isSoft = soft > 0 && far <= at(greatest) && far >= at(least);
      return shown;
    });
    for (const shown of limbs)
      Object.assign(shown, {
        root: world.positions[shown.limb.start],
        joint: world.positions[shown.limb.mid],
        end: world.positions[shown.limb.end],
      });
    this.world = world;
    return { pose, world, limbs };
  }
}
