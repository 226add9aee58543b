// Place labels next to what they name, clear of each other, of marks and of the edge of the picture.
import { draw } from "./draw.js";

/** @typedef {{ text: string, at: number[], size: number, italic?: boolean, name?: string, fill?: string }} Label */

export const labels = (() => {
  const GAP = 3;
  // Rotations of the preferred offset of a label and factors on its length, the best first.
  const TRIES = [1, 1.6].flatMap((far) => [0, 45, -45, 90, -90, 135, -135, 180].map((angle) => [(angle * Math.PI) / 180, far]));
  const used = new Map(); // the last choice for each label, so that it does not jump during motion

  /** @type {(label: Label) => number[]} */
  const boxOf = ({ text, size, italic, at }) => {
    const wide = draw.widthOf(text, size, italic) / 2, high = 0.4 * size;
    return [at[0] - wide, at[1] - high, at[0] + wide, at[1] + high];
  };
  /** @type {(a: number[], b: number[], gap: number) => boolean} */
  const meet = (a, b, gap) => a[0] - gap < b[2] && b[0] - gap < a[2] && a[1] - gap < b[3] && b[1] - gap < a[3];

  // Place labels {text, at, off, ...}, the most important first: `at` is the named point, `off` the
  // preferred offset. A label for which there is no room is left out.
  /** @param {(Label & { off: number[] })[]} wanted @param {number[][]} marks @param {{ width: number, height: number }} picture */
  const place = (wanted, marks, { width, height }) => {
    const taken = marks.map(([x, y, r]) => [x - r, y - r, x + r, y + r]);
    const placed = [];
    for (const { off, ...label } of wanted) {
      const { at, text } = label;
      /** @param {number[]} choice */
      const moved = ([angle, far]) => {
        const [c, s] = [far * Math.cos(angle), far * Math.sin(angle)];
        return { ...label, at: [at[0] + c * off[0] - s * off[1], at[1] + s * off[0] + c * off[1]] };
      };
      /** @type {(shape: Label, gap: number) => boolean} */
      const isFree = (shape, gap) => {
        const box = boxOf(shape);
        return box[0] > 0 && box[1] > 0 && box[2] < width && box[3] < height && !taken.some((other) => meet(box, other, gap));
      };
      // A label keeps its last choice until there is ample room for the best one.
      const last = used.get(text) ?? 0, fits = (/** @type {number} */ i, /** @type {number} */ gap) => isFree(moved(TRIES[i]), gap);
      const choice = fits(0, last ? 8 * GAP : GAP) ? 0 : fits(last, GAP) ? last : TRIES.findIndex((_, i) => fits(i, GAP));
      used.set(text, Math.max(0, choice));
      if (choice < 0) continue;
      const shape = moved(TRIES[choice]);
      taken.push(boxOf(shape));
      placed.push(shape);
    }
    return placed;
  };

  return { place };
})();
