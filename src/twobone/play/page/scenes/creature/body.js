// Where the parts of an animal's body are: on its trunk, which bends, its neck and its tail (pictures/figure.py).
import { limb } from "../../limb/limb.js";
import { blended } from "./walker.js";

/** @import { Stance } from "./walker.js" */
/**
 * A place that carries parts: what is at `from` in the space of the body at rest is at `to` in the world.
 * @typedef {{ from: number[], to: number[], turn: number[] }} Spot
 */

const { plus, minus, times, unit, cross } = limb.vectors;

/** Rotate a vector by a quaternion xyzw. @param {number[]} rotation @param {number[]} v */
export const rotate = ([x, y, z, w], v) => {
  const axis = [x, y, z],
    t = times(2, cross(axis, v));
  return plus(plus(v, times(w, t)), cross(axis, t));
};
/** Return the rotation that first does `b`, then `a`. @param {number[]} a @param {number[]} b */
export const multiply = ([ax, ay, az, aw], [bx, by, bz, bw]) => [
  aw * bx + ax * bw + ay * bz - az * by,
  aw * by - ax * bz + ay * bw + az * bx,
  aw * bz + ax * by - ay * bx + az * bw,
  aw * bw - ax * bx - ay * by - az * bz,
];
/** Return where a spot takes a point. @param {Spot} spot @param {number[]} point */
export const placed = ({ from, to, turn }, point) => plus(to, rotate(turn, minus(point, from)));

const AHEAD = [0, 0, 1];

/**
 * Return the spot of the trunk at z = `at`. Between two stations its line is a cubic of Hermite, which leaves each
 * along its own +z; beyond the stations it is straight (pictures/trunk.py).
 * @param {number[]} along z of the stations at rest
 * @param {Stance} stance
 * @param {number} at
 * @returns {Spot}
 */
export const trunkAt = (along, { stations, rotations }, at) => {
  const next = along.findIndex((z) => z > at),
    end = next < 0 ? along.length - 1 : 0;
  if (next <= 0) return { from: [0, 0, along[end]], to: stations[end], turn: rotations[end] };
  const length = along[next] - along[next - 1],
    t = (at - along[next - 1]) / length,
    s = 1 - t;
  const [u, v] = [rotations[next - 1], rotations[next]];
  const line = plus(times(s * s * (1 + 2 * t), stations[next - 1]), times(t * t * (1 + 2 * s), stations[next])),
    bow = times(length * s * t, minus(times(s, rotate(u, AHEAD)), times(t, rotate(v, AHEAD))));
  return { from: [0, 0, at], to: plus(line, bow), turn: blended(u, v, t) };
};

/**
 * Return the spot of the head: its pivot is fixed to the front station.
 * @param {number[]} along
 * @param {Stance} stance
 * @param {number[]} pivot
 * @returns {Spot}
 */
export const headAt = (along, stance, pivot) => {
  const { rotations, neck } = stance,
    turn = multiply(rotations[rotations.length - 1], neck[neck.length - 1]);
  return { from: pivot, to: placed(trunkAt(along, stance, Infinity), pivot), turn };
};

/**
 * Return the spots of the links of the tail: the first is fixed to the rear station, each other to the one before it.
 * @param {number[]} along
 * @param {Stance} stance
 * @param {number[]} pivot where the first link begins
 * @param {number[]} tip where the last one ends
 * @returns {Spot[]}
 */
export const tailAt = (along, stance, pivot, tip) => {
  const { rotations, tail } = stance,
    links = tail.length ? tail : [[0, 0, 0, 1]];
  const way = times(1 / links.length, minus(tip, pivot));
  let from = pivot,
    to = placed(trunkAt(along, stance, -Infinity), pivot);
  return links.map((link) => {
    const spot = { from, to, turn: multiply(rotations[0], link) };
    from = plus(from, way);
    to = placed(spot, from);
    return spot;
  });
};

/**
 * Return the spots of the parts of feet. A foot below a third segment pitches with it, but neither its toes nor its
 * heel go into the ground: they bend there, and lie flat while it stands.
 * @param {Stance} stance
 * @param {number[]} extent how far parts of feet reach behind their origin, and ahead
 * @param {(leg: number) => boolean} bends whether a leg has a third segment
 * @param {(x: number, z: number) => number} height of the ground
 * @returns {Spot[]}
 */
export const feetAt = ({ feet, soles }, [heel, toe], bends, height) =>
  feet.map((to, i) => {
    const spot = { from: [0, 0, 0], to, turn: soles[i] };
    if (heel === toe || !bends(i)) return spot;
    const [x, y, z] = rotate(soles[i], AHEAD),
      high = Math.max(to[1] - height(to[0], to[2]), 0),
      most = (/** @type {number} */ size) => (size > high ? Math.asin(high / size) : Math.PI / 2),
      pitch = Math.asin(Math.min(1, Math.max(-1, y))),
      change = Math.min(most(-heel), Math.max(-most(toe), pitch)) - pitch;
    const right = times(Math.sin(change / 2), unit([-z, 0, x]));
    return { ...spot, turn: multiply([...right, Math.cos(change / 2)], soles[i]) };
  });
