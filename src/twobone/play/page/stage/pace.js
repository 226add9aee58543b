// Choose the quality of drawing by the frame rate during motion: a coarser level of WebGL (stage.js), or
// flat shapes if even the coarsest level is hopelessly slow and these are faster.
import { stage } from "./stage.js";

export const pace = (() => {
  const SMOOTH = 24,
    POOR = 60,
    HOPELESS = 250; // milliseconds per frame
  const FRESH = 3; // frames in which shaders are compiled: at the start, in another scene, on another level
  /** @type {number[]} */
  let times = [];
  let total = 0,
    withWebgl = Infinity,
    isSettled = false,
    fresh = FRESH;

  /** The next frames are not counted: they compile shaders. */
  const refresh = () => {
    fresh = FRESH;
    times = [];
    total = 0;
  };
  // Count the time of a frame and whether WebGL drew it; return whether WebGL should draw the next one.
  /** @param {number} milliseconds @param {boolean} isLit */
  const count = (milliseconds, isLit) => {
    if (isLit && fresh-- > 0) return isLit;
    times.push(milliseconds);
    total += milliseconds;
    if (isSettled || times.length < 3 || (times.length < 16 && total < 1500)) return isLit;
    const middle = times.sort((a, b) => a - b)[times.length >> 1];
    times = [];
    total = 0;
    if (!isLit) {
      isSettled = true;
      return middle > withWebgl; // back to WebGL unless lines are faster
    }
    if (middle <= SMOOTH) return true;
    if (middle <= HOPELESS || !stage.isCoarsest()) {
      if (!stage.isCoarsest()) refresh();
      stage.coarsen(middle > HOPELESS ? Infinity : middle > POOR ? 2 : 1);
      return true;
    }
    withWebgl = middle;
    return false;
  };

  /** Measure anew, for a machine that is faster than it was. */
  const restart = () => {
    isSettled = false;
    withWebgl = Infinity;
    refresh();
  };

  return { SMOOTH, HOPELESS, count, refresh, restart };
})();
