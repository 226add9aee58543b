// The walk of the animal: its pose, its ground, the paths of its feet, measures.
import { state } from "../../state/state.js";
import { t } from "../../texts/texts.js";
import { limb } from "../../limb/limb.js";
import { frames } from "../../stage/frames.js";
import { picture } from "../../stage/picture.js";
import { live } from "../../state/live.js";
import { anatomyOf, restOf, speedsOf } from "./animal.js";
import { makeGround, makeTerrain } from "./ground.js";
import { figures, supportOf } from "./measures.js";
import { steering } from "./steering.js";
import { Walker } from "./walker.js";

/** @import { Terrain } from "./ground.js" */
/** @import { Stance } from "./walker.js" */

export const walk = (() => {
  const { minus, size } = limb.vectors;
  const now = state.now;
  const LONGEST = 0.25; // seconds of one frame: a page that was suspended does not catch up
  const TRAIL = 1.6; // seconds for which the path of a foot is shown
  const FRAME = 1 / 60, // seconds between two poses that are measured
    WINDOW = 240, // such poses
    EVERY = 0.5; // seconds between two measurements
  const STILL = 2e-4; // of the leg's length in a second: a body is at rest that moves less beside its breath

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
    seconds = 0, // for which the animal has walked on this ground
    unmeasured = 0, // seconds since the newest pose that is measured
    isStill = true,
    measuredAt = 0;
  /** @type {number[][][]} */
  let trails = [];
  /** @type {Stance[]} */
  let past = [];
  /** @type {Record<string, number | null> | null} */
  let report = null;

  // --- animal and ground --------------------------------------------------------------------

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
   * Stand an animal where the one before was, or as close to it as it can stand; null if it cannot.
   * @param {Walker["anatomy"]} anatomy
   * @param {Terrain} ground
   */
  const stand = (anatomy, ground) => {
    const [x, z] = walker?.place ?? [0, 0];
    for (let ring = 0; ring <= 12; ring++)
      for (let i = 0; i < (ring ? 8 : 1); i++) {
        const far = 0.4 * ring * anatomy.reach,
          way = (Math.PI * i) / 4,
          place = [x + far * Math.sin(way), z + far * Math.cos(way)];
        const found = new Walker(anatomy, ground, place, walker?.heading ?? 0);
        if (found.fits) return found;
      }
    return null;
  };
  const begin = () => {
    entry = given.animal ?? ANIMALS[now.animal];
    const anatomy = anatomyOf(entry, now.duty_factor, now.liveliness),
      found = stand(anatomy, groundNow(anatomy.reach));
    problem = found ? "" : t`There is no room to stand; the animal is on level ground instead.`;
    const flat = makeGround({ kind: "flat", level: 0 });
    walker = found ?? new Walker(anatomy, flat, walker?.place ?? [0, 0], walker?.heading ?? 0);
    report = at = null;
    past = [];
    seconds = unmeasured = measuredAt = 0;
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

  /** Show the pose of a time in milliseconds, some seconds after the one before. @type {(time: number, dt: number) => void} */
  const show = (time, dt) => {
    if (!walker) return;
    const pose = walker.pose,
      { place, feet, down } = pose,
      { reach } = walker.anatomy;
    const moved = at ? size(minus(place, at.place)) : Infinity;
    if (moved <= reach) isStill = walker.stands && moved < (STILL * reach + breath().speed) * dt;
    else trails = feet.map(() => []);
    trails.forEach((trail, i) => {
      while (trail.length && trail[0][3] < time - 1000 * TRAIL) trail.shift();
      const newest = trail.at(-1);
      if (!down[i] && !(newest && time - newest[3] < 25)) trail.push([...feet[i], time]);
    });
    at = pose;
  };

  /** Walk until a time, in milliseconds. @param {number} time */
  const step = (time) => {
    if (isOther()) begin();
    if (!walker) return;
    if (!at) show(time, 0);
    const dt = last ? Math.min(LONGEST, Math.max(0, time - last) / 1000) : 0;
    last = time;
    const order = steering.order(walker, speedsOf(entry, walker.anatomy), time);
    if (dt === 0 || (isAtRest() && !breathes())) return;
    for (let left = dt; left > 0;) {
      const part = Math.min(left, FRAME - unmeasured);
      walker.step(part, order);
      left -= part;
      unmeasured += part;
      if (unmeasured > 0.999 * FRAME) {
        past.push(walker.pose);
        unmeasured = 0;
      }
    }
    seconds += dt;
    past = past.slice(-WINDOW - 1);
    show(time, dt);
    live.tellStep(told);
  };
  const isAtRest = () => isStill && !steering.isOn();
  // For a reader who wants no motion, and where it is drawn coarsely, it stands as if it held its breath.
  const quiet = matchMedia("(prefers-reduced-motion: reduce)");
  const breath = () =>
    walker && !quiet.matches && !picture.isCoarse() ? restOf(walker.anatomy) : { speed: 0, way: 0 };
  const breathes = () => breath().way > 0;

  /** The newest step as Python is told it: lists of numbers without brackets, see play/steps.py. */
  const told = () => {
    const { blocked, pose } = /** @type {Walker} */ (walker);
    return {
      animal: entry.name,
      seconds,
      blocked,
      stance: pose.down,
      stations: pose.stations.flat(),
      station_rotations: pose.rotations.flat(),
      hips: pose.hips.flat(),
      knees: pose.knees.flat(),
      ankles: pose.ankles.flat(),
      feet: pose.feet.flat(),
      foot_rotation: pose.soles.flat(),
      neck: pose.neck.flat(),
      tail: pose.tail.flat(),
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
    if (walker && past.length > 2 && (!report || seconds - measuredAt >= EVERY)) {
      measuredAt = seconds;
      report = figures(past, walker.anatomy, walker.ground);
    }
    return report;
  };

  return {
    step,
    push,
    dismiss,
    told,
    /** The support polygon, and the stability margin: how far the body is inside it. */
    support: () => (at ? supportOf(at) : { hull: [], margin: -Infinity }),
    /** The entry of the animal in the table; null before the first frame. */
    animal: () => entry,
    ground: () => walker?.ground ?? null,
    walker: () => walker,
    at: () => at,
    report: measure,
    trails: () => trails,
    problem: () => problem,
    /** Whether Python has given the animal, or the terrain. @param {"animal" | "terrain"} name */
    isGiven: (name) => given[name] !== null,
    /** Whether it stands and nobody leads it. */
    isStill: isAtRest,
    /** Whether it moves as it breathes then. */
    breathes,
    /** How fast, and how far. */
    breath,
    /** Do not count the time until the next step. */
    rest: () => {
      last = 0;
    },
  };
})();
