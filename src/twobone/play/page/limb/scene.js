// What scenes about the limb of the state have in common: its motion, its keys, and words about it.
import { state } from "../state/state.js";
import { live } from "../state/live.js";
import { motion } from "../stage/motion.js";
import { panel } from "../panel/panel.js";
import { t } from "../texts/texts.js";
import { limb } from "./limb.js";

/** @import { Found, Given } from "../scenes/scene.js" */

export const limbScene = (() => {
  const now = state.now;

  /** How many places there are for the elbow. @param {Found} found */
  const count = (found) => {
    if (found.word === "TOO_FAR") return t`None: too far away by ${found.by.toFixed(2)}.`;
    if (found.word === "TOO_NEAR") return t`None: too near by ${found.by.toFixed(2)}.`;
    if (found.far === 0) return t`Anywhere on a circle: the hand is at the shoulder.`;
    if (found.wide === 3) return t`To any point of the purple circle: drag the pole.`;
    if (found.s * found.far < 0.004 * (now.r1 + now.r2))
      return found.far > Math.max(now.r1, now.r2)
        ? t`One place: the arm is straight.`
        : t`One place: the arm is folded.`;
    return t`Two places: the elbow of this arm, or that of the dashed one.`;
  };

  /** @satisfies {Partial<Given>} */
  const found = {
    step: (/** @type {number} */ time) => {
      if (motion.isOn() && !live.isDue()) motion.step(time);
    },
    press: (/** @type {string} */ key) => {
      if (key === "f") panel.flip();
      return key === "f";
    },
    count: (/** @type {Found} */ found) => ({ words: count(found), status: found.word }),
    caption: (/** @type {Found} */ found) => t`A limb with bones ${now.r1} and ${now.r2}: ${limb.say(now, found)}`,
  };
  return found;
})();
