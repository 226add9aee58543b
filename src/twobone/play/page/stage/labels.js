// Place labels next to what they name, clear of each other, of marks and of the edge of the picture.
import { draw } from "./draw.js";

/** @typedef {{ text: string, at: number[], size: number, italic?: boolean, name?: string, fill?: string }} Label */

export const labels = (() => {
  const GAP = 3; // pixels to what is not to be covered
  // Rotations of the preferred offset of a label and factors on its length, the best first.
  const TRIES = [1, 1.6, 2.2].flatMap((far) =>
    [0, 45, -45, 90, -90, 135, -135, 180].map((angle) => [(angle * Math.PI) / 180, far]),
  );
  const FAR = 68; // pixels: a label farther away than that does not belong to its point any more
  const used = new Map(); // the last choice for each label, so that it does not jump during motion

  /** @type {(label: Label) => number[]} */
  const boxOf = ({ text, size, italic, at }) => {
    const wide = draw.widthOf(text, size, italic) / 2,
      high = 0.4 * size;
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
      const [x, y] = line[i],
        count = Math.min(64, Math.ceil(Math.hypot(u - x, v - y) / 8));
      return Array.from({ length: count }, (_, k) => {
        const [px, py] = [x + ((u - x) * (k + 0.5)) / count, y + ((v - y) * (k + 0.5)) / count];
        return [px - 4, py - 4, px + 4, py + 4];
      });
    });

  // Whether a circle passes through a box.
  /** @type {(box: number[], circle: number[]) => boolean} */
  const isCut = ([left, top, right, bottom], [x, y, r]) => {
    const near = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)),
      far = Math.hypot(Math.max(x - left, right - x), Math.max(y - top, bottom - y));
    return near < r + 2 && far > r - 2;
  };

  // Place labels {text, at, off, ...}, the most important first: `at` is the named point, `off` the
  // preferred offset. They stay off the `lines` and the `circles` (x, y, radius) where there is another
  // place, off the lines at least; a label with `rings` stays off these instead of the circles. A label for
  // which there is no room is left out. `covers` are boxes that lie over the picture: left, top, right, bottom.
  // Labels are `apart` pixels from each other where there is room.
  /** @param {(Label & { off: number[], rings?: number[][] })[]} wanted @param {number[][]} marks @param {{ width: number, height: number }} picture @param {number[][][]} lines @param {number[][]} covers @param {number[][]} circles @param {number} apart */
  const place = (wanted, marks, { width, height }, lines = [], covers = [], circles = [], apart = GAP) => {
    const taken = [...marks.map(([x, y, r]) => [x - r, y - r, x + r, y + r]), ...covers];
    const crossed = lines.flatMap(along).filter((box) => box.every(Number.isFinite));
    const placed = [],
      words = new Set();
    for (const { off, rings = circles, ...label } of wanted) {
      const { at, text } = label,
        own = taken.find((box) => meet([...at, ...at], box, 0));
      /** @param {number[]} choice */
      const moved = ([angle, far]) => {
        const [c, s] = [far * Math.cos(angle), far * Math.sin(angle)];
        return { ...label, at: [at[0] + c * off[0] - s * off[1], at[1] + s * off[0] + c * off[1]] };
      };
      // `isOff`: from nothing, from lines, or from circles as well.
      /** @type {(shape: Label, gap: number, isOff: number) => boolean} */
      const isFree = (shape, gap, isOff) => {
        const box = boxOf(shape);
        if (isOff > 0 && crossed.some((other) => meet(box, other, 0))) return false;
        if (
          isOff > 1 &&
          (Math.hypot(shape.at[0] - at[0], shape.at[1] - at[1]) > FAR || rings.some((circle) => isCut(box, circle)))
        )
          return false;
        return (
          box[0] > 0 &&
          box[1] > 0 &&
          box[2] < width &&
          box[3] < height &&
          !taken.some((other) =>
            meet(box, other, other === own ? GAP : isOff > 0 && words.has(other) ? Math.max(gap, apart) : gap),
          )
        );
      };
      // A label keeps its last choice until there is ample room for a better one.
      const last = used.get(text) ?? 0;
      let choice = -1;
      for (let isOff = 2; isOff >= 0 && choice < 0; isOff--) {
        const fits = (/** @type {number} */ i, gap = GAP) => isFree(moved(TRIES[i]), gap, isOff);
        const kept = TRIES.findIndex((_, i) => i <= last && fits(i, i < last ? 8 * GAP : GAP));
        choice = kept < 0 ? TRIES.findIndex((_, i) => fits(i)) : kept;
      }
      used.set(text, Math.max(0, choice));
      if (choice < 0) continue;
      const shape = moved(TRIES[choice]);
      const box = boxOf(shape);
      taken.push(box);
      words.add(box);
      placed.push(shape);
    }
    return placed;
  };

  return { place, beside };
})();
