// What changes while an animal walks.
//
// Printed from creature/stepping/records.py by `python tools/generate.py`: do not edit.

/** @typedef {import("./transcendental.js").Turn} Turn */
/** @typedef {import("./numbers.js").Above} Above */
/** @typedef {import("./numbers.js").Damped} Damped */
/** @typedef {import("./numbers.js").Point} Point */

/**
 * What is asked for: velocity to the left and forward, metres per second, and yaw rate.
 * @typedef {object} Order
 * @property {number} aside
 * @property {number} ahead
 * @property {number} turn
 */

/**
 * A place of the trunk that bears legs.
 * @typedef {object} Station
 * @property {number} yaw
 * @property {Turn} facing of the yaw
 * @property {number} fastest metres per second: how fast the legs that stand let it rise
 * @property {number} x
 * @property {number} z
 * @property {number} ux velocity
 * @property {number} uz
 * @property {number} spin yaw rate
 * @property {Damped} level height of the ground under its feet
 * @property {number} goal to which its level moves
 * @property {number} sinks acceleration of its level, down
 * @property {Damped} shift of its height, for belly and legs
 * @property {number} under least height with which its belly is not in the ground
 * @property {number} floor the same with a clearance, also for what comes
 * @property {number} free share of its velocity with which it comes to no ground that is too high
 * @property {Damped} swing yaw of the girdle, from the legs
 * @property {Damped} drop roll of the girdle
 */

/**
 * A way of one coordinate of least jerk, from place, velocity and acceleration to a goal.
 *
 * It comes to rest there, with another acceleration. Time is the part of the swing, 0 to 1.
 * @typedef {object} Course
 * @property {number} start
 * @property {number} place
 * @property {number} velocity
 * @property {number} acceleration
 * @property {number} brake its acceleration at the goal
 */

/**
 * How the ground lies under a foot.
 * @typedef {object} Lie
 * @property {number} pitch up at its toes
 * @property {number} roll up at its left side
 */

/**
 * A leg: where it is in its cycle, its foot, and the plan of its swing.
 * @typedef {object} Step
 * @property {number} phase cycles since it should have landed, 0 to 1
 * @property {Damped} offset phase of the animal at which it should land
 * @property {number} facing yaw of the foot
 * @property {Turn} toes of that
 * @property {Point} foot
 * @property {Point} goal where it lands
 * @property {Point} stood where it stood before
 * @property {Point} hip at the end of the last step of time
 * @property {boolean} down it stands
 * @property {number} since cycles since it landed
 * @property {number} stray how far from rest the foot would be; a lot without ground under it
 * @property {number} gate phase at which it lifted
 * @property {number} part what is over of it, 0 to 1
 * @property {Course} x
 * @property {Course} y
 * @property {Course} z
 * @property {number} base height of the foot without the arc
 * @property {number} low
 * @property {Course} over
 * @property {number} high
 * @property {Above} want that of the plan before it looked at the ground
 * @property {boolean} lost there was none, and it steps where it stood
 * @property {number} cost 0 to 2: what it costs more than a good one
 * @property {number} under height of the ground there
 * @property {number} leastHip height of the hip with which the leg is not in the ground there
 * @property {number} slope angle of the ground under the third segment, where it stands or will
 * @property {number} slopeBefore where it stood before
 * @property {Lie} lie of its sole, where it stands or will
 * @property {Lie} lieBefore where it stood before
 * @property {Damped} angle of the third segment over the ground, if free
 * @property {Damped} hold how much the bones above decide its angle
 * @property {Damped} splay by which its plane turns for its knee
 */

/**
 * How a link hangs, over a trunk that is level and straight.
 * @typedef {object} Hanging
 * @property {Damped} yaw
 * @property {Damped} pitch
 * @property {Damped} roll
 */

