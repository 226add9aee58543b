// Where the parts of an animal's body are: on its trunk, which bends, its links and its tail (pictures/figure.py).
import { limb } from "../../limb/limb.js";
import { blended } from "./walker.js";

/** @import { Stance } from "./walker.js" */
/**
 * A place that carries parts: what is at `from` in the space of the body at rest is at `to` in the world.
 * @typedef {{ from: number[], to: number[], turn: number[] }} Spot
 */

const { plus, minus, times, cross } = limb.vectors;

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
 * @param {Pick<Stance, "stations" | "rotations">} stance
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
 * Return the spots of head, arms and the like: their pivots are fixed to the link that bears them, or the front station.
 * @param {number[]} along
 * @param {Stance} stance
 * @param {{ parent: number, pivot: number[] }[]} links
 * @returns {Spot[]}
 */
export const linksAt = (along, { stations, rotations, neck }, links) => {
  const front = trunkAt(along, { stations, rotations }, Infinity);
  /** @type {Spot[]} */
  const spots = [];
  links.forEach(({ parent, pivot }, i) => {
    const to = placed(parent < 0 ? front : spots[parent], pivot);
    spots.push({ from: pivot, to, turn: multiply(front.turn, neck[i]) });
  });
  return spots;
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
