// The automatic motion: of the target of a limb; scenes about something else listen, and move that.
import { state } from "../state/state.js";
import { scenes } from "../scenes/scene.js";
import { frames } from "./frames.js";
import { sight } from "./sight.js";

export const motion = (() => {
  const now = state.now;
  /** @type {((isOn: boolean) => void)[]} */
  const listeners = [];
  /** @type {ReturnType<typeof state.limb> | undefined} */
  let moved; // the limb as the motion has left it
  let isOn = false,
    began = 0;

  /**
   * Move the target of the limb.
   * @param {number} time of the frame, in milliseconds
   */
  const step = (time) => {
    began ||= time;
    const t = (time - began) / 1000,
      reach = now.r1 + now.r2 || 1;
    const swing = [0.82 * Math.sin(0.9 * t + 0.9), 0.66 * Math.sin(1.31 * t + 0.6), 0.6 * Math.sin(0.71 * t + 0.4)];
    state.set({ target: now.root.map((part, i) => sight.tidy(part + reach * swing[i])) }, "wander");
    moved = state.limb();
  };
  /** Start or stop the motion. @param {boolean} on */
  const set = (on) => {
    const was = isOn;
    isOn = on;
    for (const listener of listeners) listener(on);
    if (on) {
      began = 0;
      moved = scenes.isLimb() ? state.limb() : undefined;
      frames.redraw();
    } else if (was) state.commit(moved); // without the change that ended it, which is an undo step of its own
  };

  return {
    step,
    set,
    isOn: () => isOn,
    // Stop the motion of the limb; that of another scene goes on.
    settleDown: () => {
      if (isOn && scenes.isLimb()) set(false);
    },
    /** Call a function whenever the motion is started or stopped. @param {(isOn: boolean) => void} listener */
    on: (listener) => {
      listeners.push(listener);
    },
  };
})();
