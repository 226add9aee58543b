// The walk of the animal, in fixed steps of 1/120 s: its pose, its ground, the paths of its feet, measures.
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { limb } from "../../limb/limb.js";
import { frames } from "../../stage/frames.js";
import { crossOf, hullOf } from "../../stage/hull.js";
import { live } from "../../state/live.js";
import { stage } from "../../stage/stage.js";
import { steering } from "./steering.js";
import { animalOf, withDutyFactor } from "../../walker/anatomy.js";
import { makeGround, makeTerrain } from "../../walker/ground.js";
import { figures } from "../../walker/measures.js";
import { CreatureError, Walker } from "../../walker/walker.js";

/** @import { Animal, Terrain } from "../../walker/types.js" */
/**
 * The pose of the animal in the world; head and tail rotate in the body's space.
 * @typedef {object} Stance
 * @property {number[]} place
 * @property {number[]} turned
 * @property {number[]} head
 * @property {number[]} tail
 * @property {number[]} bend of the trunk: coefficients of its height, see `Recording.body_bend` in Python
 * @property {number[][]} hips
 * @property {number[][]} knees
 * @property {number[][]} feet
 * @property {boolean[]} down which feet are on the ground
 * @property {number[][]} soles rotations of the feet
 * @property {number[][]} poles vectors towards which the knees bend
 */

