// Random numbers of a seed: the same as NumPy's `default_rng(seed)`, a PCG64 that a SeedSequence starts.

const WORD = 0xffffffffn,
  LONG = (1n << 64n) - 1n,
  ALL = (1n << 128n) - 1n;
const MULTIPLIER = 0x2360ed051fc65da44385df649fccf645n; // of PCG64
const POOL = 4; // words

// The 32-bit words of a seed, the lowest first.
/** @type {(seed: number | bigint) => number[]} */
const wordsOf = (seed) => {
  const words = [];
  for (let left = BigInt(seed); left > 0n; left >>= 32n) words.push(Number(left & WORD));
  return words.length ? words : [0];
};

// Return the first eight words that a SeedSequence makes of a seed.
/** @type {(seed: number | bigint) => number[]} */
const spread = (seed) => {
  /** @type {(start: number, step: number) => (value: number) => number} */
  const hash = (start, step) => {
    let factor = start;
    return (value) => {
      value ^= factor;
      factor = Math.imul(factor, step);
      value = Math.imul(value, factor);
      return (value ^ (value >>> 16)) >>> 0;
    };
  };
  /** @type {(u: number, v: number) => number} */
  const mix = (u, v) => {
    const found = (Math.imul(0xca01f9dd, u) - Math.imul(0x4973f715, v)) >>> 0;
    return (found ^ (found >>> 16)) >>> 0;
  };
  const words = wordsOf(seed),
    hashed = hash(0x43b0d7e5, 0x931e8875);
  const pool = Array.from({ length: POOL }, (_, i) => hashed(words[i] ?? 0));
  for (let from = 0; from < POOL; from++)
    for (let to = 0; to < POOL; to++) if (from !== to) pool[to] = mix(pool[to], hashed(pool[from]));
  for (const word of words.slice(POOL)) for (let to = 0; to < POOL; to++) pool[to] = mix(pool[to], hashed(word));
  const out = hash(0x8b51f9dd, 0x58f38ded);
  return Array.from({ length: 8 }, (_, i) => out(pool[i % POOL]));
};

/**
 * Return a generator of random numbers.
 * @param {number | bigint} seed a whole number, 0 or more
 */
export const generator = (seed) => {
  const words = spread(seed).map(BigInt),
    pair = (/** @type {number} */ i) => words[i] | (words[i + 1] << 32n);
  const start = (pair(0) << 64n) | pair(2),
    stream = ((((pair(4) << 64n) | pair(6)) << 1n) | 1n) & ALL;
  /** @type {bigint | null} */
  let half = null; // half of a number that is not used yet
  let state = 0n;
  const step = () => {
    state = (state * MULTIPLIER + stream) & ALL;
  };
  step();
  state = (state + start) & ALL;
  step();

  // The next 64 bits (PCG's output function XSL RR).
  const next64 = () => {
    step();
    const value = (state >> 64n) ^ (state & LONG),
      turn = state >> 122n;
    return ((value >> turn) | (value << (64n - turn))) & LONG;
  };
  const next32 = () => {
    if (half !== null) {
      const kept = half;
      half = null;
      return kept;
    }
    const value = next64();
    half = value >> 32n;
    return value & WORD;
  };
  // A whole number from 0 to `most`: of as many bits, and drawn again if it is larger.
  /** @type {(most: number) => number} */
  const upTo = (most) => {
    const mask = (1n << BigInt(32 - Math.clz32(most))) - 1n;
    for (;;) {
      const value = Number(next32() & mask);
      if (value <= most) return value;
    }
  };

  // A number from 0 to 1.
  const random = () => Number(next64() >> 11n) / 9007199254740992;
  /** @type {(low: number, high: number) => number} */
  const uniform = (low, high) => low + (high - low) * random();
  // The numbers from 0 to n - 1 in random order.
  /** @type {(n: number) => number[]} */
  const permutation = (n) => {
    const found = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = upTo(i);
      [found[i], found[j]] = [found[j], found[i]];
    }
    return found;
  };
  return { random, uniform, permutation };
};
