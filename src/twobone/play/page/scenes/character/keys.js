// The frame rate of keyframes, as in `motion/keys.py`.
import { mean, median, total } from "./measures.js";

/** @typedef {ArrayLike<number>} Times */

const NEAR = 0.02,
  RATES = [24, 25, 30, 48, 50, 60, 90, 100, 120, 240],
  DENSE = 20,
  SLOWEST = 10,
  SAME = 5e-4,
  ROUNDED = 1.1e-3,
  SHARE = 0.95,
  UNSTEADY = 0.25,
  ERRORS = 3;

/** @typedef {{ fps: number, near: number }} Rate frames per second; keys that are so near to a frame belong to it */

/** @type {(first: number, last: number, rate: Rate) => number} */
export const frameCount = (first, last, { fps, near }) => Math.ceil((last - first) * fps - near) + 1;

/** The frames per second of keys, given the increasing times of each channel. @type {(times: Times[]) => Rate} */
export const frameRate = (times) => {
  const merged = merge(times);
  if (merged.length < 2) return { fps: 30, near: NEAR };
  const { step, share } = commonest(merged),
    own = refined(1 / step, merged);
  if (share < 0.5 && !covers(own, merged)) {
    const fps = unsteadyRate(
      Array.from(times.reduce((longest, each) => (each.length > longest.length ? each : longest))),
    );
    if (fps !== null) return { fps, near: UNSTEADY };
  }
  if (own >= DENSE || (own >= SLOWEST && covers(own, merged))) return { fps: own, near: NEAR };
  return {
    fps:
      RATES.find((rate) => rate >= own && covers(rate, merged)) ??
      (own >= SLOWEST ? own : own * Math.ceil(RATES[0] / own)),
    near: NEAR,
  };
};
// The rate of keys whose times are imprecise by less than a quarter of a frame, or null.
const unsteadyRate = (/** @type {number[]} */ times) => {
  const steps = times.slice(1).map((time, i) => time - times[i]);
  if (steps.length < 2) return null;
  const middle = median(steps),
    frames = [0];
  for (const step of steps) frames.push(frames[frames.length - 1] + Math.max(Math.round(step / middle), 1));
  const mid = mean(frames),
    at = mean(times),
    centred = frames.map((frame) => frame - mid),
    square = total(centred.map((each) => each ** 2));
  const step = total(centred.map((each, i) => each * times[i])) / square,
    off = times.map((time, i) => (time - at) / step - centred[i]),
    rate = 1 / step;
  if (rate < SLOWEST || mean(off.map((each) => Number(Math.abs(each) < UNSTEADY))) < SHARE) return null;
  const error = rate * Math.sqrt(mean(off.map((each) => each ** 2)) / square);
  return Math.abs(rate - Math.round(rate)) < ERRORS * error ? Math.round(rate) : rate;
};
const merge = (/** @type {Times[]} */ times) => {
  const all = Float64Array.from(new Set(times.flatMap((each) => Array.from(each)))).sort();
  return Array.from(all.filter((time, i) => i === 0 || time - all[i - 1] > SAME));
};
// The mean of the largest group of steps that are equal but for rounding, and its share.
const commonest = (/** @type {number[]} */ merged) => {
  const steps = Float64Array.from(merged.slice(1), (time, i) => time - merged[i]).sort();
  let best = 0,
    from = 0,
    to = 0;
  for (let first = 0, stop = 0; first < steps.length; first++) {
    const widest = steps[first] + Math.min(0.05 * steps[first], ROUNDED);
    while (stop < steps.length && steps[stop] <= widest) stop++;
    if (stop - first > best) [best, from, to] = [stop - first, first, stop];
  }
  return { step: total(Array.from(steps.slice(from, to))) / best, share: best / steps.length };
};
// A rate, measured from the first key to the last, and a whole number if it is near.
/** @type {(rate: number, times: number[]) => number} */
const refined = (rate, times) => {
  const whole = times[times.length - 1] - times[0],
    count = Math.round(whole * rate);
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
