// State of a walker: the records that a step of time replaces (creature/state.py).
//
// A step replaces records and lists of numbers and does not change them, so earlier ones can be kept
// to undo it. Only the entries of `Feet` and `Footholds`, one for each leg, are replaced one by one.

import { cis } from "./elementary.js";
import { facing as facingOf, placeOf, plus, rotated, scaled } from "./footing.js";
import { EARLY, arch, fraction, warp } from "./gait.js";

/** @import { Anatomy, Animal, Place, Point, Pose, Slack, Terrain } from "./types.js" */

/**
 * Where the body is on the ground, and how it moves over it.
 * @typedef {object} Course
 * @property {Place} place
 * @property {number} heading radians from +z towards +x
 * @property {Place} facing rotation by `heading`, see `footing.facing`
 * @property {number[]} motion velocity to the left and forward, yaw rate (radians/s)
 */
/**
 * How the body hangs over its feet; `plane` is lean and height of the plane that it follows.
 * @typedef {object} Suspension
 * @property {number[]} plane
 * @property {number[]} planeRate
 * @property {Place} sway offset of the body, in its own space
 * @property {Place} swayRate
 * @property {number[]} bend how far the trunk is bent, see `Spine`
 * @property {number[]} bendRate
 * @property {number[][]} spring offsets of the stiff and the soft spring of `springs`
 * @property {number[][]} springRate
 * @property {number[]} bounce by how much they change the plane over which the body is
 */
/**
 * What makes a body lively besides its feet: the time in which it breathes, its velocity a step ago.
 * @typedef {{ seconds: number, velocity: Place }} Feel
 */
/**
 * How head and tail move, see `following`.
 * @typedef {object} Ends
 * @property {number} look radians to the left by which the head looks aside
 * @property {number} lookRate
 * @property {Point} lag offset of the middle of the tail
 * @property {Point} lagRate
 * @property {Point} middle where it is without the offset, a step ago
 * @property {Point} velocity of `middle`
 */
/**
 * Where feet are, and how they move through the air; one entry for each leg.
 * @typedef {object} Feet
 * @property {Point[][]} swing position, velocity, acceleration, goal; see `glide`
 * @property {number[]} progress fraction of the time of the swing; 1 is in stance
 * @property {number[]} lift height of the swing
 * @property {number[][][]} soles lean (x and z, see `footing.leans`) and heading of the foot now, and
 *   those with which it will stand on its goal
 * @property {number[]} spread how far the knee is turned outward, see `knees`
 * @property {Point[]} poles pole vectors of the legs in the body's space
 */
/**
 * The choice of footholds, and what keeps feet from reaching them; one entry for each leg.
 * @typedef {object} Footholds
 * @property {Place[]} nominal nominal footholds for which the goals were chosen
 * @property {Place[]} offset from a nominal foothold to a better one near it
 * @property {Place[]} hips places of the hips when the feet reach their goals
 * @property {boolean[]} fixed the goal does not change until the foot has landed
 * @property {boolean[]} stuck the foot found no ground to step to
 * @property {boolean[]} held a limit kept the swing from advancing in the last step
 * @property {boolean[]} late the swing has been held since it began
 * @property {boolean[]} waits the foot should lift, but the others do not bear the body yet
 * @property {boolean[]} hangs the foot found no ground, and steps in the air meanwhile
 */
/**
 * The gait cycle.
 * @typedef {object} Cycle
 * @property {number} phase in cycles
 * @property {number} dutyFactor fraction of a cycle that a foot is on the ground
 * @property {number} hurry factor of `rate`, 1 in an undisturbed walk
 * @property {number} rate cycles per second
 * @property {number} least minimum of `rate` while a foot is in swing or has strayed
 * @property {number} swingRate progress per second of feet in swing
 */
/**
 * For how long commands have had no effect, and the offset of the footholds because of it.
 * @typedef {{ seconds: number, lead: number[] }} Delay
 */
/**
 * What legs and ground allow the body in its pose; the next step goes by it.
 * @typedef {object} Limits
 * @property {number[]} goal the plane that `Suspension.plane` approaches
 * @property {number[]} bend the bend that `Suspension.bend` approaches
 * @property {number} rise how much the body has still to rise
 * @property {number} floor minimum height of the plane, above which no leg is folded
 * @property {number} ceiling maximum height of the plane, below which no leg is straight
 * @property {number} reach maximum extension of a leg, as a fraction of its reach
 * @property {number} strain the same for the legs in swing when they land
 */
/**
 * The state of a walker, and what it depends on.
 * @typedef {object} State
 * @property {Animal} animal
 * @property {Anatomy} anatomy
 * @property {Terrain} terrain
 * @property {Course} course
 * @property {Suspension} suspension
 * @property {Feel} feel
 * @property {Ends} ends
 * @property {Feet} feet
 * @property {Footholds} footholds
 * @property {Cycle} cycle
 * @property {Delay} delay
 * @property {Pose} pose follows from course and suspension
 * @property {Limits} limits
 * @property {Slack} slack distances to the limits in this pose
 */

// --- course -------------------------------------------------------------------------------

