// The solution of a state: both joints, the status of the target, and the numbers of the formula.
import { twobone } from "../solver.js";
import { DIMENSIONS } from "../state/schema.js";
import { t } from "../texts/texts.js";

/** @typedef {import("../state/state.js").State} State */

export const limb = (() => {
  /** @type {(u: number[], v: number[]) => number[]} */
  const plus = (u, v) => u.map((a, i) => a + v[i]);
  /** @type {(u: number[], v: number[]) => number[]} */
  const minus = (u, v) => u.map((a, i) => a - v[i]);
  /** @type {(s: number, v: number[]) => number[]} */
  const times = (s, v) => v.map((a) => s * a);
  /** @type {(u: number[], v: number[]) => number} */
  const dot = (u, v) => u.reduce((sum, a, i) => sum + a * v[i], 0);
  /** @type {(v: number[]) => number} */
  const size = (v) => Math.sqrt(dot(v, v));
  /** @type {(v: number[]) => number[]} */
  const unit = (v) => times(1 / (size(v) || 1), v);
  /** @type {(u: number[], v: number[]) => number[]} */
  const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
  const vectors = { plus, minus, times, dot, size, unit, cross };

  // Return a policy by its name, or softness, joint limits and proportional stretch combined.
  /** @type {(s: State) => any} */
  const policyOf = (s) => {
    if (s.policy !== "clamp" && s.policy !== "proportion") return s.policy;
    const limits = s.least > 0 || s.greatest < 180 ? [s.least, s.greatest] : null;
    const stretch = s.policy === "proportion" ? s.limit : null;
    return limits || s.soft || stretch ? { limits, soft: s.soft || null, stretch } : "clamp";
  };

  // The maximum and the minimum reach, within the joint limits.
  /** @type {(s: State) => { outer: number, inner: number }} */
  const reachOf = ({ r1, r2, least, greatest, policy }) => {
    /** @type {(degrees: number) => number} */
    const reachAt = (degrees) =>
      Math.sqrt(Math.max(0, r1 * r1 + r2 * r2 - 2 * r1 * r2 * Math.cos((degrees * Math.PI) / 180)));
    const unlimited = policy !== "clamp" && policy !== "proportion";
    return {
      outer: unlimited || greatest === 180 ? r1 + r2 : reachAt(greatest),
      inner: unlimited || least === 0 ? Math.abs(r1 - r2) : reachAt(least),
    };
  };

  // Solve a state, or take the answer that Python gave for the same state.
  /** @param {State} s @param {import("../solver.js").Answer | null} given @param {number} wide dimensions */
  const solve = (s, given = null, wide = DIMENSIONS[s.scene] ?? 2) => {
    const root = s.root.slice(0, wide),
      p = minus(s.target.slice(0, wide), root);
    const options = { unreachable: policyOf(s), pole: wide === 3 ? s.pole : null };
    const { joint, end, status } = given ?? twobone.reach(p, s.r1, s.r2, { ...options, side: s.side });
    const other = twobone.reach(p, s.r1, s.r2, { ...options, side: -s.side }).joint;
    const word = twobone.STATUS[status];
    const { outer, inner } = reachOf(s),
      far = size(p);
    const h = dot(p, p),
      w = h + s.r1 * s.r1 - s.r2 * s.r2,
      under = 4 * s.r1 * s.r1 * h - w * w;
    const off = far - (Number.isFinite(end[0]) ? size(end) : far);
    const by = Math.max(Math.abs(off), far - outer, inner - far, 0);
    return {
      wide,
      root,
      p,
      joint,
      end,
      other,
      status,
      word,
      outer,
      inner,
      far,
      h,
      w,
      under,
      by,
      q: h > 0 ? times(w / (2 * h), p) : p,
      s: under > 0 && h > 0 ? Math.sqrt(under) / (2 * h) : 0,
      errors: [
        errorOf(
          joint,
          p.map(() => 0),
          s.r1,
        ),
        errorOf(end, joint, s.r2),
      ],
      met: word === "REACHED" || word === "AMBIGUOUS",
      // A policy may stretch the bones, so that the end is on an unreachable target.
      arrives: Number.isFinite(end[0]) && size(minus(end, p)) <= 1e-12 * far,
    };
  };

  // How much the distance from `v` to `u` exceeds `r`, in units of eps times `r`. The sums are double
  // words, because a plain sum of squares would show its own rounding error.
  /** @type {(u: number[], v: number[], r: number) => number} */
  const errorOf = (u, v, r) => {
    const { twoSum, twoSquare, split } = twobone.exact;
    let high = 0,
      low = 0;
    /** @type {(pair: number[]) => void} */
    const add = ([a, b]) => {
      const [sum, lost] = twoSum(high, a);
      high = sum;
      low += lost + b;
    };
    u.forEach((part, i) => {
      const [d, e] = twoSum(part, -v[i]);
      add(twoSquare(split(d)));
      add([2 * d * e, 0]);
    });
    const [rr, rest] = twoSquare(split(r));
    add([-rr, -rest]);
    return r > 0 ? (high + low) / (2 * r) / (r * 2 ** -52) : high === 0 ? 0 : NaN;
  };

  // Describe the status of the target in words.
  /** @type {(s: State, found: any) => string} */
  const say = (s, found) => {
    const stretched = found.arrives && found.far <= found.outer * (1 + 1e-12) && found.far >= found.inner * (1 - 1e-12);
    if (!found.met && stretched) return t`Reached with stretched bones`;
    const small = found.by < 5e-5 && found.by > 0;
    const amount = small ? found.by.toExponential(1).replace("-", "−") : found.by.toFixed(found.by < 0.01 ? 4 : 2);
    /** @type {Record<string, string>} */
    const words = {
      REACHED: t`Reached`,
      TOO_FAR:
        found.far <= found.outer * (1 + 1e-12)
          ? t`Softened: short of the target by ${amount}`
          : t`Too far by ${amount}`,
      TOO_NEAR:
        found.far >= found.inner * (1 - 1e-12) ? t`Softened: beyond the target by ${amount}` : t`Too near by ${amount}`,
      AMBIGUOUS:
        found.far === 0
          ? t`Ambiguous: the target is at the root`
          : size(s.pole)
            ? t`Ambiguous: pole parallel to target direction`
            : t`Ambiguous: the pole is zero`,
      INVALID: t`Invalid`,
    };
    return words[found.word];
  };

  /**
   * What the picture shows, for those who cannot see it.
   * @param {State} s
   * @param {any} found
   * @param {string} alt what a lesson says about its picture
   * @param {(part: string) => boolean} isDrawn whether the picture of the plane has a part, such as the other solution
   */
  const describe = (s, found, alt, isDrawn) => {
    const at = (/** @type {number[]} */ v) =>
      plus(s.root, v)
        .slice(0, found.wide)
        .map((x) =>
          x
            .toFixed(2)
            .replace(/^-(?=[0.]+$)/, "")
            .replace("-", "−"),
        )
        .join(", ");
    const hasStatus = isDrawn("bone-2"),
      head =
        found.wide === 3
          ? t`A limb in space: ${say(s, found)}`
          : hasStatus
            ? t`A limb in the plane: ${say(s, found)}`
            : t`A limb in the plane`;
    const isKnown = Number.isFinite(found.joint[0]),
      hasOther = found.wide === 2 && isDrawn("other-joint") && found.s * found.far > 0.005;
    const where = !isKnown
      ? ""
      : hasOther
        ? t`The elbow is at ${at(found.joint)}, the other solution at ${at(found.other)}.`
        : t`The elbow is at ${at(found.joint)}.`;
    return [`${head}.`, where, alt].filter(Boolean).join(" ");
  };

  return { solve, describe, say, policyOf, vectors };
})();
