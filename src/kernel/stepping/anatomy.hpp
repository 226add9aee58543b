// What an animal is made of: numbers only. `zoo` has the animals.
//
// Lengths are metres, angles radians, phases cycles. "Of the hip" means over `Anatomy.hip`, the height
// of a standing animal's hips.
//
// Printed from creature/stepping/anatomy.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"

namespace twobone::stepping::anatomy {

// A leg of two bones and a third segment, on which it stands.
struct Leg {
  py::Int station; // of the trunk that bears it, counted from the rear
  double side; // 1 left, -1 right
  double aside; // of the hip, from the station, to the left
  double up; // of the hip, above the line of the trunk
  double foot_aside; // of the foot at rest, from the station
  double foot_ahead; // of the foot at rest, ahead of the station
  double upper; // length of the first bone
  double lower; // of the second
  double third; // of the segment between ankle and foot, 0 for none
  double pole_aside; // where the knee points, in the space of the trunk; a unit vector
  double pole_up; // the same, up
  double pole_ahead; // the same, ahead
  double rest; // angle of the third segment above the ground when standing
  double peel; // by which it has risen when the foot lifts
  double curl; // by which it folds more in the middle of a swing
  double land; // by which it is stretched forward when the foot lands
  bool radial; // it lies away from the body (a tarsus) and not forward
  double share; // of the weight that it bears, in any unit
  double follows; // derived by `zoo`: how far its station rises with the ground under its foot
  double heel; // how far behind the foot its heel is, on which it lands; 0: it has none
  double locks; // share by which its third segment continues the second bone in a stance
  double still; // share by which its first bone keeps its direction, as a bird's thigh
  double ankle_aside; // derived by `zoo`: way from hip to ankle at rest, a unit vector
  double ankle_up; // the same, up
  double ankle_ahead; // the same, ahead

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("station", self.station);
    visitor("side", self.side);
    visitor("aside", self.aside);
    visitor("up", self.up);
    visitor("foot_aside", self.foot_aside);
    visitor("foot_ahead", self.foot_ahead);
    visitor("upper", self.upper);
    visitor("lower", self.lower);
    visitor("third", self.third);
    visitor("pole_aside", self.pole_aside);
    visitor("pole_up", self.pole_up);
    visitor("pole_ahead", self.pole_ahead);
    visitor("rest", self.rest);
    visitor("peel", self.peel);
    visitor("curl", self.curl);
    visitor("land", self.land);
    visitor("radial", self.radial);
    visitor("share", self.share);
    visitor("follows", self.follows);
    visitor("heel", self.heel);
    visitor("locks", self.locks);
    visitor("still", self.still);
    visitor("ankle_aside", self.ankle_aside);
    visitor("ankle_up", self.ankle_up);
    visitor("ankle_ahead", self.ankle_ahead);
  }
};

// The order and timing of steps over a range of speeds.
//
// Speeds are over sqrt(g hip), the square root of Froude's number.
struct Gait {
  double low; // slower than this, the gait before is taken
  double high; // faster than this, the next
  double duty_low; // fraction of a cycle that a foot stands, at `low`
  double duty_high; // at `high`
  py::List<double> offsets_low; // when each leg lands, at `low`
  py::List<double> offsets_high; // at `high`; in between they change in proportion
  double vault; // force of a leg over a stance: 0 has one hump (a bounce), 1/3 two (a walk)
  double flex; // radians by which the back bends, per hip height by which hind feet are ahead
  double lift; // height of a swing, over `Anatomy.lift`
  double rise; // of the hip: how much higher the body is than in a stand
  double over; // share of a stance after which the body is over the foot
  double kick; // of the hip: how much higher feet fly early in a swing, behind the body
  double lean; // radians by which the trunk leans forward

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("low", self.low);
    visitor("high", self.high);
    visitor("duty_low", self.duty_low);
    visitor("duty_high", self.duty_high);
    visitor("offsets_low", self.offsets_low);
    visitor("offsets_high", self.offsets_high);
    visitor("vault", self.vault);
    visitor("flex", self.flex);
    visitor("lift", self.lift);
    visitor("rise", self.rise);
    visitor("over", self.over);
    visitor("kick", self.kick);
    visitor("lean", self.lean);
  }
};

// How much the body moves along with the legs: choices of taste, 1 is what forces give.
struct Manner {
  double heave; // up and down
  double pitch; // nose up and down
  double roll; // from side to side
  double sway; // to the side of the feet that stand
  double pelvis_yaw; // radians per hip height between left and right foot
  double shoulder_yaw; // the same of the fore feet
  double drop; // radians by which a girdle sinks on the side in the air
  double lean; // radians of pitch per g of acceleration, also that of a push
  double bank; // radians of roll per g of acceleration to the side, as in a curve
  double look; // seconds ahead that the head looks into a curve
  double wag; // yaw of the tail over that of the pelvis
  double breath; // of the hip: how much the trunk sinks as it breathes out
  double breathes; // breaths per second at rest
  double shift; // of the hip: how far the weight shifts from side to side at rest
  double fidgets; // small steps per second at rest
  double ripple; // of the hip: how far each station moves towards its foot that stands
  double whip; // radians by which the tail stays behind, per hip height up or down
  double streams; // radians up at the tail's end, in a run

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("heave", self.heave);
    visitor("pitch", self.pitch);
    visitor("roll", self.roll);
    visitor("sway", self.sway);
    visitor("pelvis_yaw", self.pelvis_yaw);
    visitor("shoulder_yaw", self.shoulder_yaw);
    visitor("drop", self.drop);
    visitor("lean", self.lean);
    visitor("bank", self.bank);
    visitor("look", self.look);
    visitor("wag", self.wag);
    visitor("breath", self.breath);
    visitor("breathes", self.breathes);
    visitor("shift", self.shift);
    visitor("fidgets", self.fidgets);
    visitor("ripple", self.ripple);
    visitor("whip", self.whip);
    visitor("streams", self.streams);
  }
};

