// Joint angles of a solution, in radians. The formula needs none; servos and rotations do.
import { byId } from "../elements.js";
import { limb } from "./limb.js";
import { panel } from "../panel/panel.js";
import { t } from "../texts/texts.js";

export const angles = (() => {
  const { minus, dot, size, cross } = limb.vectors;

  /**
   * @typedef {object} Angles
   * @property {number} first the first bone: in the plane from +x, counterclockwise; in space from the
   *   target direction
   * @property {number} second the second bone, from where it would point if the limb were straight; in the
   *   plane counterclockwise
   * @property {number} joint between the bones: pi is straight, 0 is folded
   */

  /** The angle between two vectors, accurate at all angles. @param {number[]} u @param {number[]} v */
  const between = (u, v) => Math.atan2(size(cross([...u, 0].slice(0, 3), [...v, 0].slice(0, 3))), dot(u, v));

  /** @param {any} found the solution, as limb.solve returns it @returns {Angles} */
  const of = ({ wide, p, joint, end }) => {
    const second = minus(end, joint),
      bend = between(joint, second);
    if (wide === 3) return { first: between(p, joint), second: bend, joint: Math.PI - bend };
    const turned = Math.atan2(joint[0] * second[1] - joint[1] * second[0], dot(joint, second));
    return { first: Math.atan2(joint[1], joint[0]), second: turned, joint: Math.PI - bend };
  };
  /** @param {number} radians */
  const degrees = (radians) => (radians * 180) / Math.PI;

  /** What the angles are measured from. @param {boolean} isFlat @returns {Record<keyof Angles, string>} */
  const titles = (isFlat) => ({
    first: isFlat ? t`First, from +x` : t`First, from target`,
    second: t`Second, from first`,
    joint: t`Joint angle`,
  });

  // --- the lines of the panel ---------------------------------------------------------------

  const box = byId("angles");
  /** @type {(keyof Angles)[]} */
  const NAMES = ["first", "second", "joint"];
  const rows = NAMES.map((name) => {
    const row = document.createElement("div");
    row.id = `angle-${name}`;
    row.append(document.createElement("span"), document.createElement("span"));
    box.append(row);
    return row;
  });
  /** @param {number} v @param {number} digits */
  const fixed = (v, digits) => (Math.abs(v) < 0.5 * 10 ** -digits ? 0 : v).toFixed(digits).replace("-", "−");
  /** @param {any} found */
  const show = (found) => {
    const now = of(found),
      words = titles(found.wide === 2);
    NAMES.forEach((name, i) => {
      const [label, value] = /** @type {HTMLElement[]} */ ([...rows[i].children]);
      panel.put(label, words[name]);
      panel.put(
        value,
        Number.isFinite(now[name]) ? `${fixed(degrees(now[name]), 1)}° ${fixed(now[name], 3)} rad` : t`none`,
      );
    });
  };

  return { of, degrees, show };
})();
