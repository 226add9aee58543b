// What an animal is made of: numbers only. `zoo` has the animals.
//
// Lengths are metres, angles radians, phases cycles. "Of the hip" means over `Anatomy.hip`, the height
// of a standing animal's hips.
//
// Printed from creature/stepping/anatomy.py by `python tools/generate.py`: do not edit.


/**
 * A leg of two bones and a third segment, on which it stands.
 * @typedef {object} Leg
 * @property {number} station of the trunk that bears it, counted from the rear
 * @property {number} side 1 left, -1 right
 * @property {number} aside of the hip, from the station, to the left
 * @property {number} up of the hip, above the line of the trunk
 * @property {number} footAside of the foot at rest, from the station
 * @property {number} footAhead of the foot at rest, ahead of the station
 * @property {number} upper length of the first bone
 * @property {number} lower of the second
 * @property {number} third of the segment between ankle and foot, 0 for none
 * @property {number} poleAside where the knee points, in the space of the trunk; a unit vector
 * @property {number} poleUp the same, up
 * @property {number} poleAhead the same, ahead
 * @property {number} rest angle of the third segment above the ground when standing
 * @property {number} peel by which it has risen when the foot lifts
 * @property {number} curl by which it folds more in the middle of a swing
 * @property {number} land by which it is stretched forward when the foot lands
 * @property {boolean} radial it lies away from the body (a tarsus) and not forward
 * @property {number} share of the weight that it bears, in any unit
 * @property {number} follows derived by `zoo`: how far its station rises with the ground under its foot
 * @property {number} heel how far behind the foot its heel is, on which it lands; 0: it has none
 * @property {number} locks share by which its third segment continues the second bone in a stance
 * @property {number} still share by which its first bone keeps its direction, as a bird's thigh
 * @property {number} ankleAside derived by `zoo`: way from hip to ankle at rest, a unit vector
 * @property {number} ankleUp the same, up
 * @property {number} ankleAhead the same, ahead
 */

/**
 * The order and timing of steps over a range of speeds.
 *
 * Speeds are over sqrt(g hip), the square root of Froude's number.
 * @typedef {object} Gait
 * @property {number} low slower than this, the gait before is taken
 * @property {number} high faster than this, the next
 * @property {number} dutyLow fraction of a cycle that a foot stands, at `low`
 * @property {number} dutyHigh at `high`
 * @property {number[]} offsetsLow when each leg lands, at `low`
 * @property {number[]} offsetsHigh at `high`; in between they change in proportion
 * @property {number} vault force of a leg over a stance: 0 has one hump (a bounce), 1/3 two (a walk)
 * @property {number} flex radians by which the back bends, per hip height by which hind feet are ahead
 * @property {number} lift height of a swing, over `Anatomy.lift`
 * @property {number} rise of the hip: how much higher the body is than in a stand
 * @property {number} over share of a stance after which the body is over the foot
 * @property {number} kick of the hip: how much higher feet fly early in a swing, behind the body
 * @property {number} lean radians by which the trunk leans forward
 */

/**
 * How much the body moves along with the legs: choices of taste, 1 is what forces give.
 * @typedef {object} Manner
 * @property {number} heave up and down
 * @property {number} pitch nose up and down
 * @property {number} roll from side to side
 * @property {number} sway to the side of the feet that stand
 * @property {number} pelvisYaw radians per hip height between left and right foot
 * @property {number} shoulderYaw the same of the fore feet
 * @property {number} drop radians by which a girdle sinks on the side in the air
 * @property {number} lean radians of pitch per g of acceleration, also that of a push
 * @property {number} bank radians of roll per g of acceleration to the side, as in a curve
 * @property {number} look seconds ahead that the head looks into a curve
 * @property {number} wag yaw of the tail over that of the pelvis
 * @property {number} breath of the hip: how much the trunk sinks as it breathes out
 * @property {number} breathes breaths per second at rest
 * @property {number} shift of the hip: how far the weight shifts from side to side at rest
 * @property {number} fidgets small steps per second at rest
 * @property {number} ripple of the hip: how far each station moves towards its foot that stands
 * @property {number} whip radians by which the tail stays behind, per hip height up or down
 * @property {number} streams radians up at the tail's end, in a run
 */

