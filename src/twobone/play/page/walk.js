// The walk of the animal: commands, position, feet and legs. Python simulates it while it is connected,
// asked once per frame; an exported page plays a recorded walk. The legs are solved here.
import { twobone } from "./solver.js";
import { state } from "./state.js";
import { limb } from "./limb.js";
import { motion } from "./motion.js";
import { live } from "./live.js";

export const walk = (() => {
  const { plus, minus, times, dot, size, unit, cross } = limb.vectors;
  const now = state.now;
  const TICKS = 120; // per second
  const TRAIL = 1.6; // seconds for which the path of a foot is shown

  /** @type {any} */
  let animal = null;
  /** @type {any} */
  let form = null;
  /** @type {any} */
  let at = null;
  /** @type {any} */
  let report = null;
  /** @type {number[] | null} */
  let goal = null;
  /** @type {number | null} */
  let began = null;
  let shove = [0, 0], wandering = false, due = 0, went = 0, still = false;
  /** @type {number | null} */
  let last = null;
  /** @type {number[][][]} */
  let trails = [];
  const keys = new Set(), KEYS = ["w", "a", "s", "d", "q", "e", "arrowup", "arrowdown", "arrowleft", "arrowright"];

  // Rotate a vector by a quaternion xyzw.
  /** @type {(quaternion: number[], v: number[]) => number[]} */
  const rotate = ([x, y, z, w], v) => {
    const axis = [x, y, z], t = times(2, cross(axis, v));
    return plus(plus(v, times(w, t)), cross(axis, t));
  };

  /** @type {(pose: any, time: number) => void} */
  const setPose = ({ place, turned, head, tail, feet, down, soles, poles }, time) => {
    const hips = animal.hips.map((/** @type {number[]} */ hip) => plus(place, rotate(turned, hip)));
    const knees = hips.map((/** @type {number[]} */ hip, /** @type {number} */ i) => {
      const pole = poles?.[i] ?? rotate(turned, animal.poles[i]), [r1, r2] = animal.bones[i];
      return plus(hip, twobone.reach(minus(feet[i], hip), r1, r2, { pole }).joint);
    });
    // A body that only breathes stands still.
    still = at !== null && went > 0 && Math.hypot(place[0] - at.place[0], place[2] - at.place[2]) < 3e-6 * animal.leg && down.every(Boolean);
    // After a jump, as when a recorded walk restarts, clear the paths of the feet.
    if (!at || size(minus(place, at.place)) > animal.leg) trails = feet.map(() => []);
    trails.forEach((trail, i) => {
      while (trail.length && trail[0][3] < time - 1000 * TRAIL) trail.shift();
      if (!down[i] && !(time - (trail.at(-1)?.[3] ?? NaN) < 25)) trail.push([...feet[i], time]);
    });
    at = { place, turned, head, tail, feet, down, soles, hips, knees };
  };

  /** @type {(message: any) => void} */
  const setAnimal = (message) => {
    animal = message.animal;
    form = message.ground;
    at = report = null;
  };

  // --- commands -----------------------------------------------------------------------------

  // The velocity to the left and forward, as fractions of full speed, and the turn rate to the left in
  // radians per second.
  /** @type {(time: number) => { velocity: number[], turn: number }} */
  const command = (time) => {
    const nimble = animal ? (1.1 * animal.speed) / animal.leg : 1;
    /** @type {(...names: string[]) => number} */
    const held = (...names) => (names.some((name) => keys.has(name)) ? 1 : 0);
    const ahead = held("w", "arrowup") - held("s", "arrowdown"), aside = held("q") - held("e");
    const bend = held("a", "arrowleft") - held("d", "arrowright");
    if (ahead || aside || bend) return { velocity: [0.8 * aside, ahead > 0 ? 1 : 0.6 * ahead], turn: nimble * bend };
    if (goal && at) return towards(goal, nimble);
    if (!wandering) return { velocity: [0, 0], turn: 0 };
    began ??= time;
    const t = (time - began) / 1000, pace = 0.6 + 0.2 * Math.sin(0.5 * t) - 0.15 * Math.cos(0.23 * t);
    const curve = 0.75 * nimble * (0.6 * Math.sin(0.31 * t + 0.4) + 0.4 * Math.sin(0.83 * t));
    return { velocity: isSideways() ? [pace, 0] : [0, pace], turn: curve };
  };
  const isSideways = () => animal?.name === "crab";

  // Turn the front towards the goal, or a side if the animal walks sideways, and walk there.
  /** @type {(place: number[], nimble: number) => { velocity: number[], turn: number }} */
  const towards = ([x, , z], nimble) => {
    const away = [x - at.place[0], 0, z - at.place[2]], left = dot(away, rotate(at.turned, [1, 0, 0])), front = dot(away, rotate(at.turned, [0, 0, 1]));
    const far = Math.hypot(left, front), side = left < 0 ? -1 : 1;
    if (far < 0.12 * animal.leg) {
      goal = null;
      return { velocity: [0, 0], turn: 0 };
    }
    const off = isSideways() ? Math.atan2(-side * front, side * left) : Math.atan2(left, front);
    const pace = Math.max(0, Math.cos(off)) * Math.min(1, far / (0.8 * animal.leg));
    // Close to the goal, turn less.
    const calm = Math.min(1, far / (0.4 * animal.leg));
    return { velocity: isSideways() ? [side * pace, 0] : [0, pace], turn: calm * Math.min(nimble, Math.max(-nimble, 2.5 * off)) };
  };

  // --- a walk simulated by Python -----------------------------------------------------------

  /** @type {(time: number) => number | undefined} */
  const step = (time) => {
    due = Math.min(30, due + (last === null ? 0 : Math.max(0, time - last) * (TICKS / 1000)));
    last = time;
    if (!live.walks()) return recorded ? play(time) : undefined;
    const ticks = Math.round(due), order = command(time);
    const question = { animal: now.animal, ground: now.ground, seed: now.seed, duty_factor: now.duty_factor, ticks, ...order, shove };
    if (!live.ask(question)) return;
    due -= ticks;
    went = ticks;
    shove = [0, 0];
  };
  /** @type {(message: any) => void} */
  const receive = (message) => {
    if (message.animal) setAnimal(message);
    if (!animal) return;
    setPose(message, performance.now());
    report = message.report ?? report;
  };
  live.setWalk(receive);

  // --- a recorded walk ----------------------------------------------------------------------

  // bundle.py writes it before this module.
  /* global recording */
  const recorded = typeof recording === "undefined" ? null : recording;
  /** @type {any} */
  let frames = null;
  let clock = 0, start = 0;
  // Columns hold differences of whole numbers; those of the body are differences of differences, which
  // are small because it moves evenly.
  const unpack = () => {
    setAnimal(recorded);
    report = recorded.report;
    const ends = 7 + 3 * animal.hips.length, poles = ends + 8 + 4 * animal.hips.length;
    frames = recorded.columns.map((/** @type {number[]} */ column, /** @type {number} */ i) => {
      let value = 0, pace = 0;
      return column.map((/** @type {number} */ step) => {
        pace = i < 7 ? pace + step : step;
        value += pace;
        return value * ((i > 2 && i < 7) || (i >= ends && i < poles) ? recorded.turns : recorded.unit);
      });
    });
  };
  // Interpolate between keys by a cubic that is constant between equal keys, so that feet in stance do
  // not move.
  /** @type {(column: number[], i: number, t: number) => number} */
  const between = (column, i, t) => {
    /** @type {(k: number) => number} */
    const get = (k) => column[Math.min(column.length - 1, Math.max(0, k))];
    const [a, b, c, d] = [get(i - 1), get(i), get(i + 1), get(i + 2)], slope = (/** @type {number} */ u, /** @type {number} */ v) => (u * v > 0 ? (2 * u * v) / (u + v) : 0);
    const m = slope(b - a, c - b), n = slope(c - b, d - c), r = 1 - t;
    return b + t * t * (3 - 2 * t) * (c - b) + r * r * t * m - t * t * r * n;
  };
  // Show the walk some seconds after its beginning; return the opacity, which falls to 0 at both ends.
  /** @type {(seconds: number, time: number) => number} */
  const seek = (seconds, time) => {
    const count = frames[0].length, where = (seconds / recorded.dt) % (count - 1), i = Math.floor(where), t = where - i;
    const values = frames.map((/** @type {number[]} */ column) => between(column, i, t)), legs = animal.hips.length;
    const feet = Array.from({ length: legs }, (_, leg) => values.slice(7 + 3 * leg, 10 + 3 * leg));
    // A foot is in stance if it is close to a key at which it did not move.
    /** @type {(leg: number, k: number) => number[]} */
    const key = (leg, k) => [0, 1, 2].map((axis) => frames[7 + 3 * leg + axis][k]);
    const down = feet.map((foot, leg) => [i, i + 1].some((k) => size(minus(foot, key(leg, k))) < 0.02 * animal.leg && [k - 1, k + 1].some((other) => size(minus(key(leg, k), key(leg, other))) === 0)));
    const turn = (/** @type {number} */ from) => unit(values.slice(from, from + 4)), ends = 7 + 3 * legs, first = ends + 8, last = first + 4 * legs;
    // Rotations and poles of feet are only recorded if feet have parts.
    const has = values.length > last, turned = turn(3);
    const soles = feet.map((_, leg) => (has ? turn(first + 4 * leg) : turned));
    const poles = has ? feet.map((_, leg) => rotate(turned, values.slice(last + 3 * leg, last + 3 * leg + 3))) : null;
    setPose({ place: values.slice(0, 3), turned, head: turn(ends), tail: turn(ends + 4), feet, down, soles, poles }, time);
    return Math.min(1, 4 * where * recorded.dt, 4 * (count - 1 - where) * recorded.dt);
  };
  /** @type {(time: number) => number} */
  const play = (time) => {
    if (!frames) unpack();
    if (wandering || !at) clock += start ? Math.min(100, time - start) / 1000 : 0;
    start = time;
    const opacity = seek(clock, time);
    still = !wandering;
    return wandering ? opacity : 1;
  };

  // --- support polygon ----------------------------------------------------------------------

  // The cross product of `u - o` and `v - o` in the plane of x and another axis: its sign is the side of
  // `v`.
  /** @type {(o: number[], u: number[], v: number[], axis: number) => number} */
  const crossOf = (o, u, v, axis) => (u[0] - o[0]) * (v[axis] - o[axis]) - (u[axis] - o[axis]) * (v[0] - o[0]);
  // The corners of the convex hull of points, projected on the plane of x and another axis.
  /** @type {(points: number[][], axis: number) => number[][]} */
  const hullOf = (points, axis) => {
    /** @type {(list: number[][]) => number[][]} */
    const half = (list) => {
      const hull = [];
      for (const v of list) {
        while (hull.length > 1 && crossOf(hull[hull.length - 2], hull[hull.length - 1], v, axis) <= 0) hull.pop();
        hull.push(v);
      }
      return hull.slice(0, -1);
    };
    const sorted = points.slice().sort((u, v) => u[0] - v[0] || u[axis] - v[axis]);
    return [...half(sorted), ...half(sorted.slice().reverse())];
  };
  // The support polygon, and the stability margin: how far the body is inside it.
  /** @type {() => { hull: number[][], margin: number }} */
  const support = () => {
    const points = at.feet.filter((/** @type {number[]} */ _, /** @type {number} */ i) => at.down[i]), hull = hullOf(points, 2);
    if (hull.length < 3) return { hull: points, margin: NaN };
    const edges = hull.map((u, i) => {
      const v = hull[(i + 1) % hull.length];
      return crossOf(u, v, at.place, 2) / (Math.hypot(v[0] - u[0], v[2] - u[2]) || 1);
    });
    return { hull, margin: Math.min(...edges) };
  };

  // The automatic motion of the page is a walk while the animal is shown.
  motion.on((isOn) => {
    wandering = isOn && now.scene === "creature";
    if (wandering) goal = null;
  });

  return {
    step, seek, receive, rotate, support, hullOf,
    animal: () => animal, ground: () => form, at: () => at, report: () => report, trails: () => trails, goal: () => goal,
    // Keys that steer: press one; release one, or all without an argument.
    isKey: (/** @type {string} */ key) => KEYS.includes(key),
    press: (/** @type {string} */ key) => {
      if (!KEYS.includes(key) || !live.walks()) return false;
      keys.add(key);
      goal = null;
      return true;
    },
    release: (/** @type {string | null} */ key = null) => (key === null ? keys.clear() : keys.delete(key)),
    isRecorded: () => recorded !== null && !live.walks(),
    isThere: () => recorded !== null || live.walks(),
    isStill: () => still && !keys.size && !goal && !wandering,
    lead: (/** @type {number[] | null} */ place) => {
      goal = place;
      wandering = false;
    },
    push: (/** @type {number[]} */ velocity) => {
      shove = velocity.map((part) => Math.min(4, Math.max(-4, part)));
      still = false;
    },
    rest: () => {
      last = null;
      start = 0;
    },
  };
})();
