// When the page draws: at most once per frame. Whoever changes something asks for a frame here;
// main.js says what a frame consists of.

/**
 * @typedef {object} Work
 * @property {() => any} solve returns the solution of the state, as limb.solve does
 * @property {(found: any) => void} show shows the state and its solution
 * @property {(time: number) => void} advance begins a frame: moves what moves, and draws
 */

export const frames = (() => {
  /** @type {any} */
  let found = null;
  /** @type {Work | null} */
  let work = null;
  let due = false,
    latest = 0;
  const SOON = 40; // milliseconds: a breath or a glance is smooth at twenty frames in a second, a third of a walk's
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let soon;

  /**
   * Call a function at the next frame, with a time in milliseconds that never goes back: those of Chromium do,
   * by some milliseconds, when frames are late.
   * @param {(time: number) => void} then
   */
  const next = (then) => requestAnimationFrame((time) => then((latest = Math.max(latest, time))));
  /** Ask for a frame. */
  const redraw = () => {
    if (due) return;
    due = true;
    next((time) => {
      due = false;
      clearTimeout(soon);
      work?.advance(time);
    });
  };
  /** Ask for a frame after a while, unless one is due before that. */
  const redrawSoon = () => {
    clearTimeout(soon);
    soon = setTimeout(redraw, SOON);
  };
  /** Solve and draw at once. */
  const drawNow = () => {
    if (!work) return;
    found = work.solve();
    work.show(found);
  };

  return {
    next,
    redraw,
    redrawSoon,
    drawNow,
    /** Whether a frame is on its way. */
    isDue: () => due,
    /** Say what a frame consists of. @param {Work} what */
    begin: (what) => {
      work = what;
    },
    /** The solution that was drawn last; null before the first frame. */
    found: () => found,
  };
})();
