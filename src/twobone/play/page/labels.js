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

  /**
   * The offset of a label beside a segment in pixels, perpendicular to it.
   * @param {number[]} a
   * @param {number[]} b
   * @param {number[]} towards which of both sides
   * @param {number} far in pixels
   */
  const beside = ([x, y], [u, v], towards, far) => {
    const long = Math.hypot(u - x, v - y);
    if (long < 1) return towards;
    const normal = [(v - y) / long, (x - u) / long];
    return normal.map((part) => part * far * (normal[0] * towards[0] + normal[1] * towards[1] < 0 ? -1 : 1));
  };

  // Boxes along a line of pixels.
  /** @type {(line: number[][]) => number[][]} */
  const along = (line) =>
    line.slice(1).flatMap(([u, v], i) => {
      const [x, y] = line[i], count = Math.min(64, Math.ceil(Math.hypot(u - x, v - y) / 8));
      return Array.from({ length: count }, (_, k) => {
        const [px, py] = [x + ((u - x) * (k + 0.5)) / count, y + ((v - y) * (k + 0.5)) / count];
        return [px - 4, py - 4, px + 4, py + 4];
      });
    });

  // Place labels {text, at, off, ...}, the most important first: `at` is the named point, `off` the
  // preferred offset. They stay off the `lines` where there is another place. A label for which there is
  // no room is left out. `covers` are boxes that lie over the picture: left, top, right, bottom.
  /** @param {(Label & { off: number[] })[]} wanted @param {number[][]} marks @param {{ width: number, height: number }} picture @param {number[][][]} lines @param {number[][]} covers */
  const place = (wanted, marks, { width, height }, lines = [], covers = []) => {
    const taken = [...marks.map(([x, y, r]) => [x - r, y - r, x + r, y + r]), ...covers], crossed = lines.flatMap(along).filter((box) => box.every(Number.isFinite));
    const placed = [];
    for (const { off, ...label } of wanted) {
      const { at, text } = label;
      /** @param {number[]} choice */
      const moved = ([angle, far]) => {
        const [c, s] = [far * Math.cos(angle), far * Math.sin(angle)];
        return { ...label, at: [at[0] + c * off[0] - s * off[1], at[1] + s * off[0] + c * off[1]] };
      };
      /** @type {(shape: Label, gap: number, isClear: boolean) => boolean} */
      const isFree = (shape, gap, isClear) => {
        const box = boxOf(shape);
        if (isClear && crossed.some((other) => meet(box, other, 0))) return false;
        return box[0] > 0 && box[1] > 0 && box[2] < width && box[3] < height && !taken.some((other) => meet(box, other, gap));
      };
      // A label keeps its last choice until there is ample room for the best one.
      const last = used.get(text) ?? 0, fits = (/** @type {number} */ i, /** @type {number} */ gap, isClear = true) => isFree(moved(TRIES[i]), gap, isClear);
      const clear = fits(0, last ? 8 * GAP : GAP) ? 0 : fits(last, GAP) ? last : TRIES.findIndex((_, i) => fits(i, GAP));
      const choice = clear < 0 ? TRIES.findIndex((_, i) => fits(i, GAP, false)) : clear;
      used.set(text, Math.max(0, choice));
      if (choice < 0) continue;
      const shape = moved(TRIES[choice]);
      taken.push(boxOf(shape));
      placed.push(shape);
    }
    return placed;
  };

  return { place, beside };
})();
