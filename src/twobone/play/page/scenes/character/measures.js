// Medians, percentiles and the like, as NumPy computes them.

/** @type {(values: number[], percent: number) => number} */
export const percentile = (values, percent) => {
  const sorted = Float64Array.from(values).sort(),
    at = (percent / 100) * (sorted.length - 1),
    low = Math.floor(at),
    high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
};
export const median = (/** @type {number[]} */ values) => percentile(values, 50);
export const total = (/** @type {number[]} */ values) => values.reduce((sum, each) => sum + each, 0);
export const mean = (/** @type {number[]} */ values) => total(values) / values.length;
export const range = (/** @type {number[]} */ values) => Math.max(...values) - Math.min(...values);
/** How often each value occurs, without null. @template T @param {(T | null)[]} values @returns {Map<T, number>} */
export const counted = (values) => {
  /** @type {Map<T, number>} */
  const counts = new Map();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};
/** The most frequent value, where one may count once more; null if there are none. @template T @param {Map<T, number>} counts @param {T | null} onceMore @returns {T | null} */
export const mostOf = (counts, onceMore = null) => {
  let found = null,
    best = 0;
  for (const [value, count] of counts) {
    const times = count + Number(value === onceMore);
    if (times > best) [found, best] = [value, times];
  }
  return found;
};
/** The most frequent value that is not null, the first of several; null if all are. @template T @param {(T | null)[]} values @returns {T | null} */
export const most = (values) => mostOf(counted(values));
