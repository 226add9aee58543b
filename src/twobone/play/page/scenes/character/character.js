// The character that is shown, its frames and its undo.
import { state } from "../../state/state.js";
import { frames } from "../../stage/frames.js";
import { motion } from "../../stage/motion.js";
import { isHere } from "./here.js";
import { Posing } from "./posing.js";
import { sample } from "./sample.js";
import { texts } from "./texts.js";
import { View } from "./view.js";

/** @typedef {import("./posing.js").PosedLimb} PosedLimb */
/** @typedef {import("./posing.js").Shown} Shown */
/** @typedef {import("./posing.js").Character} Character */

export const character = (() => {
  const view = new View(),
    SIDE = 35,
    PITCH = 10; // degrees: a view from the front, at the left
  /** @type {Posing | null} */
  let posing = null;
  /** @type {Shown[]} */
  let limbs = [];
  /** @type {PosedLimb | null} */
  let chosen = null;
  /** @type {(() => void)[]} */
  const listeners = [];
  let last = 0;

  // --- what is shown ------------------------------------------------------------------------

  /** The character; at first, the page's own figure. @returns {Posing} */
  const it = () => {
    if (!posing) take({ name: texts.sample, ...sample() });
    return /** @type {Posing} */ (posing);
  };
  /** Show another character. @param {Character} given */
  const take = (given) => {
    const next = new Posing(given); // throws before anything has changed
    posing?.character.model?.dispose();
    posing = next;
    past = [];
    future = [];
    kept = copy();
    arrange();
    face();
  };
  // After a new clip: its limbs and the view.
  const arrange = () => {
    if (!posing) return;
    const old = chosen?.name,
      { limbs: found } = posing;
    chosen =
      found.find(({ name }) => name === old) ?? found.find(({ name }) => name === "right arm") ?? found[0] ?? null;
    solve();
    view.fit(posing);
    for (const listener of listeners) listener();
    frames.redraw();
  };
  // Look at a character from the front.
  const face = () => {
    const [x, , z] = posing?.ahead ?? [0, 0, 1];
    if (isHere())
      state.set({ yaw: Math.round((Math.atan2(x, z) * 180) / Math.PI + SIDE), pitch: PITCH, zoom: 1 }, "view");
  };
  /** @param {number} index of a clip */
  const chooseClip = (index) => {
    it().choose(index);
    arrange();
  };
  /** @param {PosedLimb} limb */
  const choose = (limb) => {
    chosen = limb;
    frames.redraw();
  };

  // --- frames -------------------------------------------------------------------------------

  /** @param {number} time of the frame, in milliseconds */
  const step = (time) => {
    const seconds = Math.max(0, Math.min(0.1, (time - last) / 1000));
    last = time;
    if (!motion.isOn()) return;
    it().advance(seconds);
    view.follow(it(), seconds);
  };
  /** Go to a frame and stop there. @param {number} frame */
  const seek = (frame) => {
    motion.set(false);
    it().frame = frame;
    solve();
    view.follow(it());
    frames.redraw();
  };
  motion.on((isOn) => {
    last = performance.now();
    if (!isOn && posing && isHere()) posing.frame = Math.round(posing.frame) % posing.clip.count;
  });
  /** Solve the pose of the frame, and give it to the model. */
  const solve = () => {
    const solved = it().solve();
    limbs = solved.limbs;
    it().character.model?.apply(solved.pose, solved.world, it().face);
  };

  // --- changes and their undo ---------------------------------------------------------------

  const copy = () => structuredClone({ pins: posing?.pins, choices: posing?.choices, face: posing?.face });
  let kept = copy();
  /** @type {(typeof kept)[]} */
  let past = [];
  /** @type {(typeof kept)[]} */
  let future = [];
  // Add an undo step: at the end of a drag, after a key or a number.
  const commit = () => {
    past = [...past, kept].slice(-100);
    future = [];
    kept = copy();
    frames.redraw();
  };
  const go = (/** @type {typeof past} */ from, /** @type {typeof past} */ to) => {
    const found = from.pop();
    if (!found || !posing) return;
    to.push(kept);
    kept = found;
    Object.assign(
      posing,
      structuredClone({ pins: found.pins ?? new Map(), choices: found.choices ?? new Map(), face: found.face ?? [] }),
    );
    frames.redraw();
  };
  const history = {
    undo: () => go(past, future),
    redo: () => go(future, past),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
  };
  /** Let a limb, or all of them, follow the clip again. @param {PosedLimb | null} [limb] */
  const release = (limb = null) => {
    it().release(limb);
    commit();
  };

  // --- for the rest of the page ---------------------------------------------------------------

  /** Fit the view to the pose of the frame. */
  const fit = () => {
    solve();
    view.fit(it());
  };
  const statusOf = (/** @type {Shown} */ { isPinned, word, by, isSoft }) =>
    isPinned ? texts.status(word, by, isSoft) : texts.follows;
  const shownOf = () => limbs.find(({ limb }) => limb === chosen) ?? null;
  const say = () => {
    const shown = shownOf();
    return shown ? texts.say(it().character.name, shown.limb.name, statusOf(shown)) : it().character.name;
  };

  return {
    it,
    take,
    view,
    choose,
    chooseClip,
    step,
    seek,
    solve,
    fit,
    history,
    commit,
    release,
    statusOf,
    shownOf,
    say,
    face,
    limbs: () => limbs,
    chosen: () => chosen,
    parts: () => view.parts(it()),
    shapes: (/** @type {boolean} */ isLit) => view.shapes(it(), limbs, isLit, chosen),
    camera: () => view.camera(),
    /** Call a function whenever there is another character or clip. @param {() => void} listener */
    on: (listener) => {
      listeners.push(listener);
    },
  };
})();
