// The solver in JavaScript: the same formula as in Python, with the same bits.
//
// This is `core/exact.py`, `formula.py`, `scaling.py`, `fitting.py`, `policies.py` and `answer.py`
// for one limb of float64 numbers, with the same order of operations and mostly the same names;
// the explanations are there. It uses only `+ - * /`, comparisons and `Math.sqrt`, each rounded
// once, so that every result equals that of `twobone.reach` bit for bit
// (tests/play/test_solver.py). The only exception: the sines of limits given in degrees may differ
// in their last bit between browsers.
//
// A pair is [value, rounding error], a vector is an array of its components. `u > v ? u : v`
// differs from `Math.max` for NaN, and matches Python.
//
//     twobone.reach([1, 1], 1, 1)                            a target in the plane
//     twobone.reach([1, 1, 0], 1, 1, {pole: [0, 1, 0]})      in space
//     twobone.reach([3, 0], 1, 1, {side: -1, unreachable: {limits: [0, 150], soft: 0.1}})
/** @typedef {{ whole: number, high: number, low: number }} Split */
/** @typedef {{ r1: number, difference: number[], four: number[], maximumReach: number, minimumReach: number }} Bones */
/**
 * @typedef {object} Triangle
 * @property {number[]} h
 * @property {number[]} w
 * @property {number[]} area
 * @property {boolean} met
 * @property {boolean} tooFar
 * @property {boolean} tooNear
 * @property {number} r1
 * @property {boolean} inside
 * @property {number} straight
 * @property {number} edge
 */
/**
 * @typedef {object} Solution
 * @property {number[]} p
 * @property {number[]} q
 * @property {number} across
 * @property {number} root
 * @property {number} inverse
 * @property {Triangle} triangle
 * @property {boolean} ambiguous
 */
/** @typedef {{ p: number[], r1: number, r2: number, side: number, pole: number[] | null }} Targets */
/** @typedef {{ joint: number[], end: number[], status: number }} Answer */
/**
 * @typedef {object} Units
 * @property {number} target
 * @property {number} longer
 * @property {number} first
 * @property {number} distance
 * @property {number} near
 * @property {number} thin
 * @property {boolean} atRoot
 * @property {boolean} farOutside
 * @property {number} alongFarOutside
 */
/** @typedef {{ outer: number[], inner: number[], width: number, r1: number, r2: number, difference: number[] }} Reachable */
/**
 * @typedef {object} Fit
 * @property {number} distance
 * @property {number} far
 * @property {number} near
 * @property {number} outer
 * @property {number} inner
 * @property {number} width
 * @property {number} outerRest
 * @property {number} outerOver
 * @property {number} innerRest
 * @property {number} innerUnder
 * @property {number} stretch
 * @property {boolean} moved
 * @property {boolean} met
 * @property {Reachable} reachable
 * @property {number} fine
 */
/** @typedef {{ gives?: boolean, signals?: boolean, fits?: boolean, fit?: (fit: Fit) => Fit }} Policy */