// A part that hangs on the front station or on another link: of a neck, an arm, an ear.
//
// It follows what bears it as a damped spring, with goals of its own.
struct Link {
  std::string node; // what it is in an appearance: "head", "arm_left"; see `appearance.NODES`
  py::Int parent; // the link that bears it, one before it; -1: the front station
  double twist; // share of the yaw of its bearer: 1 turns as it does, -1 against it
  double tip; // share of the pitch and roll of its bearer
  double look; // share of the look into a curve
  py::Int leg; // whose steps swing it; -1: none
  double swing; // radians up at its front, per hip height by which that foot is ahead
  double run; // radians up at its front, in a run
  double quick; // radians per second, at which it swings freely; 0: it follows at once
  double nod; // radians down at its front after a fore foot has landed, in a walk
  double pump; // how many times more its leg swings it in a run
  double glance; // radians to either side that it turns, from time to time, at rest
  double holds; // radians back per hip height gone, to hold its end still, in a walk
  double bobs; // radians up at its front per speed of its bearer, up, over sqrt(g hip)
  double trails; // radians per g by which its lower end stays behind; below 0 its upper end

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("node", self.node);
    visitor("parent", self.parent);
    visitor("twist", self.twist);
    visitor("tip", self.tip);
    visitor("look", self.look);
    visitor("leg", self.leg);
    visitor("swing", self.swing);
    visitor("run", self.run);
    visitor("quick", self.quick);
    visitor("nod", self.nod);
    visitor("pump", self.pump);
    visitor("glance", self.glance);
    visitor("holds", self.holds);
    visitor("bobs", self.bobs);
    visitor("trails", self.trails);
  }
};

// An animal.
struct Anatomy {
  std::string name; // used in reports
  double height; // of the trunk's line when it stands
  py::List<double> along; // z of each station of the trunk, from the rear
  double bend; // most yaw between two stations
  double limp; // 0: the trunk is straight; 1: each station is over its own feet
  double tilt; // share of the ground's slope that it takes
  double bank; // share of the ground's sideways slope
  double belly; // how deep the trunk is below its line
  double half; // half its width; 0: it is so narrow that its middle is enough
  py::List<Leg> legs; // in pairs, left before right, see `pair`
  py::List<Gait> gaits; // from the slowest to the fastest
  double stride; // c of a cycle's length c hip Fr^(1/4) (Alexander and Jayes 1983)
  double lift; // of the hip: height of a swing
  double quick; // seconds in which it goes two thirds of the way to an ordered velocity
  double strong; // most acceleration, in g
  bool waits; // a leg lifts only while its neighbours stand
  bool steady; // the body stays over the feet that stand
  double balance; // share by which it follows their middle
  double lead; // cycles before a foot lifts, and after it landed, in which it bears less
  double straight; // most of the reach of two bones that a standing leg uses
  double least; // least of it, where the third segment gives way
  bool sideways; // led somewhere, it walks there with one of its sides ahead
  double wide; // least distance of a foot from the middle, over that at rest
  Manner manner; // how its body moves along
  py::List<Link> links; // on the front station, each after the one that bears it
  py::Int tail; // links
  double hip; // height of the hips
  double middle; // mean of `along`
  double span; // from the rear station to the front one
  double fan; // how many times as far apart as its stations their feet are, along the trunk
  double highest; // height of its line over its feet, when all legs are straight
  double travel; // how far the body goes in the longest stance
  double across; // the same sideways
  double reach; // length of the longest leg
  double slowest; // least cycles per second; slower ones look like slow motion
  double fastest; // most cycles per second: those of the highest speed of its last gait
  double top_speed; // the highest speed that gaits and stances allow

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("name", self.name);
    visitor("height", self.height);
    visitor("along", self.along);
    visitor("bend", self.bend);
    visitor("limp", self.limp);
    visitor("tilt", self.tilt);
    visitor("bank", self.bank);
    visitor("belly", self.belly);
    visitor("half", self.half);
    visitor("legs", self.legs);
    visitor("gaits", self.gaits);
    visitor("stride", self.stride);
    visitor("lift", self.lift);
    visitor("quick", self.quick);
    visitor("strong", self.strong);
    visitor("waits", self.waits);
    visitor("steady", self.steady);
    visitor("balance", self.balance);
    visitor("lead", self.lead);
    visitor("straight", self.straight);
    visitor("least", self.least);
    visitor("sideways", self.sideways);
    visitor("wide", self.wide);
    visitor("manner", self.manner);
    visitor("links", self.links);
    visitor("tail", self.tail);
    visitor("hip", self.hip);
    visitor("middle", self.middle);
    visitor("span", self.span);
    visitor("fan", self.fan);
    visitor("highest", self.highest);
    visitor("travel", self.travel);
    visitor("across", self.across);
    visitor("reach", self.reach);
    visitor("slowest", self.slowest);
    visitor("fastest", self.fastest);
    visitor("top_speed", self.top_speed);
  }
};
}
