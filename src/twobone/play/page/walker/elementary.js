// Cosine, sine and exponential of sums and products alone (core/elementary.py): `Math.sin` and others differ in
// their last digits from browser to browser, and walking amplifies differences.

const TURN = 1 / (2 * Math.PI); // turns in a radian
// Polynomials in t^2, for the cosine of t turns and the sine over t, from -1/2 to 1/2.
export const COSINE = [
  1, -19.739208802178684, 64.93939402266314, -85.45681720637177, 60.24464136156249, -26.426256590531025,
  7.903534122041613, -1.7143738447256551, 0.2819245703565778, -0.03613799133425832, 0.003359676254891574,
];
const SINE = [
  6.283185307179586, -41.34170224039976, 81.60524927607493, -76.70585975304577, 42.0586939440974, -15.094642555990186,
  3.8199522731539615, -0.7181194600581844, 0.10421310130329274, -0.011976553914496188, 0.001025689655916714,
];
const LOG2_HIGH = 0.6931471803691238,
  LOG2_LOW = 1.9082149292705877e-10,
  LOG2_E = 1.4426950408889634;
const LARGEST = 700; // beyond that the exponential is infinite, or 0

let factorial = 1;
const TERMS = [1, ...Array.from({ length: 13 }, (_, i) => 1 / (factorial *= i + 1))];

// The nearest whole number, halfway cases to even.
/** @type {(v: number) => number} */
export const nearest = (value) => {
  const whole = 4503599627370496; // 2^52: numbers from there on are whole
  const size = Math.abs(value),
    rounded = size + whole - whole;
  return size < whole ? (value < 0 ? -rounded : rounded) : value;
};

/** @type {(polynomial: number[], x: number) => number} */
export const horner = (polynomial, x) => {
  let sum = polynomial[polynomial.length - 1];
  for (let power = polynomial.length - 2; power >= 0; power--) sum = sum * x + polynomial[power];
  return sum;
};

// Return the cosine of an angle in turns.
/** @type {(turns: number) => number} */
export const cosine = (turns) => {
  const rest = turns - nearest(turns);
  return horner(COSINE, rest * rest);
};

// Return the point of the unit circle at an angle in turns: cosine and sine.
/** @type {(turns: number) => number[]} */
export const turned = (turns) => {
  const rest = turns - nearest(turns),
    square = rest * rest;
  return [horner(COSINE, square), rest * horner(SINE, square)];
};

// Return exp(i angle), for an angle in radians.
/** @type {(angle: number) => number[]} */
export const cis = (angle) => turned(angle * TURN);

// Return the exponential of a number.
/** @type {(x: number) => number} */
export const exp = (x) => {
  if (!(Math.abs(x) <= LARGEST)) return x !== x ? x : x > 0 ? Infinity : 0;
  const power = nearest(x * LOG2_E),
    rest = x - power * LOG2_HIGH - power * LOG2_LOW;
  let found = horner(TERMS, rest);
  for (let left = power; left > 0; left--) found *= 2; // exact, as `2 ** power` need not be
  for (let left = power; left < 0; left++) found *= 0.5;
  return found;
};
