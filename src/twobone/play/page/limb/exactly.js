// The exact joint of a limb in the plane, in whole numbers: every float is a whole number times a
// power of two, so only the last square root and division are rounded, 300 bits after the point.

export const exactly = (() => {
  const GUARD = 300n;
  const view = new DataView(new ArrayBuffer(8));

  /** Return the whole number m and the exponent e of v = m 2^e. @param {number} v @returns {[bigint, number]} */
  const parts = (v) => {
    view.setFloat64(0, v);
    const bits = view.getBigUint64(0),
      exponent = Number((bits >> 52n) & 2047n),
      fraction = bits & ((1n << 52n) - 1n);
    const m = exponent ? fraction | (1n << 52n) : fraction;
    return [bits >> 63n ? -m : m, Math.max(exponent, 1) - 1075];
  };
  /** Return v 2^scale, cut off to a whole number. @param {number} v @param {bigint} scale */
  const whole = (v, scale) => {
    const [m, e] = parts(v),
      shift = BigInt(e) + scale;
    return shift >= 0n ? m << shift : m >> -shift;
  };
  /** The integer square root (Newton's method). @param {bigint} n */
  const root = (n) => {
    if (n < 2n) return n;
    let x = 1n << BigInt((n.toString(16).length * 4 + 2) >> 1);
    for (;;) {
      const next = (x + n / x) >> 1n;
      if (next >= x) return x;
      x = next;
    }
  };

  /**
   * @typedef {object} Exact
   * @property {bigint[]} joint in units of 2^-scale
   * @property {bigint} scale
   * @property {bigint} unit the first bone, or the second if the first has no length, in the same units
   */
  /**
   * The joint of a limb with its root at the origin. Out of reach it is that of the policy "clamp", and
   * with the target at the root that of docs/edge-cases.md.
   * @param {number[]} p @param {number} r1 @param {number} r2 @param {number} side @returns {Exact}
   */
  const joint = (p, r1, r2, side) => {
    const scale = BigInt(Math.max(0, ...[...p, r1, r2].map((v) => -parts(v)[1])));
    const [x, y, a, b] = [...p, r1, r2].map((v) => whole(v, scale)),
      sign = BigInt(side);
    const h = x * x + y * y,
      w = h + a * a - b * b,
      under = 4n * a * a * h - w * w;
    const fine = scale + GUARD,
      unit = (a > 0n ? a : b) << GUARD;
    if (h === 0n)
      return { joint: a === b ? [0n, sign * (a << GUARD)] : [(a > b ? a : -a) << GUARD, 0n], scale: fine, unit };
    if (under < 0n) {
      const far = root(h << (2n * GUARD)),
        towards = h > (a - b) * (a - b) || a >= b ? 1n : -1n;
      return { joint: [x, y].map((v) => ((towards * a * v) << (2n * GUARD)) / far), scale: fine, unit };
    }
    const k = sign * root(under << (2n * GUARD));
    return {
      joint: [((w * x) << GUARD) - k * y, ((w * y) << GUARD) + k * x].map((v) => v / (2n * h)),
      scale: fine,
      unit,
    };
  };

  /**
   * The distance of a joint from the exact one, as a fraction of the first bone; NaN if it is no number.
   * @param {number[]} given @param {Exact} exact
   */
  const distance = (given, { joint: wanted, scale, unit }) => {
    if (!given.every(Number.isFinite) || unit === 0n) return NaN;
    const [dx, dy] = given.map((v, i) => Number(((whole(v, scale) - wanted[i]) << 200n) / unit) / 2 ** 200);
    return Math.sqrt(dx * dx + dy * dy);
  };

  return { joint, distance };
})();
