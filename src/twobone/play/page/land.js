// The ground, by the formulas of terrain/landforms.py: its height, and a grid of vertices to draw.
export const land = (() => {
  const EDGE = [-0.5, 0.5];

  /** @type {Record<string, (form: any, x: number, z: number) => number[]>} */
  const KINDS = {
    flat: ({ level }) => [level, 0, 0],
    slope: ({ rise: [a, b] }, x, z) => [a * x + b * z, a, b],
    steps: ({ rise, run, face }, _, z) => {
      const runs = z / run, step = Math.floor(runs), t = Math.min(1, Math.max(0, (runs - step - 0.5) / face + 0.5));
      return [rise * (step + t * t * (3 - 2 * t)), 0, ((rise / (face * run)) * 6 * t * (1 - t))];
    },
    noise: ({ high, waves }, x, z) => {
      let y = 0, along = 0, across = 0;
      for (const [a, b, c] of waves) {
        const angle = a * x + b * z + c, sine = Math.sin(angle);
        y += Math.cos(angle);
        along -= a * sine;
        across -= b * sine;
      }
      return [high * y, high * along, high * across];
    },
  };
  /** @type {(form: any, x: number, z: number) => number[]} */
  const at = (form, x, z) => KINDS[form.kind](form, x, z);
  /** @type {(form: any, x: number, z: number) => number} */
  const height = (form, x, z) => at(form, x, z)[0];

  // The z of each row of the grid: evenly spaced, but moved onto the edges of the faces of steps.
  /** @type {(form: any, from: number, cell: number, count: number) => number[]} */
  const rows = (form, from, cell, count) => {
    const even = Array.from({ length: count }, (_, i) => from + i * cell);
    if (form.kind !== "steps") return even;
    for (let step = Math.floor(from / form.run) - 1; step * form.run < even[count - 1]; step++)
      for (const side of EDGE) {
        const edge = (step + 0.5 + side * form.face) * form.run, near = Math.round((edge - from) / cell - 0.5 + side);
        if (near > 0 && near < count) even[near] = edge;
      }
    return even.sort((a, b) => a - b);
  };

  // A square grid of ground around a place, with `count` vertices along each side. Its corner is
  // rounded, so that most frames share one grid.
  /** @type {(import("./stage.js").Land & { form: any, key: string }) | null} */
  let made = null;
  /** @param {any} form @param {number[]} centre @param {number} reach @param {number} count vertices along each side @returns {import("./stage.js").Land} */
  const around = (form, [x, , z], reach, count) => {
    const cell = (2.3 * reach) / count, step = 0.1 * reach, corner = [x, z].map((v) => Math.round(v / step) * step - (count * cell) / 2);
    const key = `${corner},${cell}`;
    if (made && made.form === form && made.key === key) return made;
    const vertices = new Float32Array(6 * count * count), zs = rows(form, corner[1], cell, count);
    let i = 0;
    for (let row = 0; row < count; row++)
      for (let column = 0; column < count; column++) {
        const dx = column * cell, [y, a, b] = at(form, corner[0] + dx, zs[row]), k = 1 / Math.hypot(a, 1, b);
        vertices.set([dx, y, zs[row] - corner[1], -a * k, k, -b * k], i);
        i += 6;
      }
    made = { form, key, corner: [corner[0], 0, corner[1]], size: count, vertices };
    return made;
  };

  return { height, around };
})();
