// Who leads the animal where: keys, a place on the ground, Python, or the automatic motion, in this order.
import { frames } from "../../stage/frames.js";
import { motion } from "../../stage/motion.js";
import { isHere } from "./here.js";
import { finite } from "./arguments.js";

/** @import { Order, Walker } from "./walker.js" */
/** The speeds of an easy walk, and the highest. @typedef {{ easy: number, brisk: number }} Speeds */

export const steering = (() => {
  const KEYS = ["w", "a", "s", "d", "q", "e", "arrowup", "arrowdown", "arrowleft", "arrowright"];
  /** @type {Set<string>} */
  const keys = new Set();
  /** @type {number[] | null} */
  let goal = null;
  /** What Python has said last. @type {Order | null} */
  let python = null;
  let wanders = false,
    began = 0;

  // The automatic motion of the page is a walk while the animal is shown.
  motion.on((isOn) => {
    wanders = isOn && isHere();
    began = 0;
    if (wanders) goal = python = null;
  });

  const FAR = 5; // lengths of a leg: an animal goes faster to places that are farther; taste
  /** @param {Walker} walker */
  const isSideways = (walker) => walker.anatomy.sideways;
  // A turning rate that looks natural.
  /** @type {(walker: Walker, speeds: Speeds) => number} */
  const nimble = (walker, { easy }) => (1.1 * easy) / walker.anatomy.reach;

  /**
   * The order for now.
   * @param {Walker} walker
   * @param {Speeds} speeds
   * @param {number} time in milliseconds
   * @returns {Order}
   */
  const order = (walker, speeds, time) => {
    const held = (/** @type {string[]} */ ...names) => (names.some((name) => keys.has(name)) ? 1 : 0);
    const ahead = held("w", "arrowup") - held("s", "arrowdown"),
      aside = held("q") - held("e");
    const bend = held("a", "arrowleft") - held("d", "arrowright");
    if (ahead || aside || bend) {
      const forward = ahead > 0 ? speeds.brisk : 0.6 * ahead * speeds.easy;
      return { velocity: [0.8 * speeds.easy * aside, forward], turn: nimble(walker, speeds) * bend };
    }
    if (goal) return towards(walker, speeds, goal);
    if (python) return python;
    return wanders ? wander(walker, speeds, time) : { velocity: [0, 0], turn: 0 };
  };

  /** @type {(walker: Walker, speeds: Speeds, time: number) => Order} */
  const wander = (walker, speeds, time) => {
    began ||= time;
    const t = (time - began) / 1000,
      pace = speeds.easy * (0.6 + 0.2 * Math.sin(0.5 * t) - 0.15 * Math.cos(0.23 * t));
    const turn = 0.75 * nimble(walker, speeds) * (0.6 * Math.sin(0.31 * t + 0.4) + 0.4 * Math.sin(0.83 * t));
    return { velocity: isSideways(walker) ? [pace, 0] : [0, pace], turn };
  };

  // Turn the front towards the goal, or a side if the animal walks sideways, and walk there.
  /** @type {(walker: Walker, speeds: Speeds, goal: number[]) => Order} */
  const towards = (walker, speeds, [x, , z]) => {
    const { lead, place } = walker,
      length = walker.anatomy.reach;
    const [dx, dz] = [x - place[0], z - place[1]],
      c = Math.cos(lead),
      s = Math.sin(lead);
    const left = dx * c - dz * s,
      front = dx * s + dz * c,
      far = Math.hypot(left, front),
      side = left < 0 ? -1 : 1;
    if (far < 0.12 * length) {
      goal = null;
      return { velocity: [0, 0], turn: 0 };
    }
    const off = isSideways(walker) ? Math.atan2(-side * front, side * left) : Math.atan2(left, front);
    const speed = Math.min(speeds.brisk, speeds.easy * Math.max(1, far / (FAR * length))),
      pace = speed * Math.max(0, Math.cos(off)) * Math.min(1, far / (0.8 * length)),
      most = nimble(walker, speeds);
    // Close to the goal, turn less.
    const calm = Math.min(1, far / (0.4 * length));
    return {
      velocity: isSideways(walker) ? [side * pace, 0] : [0, pace],
      turn: calm * Math.min(most, Math.max(-most, 2.5 * off)),
    };
  };

  return {
    order,
    /** Whether somebody leads the animal now. */
    isOn: () =>
      keys.size > 0 || goal !== null || wanders || (python !== null && [...python.velocity, python.turn].some(Boolean)),
    /** Whether Python has given an order that moves the animal. */
    isLed: () => python !== null && [...python.velocity, python.turn].some(Boolean),
    goal: () => goal,
    /** Send the animal to a place on the ground, or stop it. @param {number[] | null} place */
    lead: (place) => {
      goal = place && finite("place", place, 3);
      if (place) motion.set(false);
      frames.redraw();
    },
    /** Take an order from Python; it ends the automatic motion. @param {Order | null} given */
    obey: (given) => {
      if (given) motion.set(false);
      python = given && { velocity: finite("velocity", given.velocity, 2), turn: finite("turn", given.turn, 1)[0] };
      frames.redraw();
    },
    /** @param {string} key */
    isKey: (key) => KEYS.includes(key),
    /** Press a key that steers. @param {string} key */
    press: (key) => {
      keys.add(key);
      goal = null;
      motion.set(false);
      frames.redraw();
    },
    /** Release a key, or all. @param {string | null} key */
    release: (key = null) => (key === null ? keys.clear() : keys.delete(key)),
  };
})();