/**
 * An animal on its way.
 * @typedef {object} Walk
 * @property {number} x of the trunk's middle
 * @property {number} z
 * @property {number} yaw
 * @property {Damped} duty
 * @property {Damped} vault as those of a gait
 * @property {Damped} flex
 * @property {Station[]} stations
 * @property {Step[]} steps
 * @property {Hanging[]} links
 * @property {Damped[]} tailYaw
 * @property {Damped[]} tailPitch
 * @property {Order} asked to which the next three go
 * @property {Damped} aside velocity in its own space, and its rate
 * @property {Damped} ahead
 * @property {Damped} turn
 * @property {Damped} feltAside
 * @property {Damped} feltAhead
 * @property {boolean} stops it shall come to rest
 * @property {boolean} moving it goes, or shall go
 * @property {number} calm share of the order that it follows, less on bad ground
 * @property {number} slow share of the velocity that its legs allow
 * @property {number} lets the same, of the reach of legs alone
 * @property {number} delay seconds since it last did a third of what is asked for
 * @property {number} gait index
 * @property {number} blend place in the gait's range of speeds, 0 to 1
 * @property {number} phase of the cycle, 0 to 1
 * @property {number} rate cycles per second; 0: it stands
 * @property {Damped} beat without jumps, for the forces of the feet
 * @property {Damped} vigour 0 standing to 1: scales what the body does
 * @property {Damped} roll of the ground under the feet
 * @property {Damped} back bend of the back
 * @property {Damped} lean pitch forward, of the gait
 * @property {Damped} bank roll in a curve
 * @property {Damped} rise height of the gait
 * @property {Damped} balanceX of the body over the feet that stand
 * @property {Damped} balanceZ
 * @property {Damped} look yaw of the head, into a curve
 * @property {Damped} frontHigh height of the front station
 * @property {Damped} tailHigh of its end, which follows the pelvis
 * @property {number} breath breaths that it has taken
 * @property {number} idle share of the time until the next small step
 * @property {number} fidgets small steps that it has begun
 * @property {number} fidget the leg that shall make one; -1: none
 */

/**
 * A station of the trunk in space.
 * @typedef {object} Frame
 * @property {number} x
 * @property {number} y
 * @property {number} z
 * @property {number} yaw
 * @property {number} pitch nose up
 * @property {number} roll left side up
 */

/**
 * A leg of a pose, before its joints are computed.
 * @typedef {object} Stand
 * @property {Point} hip
 * @property {Point} foot
 * @property {number} angle of the third segment
 * @property {number} facing
 * @property {number} pitch of the sole: up at its toes
 * @property {number} roll up at its left side
 * @property {number} splay angle by which the knee turns about the way to the ankle
 * @property {number} gives 0 to 1: how early a foot in the air gives way that its leg cannot reach
 * @property {boolean} down
 */

/**
 * A rotation: left side up, then nose up, then to the left.
 * @typedef {object} Angles
 * @property {number} yaw
 * @property {number} pitch
 * @property {number} roll
 */

/**
 * An animal at one moment.
 * @typedef {object} Pose
 * @property {Frame[]} frames
 * @property {Stand[]} stands
 * @property {Angles[]} links in the space of the front station
 * @property {number[]} tailYaw of each link, in the space of the rear station
 * @property {number[]} tailPitch
 */

/**
 * What the legs do to the trunk.
 * @typedef {object} Sums
 * @property {number[]} ahead of each leg: how far ahead of its place at rest its foot is, of the hip
 * @property {number[]} fore the mean of those of each station
 * @property {number[]} apart by which the left foot is ahead of the right
 * @property {number[]} air load of the right side over the left
 * @property {number} heave up, metres
 * @property {number} pitch nose up, radians
 * @property {number} roll left side up
 * @property {number} sway to the left, metres
 */

/**
 * Where a trunk is, and how it moves over the ground.
 * @typedef {object} Motion
 * @property {number} x
 * @property {number} z
 * @property {number} heading
 * @property {number} aside velocity in its own space
 * @property {number} ahead
 * @property {number} turn
 * @property {number} frontX of its front station
 * @property {number} frontZ
 * @property {number} frontHeading
 */

/**
 * A walk, and its poses and motions before and after the last step.
 * @typedef {object} Journey
 * @property {Walk} walk
 * @property {Pose[]} poses
 * @property {Motion[]} motions
 * @property {number} last which of the two is the later
 * @property {number} after seconds from the earlier pose to the time to which it has walked
 */

export {};