export const walk = (() => {
  const { plus, minus, times, size, cross } = limb.vectors;
  const now = state.now;
  const TICK = 1 / 120; // seconds
  const MOST = 30; // ticks in one frame: a page that was suspended does not catch up
  const TRAIL = 1.6; // seconds for which the path of a foot is shown
  const WINDOW = 240,
    EVERY = 60; // frames of 1/60 s that are measured, and ticks between two measurements
  const STILL = 3e-6; // of the leg's length: a body that moves less from frame to frame only breathes
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");

  /** What Python has given; null if the page chooses. @type {{ animal: any, terrain: any }} */
  const given = { animal: null, terrain: null };
  /** @type {any} */
  let entry = null;
  /** @type {Walker | null} */
  let walker = null;
  /** @type {Stance | null} */
  let at = null;
  let chosen = "",
    problem = "",
    last = 0,
    due = 0,
    ticks = 0,
    isStill = true,
    measuredAt = 0;
  /** @type {number[][][]} */
  let trails = [];
  /** @type {any[]} */
  let past = [];
  /** @type {Record<string, number | null> | null} */
  let report = null;

  /** Rotate a vector by a quaternion xyzw. @param {number[]} rotation @param {number[]} v */
  const rotate = ([x, y, z, w], v) => {
    const axis = [x, y, z],
      t = times(2, cross(axis, v));
    return plus(plus(v, times(w, t)), cross(axis, t));
  };

  // --- animal and ground --------------------------------------------------------------------

  /** @returns {Animal} */
  const animalNow = () => {
    const animal = animalOf(entry),
      lively = now.liveliness < 0 ? animal.liveliness : now.liveliness;
    return { ...(now.duty_factor ? withDutyFactor(animal, now.duty_factor) : animal), liveliness: lively };
  };
  /** @param {number} length of the animal's longest leg */
  const groundNow = (length) => {
    if (given.terrain) return makeGround(given.terrain);
    return makeTerrain(
      now.ground === "flat" || now.ground === "slope" || now.ground === "steps" ? now.ground : Number(now.ground),
      length,
      now.seed,
    );
  };

  /**
   * Stand an animal where the one before was, or as close to it as it can stand.
   * @param {Animal} animal
   * @param {Terrain} ground
   */
  const stand = (animal, ground) => {
    const [x, z] = walker?.place ?? [0, 0],
      heading = walker?.heading ?? 0,
      { length } = animal.anatomy;
    for (let ring = 0; ring <= 12; ring++)
      for (let i = 0; i < (ring ? 8 : 1); i++) {
        const far = 0.4 * ring * length,
          way = (Math.PI * i) / 4;
        try {
          return new Walker(animal, ground, { position: [x + far * Math.sin(way), z + far * Math.cos(way)], heading });
        } catch (error) {
          if (!(error instanceof CreatureError)) throw error;
        }
      }
    return null;
  };
  const begin = () => {
    entry = given.animal ?? ANIMALS[now.animal];
    const animal = animalNow(),
      ground = groundNow(animal.anatomy.length),
      found = stand(animal, ground);
    problem = found ? "" : t`There is no room to stand; the animal is on level ground instead.`;
    walker =
      found ??
      new Walker(animal, makeGround({ kind: "flat", level: 0 }), { position: walker?.place, heading: walker?.heading });
    report = at = null;
    past = [];
    due = ticks = measuredAt = 0;
    isStill = true;
  };
  const isOther = () => {
    const choice = [
      given.animal ? "" : now.animal,
      now.duty_factor,
      now.liveliness,
      given.terrain ? "" : `${now.ground} ${now.seed}`,
    ].join();
    const was = chosen;
    chosen = choice;
    return choice !== was;
  };

  // --- steps --------------------------------------------------------------------------------

  /** @param {number} time */
  const show = (time) => {
    if (!walker) return;
    const {
      bodyPosition: place,
      bodyRotation: turned,
      headRotation: head,
      tailRotation: tail,
      bodyBend: bend,
      footRotation: soles,
      contact: down,
      hips,
      knees,
      feet,
      poles,
    } = walker.state;
    const isJump = !at || size(minus(place, at.place)) > walker.length;
    if (at && !isJump)
      isStill =
        Math.hypot(place[0] - at.place[0], place[2] - at.place[2]) < STILL * walker.length && down.every(Boolean);
    if (isJump) trails = feet.map(() => []);
    trails.forEach((trail, i) => {
      while (trail.length && trail[0][3] < time - 1000 * TRAIL) trail.shift();
      const newest = trail.at(-1);
      if (!down[i] && !(newest && time - newest[3] < 25)) trail.push([...feet[i], time]);
    });
    at = { place, turned, head, tail, bend, soles, down, hips, knees, feet, poles };
  };

  /** Walk until a time, in milliseconds. @param {number} time */
  const step = (time) => {
    if (isOther()) begin();
    if (!walker) return;
    if (!at) show(time);
    due = last ? Math.min(MOST, due + Math.max(0, time - last) / (1000 * TICK)) : 0;
    last = time;
    const { velocity, turn } = steering.order(walker, time),
      count = isAsleep() ? 0 : Math.round(due);
    due -= Math.round(due);
    for (let i = 0; i < count; i++) {
      walker.step(TICK, velocity, turn);
      ticks++;
      if (ticks % 2 === 0) past.push(walker.state);
    }
    if (!count) return;
    past = past.slice(-WINDOW - 1);
    show(time);
    live.tellStep(told);
  };
  // An animal at rest breathes, unless less motion is preferred, or motion is drawn at less than full quality: then
  // it is rather drawn well.
  const isResting = () => isStill && !steering.isOn();
  const isAsleep = () => isResting() && (quiet.matches || !walker?.animal.liveliness || stage.isCoarse());

  /** The newest step as Python is told it: lists of numbers without brackets, see play/steps.py. */
  const told = () => {
    const found = /** @type {Walker} */ (walker),
      pose = found.state;
    return {
      animal: found.animal.name,
      ticks,
      blocked: found.blocked,
      stance: pose.contact,
      body_position: pose.bodyPosition,
      body_rotation: pose.bodyRotation,
      head_rotation: pose.headRotation,
      tail_rotation: pose.tailRotation,
      body_bend: pose.bodyBend,
      hips: pose.hips.flat(),
      knees: pose.knees.flat(),
      feet: pose.feet.flat(),
      foot_rotation: pose.footRotation.flat(),
    };
  };

  // --- what Python says ---------------------------------------------------------------------

  live.onLead(({ animal, terrain, order, shove }) => {
    // A name is as if somebody had chosen it here.
    if (typeof animal === "string") state.set({ animal }, "python");
    if (animal !== undefined) given.animal = animal === null || typeof animal === "string" ? null : animal;
    if (terrain !== undefined) given.terrain = terrain;
    if (animal !== undefined || terrain !== undefined) chosen = "";
    if (order !== undefined) steering.obey(order);
    if (shove) push(shove);
    frames.redraw();
  });
  /** Choose here what Python has given. @param {"animal" | "terrain"} name */
  const dismiss = (name) => {
    given[name] = null;
    frames.redraw();
  };

  /** Add to the velocity of the body, to the left and forward. @param {number[]} velocity */
  const push = (velocity) => {
    if (!walker) return;
    walker.shove(velocity);
    isStill = false;
    frames.redraw();
  };

  // --- measures -----------------------------------------------------------------------------

  /** Measures of the last four seconds, renewed twice a second; null at the beginning. */
  const measure = () => {
    if (walker && past.length > 2 && (!report || ticks - measuredAt >= EVERY)) {
      measuredAt = ticks;
      report = figures(past, entry.bones, walker.terrain);
    }
    return report;
  };

  /** The support polygon, and the stability margin: how far the body is inside it. @param {Stance} stance */
  const supportOf = ({ feet, down, place }) => {
    const points = feet.filter((_, i) => down[i]),
      hull = hullOf(points, 2);
    if (hull.length < 3) return { hull: points, margin: NaN };
    const edges = hull.map((u, i) => {
      const v = hull[(i + 1) % hull.length];
      return crossOf(u, v, place, 2) / (Math.hypot(v[0] - u[0], v[2] - u[2]) || 1);
    });
    return { hull, margin: Math.min(...edges) };
  };

  return {
    step,
    rotate,
    push,
    dismiss,
    told,
    support: () => (at ? supportOf(at) : { hull: [], margin: NaN }),
    /** The entry of the animal in the table; null before the first frame. */
    animal: () => entry,
    ground: () => walker?.terrain ?? null,
    walker: () => walker,
    at: () => at,
    report: measure,
    trails: () => trails,
    problem: () => problem,
    /** Whether Python has given the animal, or the terrain. @param {"animal" | "terrain"} name */
    isGiven: (name) => given[name] !== null,
    /** Whether it stands and nobody leads it. */
    isStill: isResting,
    /** Whether it does not even breathe. */
    isAsleep,
    /** Do not count the time until the next step. */
    rest: () => {
      last = 0;
    },
  };
})();
