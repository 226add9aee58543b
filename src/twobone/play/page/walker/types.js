// Types of the walker, for tsc: there is no code here.

/**
 * A place or a direction seen from above, x and z: the complex number x + iz.
 * @typedef {number[]} Place
 */
/**
 * A point, x, z and y.
 * @typedef {number[]} Point
 */
/**
 * @typedef {object} Terrain
 * @property {boolean} hasEdges whether there may be steps, walls or ditches
 * @property {(x: number, z: number) => number} height
 * @property {(x: number, z: number) => number[]} slopes along x and along z
 * @property {(x: number, z: number) => number[]} normal upward unit normal, x, y and z
 * @property {() => any} formula the numbers of its formula, as in Python
 */
/**
 * Distances from hip to foot, for each leg.
 * @typedef {object} LegLimits
 * @property {number[]} reach of a straight leg
 * @property {number[]} used beyond which the body goes lower
 * @property {number[]} long beyond which footholds are penalised and the body rises no further
 * @property {number[]} short below which the body goes no lower
 * @property {number[]} near below which footholds are penalised
 * @property {number[]} landing maximum when a foot lands
 * @property {number[]} minReach minimum in any pose
 * @property {number[]} passing minimum on the way of a swing
 */
/**
 * Points of the underside, which must stay above the ground.
 * @typedef {object} Underside
 * @property {Place[]} belly
 * @property {number[]} low depth of these points below the body's middle, and clearance
 * @property {Point[]} keel
 * @property {number} graze how deep the body may sink into crests where the ground has no edges
 */
/**
 * How a trunk bends up and down: heights of some points where it is bent by 1 in each of two ways.
 * @typedef {object} Spine
 * @property {number} half half its length
 * @property {number[][]} fit weights of the ground below the points of `Underside.belly`
 * @property {number[][]} pull weights of heights by which hips would have to sink
 * @property {number[][]} hips
 * @property {number[][]} belly
 * @property {number[][]} keel
 */
/**
 * How strongly the springs move a body.
 * @typedef {object} Gains
 * @property {number[]} frequencies of the stiff and the soft spring
 * @property {Point[]} feet offset by a foot in the air
 * @property {number[]} sets share of a foot in its set, negative in one of two sets
 * @property {number} sink
 * @property {number} turn
 * @property {number[]} push
 * @property {number[]} most
 */
/**
 * Geometry of an animal in the body's space, as each step needs it; see creature/anatomy.py.
 * @typedef {object} Anatomy
 * @property {number} length of the longest leg
 * @property {number} breadth
 * @property {number} stride
 * @property {number} pairs
 * @property {number} steepness
 * @property {boolean} spaced
 * @property {boolean} balances
 * @property {number} stiff
 * @property {Place[]} footholds
 * @property {Place[]} hipPlaces
 * @property {Point[]} hips
 * @property {Point[]} poles
 * @property {Point[]} outward
 * @property {boolean} spreads
 * @property {number[][]} bones r1 and r2 of each leg
 * @property {LegLimits} legs
 * @property {Underside} underside
 * @property {number[] | null} trunk half sizes of a body, if knees must stay outside it
 * @property {Spine | null} spine null if the trunk is stiff
 * @property {{ pivot: Point, arm: Point }} tail
 * @property {Gains} gains
 */
/**
 * An animal; `legs` are as in Python, in x, y and z.
 * @typedef {object} Animal
 * @property {string} name
 * @property {number} speed
 * @property {number} liveliness
 * @property {{ height: number, tilt: number, stretch: number, size: number[] }} body
 * @property {import("./gait.js").Gait} gait
 * @property {Anatomy} anatomy
 */
/**
 * Position and orientation of a body; points are x, z, y.
 * @typedef {object} Pose
 * @property {Point} body the middle
 * @property {Point[]} axes left, forward and up
 * @property {Point[]} hips
 * @property {Point[]} poles pole vectors of the legs
 * @property {number[]} bend of the trunk, see `Spine`
 */
/**
 * Distances left to the limits of a pose.
 * @typedef {object} Slack
 * @property {number[]} legs until a leg is too straight or too folded
 * @property {number[]} knees height above the ground of knees, or shins
 * @property {number} belly minimum height of the underside above the ground
 * @property {number[]} least minimum of a leg, with what only undoes a step
 */
/**
 * A leg that needs a foothold: where it stood last, and its hip when the foot lands.
 * @typedef {object} Standing
 * @property {Point} stood
 * @property {Place} hips
 * @property {number} top height of the hip
 * @property {number} near minimum distance of a foot from its hip
 * @property {number} far maximum distance
 */
/**
 * A leg in swing that needs ground to land on.
 * @typedef {object} SwingLeg
 * @property {Point[]} swing position, velocity, acceleration and goal
 * @property {number} progress
 * @property {number} lift
 * @property {number} maxLift
 * @property {{ now: Point, landing: Place, middle: Place, height: number }} hips
 * @property {number} maxReach
 * @property {number} minReach
 */

export {};
