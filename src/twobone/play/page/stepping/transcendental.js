// Sine, cosine, arctangent and exponential of single numbers: the same bits in every language.
//
// Those of C, Python and browsers differ in their last digits. These use only `+ - * /` and are
// printed as JavaScript and C++. They are accurate to 1 unit in the last place, the arctangent to 2.
// The coefficients interpolate at Chebyshev's nodes.
//
// Printed from core/transcendental.py by `python tools/generate.py`: do not edit.


// A quarter of a turn in three parts: whole multiples of the first two are exact to 2^20 quarters.
const QUARTER_1 = 1.5707963267341256;
const QUARTER_2 = 6.077100506303966e-11;
const QUARTER_3 = 2.0222662487959506e-21;

const QUARTERS = 0.6366197723675814; // in a radian

const LARGEST_ANGLE = 1000000000; // radians; beyond that the result is NaN

const EIGHTH = 0.7853981633974483;
const EIGHTH_REST = 3.061616997868383e-17; // of a turn; thrice is exact

const TAN_SIXTEENTH = 0.41421356237309503; // of a turn: sqrt(2) - 1

const HUGE = 1e300;

const LOG2_HIGH = 0.6931471803691238;
const LOG2_LOW = 1.9082149292705877e-10; // products with 700 are exact

const LOG2_E = 1.4426950408889634;

const LARGEST_EXPONENT = 700; // beyond that the exponential is infinite, or 0

/**
 * Cosine and sine of an angle.
 * @typedef {object} Turn
 * @property {number} c
 * @property {number} s
 */

/**
 * Return cosine and sine of an angle in radians.
 *
 * Beyond 8e5 radians the error grows, to 1e-10 at 1e9; from there on the result is NaN.
 * @param {number} angle
 * @returns {Turn}
 */
export function turn(angle) {
  if (!(Math.abs(angle) < LARGEST_ANGLE)) return { c: NaN, s: NaN };
  const quarters = (Math.floor(angle * QUARTERS + 0.5) + 0);
  // The rest and its rounding error, as fdlibm has them (Cody and Waite).
  const first = angle - quarters * QUARTER_1;
  const step = quarters * QUARTER_2;
  const second = first - step;
  const third = quarters * QUARTER_3 - (first - second - step);
  const x = second - third;
  const error = second - x - third;
  const z = x * x;
  const p = 0.008333333333330948
    + z
      * (-0.00019841269836756774
        + z * (2.7557316101617874e-06 + z * (-2.505113165023518e-08 + z * 1.5918115263265974e-10)));
  const v = z * x;
  const s = x - (z * (0.5 * error - v * p) - error + v * 0.16666666666666666);
  const q = z
    * (0.041666666666666664
      + z
        * (-0.0013888888888887398
          + z
            * (2.480158729876456e-05
              + z * (-2.7557317271145144e-07 + z * (2.087614614655861e-09 - z * 1.1382623647474604e-11)))));
  const half = 0.5 * z;
  const near = 1 - half;
  const c = near + (1 - near - half + (z * q - x * error));
  const quadrant = (quarters % 4 + 4) % 4;
  if (quadrant === 0) return { c, s };
  if (quadrant === 1) return { c: -s, s: c };
  return quadrant === 2 ? { c: -c, s: -s } : { c: s, s: -c };
}

/**
 * Return the cosine of an angle in radians.
 * @param {number} angle
 * @returns {number}
 */
export function cosine(angle) {
  return turn(angle).c;
}

/**
 * Return the sine of an angle in radians.
 * @param {number} angle
 * @returns {number}
 */
export function sine(angle) {
  return turn(angle).s;
}

/**
 * Return the angle of a point, from -pi to pi, as `math.atan2(y, x)` does.
 *
 * Infinite coordinates give NaN.
 * @param {number} y
 * @param {number} x
 * @returns {number}
 */
export function arctangent(y, x) {
  const wide = Math.abs(x);
  const high = Math.abs(y);
  // Eighths of a turn from which the angle is counted, and in which direction.
  let eighths = 0;
  let sign = 1;
  let low = high;
  let great = wide;
  if (high > wide) {
    low = wide;
    great = high;
    eighths = 2;
    sign = -1;
  }
  if (great > HUGE) { // their sum must not overflow
    low = 0.5 * low;
    great = 0.5 * great;
  }
  let t = great > 0 ? low / great : low;
  if (t > TAN_SIXTEENTH) {
    t = (low - great) / (low + great);
    eighths += sign;
  }
  if ((x < 0 || Object.is(x, -0) ? -Math.abs(1) : Math.abs(1)) < 0) {
    eighths = 4 - eighths;
    sign = -sign;
  }
  const z = t * t;
  let p = 0.05878927554473807
    + z * (-0.05230443640686948 + z * (0.045515447340221615 + z * (-0.03456931506332609 + z * 0.016284375050043393)));
  p = 0.11111111105150588 + z * (-0.09090908753259112 + z * (0.07692296368042296 + z * (-0.0666642476020052 + z * p)));
  p = -0.3333333333333333 + z * (0.19999999999999804 + z * (-0.14285714285659779 + z * p));
  const part = eighths * EIGHTH_REST + sign * (t * z * p);
  const angle = eighths * EIGHTH + (part + sign * t);
  return y < 0 || Object.is(y, -0) ? -Math.abs(angle) : Math.abs(angle);
}

/**
 * Return e to the power of a number.
 * @param {number} x
 * @returns {number}
 */
export function exponential(x) {
  if (!(Math.abs(x) <= LARGEST_EXPONENT)) {
    if (Number.isNaN(x)) return x;
    return x > 0 ? Infinity : 0;
  }
  const power = (Math.floor(x * LOG2_E + 0.5) + 0);
  const high = x - power * LOG2_HIGH;
  const low = power * LOG2_LOW;
  const r = high - low;
  const error = high - r - low;
  let p = 0.0013888888917213717
    + r
      * (0.00019841269863053618
        + r
          * (2.4801521295954376e-05
            + r * (2.7557268459997064e-06 + r * (2.7620088445409746e-07 + r * 2.510038549551032e-08))));
  p = 0.5000000000000001 + r * (0.16666666666666669 + r * (0.04166666666662413 + r * (0.008333333333330062 + r * p)));
  const found = 1 + (r + (r * r * p + error));
  // Times 2 to the power, by squares: exact.
  let left = Math.abs(power);
  let square = 2;
  let scale = 1;
  while (left > 0) {
    if ((left % 2 + 2) % 2 === 1) {
      scale *= square;
    }
    square *= square;
    left = (Math.floor(left / 2) + 0);
  }
  return power > 0 ? found * scale : found / scale;
}