/** @type {(place: Place, heading: number, motion: any) => Course} */
export const courseAt = (place, heading, motion) => ({ place, heading, facing: facingOf(heading), motion });

/**
 * Return the course with another motion.
 * @param {Course} course
 * @param {number[]} motion
 * @returns {Course}
 */
export const moving = (course, motion) => ({ ...course, motion });

/**
 * Return the course after the body has moved for a time.
 * @param {Course} course
 * @param {number} dt
 */
export const after = ({ place, heading, facing, motion }, dt) => {
  const turn = dt * motion[2];
  // The mean heading during the step is that after half the turn.
  const way = rotated(rotated(scaled(dt, placeOf(motion)), facing), cis(-0.5 * turn));
  return courseAt(plus(place, way), heading + turn, motion);
};

/**
 * Return place and facing moved by a lead: to the left, forward, and an angle.
 * @param {Course} course
 * @param {number[]} lead
 */
export const courseAhead = ({ place, facing }, lead) => {
  if (!lead.some(Boolean)) return { place, facing };
  return { place: plus(place, rotated(placeOf(lead), facing)), facing: rotated(facing, cis(-lead[2])) };
};

// --- suspension ---------------------------------------------------------------------------

/**
 * Return the suspension of a level body at rest.
 * @returns {Suspension}
 */
export const stillSuspension = () => {
  const level = [0, 0, 0],
    middle = [0, 0],
    spring = [level, level];
  // Adding -0 changes no bit, not even the sign of a zero.
  return {
    plane: level,
    planeRate: level,
    sway: middle,
    swayRate: middle,
    bend: [0, 0],
    bendRate: [0, 0],
    spring,
    springRate: spring,
    bounce: [-0, -0, -0],
  };
};

/**
 * Return the plane over which the body is, with its bounce.
 * @param {Suspension} suspension
 */
export const carried = ({ plane, bounce }) => plus(plane, bounce);

// --- feet ---------------------------------------------------------------------------------

/**
 * Return feet in stance on points.
 * @param {Point[]} points
 * @param {Place[]} leans
 * @param {number} heading
 * @param {Point[]} poles pole vectors of the legs in the body's space
 * @returns {Feet}
 */
export const standingFeet = (points, leans, heading, poles) => ({
  swing: points.map(standingSwing),
  progress: points.map(() => 1),
  lift: points.map(() => 0),
  soles: leans.map((lean) => standingSole(lean, heading)),
  spread: points.map(() => 0),
  poles: [...poles],
});

/**
 * Return the swing of a foot that stands on a point.
 * @param {Point} point
 */
export const standingSwing = (point) => [point, [0, 0, 0], [0, 0, 0], point];

/**
 * Return the sole of a foot that stands.
 * @param {Place} lean
 * @param {number} heading
 */
export const standingSole = (lean, heading) => {
  const sole = [...lean, heading];
  return [sole, sole];
};

/**
 * Return feet whose entries are not replaced with those of others.
 * @param {Feet} feet
 * @returns {Feet}
 */
export const copyOfFeet = ({ swing, progress, lift, soles, spread, poles }) => ({
  swing: [...swing],
  progress: [...progress],
  lift: [...lift],
  soles: [...soles],
  spread: [...spread],
  poles: [...poles],
});

/**
 * Return which feet are in swing.
 * @param {Feet} feet
 */
export const flies = ({ progress }) => progress.map((part) => part < 1);

/**
 * Return the positions of the feet with the lift of their swings.
 * @param {Feet} feet
 * @returns {Point[]}
 */
export const pointsOf = ({ swing, progress, lift }) =>
  swing.map(([[x, z, y]], leg) => [x, z, y + lift[leg] * arch(warp(progress[leg]))]);

/**
 * Return the footholds of feet that stand on their nominal footholds.
 * @param {Place[]} nominal
 * @returns {Footholds}
 */
export const footholdsOf = (nominal) => {
  const no = () => nominal.map(() => false);
  const offset = nominal.map(() => [0, 0]);
  return {
    nominal,
    offset,
    hips: [...nominal],
    fixed: no(),
    stuck: no(),
    held: no(),
    late: no(),
    waits: no(),
    hangs: no(),
  };
};

// --- the gait cycle, limits ---------------------------------------------------------------

/**
 * Return the fraction of a cycle that a swing takes.
 * @param {Cycle} cycle
 */
export const swingFraction = ({ dutyFactor }) => EARLY * (1 - dutyFactor);

/**
 * Return the cycles since each leg should have left the ground.
 * @param {Cycle} cycle
 * @param {import("./gait.js").Gait} gait
 * @param {number} pairs
 */
export const legPhases = ({ phase, dutyFactor }, gait, pairs) =>
  gait.offsetsAt(dutyFactor, pairs).map((offset) => fraction(phase - offset));

/**
 * Return the limits of a body whose pose is not yet known, which allow everything.
 * @returns {Limits}
 */
export const unknownLimits = () => ({
  goal: [0, 0, 0],
  bend: [0, 0],
  rise: 0,
  floor: -Infinity,
  ceiling: -Infinity,
  reach: 0,
  strain: 0,
});
