// The ground as a grid of vertices to draw.

/** @import { Terrain } from "./ground.js" */

export const land = (() => {
  const EDGE = [-0.5, 0.5];

  /** @type {(ground: Terrain, x: number, z: number) => number} */
  const height = (ground, x, z) => ground.height(x, z);

  // The z of each row of the grid: evenly spaced, but moved onto the edges of the faces of steps.
  /** @type {(ground: Terrain, from: number, cell: number, count: number) => number[]} */
  const rows = (ground, from, cell, count) => {
    const even = Array.from({ length: count }, (_, i) => from + i * cell),
      { kind, run, face } = ground.formula;
    if (kind !== "steps") return even;
    for (let step = Math.floor(from / run) - 1; step * run < even[count - 1]; step++)
      for (const side of EDGE) {
        const edge = (step + 0.5 + side * face) * run,
          near = Math.round((edge - from) / cell - 0.5 + side);
        if (near > 0 && near < count) even[near] = edge;
      }
    return even.sort((a, b) => a - b);
  };

  // A square grid of ground around a place, with `count` vertices along each side. Its corner is
  // rounded, so that most frames share one grid.
  /** @type {{ ground: Terrain, key: string, corner: number[], size: number, vertices: Float32Array<ArrayBuffer> } | null} */
  let made = null;
  /** @type {(ground: Terrain, place: number[], reach: number, count: number) => NonNullable<typeof made>} */
  const around = (ground, [x, , z], reach, count) => {
    const cell = (2.3 * reach) / count,
      step = 0.1 * reach,
      corner = [x, z].map((v) => Math.round(v / step) * step - (count * cell) / 2);
    const key = `${corner},${cell}`;
    if (made?.ground === ground && made.key === key) return made;
    // Heights of the vertices and of one more on each side, for the slopes.
    const wide = count + 2,
      xs = Array.from({ length: wide }, (_, i) => corner[0] + (i - 1) * cell),
      zs = rows(ground, corner[1] - cell, cell, wide);
    const heights = zs.map((z) => xs.map((x) => ground.height(x, z))),
      vertices = new Float32Array(6 * count * count),
      isLevel = ground.formula.kind === "steps"; // at all rows, also at the edges of a face
    let i = 0;
    for (let row = 1; row <= count; row++)
      for (let column = 1; column <= count; column++) {
        const a = (heights[row][column + 1] - heights[row][column - 1]) / (2 * cell),
          b = isLevel ? 0 : (heights[row + 1][column] - heights[row - 1][column]) / (zs[row + 1] - zs[row - 1]),
          k = 1 / Math.hypot(a, 1, b);
        vertices.set([xs[column] - corner[0], heights[row][column], zs[row] - corner[1], -a * k, k, -b * k], i);
        i += 6;
      }
    made = { ground, key, corner: [corner[0], 0, corner[1]], size: count, vertices };
    return made;
  };

  return { height, around };
})();
