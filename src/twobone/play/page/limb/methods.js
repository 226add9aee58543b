// Five ways to place the joint of a limb in the plane, in float64 or float32, with their operations
// counted. Each is written with the operations of an `Arithmetic`, which rounds and counts.
import { twobone } from "../solver.js";
import { exactly } from "./exactly.js";

/**
 * @typedef {object} Arithmetic
 * @property {"float64" | "float32"} type
 * @property {{plain: number, roots: number, trig: number}} count
 * @property {(a: number, b: number) => number} add
 * @property {(a: number, b: number) => number} sub
 * @property {(a: number, b: number) => number} mul
 * @property {(a: number, b: number) => number} div
 * @property {(a: number) => number} sqrt
 * @property {(value: number) => number} trig rounds and counts the result of a function of angles
 */
/**
 * @typedef {object} Placed
 * @property {number[]} joint
 * @property {number} steps 1 for a formula; for an iteration, how often it went through the limb
 * @property {boolean} arrived whether the method itself takes the target for reached, or for unreachable
 */

export const methods = (() => {
  const EPS = { float64: 2 ** -52, float32: 2 ** -23 };

  /** @param {"float64" | "float32"} type @returns {Arithmetic} */
  const arithmetic = (type) => {
    const round = type === "float32" ? Math.fround : (/** @type {number} */ v) => v;
    const count = { plain: 0, roots: 0, trig: 0 };
    const plain = (/** @type {number} */ v) => (count.plain++, round(v));
    // A float64 operation on two float32 numbers, rounded to float32, is the float32 operation.
    return {
      type,
      count,
      add: (a, b) => plain(a + b),
      sub: (a, b) => plain(a - b),
      mul: (a, b) => plain(a * b),
      div: (a, b) => plain(a / b),
      sqrt: (a) => (count.roots++, round(Math.sqrt(a))),
      trig: (v) => (count.trig++, round(v)),
    };
  };

  // --- the article, one division ------------------------------------------------------------

  /** @param {Arithmetic} m @param {number[]} p @param {number} r1 @param {number} r2 @param {number} side @returns {Placed} */
  const article = ({ add, sub, mul, div, sqrt }, [px, py], r1, r2, side) => {
    const h = add(mul(px, px), mul(py, py)),
      rr = mul(r1, r1);
    const w = add(h, sub(rr, mul(r2, r2)));
    const under = sub(mul(mul(4, rr), h), mul(w, w));
    const k = side * sqrt(under < 0 ? 0 : under),
      double = add(h, h);
    return {
      joint: [div(sub(mul(w, px), mul(k, py)), double), div(add(mul(w, py), mul(k, px)), double)],
      steps: 1,
      arrived: true,
    };
  };

  // --- the law of cosines -------------------------------------------------------------------

  /** @param {Arithmetic} m @param {number[]} p @param {number} r1 @param {number} r2 @param {number} side @returns {Placed} */
  const cosines = ({ add, sub, mul, div, sqrt, trig }, [px, py], r1, r2, side) => {
    const dd = add(mul(px, px), mul(py, py)),
      d = sqrt(dd);
    const c = div(sub(add(mul(r1, r1), dd), mul(r2, r2)), mul(mul(2, r1), d));
    const inner = trig(Math.acos(c > 1 ? 1 : c < -1 ? -1 : c));
    const angle = add(trig(Math.atan2(py, px)), side * inner);
    return { joint: [mul(r1, trig(Math.cos(angle))), mul(r1, trig(Math.sin(angle)))], steps: 1, arrived: true };
  };

  // --- iterations ---------------------------------------------------------------------------

  // They stop within this fraction of the greatest reach, or after so many steps.
  const CLOSE = 1e-6,
    MOST = 100;
  /**
   * The pose that iterations start from: the first bone is perpendicular to the target direction.
   * @param {number[]} p @param {number} r1 @param {number} side @param {"float64" | "float32"} type
   */
  const start = ([px, py], r1, side, type) => {
    const d = Math.sqrt(px * px + py * py),
      round = type === "float32" ? Math.fround : Number;
    return d > 0 ? [round((-side * r1 * py) / d), round((side * r1 * px) / d)] : [0, side * r1];
  };

  /** @param {Arithmetic} m */
  const vectors = ({ add, sub, mul, div, sqrt }) => {
    const length = (/** @type {number[]} */ [x, y]) => sqrt(add(mul(x, x), mul(y, y)));
    const minus = (/** @type {number[]} */ [a, b], /** @type {number[]} */ [c, d]) => [sub(a, c), sub(b, d)];
    /** The point at the distance r from `from`, towards `to`. @param {number[]} from @param {number[]} to @param {number} r */
    const towards = (from, to, r) => {
      const v = minus(to, from),
        k = div(r, length(v));
      return [add(from[0], mul(k, v[0])), add(from[1], mul(k, v[1]))];
    };
    return { length, minus, towards };
  };

  /** @param {Arithmetic} m @param {number[]} p @param {number} r1 @param {number} r2 @param {number} side @returns {Placed} */
  const fabrik = (m, p, r1, r2, side) => {
    const { length, minus, towards } = vectors(m),
      root = [0, 0],
      reach = m.add(r1, r2);
    if (length(p) > reach) return { joint: towards(root, p, r1), steps: 1, arrived: true };
    let joint = start(p, r1, side, m.type);
    for (let steps = 1; steps <= MOST; steps++) {
      joint = towards(root, towards(p, joint, r2), r1);
      const end = towards(joint, p, r2);
      if (length(minus(end, p)) <= CLOSE * reach) return { joint, steps, arrived: true };
    }
    return { joint, steps: MOST, arrived: false };
  };

  /** @param {Arithmetic} m @param {number[]} p @param {number} r1 @param {number} r2 @param {number} side @returns {Placed} */
  const ccd = (m, p, r1, r2, side) => {
    const { add, sub, mul, div } = m,
      { length, minus, towards } = vectors(m),
      reach = add(r1, r2);
    let joint = start(p, r1, side, m.type);
    for (let steps = 1; steps <= MOST; steps++) {
      // The second bone points at the target, then the whole limb turns around the root.
      const end = towards(joint, p, r2),
        over = mul(length(end), length(p));
      const c = div(add(mul(end[0], p[0]), mul(end[1], p[1])), over),
        s = div(sub(mul(end[0], p[1]), mul(end[1], p[0])), over);
      const rotate = (/** @type {number[]} */ [x, y]) => [sub(mul(c, x), mul(s, y)), add(mul(s, x), mul(c, y))];
      joint = rotate(joint);
      if (length(minus(rotate(end), p)) <= CLOSE * reach) return { joint, steps, arrived: true };
    }
    return { joint, steps: MOST, arrived: false };
  };

  // --- ours ---------------------------------------------------------------------------------

  /**
   * The formula of solver.js for limbs that need no scaling, in either type: double words and no
   * cancellation. In float64 a test compares it with solver.js, in float32 with Python.
   * @param {Arithmetic} m @param {number[]} p @param {number} r1 @param {number} r2 @param {number} side @returns {Placed}
   */
  const formula = ({ type, add, sub, mul, div, sqrt }, [px, py], r1, r2, side) => {
    const splitter = type === "float32" ? 2 ** 12 + 1 : 2 ** 27 + 1,
      speck = type === "float32" ? 2 ** -60 : 2 ** -200;
    const twoSum = (/** @type {number} */ a, /** @type {number} */ b) => {
      const s = add(a, b),
        c = sub(s, a);
      return [s, add(sub(a, sub(s, c)), sub(b, c))];
    };
    const fastTwoSum = (/** @type {number} */ a, /** @type {number} */ b) => {
      const s = add(a, b);
      return [s, sub(b, sub(s, a))];
    };
    const split = (/** @type {number} */ a) => {
      const c = mul(splitter, a),
        high = sub(c, sub(c, a));
      return [a, high, sub(a, high)];
    };
    const twoProduct = (/** @type {number} */ u, /** @type {number} */ v) => {
      const [a, high, low] = split(u),
        [b, up, down] = split(v),
        p = mul(a, b);
      return [p, add(add(add(sub(mul(high, up), p), mul(high, down)), mul(low, up)), mul(low, down))];
    };
    const twoSquare = (/** @type {number} */ u) => {
      const [a, high, low] = split(u),
        p = mul(a, a),
        cross = mul(high, low);
      return [p, add(add(sub(mul(high, high), p), add(cross, cross)), mul(low, low))];
    };
    const quotient = (/** @type {number[]} */ u, /** @type {number[]} */ v, /** @type {number} */ inverse) => {
      const q = mul(u[0], inverse),
        [product, e] = twoProduct(q, v[0]);
      return add(q, mul(add(sub(sub(u[0], product), e), sub(u[1], mul(q, v[1]))), inverse));
    };
    // What depends on the lengths only, then the pairs h = p.p and b = h - (r1 - r2)^2.
    const [f, fLow] = twoSum(r1, -r2),
      four = twoProduct(mul(4, r1), r2),
      [ff, ffLow] = twoSquare(f);
    const xx = twoSquare(px),
      yy = twoSquare(py),
      [h, lost] = twoSum(xx[0], yy[0]),
      hLow = add(lost, add(xx[1], yy[1]));
    const [rough, lostB] = twoSum(h, -ff);
    const [b, bLow] = fastTwoSum(rough, add(lostB, sub(hLow, add(ffLow, mul(2, mul(f, fLow))))));
    // a = (r1 + r2)^2 - h and w = h + r1^2 - r2^2 follow from b.
    const [left, lostA] = twoSum(four[0], -b),
      [a, aLow] = fastTwoSum(left, add(lostA, sub(four[1], bLow)));
    const [c, cLow] = twoProduct(mul(2, r1), f),
      w = [add(c, b), add(bLow, add(cLow, mul(2, mul(r1, fLow))))];
    const met = a >= 0 && b >= 0,
      [area, e] = twoProduct(a, met ? b : 1),
      areaLow = add(e, add(mul(a, met ? bLow : 0), mul(aLow, met ? b : 1)));
    const inside = met && area > speck * (h * (r1 * r1)),
      straight = a <= 0 || f >= 0 ? 1 : -1;
    const root = sqrt(inside ? add(area, areaLow) : add(h, hLow)),
      double = [add(h, h), add(hLow, hLow)],
      inverse = div(1, double[0]);
    const across = inside ? quotient([root, 0], double, inverse) : 0;
    const along = quotient(inside ? w : [mul(mul(2, straight * r1), root), 0], double, inverse);
    return {
      joint: [add(mul(along, px), mul(across, -side * py)), add(mul(along, py), mul(across, side * px))],
      steps: 1,
      arrived: true,
    };
  };
  // Limbs of a size for which `formula` is accurate, as in solver.js and core/exact.py.
  const SIZES = { float64: [2 ** 100, 2 ** 200], float32: [2 ** 12, 2 ** 24] };
  /** @param {number[]} p @param {number} r1 @param {number} r2 @param {"float64" | "float32"} type */
  const isEasy = (p, r1, r2, type) => {
    const [size, part] = SIZES[type],
      most = Math.max(...p.map(Math.abs));
    const moderate = (/** @type {number} */ v) => v >= 1 / size && v <= size;
    return (
      4 * r1 >= r2 &&
      moderate(r1) &&
      moderate(r2) &&
      moderate(most) &&
      p.every((v) => v === 0 || Math.abs(v) >= 1 / part)
    );
  };
  /** @param {Arithmetic} m @param {number[]} p @param {number} r1 @param {number} r2 @param {number} side @returns {Placed} */
  const ours = (m, p, r1, r2, side) => {
    if (isEasy(p, r1, r2, m.type)) return formula(m, p, r1, r2, side);
    // Other limbs are scaled first (solver.js); in float32 they are solved in float64 and rounded.
    m.count.plain = NaN;
    const { joint } = twobone.reach(p, r1, r2, { side });
    return { joint: m.type === "float32" ? joint.map(Math.fround) : joint, steps: 1, arrived: true };
  };

  const ALL = { ours, article, cosines, fabrik, ccd };

  /**
   * Run all methods on a limb; in float32 its numbers are rounded first.
   * @param {number[]} p @param {number} r1 @param {number} r2 @param {number} side @param {"float64" | "float32"} type
   */
  const compare = (p, r1, r2, side, type) => {
    if (type === "float32") [p, r1, r2] = [p.map(Math.fround), Math.fround(r1), Math.fround(r2)];
    const wanted = exactly.joint(p, r1, r2, side);
    return Object.entries(ALL).map(([name, method]) => {
      const m = arithmetic(type),
        placed = method(m, p, r1, r2, side);
      const apart = exactly.distance(placed.joint, wanted);
      return { name, ...placed, ...m.count, error: apart / EPS[type], apart };
    });
  };

  return { compare, arithmetic, formula, isEasy, CLOSE, MOST };
})();