export const twobone = (() => {
  const STATUS = ["REACHED", "TOO_FAR", "TOO_NEAR", "AMBIGUOUS", "INVALID"];
  const [REACHED, TOO_FAR, TOO_NEAR, AMBIGUOUS, INVALID] = STATUS.keys();

  // --- exact.py -----------------------------------------------------------------------------

  // Return 2 to the power n. Browsers need not round `2 ** n` correctly; doubling is exact.
  /** @type {(n: number) => number} */
  const two = (n) => (n < 0 ? 1 / two(-n) : n > 0 ? 2 * two(n - 1) : 1);

  // The constants of float64, as in `Real`.
  const t = {
    eps: two(-52),
    splitter: two(27) + 1,
    nudge: two(-53) * (1 + two(-52)),
    digits: two(52),
    largest: (2 - two(-52)) * two(1023),
    coarse: two(500),
    step: two(600),
    flush: two(-480),
    faint: two(-511),
    speck: two(-200),
    near: two(-480),
    thin: two(900),
    planeSize: two(100),
    planePart: two(200),
    spaceSize: two(60),
    spacePart: two(80),
  };

  // Return a + b as a pair s, e: s + e is a + b exactly.
  /** @param {number} a @param {number} b */
  function twoSum(a, b) {
    const s = a + b,
      c = s - a;
    return [s, a - (s - c) + (b - c)];
  }

  // Return the same as `twoSum` with fewer operations, for |a| >= |b|.
  /** @param {number} a @param {number} b */
  function fastTwoSum(a, b) {
    const s = a + b;
    return [s, b - (s - a)];
  }

  // Split a number into two halves whose products are exact.
  /** @param {number} a */
  function split(a) {
    const c = t.splitter * a,
      high = c - (c - a);
    return { whole: a, high, low: a - high };
  }

  // Return the product of two splits as a pair p, e: p + e is a b exactly.
  /** @param {Split} a @param {Split} b */
  function twoProduct(a, b) {
    const p = a.whole * b.whole;
    return [p, a.high * b.high - p + a.high * b.low + a.low * b.high + a.low * b.low];
  }

  /** @param {Split} a */
  function twoSquare(a) {
    const p = a.whole * a.whole,
      cross = a.high * a.low;
    return [p, a.high * a.high - p + (cross + cross) + a.low * a.low];
  }

  /** @param {number[][]} pairs */
  function sumOfPairs([[high, low], ...rest]) {
    /** @type {number} */
    let lost;
    for (const pair of rest) {
      [high, lost] = twoSum(high, pair[0]);
      low = lost + (low + pair[1]);
    }
    return [high, low];
  }

  /** @param {number[]} u @param {number[]} v */
  function productOfPairs(u, v) {
    const [p, e] = twoProduct(split(u[0]), split(v[0]));
    return [p, e + (u[0] * v[1] + u[1] * v[0])];
  }

  // Divide two pairs by one step of long division; `inverse` approximates 1 / v. The result is one
  // number.
  /** @param {number[]} u @param {number[]} v @param {number} inverse */
  function quotientOfPairs(u, v, inverse) {
    const q = u[0] * inverse;
    const [p, e] = twoProduct(split(q), split(v[0]));
    return q + (u[0] - p - e + (u[1] - q * v[1])) * inverse;
  }

  // Return first + sum(words) + tail as a pair, as if added with threefold precision.
  /** @param {number} first @param {number[]} words @param {number} tail */
  function sumOfWords(first, [high, ...rest], tail) {
    /** @type {number} */
    let low, lost;
    for (const word of rest) {
      [high, lost] = twoSum(high, word);
      tail += lost;
    }
    [high, low] = twoSum(first, high);
    return [high, low + tail];
  }

  // Return the largest power of two that is at most v > 0.
  /** @param {number} v */
  function powerOfTwo(v) {
    const grow = v < 1 / t.coarse ? t.step : v > t.coarse ? 1 / t.step : 1;
    v *= grow;
    return ((v + t.nudge * v - v) * t.digits) / grow;
  }

  // --- formula.py: helpers ------------------------------------------------------------------

  /** @type {(u: number, v: number) => number} */
  const least = (u, v) => (u < v ? u : v);
  /** @type {(u: number, v: number) => number} */
  const greatest = (u, v) => (u > v ? u : v);
  /** @type {(v: number[]) => number} */
  const largest = (v) => v.map(Math.abs).reduce(greatest);
  /** @type {(u: number[], v: number[]) => number} */
  const dot = (u, v) => u.map((part, i) => part * v[i]).reduce((sum, product) => sum + product);
  /** @type {(v: number[]) => number[][]} */
  const squares = (v) => v.map((part) => twoSquare(split(part)));
  /** @type {(pair: number[]) => number[]} */
  const twice = ([high, low]) => [high + high, low + low];

  // --- formula.py: the triangle -------------------------------------------------------------

  // Compute what depends on the two lengths only.
  /** @param {number} r1 @param {number} r2 */
  function bones(r1, r2) {
    const difference = twoSum(r1, -r2),
      four = twoProduct(split(4 * r1), split(r2));
    return { r1, difference, four, maximumReach: r1 + r2, minimumReach: Math.abs(difference[0]) };
  }

  // Return the pairs h = p.p and b = h - (r1 - r2)^2, accurate to 2^-104 h.
  /** @param {number[][]} squared @param {number[]} difference */
  function gap(squared, [f, fLow]) {
    const [ff, ffLow] = twoSquare(split(f));
    const [h, hLow] = sumOfPairs(squared);
    const [b, lost] = twoSum(h, -ff);
    return [[h, hLow], fastTwoSum(b, lost + (hLow - (ffLow + 2 * (f * fLow))))];
  }

  // Return the same, accurate to 2^-158 h, which a first bone much shorter than the second needs.
  /** @param {number[][]} squared @param {number[]} difference */
  function fineGap(squared, [f, fLow]) {
    const [ff, ffLow] = twoSquare(split(f));
    const [fe, feLow] = twoProduct(split(2 * f), split(fLow));
    const [[first, low], ...rest] = squared;
    const words = [low];
    /** @type {number} */
    let b = first,
      lost;
    for (const [square, squareLow] of rest) {
      [b, lost] = twoSum(b, square);
      words.push(squareLow, lost);
    }
    [b, lost] = twoSum(b, -ff);
    words.push(lost, -ffLow, -fe);
    const [high, tail] = sumOfWords(b, words, -(feLow + fLow * fLow));
    return [sumOfPairs(squared), twoSum(high, tail)];
  }

  // Find the triangle of the limb, if there is one, apart from the plane in which it lies.
  /** @param {number[]} h @param {number[]} gap @param {Bones} bones @returns {Triangle} */
  function findTriangle(h, [b, bLow], bones, near = 1, thin = 1) {
    const {
      r1,
      difference: [f, fLow],
      four,
      maximumReach,
      minimumReach,
    } = bones;
    // A target at the edge of the reachable range up to rounding is reached.
    const tooNear = b < -8 * t.eps * (f * f);
    b *= thin;
    bLow *= thin;
    const square = near * near;
    const [left, lost] = twoSum(four[0], -(square * b));
    const [a, aLow] = fastTwoSum(left, lost + (four[1] - square * bLow));
    const tooFar = a < -8 * t.eps * (maximumReach * maximumReach) * thin;
    const [c, cLow] = twoProduct(split(2 * r1), split(f));
    const w = [c + near * b, near * bLow + (cLow + 2 * (r1 * fLow))];
    const extended = a <= 0,
      met = a >= 0 && b >= 0;
    const area = productOfPairs([a, aLow], met ? [b, bLow] : [1, 0]);
    return {
      h,
      w,
      area,
      met,
      tooFar,
      tooNear,
      r1,
      inside: met && area[0] > t.speck * (h[0] * (r1 * r1)),
      straight: extended || f >= 0 ? 1 : -1,
      edge: extended ? maximumReach : minimumReach,
    };
  }

  // --- formula.py: the solution in its plane ------------------------------------------------

  // A solution is x = along p + across q, along = w / (2 h). Side +1 bends left.
  /** @param {number[]} p @param {Triangle} triangle @param {number} side */
  function solveInPlane(p, triangle, side) {
    const root = rootOf(triangle, triangle.area[0] + triangle.area[1]),
      double = twice(triangle.h);
    const inverse = 1 / double[0];
    const across = quotientOfPairs([root, root * 0], double, inverse);
    return { p, q: [-side * p[1], side * p[0]], across, root, inverse, triangle, ambiguous: false };
  }

  // Side +1 bends along m, which is perpendicular to p and may have any length.
  /** @param {number[]} p @param {number[]} m @param {Triangle} triangle @param {number} side @param {boolean} ambiguous */
  function solveInSpace(p, m, triangle, side, ambiguous) {
    const below = productOfPairs(triangle.h, sumOfPairs(squares(m)));
    const double = triangle.h[0] + triangle.h[0],
      both = 1 / (double * below[0]);
    const root = rootOf(triangle, quotientOfPairs(triangle.area, below, both * double));
    const q = m.map((part) => side * part);
    return { p, q, across: 0.5 * root, root, inverse: both * below[0], triangle, ambiguous };
  }

  /** @type {(triangle: Triangle, under: number) => number} */
  const rootOf = ({ inside, h }, under) => Math.sqrt(inside ? under : h[0] + h[1]);

  // Return the joint w / (2 h) p + across q; w is a pair.
  /** @param {Solution} solution @param {number[]} w */
  function place({ p, q, across, inverse, triangle }, w) {
    const along = quotientOfPairs(w, twice(triangle.h), inverse);
    const aside = triangle.inside ? across : 0;
    return p.map((part, i) => along * part + aside * q[i]);
  }

  // Return the value to use in place of w where there is no triangle: it keeps the length of the
  // first bone.
  /** @param {Solution} solution */
  function straightAlong({ triangle, root }) {
    const w = 2 * triangle.straight * triangle.r1 * root;
    return [w, w * 0];
  }

  // Return m = h pole - (p.pole) p, perpendicular to p; each component is rounded once.
  /** @param {number[]} p @param {number[]} pole @param {number[]} square */
  function towards(p, pole, [h, hLow]) {
    const splitP = p.map(split),
      splitPole = pole.map(split);
    const [d, dLow] = sumOfPairs(splitP.map((part, i) => twoProduct(part, splitPole[i])));
    const splitH = split(h),
      splitD = split(d);
    return splitPole.map((part, i) => {
      const along = splitP[i];
      const [u, uLow] = twoProduct(part, splitH),
        [v, vLow] = twoProduct(along, splitD);
      const [s, lost] = twoSum(u, -v);
      return s + (lost + (uLow - vLow + (part.whole * hLow - along.whole * dLow)));
    });
  }

  // Whether the pole is zero or within 4 eps of the target line.
  /** @param {number[]} m @param {number[]} h @param {number[]} pole */
  function isAlong(m, h, pole) {
    return dot(m, m) <= 16 * t.eps * t.eps * (h[0] * h[0] * dot(pole, pole));
  }

  // Return the coordinate axis least parallel to v, the first of equals: 0, 1 or 2.
  /** @param {number[]} v */
  function leastAxis(v) {
    const [x, y, z] = v.map(Math.abs);
    return x <= y && x <= z ? 0 : y <= z ? 1 : 2;
  }

  // Return v x e, where e is that axis.
  /** @param {number[]} v */
  function crossLeastAxis(v) {
    const [x, y, z] = v;
    return [
      [0, z, -y],
      [-z, 0, x],
      [y, -x, 0],
    ][leastAxis(v)];
  }

  // --- formula.py: limbs that need no scaling -----------------------------------------------

  /** @param {Targets} targets */
  function easyLimb({ p, r1, r2, side, pole }) {
    const prepared = bones(r1, r2),
      [h, b] = gap(squares(p), prepared.difference);
    const triangle = findTriangle(h, b, prepared);
    if (!pole) return solveInPlane(p, triangle, side);
    const m = towards(p, pole, h),
      along = isAlong(m, h, pole);
    return solveInSpace(p, along ? [1, 1, 1] : m, triangle, side, along);
  }

  // Whether `easyLimb` is accurate: all numbers are finite and need no scaling. It does not check for
  // a pole parallel to the target line.
  /** @param {Targets} targets */
  function isEasy({ p, r1, r2, side, pole }) {
    const [size, part] = pole ? [t.spaceSize, t.spacePart] : [t.planeSize, t.planePart];
    const moderate = (/** @type {number} */ r) => r >= 1 / size && r <= size;
    const fine = (/** @type {number[]} */ v) =>
      largest(v) >= 1 / size && v.map(Math.abs).every((each) => each <= size && (each >= 1 / part || each === 0));
    return 4 * r1 >= r2 && side * side === 1 && moderate(r1) && moderate(r2) && fine(p) && (!pole || fine(pole));
  }

  // --- scaling.py: all other limbs ----------------------------------------------------------

  /** @param {Targets} targets */
  function isValid({ p, r1, r2, side, pole }) {
    return (
      r1 >= 0 &&
      r1 <= t.largest &&
      r2 >= 0 &&
      r2 <= t.largest &&
      side * side === 1 &&
      [...p, ...(pole || [])].every((part) => Math.abs(part) <= t.largest)
    );
  }

  // Solve any valid limb. Target, longer bone and first bone each have a power of two as their unit.
  /** @param {Targets} targets @returns {[Solution, Units, Reachable]} */
  function anyLimb({ p, r1, r2, side, pole }) {
    pole = pole && inUnitsOfItsOwn(pole);
    const atRoot = largest(p) === 0;
    if (atRoot) p = start(pole);
    const target = powerOfTwo(largest(p));
    p = p.map((part) => part / target);
    const [units, reachable] = scale(target, atRoot, r1, r2);
    const prepared = scaledBones(units, reachable, r1);
    const seen = p.map((part) => (Math.abs(part) < t.faint ? 0 : part));
    const [h, b] = fineGap(squares(seen), prepared.difference);
    const triangle = findTriangle(h, b, prepared, units.near, units.thin);
    // A target at the root is never too far, and the first bone is exactly perpendicular to p.
    if (atRoot) triangle.tooFar = false;
    if (atRoot && triangle.inside) triangle.w = [0, 0];
    const solution = solveAnywhere(p, pole, triangle, side);
    solution.ambiguous = triangle.inside && (atRoot || solution.ambiguous);
    markFarOutside(p, units, reachable, prepared);
    return [solution, units, reachable];
  }

  // Solve in the plane, or in space; replace a pole parallel to the target direction.
  /** @param {number[]} p @param {number[] | null} pole @param {Triangle} triangle @param {number} side */
  function solveAnywhere(p, pole, triangle, side) {
    if (!pole) return solveInPlane(p, triangle, side);
    let m = towards(p, pole, triangle.h);
    const along = isAlong(m, triangle.h, pole);
    if (along) {
      const other = [0, 0, 0];
      other[leastAxis(p)] = 1;
      m = towards(p, other, triangle.h);
    }
    return solveInSpace(p, m, triangle, side, along);
  }

  // Return the direction to use for a target at the root: +x, or perpendicular to the pole.
  /** @param {number[] | null} pole */
  function start(pole) {
    if (!pole) return [1, 0];
    return largest(pole) === 0 ? [1, 0, 0] : crossLeastAxis(pole);
  }

  /** @param {number[]} pole */
  function inUnitsOfItsOwn(pole) {
    const size = largest(pole),
      unit = powerOfTwo(size > 0 ? size : 1);
    return pole.map((part) => (Math.abs(part / unit) < t.flush ? 0 : part / unit));
  }

  // Choose powers of two that scale the bones to about 1; return the reachable range in units of the
  // longer bone. Sizes too extreme to change the result are bounded, so that nothing overflows.
  /** @param {number} target @param {boolean} atRoot @param {number} r1 @param {number} r2 @returns {[Units, Reachable]} */
  function scale(target, atRoot, r1, r2) {
    let longerBone = greatest(r1, r2);
    longerBone = longerBone > 0 ? longerBone : 1;
    const longer = powerOfTwo(longerBone),
      first = powerOfTwo(r1 > 0 ? r1 : longerBone);
    const thin = least(longer / first, t.thin);
    const distance = atRoot ? t.near : greatest(least(target / longer, 1 / t.near), t.near);
    r1 = r1 / first / thin;
    r2 = r2 / longer;
    r2 = r2 < t.flush ? 0 : r2;
    const outer = twoSum(r1, r2),
      difference = twoSum(r1, -r2);
    const inner = [Math.abs(difference[0]), difference[0] < 0 ? -difference[1] : difference[1]];
    return [
      {
        target,
        longer,
        first,
        distance,
        near: least(distance, 8),
        thin,
        atRoot,
        farOutside: false,
        alongFarOutside: 0,
      },
      { outer, inner, width: 2 * least(r1, r2), r1, r2, difference },
    ];
  }

  // Prepare bones for `findTriangle`: each quantity in its own unit, the difference bounded.
  /** @param {Units} units @param {Reachable} reachable @param {number} r1 */
  function scaledBones(units, reachable, r1) {
    r1 = r1 / units.first;
    const [f, fLow] = reachable.difference.map((part) => part / units.near);
    const difference = Math.abs(f) < 8 ? [f, fLow] : [f < 0 ? -8 : 8, 0];
    const four = twoProduct(split(4 * r1), split(reachable.r2));
    const maximumReach = reachable.outer[0],
      minimumReach = reachable.inner[0];
    return { r1, difference, four, maximumReach, minimumReach };
  }

  // Mark a target far outside the reachable range, and compute w / (2 h) for it.
  /** @param {number[]} p @param {Units} units @param {Reachable} reachable @param {Bones} prepared */
  function markFarOutside(p, units, reachable, prepared) {
    const far = units.distance;
    units.farOutside = far > 4 || Math.abs(prepared.difference[0]) > 4;
    units.alongFarOutside = 0.5 + 0.5 * (((reachable.difference[0] / far) * (reachable.outer[0] / far)) / dot(p, p));
  }

  // --- fitting.py: an end away from the target ----------------------------------------------

  // The largest distance that does not overflow, in units of the longer bone.
  const farthest = 0.25 * t.largest;

  // Return u - v of two pairs, rounded once.
  /** @param {number[]} u @param {number[]} v */
  function pairDifference(u, v) {
    const [high, lost] = twoSum(u[0], -v[0]);
    return high + (lost + (u[1] - v[1]));
  }

  // Return the fit before any policy, with differences computed in double words.
  /** @param {Solution} solution @param {Units} units @param {Reachable} reachable */
  function fitTarget(solution, units, reachable) {
    const [h, low] = sumOfPairs(squares(solution.p)),
      root = Math.sqrt(h);
    const [square, squareLow] = twoSquare(split(root));
    const rootLow = (h - square + (low - squareLow)) / (root + root);
    const unit = units.atRoot ? 0 : least(units.target / units.longer, farthest);
    const d = [root * unit, rootLow * unit],
      four = 4 * reachable.r1 * reachable.r2;
    return {
      distance: d[0],
      far: pairDifference(reachable.outer, d),
      near: pairDifference(d, reachable.inner),
      outer: reachable.outer[0],
      inner: reachable.inner[0],
      width: reachable.width,
      outerRest: 0,
      outerOver: four,
      innerRest: 0,
      innerUnder: four,
      stretch: 1,
      moved: false,
      met: false,
      reachable,
      fine: powerOfTwo(reachable.width > 0 ? reachable.width : 1),
    };
  }

  // The distance from root to end before the bones stretch.
  /** @type {(fit: Fit) => number} */
  const endDistance = (fit) => (fit.far < fit.near ? fit.outer - fit.far : fit.inner + fit.near);

  // Return the joint and the end of a limb whose end is at the distance of a fit.
  /** @param {Solution} solution @param {Units} units @param {Fit} fit @returns {[number[], number[]]} */
  function limbAt(solution, units, fit) {
    const reachable = fit.reachable,
      d = endDistance(fit);
    const a = fit.outerRest + fit.far * (2 * fit.outer - fit.far);
    const b = fit.innerRest + fit.near * (2 * fit.inner + fit.near);
    const w = b + 2 * (reachable.r1 * reachable.difference[0]);
    const apart = d > t.near || d !== d,
      safe = apart ? d : 1;
    const bent = a > 0 && (b > 0 || d <= t.near);
    const root = Math.sqrt(bent ? a : 1) * Math.sqrt(bent && apart ? b : 1);
    const length = Math.sqrt(dot(solution.p, solution.p));
    const toP = 1 / length,
      toQ = 1 / Math.sqrt(dot(solution.q, solution.q));
    const along = (apart ? w / (safe + safe) : 0) * units.thin * toP;
    const across = (bent ? root / (safe + safe) : 0) * units.thin * toQ;
    const free = solution.p.map((p, i) => along * p + across * solution.q[i]);
    const joint = asLongAs(free, reachable.r1 * units.thin);
    // This order of products avoids overflow and underflow.
    const factor = fit.met ? length / safe / units.thin : 1;
    const unit = fit.met ? units.target : units.first;
    const end = solution.p.map((p) => d * toP * p * units.longer * fit.stretch);
    return [joint.map((part) => part * factor * unit * fit.stretch), end];
  }

  // Correct a vector whose length is `length` to rounding, to nearly full accuracy.
  /** @param {number[]} v @param {number} length */
  function asLongAs(v, length) {
    const [vv, low] = sumOfPairs(squares(v)),
      [square, squareLow] = twoSquare(split(length));
    const excess = square > 0 ? (vv - square + (low - squareLow)) / (square + square) : 0;
    return v.map((part) => part - excess * part);
  }

  // --- policies.py --------------------------------------------------------------------------

  /** @type {Record<string, Policy>} */
  const NAMED = { clamp: {}, stretch: { gives: true }, nan: { signals: true }, raise: {} };

  // Return v if it is positive, else 1, which is safe for a square root and a division.
  /** @type {(v: number) => number} */
  const positive = (v) => (v > 0 ? v : 1);

  // Return the policy that `unreachable` describes: a name, or an object of limits, soft and stretch.
  /** @param {any} unreachable */
  function resolve(unreachable) {
    if (typeof unreachable === "string" && Object.hasOwn(NAMED, unreachable)) {
      return NAMED[unreachable];
    }
    if (typeof unreachable !== "object") throw new RangeError(`No policy "${unreachable}".`);
    const { limits = null, soft = null, stretch = null } = unreachable || {};
    /** @type {((fit: Fit) => Fit)[]} */
    const steps = [];
    if (limits !== null) steps.push(limitsOf(limits));
    if (soft !== null) steps.push(softOf(soft));
    if (stretch !== null) steps.push(stretchOf(stretch));
    if (!steps.length) return NAMED.clamp;
    return { fits: true, fit: (/** @type {Fit} */ fit) => steps.reduce((fit, step) => step(fit), fit) };
  }

  // Return the squared sine and cosine of half a joint angle, the fractions of 4 r1 r2 by which the
  // square of the reach exceeds its minimum and falls short of its maximum.
  /** @type {(degrees: number) => { sin2: number, cos2: number }} */
  const halfAngle = (degrees) => ({ sin2: sin2Half(degrees), cos2: sin2Half(180 - degrees) });

  // Return sin^2(angle / 2), exactly 1/2 for a right angle.
  /** @param {number} degrees */
  function sin2Half(degrees) {
    const sine = Math.sin((degrees * (Math.PI / 180)) / 2);
    return degrees === 90 ? 0.5 : sine * sine;
  }

  // `limits` is [least, greatest] in degrees, or {least, greatest} as `halfAngle` returns them.
  /** @param {any} limits */
  function limitsOf(limits) {
    if (Array.isArray(limits)) {
      const [low, high] = limits;
      if (!(0 <= low && low <= high && high <= 180)) {
        throw new RangeError("Limits: wanted 0 <= least <= greatest <= 180.");
      }
      limits = { least: halfAngle(low), greatest: halfAngle(high) };
    }
    return (/** @type {Fit} */ fit) => narrow(fit, limits.least, limits.greatest);
  }

  // Keep the joint angle within limits, by narrowing the reachable range.
  /** @param {Fit} fit @param {{ sin2: number, cos2: number }} closed @param {{ sin2: number, cos2: number }} open */
  function narrow(fit, closed, open) {
    const reachable = fit.reachable,
      four = 4 * reachable.r1 * reachable.r2;
    const outerRest = greatest(four * open.cos2, fit.outerRest);
    const outerOver = least(four * open.sin2, fit.outerOver);
    const innerRest = greatest(four * closed.sin2, fit.innerRest);
    const innerUnder = least(four * closed.cos2, fit.innerUnder);
    const lower = outerRest > fit.outerRest || outerOver < fit.outerOver;
    const higher = innerRest > fit.innerRest || innerUnder < fit.innerUnder;
    const outer = lower ? edgeOf(reachable, outerOver, outerRest) : fit.outer;
    const inner = higher ? edgeOf(reachable, innerRest, innerUnder) : fit.inner;
    // The edges move by differences of squares divided by sums, which avoids cancellation. Each
    // difference is that of the smaller squares.
    const hardlyOpens = outerOver < outerRest,
      hardlyCloses = innerUnder < innerRest;
    const less = (hardlyOpens ? fit.outerOver - outerOver : outerRest - fit.outerRest) / positive(fit.outer + outer);
    const more = (hardlyCloses ? fit.innerUnder - innerUnder : innerRest - fit.innerRest) / positive(fit.inner + inner);
    const square = hardlyOpens ? outerOver - innerRest : innerUnder - outerRest;
    const width = lower || higher ? greatest(square, 0) / positive(outer + inner) : fit.width;
    // The difference to the nearer edge is more accurate; compute the other one from the width.
    const low = fit.near < fit.far,
      far = fit.far - less,
      near = fit.near - more;
    return {
      ...fit,
      far: low ? width - near : far,
      near: low ? near : width - far,
      outer,
      inner,
      width,
      outerRest,
      outerOver,
      innerRest,
      innerUnder,
    };
  }

  // Return an edge whose square is that of the minimum reach plus `over`, and that of the maximum
  // reach minus `under`.
  /** @param {Reachable} reachable @param {number} over @param {number} under */
  function edgeOf(reachable, over, under) {
    const minimum = reachable.inner[0],
      maximum = reachable.outer[0];
    const square = over < under ? minimum * minimum + over : maximum * maximum - under;
    return square > 0 ? Math.sqrt(square) : 0;
  }

  // Approach the edges of the reachable range smoothly.
  /** @param {number} softness */
  function softOf(softness) {
    if (!(0 < softness && softness < 1)) throw new RangeError("Soft: wanted between 0 and 1.");
    return (/** @type {Fit} */ fit) => {
      const half = 0.5 * fit.width;
      const [far, slow] = ease(fit, fit.far, least(softness * fit.outer, half));
      const [near, fast] = ease(fit, fit.near, least(softness * fit.inner, half));
      return {
        ...fit,
        far: fast ? fit.width - near : far,
        near: slow ? fit.width - far : near,
        moved: fit.moved || slow || fast,
      };
    };
  }

  // Return the eased difference to an edge, and whether it has changed.
  /** @param {Fit} fit @param {number} left @param {number} zone @returns {[number, boolean]} */
  function ease(fit, left, zone) {
    if (!(left < zone && zone > 0)) return [left, false];
    const inside = greatest(left + zone, 0) / fit.fine;
    return [((inside * inside) / (4 * (zone / fit.fine))) * fit.fine, true];
  }

  // Stretch both bones in proportion to reach a far target, up to a limit, then clamp.
  /** @param {number} limit */
  function stretchOf(limit) {
    if (!(limit >= 1)) throw new RangeError("Stretch: wanted at least 1.");
    return (/** @type {Fit} */ fit) => {
      fit = keepWithin(fit);
      const d = endDistance(fit),
        short = fit.moved && d < fit.distance && d > t.near;
      const met = short && fit.distance / d <= limit && (limit === Infinity || fit.distance < farthest);
      return { ...fit, stretch: short && !met ? limit : fit.stretch, met };
    };
  }

  // Clamp the end to the reachable range.
  /** @param {Fit} fit */
  function keepWithin(fit) {
    if (fit.far < 0) return { ...fit, far: 0, near: fit.width, moved: true };
    if (fit.near < 0) return { ...fit, far: fit.width, near: 0, moved: true };
    return fit;
  }

  // --- answer.py ----------------------------------------------------------------------------

  // Solve an easy limb with a named policy; null if the pole is parallel to the target direction.
  /** @param {Targets} targets @param {Policy} policy */
  function easy(targets, policy) {
    const solution = easyLimb(targets);
    if (solution.ambiguous) return null;
    const joint = place(solution, alongOf(solution, policy));
    const end = endOf(solution, targets.p, 1, policy);
    return signal({ joint, end, status: statusOf(solution) }, policy);
  }

  // Solve any limb with any policy.
  /** @param {Targets} targets @param {Policy} policy */
  function any(targets, policy) {
    const nan = targets.p.map(() => NaN);
    if (!isValid(targets)) return { joint: nan, end: [...nan], status: INVALID };
    const [solution, units, reachable] = anyLimb(targets);
    const answer = named(solution, units, targets.p, policy);
    return policy.fits ? fitted(solution, units, reachable, targets.p, policy, answer) : answer;
  }

  // Apply a named policy; for a policy object, "clamp".
  /** @param {Solution} solution @param {Units} units @param {number[]} p @param {Policy} policy */
  function named(solution, units, p, policy) {
    let joint = place(solution, alongOf(solution, policy));
    if (!policy.gives) {
      joint = joint.map((part) => part * units.first);
    } else if (!units.farOutside) {
      // Where the bones stretch, the unit of the first bone no longer applies.
      const unit = solution.triangle.inside ? units.first : units.longer / units.thin;
      joint = joint.map((part) => part * unit);
    } else if (units.atRoot) {
      joint = named(solution, units, p, NAMED.clamp).joint;
    } else {
      joint = solution.p.map((part) => units.alongFarOutside * part * units.target);
    }
    const end = endOf(solution, p, units.longer, policy);
    return signal({ joint, end, status: statusOf(solution) }, policy);
  }

  // Apply a policy object; `plain` is the answer if the policy leaves the end in place.
  /** @param {Solution} solution @param {Units} units @param {Reachable} reachable @param {number[]} p @param {Policy} policy @param {Answer} plain */
  function fitted(solution, units, reachable, p, policy, plain) {
    const fit = keepWithin(/** @type {(fit: Fit) => Fit} */ (policy.fit)(fitTarget(solution, units, reachable)));
    if (!fit.moved) return plain;
    const [joint, end] = limbAt(solution, units, fit),
      d = endDistance(fit);
    const slack = 4 * t.eps * greatest(fit.inner, d);
    let status = fit.distance - d > slack ? TOO_FAR : plain.status;
    status = d - fit.distance > slack ? TOO_NEAR : status;
    return { joint, end: fit.met ? p : end, status: d === d ? status : INVALID };
  }

  // Return w; where there is no triangle, return what keeps the length of the first bone.
  /** @param {Solution} solution @param {Policy} policy */
  function alongOf(solution, policy) {
    return policy.gives || solution.triangle.inside ? solution.triangle.w : straightAlong(solution);
  }

  // Return the end of the second bone.
  /** @param {Solution} solution @param {number[]} p @param {number} unit @param {Policy} policy */
  function endOf(solution, p, unit, policy) {
    if (policy.gives || solution.triangle.met) return p;
    const along = (solution.triangle.edge * solution.root) / solution.triangle.h[0];
    return solution.p.map((part) => along * part * unit);
  }

  /** @param {Solution} solution */
  function statusOf({ triangle: { tooFar, tooNear }, ambiguous }) {
    return tooFar ? TOO_FAR : tooNear ? TOO_NEAR : ambiguous ? AMBIGUOUS : REACHED;
  }

  /** @param {Answer} answer @param {Policy} policy */
  function signal(answer, policy) {
    if (!policy.signals || ![TOO_FAR, TOO_NEAR].includes(answer.status)) return answer;
    const nan = answer.joint.map(() => NaN);
    return { joint: nan, end: [...nan], status: answer.status };
  }

  // Solve a limb: return the joint, the end and the status, an index of STATUS. Unreachable targets
  // and invalid values do not throw; wrong shapes and policies do. "raise" is treated as "clamp",
  // and the caller checks the status.
  /**
   * @param {Iterable<number>} target
   * @param {number} r1
   * @param {number} r2
   * @param {{ side?: number, pole?: any, unreachable?: any }} options
   */
  function reach(target, r1, r2, { side = 1, pole = null, unreachable = "clamp" } = {}) {
    const p = Array.from(target, Number),
      policy = resolve(unreachable);
    pole = pole && Array.from(pole, Number);
    if (p.length !== 2 && p.length !== 3) throw new RangeError("target: wanted 2 or 3 numbers.");
    if ((pole ? pole.length : 2) !== p.length) {
      throw new RangeError("pole: wanted 3 numbers in space, none in the plane.");
    }
    const targets = { p, r1: Number(r1), r2: Number(r2), side: Number(side), pole };
    return (!policy.fits && isEasy(targets) && easy(targets, policy)) || any(targets, policy);
  }

  return { reach, halfAngle, STATUS, exact: { twoSum, twoSquare, split } };
})();