/**
 * A part that hangs on the front station or on another link: of a neck, an arm, an ear.
 *
 * It follows what bears it as a damped spring, with goals of its own.
 * @typedef {object} Link
 * @property {string} node what it is in an appearance: "head", "arm_left"; see `appearance.NODES`
 * @property {number} parent the link that bears it, one before it; -1: the front station
 * @property {number} twist share of the yaw of its bearer: 1 turns as it does, -1 against it
 * @property {number} tip share of the pitch and roll of its bearer
 * @property {number} look share of the look into a curve
 * @property {number} leg whose steps swing it; -1: none
 * @property {number} swing radians up at its front, per hip height by which that foot is ahead
 * @property {number} run radians up at its front, in a run
 * @property {number} quick radians per second, at which it swings freely; 0: it follows at once
 * @property {number} nod radians down at its front after a fore foot has landed, in a walk
 * @property {number} pump how many times more its leg swings it in a run
 * @property {number} glance radians to either side that it turns, from time to time, at rest
 * @property {number} holds radians back per hip height gone, to hold its end still, in a walk
 * @property {number} bobs radians up at its front per speed of its bearer, up, over sqrt(g hip)
 * @property {number} trails radians per g by which its lower end stays behind; below 0 its upper end
 */

/**
 * An animal.
 * @typedef {object} Anatomy
 * @property {string} name used in reports
 * @property {number} height of the trunk's line when it stands
 * @property {number[]} along z of each station of the trunk, from the rear
 * @property {number} bend most yaw between two stations
 * @property {number} limp 0: the trunk is straight; 1: each station is over its own feet
 * @property {number} tilt share of the ground's slope that it takes
 * @property {number} bank share of the ground's sideways slope
 * @property {number} belly how deep the trunk is below its line
 * @property {number} half half its width; 0: it is so narrow that its middle is enough
 * @property {Leg[]} legs in pairs, left before right, see `pair`
 * @property {Gait[]} gaits from the slowest to the fastest
 * @property {number} stride c of a cycle's length c hip Fr^(1/4) (Alexander and Jayes 1983)
 * @property {number} lift of the hip: height of a swing
 * @property {number} quick seconds in which it goes two thirds of the way to an ordered velocity
 * @property {number} strong most acceleration, in g
 * @property {boolean} waits a leg lifts only while its neighbours stand
 * @property {boolean} steady the body stays over the feet that stand
 * @property {number} balance share by which it follows their middle
 * @property {number} lead cycles before a foot lifts, and after it landed, in which it bears less
 * @property {number} straight most of the reach of two bones that a standing leg uses
 * @property {number} least least of it, where the third segment gives way
 * @property {boolean} sideways led somewhere, it walks there with one of its sides ahead
 * @property {number} wide least distance of a foot from the middle, over that at rest
 * @property {Manner} manner how its body moves along
 * @property {Link[]} links on the front station, each after the one that bears it
 * @property {number} tail links
 * @property {number} hip height of the hips
 * @property {number} middle mean of `along`
 * @property {number} span from the rear station to the front one
 * @property {number} fan how many times as far apart as its stations their feet are, along the trunk
 * @property {number} highest height of its line over its feet, when all legs are straight
 * @property {number} travel how far the body goes in the longest stance
 * @property {number} across the same sideways
 * @property {number} reach length of the longest leg
 * @property {number} slowest least cycles per second; slower ones look like slow motion
 * @property {number} fastest most cycles per second: those of the highest speed of its last gait
 * @property {number} topSpeed the highest speed that gaits and stances allow
 */

export {};
