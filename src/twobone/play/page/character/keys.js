// The frame rate of keyframes, as in `motion/keys.py`.

/** @typedef {ArrayLike<number>} Times */

const NEAR = 0.02, RATES = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240], DENSE = 20, SLOWEST = 10, SAME = 5e-4, ROUNDED = 1.1e-3, SHARE = 0.95;

/** @type {(first: number, last: number, fps: number) => number} */
export const frameCount = (first, last, fps) => Math.ceil((last - first) * fps - NEAR) + 1;

/** The frames per second of keys, given the increasing times of each channel. @type {(times: Times[]) => number} */
export const frameRate = (times) => {
  const merged = merge(times);
  if (merged.length < 2) return 30;
  const own = refined(1 / commonest(merged), merged);
  if (own >= DENSE || (own >= SLOWEST && covers(own, merged))) return own;
  return RATES.find((rate) => rate >= own && covers(rate, merged)) ?? (own >= SLOWEST ? own : own * Math.ceil(RATES[0] / own));
};
const merge = (/** @type {Times[]} */ times) => {
  const all = Float64Array.from(new Set(times.flatMap((each) => Array.from(each)))).sort();
  return Array.from(all.filter((time, i) => i === 0 || time - all[i - 1] > SAME));
};
// The mean of the largest group of steps that are equal but for rounding.
const commonest = (/** @type {number[]} */ merged) => {
  const steps = Float64Array.from(merged.slice(1), (time, i) => time - merged[i]).sort();
  let best = 0, from = 0, to = 0;
  for (let first = 0, stop = 0; first < steps.length; first++) {
    const widest = steps[first] + Math.min(0.05 * steps[first], ROUNDED);
    while (stop < steps.length && steps[stop] <= widest) stop++;
    if (stop - first > best) [best, from, to] = [stop - first, first, stop];
  }
  return steps.slice(from, to).reduce((sum, step) => sum + step, 0) / best;
};
// A rate, measured from the first key to the last, and a whole number if it is near.
/** @type {(rate: number, times: number[]) => number} */
const refined = (rate, times) => {
  const whole = times[times.length - 1] - times[0], count = Math.round(whole * rate);
  if (count && covers(count / whole, times)) rate = count / whole;
  return whole * Math.abs(rate - Math.round(rate)) < NEAR ? Math.round(rate) : rate;
};
// Whether most keys are at frames.
/** @type {(rate: number, times: number[]) => boolean} */
const covers = (rate, times) => {
  const near = times.filter((time) => {
    const frame = (time - times[0]) * rate;
    return Math.abs(frame - Math.round(frame)) < NEAR;
  });
  return near.length / times.length >= SHARE;
};
