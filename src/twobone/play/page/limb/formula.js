// The formula line by line, with the numbers of a limb.
import { limb } from "./limb.js";
import { t } from "../texts/texts.js";

export const formula = (() => {
  const P = '<i class="c-p">p</i>',
    X = '<i class="c-x">x</i>',
    Q = '<i class="c-q">q</i>',
    S = '<i class="c-q">s</i>';
  const A = '<i class="c-r1">r<sub>1</sub></i>',
    B = '<i class="c-r2">r<sub>2</sub></i>';
  const H = "<i>h</i>",
    W = "<i>w</i>",
    SQUARED = "<sup>2</sup>";
  // Vectors start at the root, so p is the position of the target only if the root is at the origin.
  const LINES = {
    p: `${P} = target − root`,
    h: `${H} = ${P} · ${P}`,
    w: `${W} = ${H} + ${A}${SQUARED} − ${B}${SQUARED}`,
    q: `${Q} = ${P} ${W} / 2${H}`,
    s: `${S} = √(4 ${A}${SQUARED}${H} − ${W}${SQUARED}) / 2|${P}|`,
    x: `${X} = ${Q} ± ${S} `,
    joint: `joint = root + ${X}`,
  };
  // A unit vector perpendicular to p: p rotated by 90 degrees, or the part of the pole perpendicular to
  // p, divided by its length.
  /** @type {Record<string, string>} */
  /** By the dimensions. @type {Record<number, string>} */
  const ACROSS = { 2: `${P}<sup>⊥</sup> / |${P}|`, 3: "<i>n</i><sub>⊥</sub> / |<i>n</i><sub>⊥</sub>|" };

  /** Show a text, if it is new. @param {Node} node @param {string} text */
  const put = (node, text) => {
    if (node.textContent !== text) node.textContent = text;
  };
  /** @param {string} text */
  const minus = (text) => text.replace(/-/g, "−");
  /** A number with so many decimals, or with an exponent if it is below `least`. @param {number} v */
  const fixed = (v, digits = 4, least = 1e-4) => {
    if (!Number.isFinite(v)) return t`none`;
    const text = Math.abs(v) >= 1e5 || (v !== 0 && Math.abs(v) < least) ? v.toExponential(2) : v.toFixed(digits);
    return minus(text.replace(/^-(?=[0.]+$)/, ""));
  };
  /** A vector; beside a larger part a small one needs no exponent. @param {number[]} v */
  const pair = (v) => {
    const digits = v.length > 2 ? 2 : 3,
      least = Math.max(...v.map(Math.abs)) < 10 ** -digits ? 1e-4 : 0;
    return `(${v.map((part) => fixed(part, digits, least)).join(", ")})`;
  };

  /** Whether the lengths of the bones are wrong by more than rounding. @param {number[]} errors */
  const isStretched = (errors) => errors.some((v) => !(Math.abs(v) <= 1000));
  /** How the policy placed a joint that the formula does not give; "" if the formula gives it. @param {any} s @param {any} found */
  const sayPolicy = (s, found) => {
    if (found.met) return found.far > 0 ? "" : t`one of many`;
    if (!Number.isFinite(found.joint[0])) return t`not given`;
    if (found.arrives) return t`with stretched bones`;
    if (s.policy === "proportion" && isStretched(found.errors)) return t`stretched to the limit`;
    return s.soft > 0 && limb.policyOf(s).soft ? t`softened` : t`clamped`;
  };

  /**
   * Append the lines of the formula to an element; return the function that shows the numbers of a limb
   * and its solution.
   * @param {HTMLElement} box whose id begins those of the lines
   */
  const make = (box) => {
    /** @type {Record<string, HTMLElement>} */
    const numbers = {};
    for (const [name, html] of Object.entries(LINES)) {
      const row = document.createElement("div"),
        number = document.createElement("span");
      row.id = `${box.id}-${name}`;
      row.innerHTML = `<span>${html}</span>`;
      row.append(number);
      box.append(row);
      numbers[name] = number;
    }
    const across = document.createElement("span"),
      placed = document.createElement("span");
    across.title = t`A vector of length 1 perpendicular to p: to the left of p in the plane, towards the pole in space`;
    const solution = /** @type {HTMLElement} */ (numbers.x.previousElementSibling);
    solution.append(across);
    placed.hidden = true;
    solution.before(placed);
    /** @param {any} s @param {any} found */
    return (s, found) => {
      const isKnown = Number.isFinite(found.joint[0]);
      put(numbers.p, pair(found.p));
      put(numbers.h, fixed(found.h));
      put(numbers.w, fixed(found.w));
      put(numbers.q, found.h > 0 ? pair(found.q) : t`undefined`);
      put(
        numbers.s,
        found.under < 0 && !found.met ? t`not real` : found.h > 0 ? fixed(found.s * found.far) : t`undefined`,
      );
      put(numbers.x, isKnown ? pair(found.joint) : t`none`);
      put(numbers.joint, isKnown ? pair(limb.vectors.plus(found.root, found.joint)) : t`none`);
      const how = sayPolicy(s, found);
      solution.hidden = how !== "";
      placed.hidden = !solution.hidden;
      if (how && placed.dataset.how !== how) placed.innerHTML = `${X}, ${(placed.dataset.how = how)}`;
      if (across.dataset.wide !== String(found.wide))
        across.innerHTML = ACROSS[Number((across.dataset.wide = String(found.wide)))];
    };
  };

  return { make, put, minus, fixed, isStretched };
})();
