// What changes while an animal walks.
//
// Printed from creature/stepping/records.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "numbers.hpp"

namespace twobone::stepping::records {

// What is asked for: velocity to the left and forward, metres per second, and yaw rate.
struct Order {
  double aside;
  double ahead;
  double turn;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("aside", self.aside);
    visitor("ahead", self.ahead);
    visitor("turn", self.turn);
  }
};

// A place of the trunk that bears legs.
struct Station {
  double yaw;
  transcendental::Turn facing; // of the yaw
  double fastest; // metres per second: how fast the legs that stand let it rise
  double x;
  double z;
  double ux; // velocity
  double uz;
  double spin; // yaw rate
  numbers::Damped level; // height of the ground under its feet
  double goal; // to which its level moves
  double sinks; // acceleration of its level, down
  numbers::Damped shift; // of its height, for belly and legs
  double under; // least height with which its belly is not in the ground
  double floor; // the same with a clearance, also for what comes
  double free; // share of its velocity with which it comes to no ground that is too high
  numbers::Damped swing; // yaw of the girdle, from the legs
  numbers::Damped drop; // roll of the girdle

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("yaw", self.yaw);
    visitor("facing", self.facing);
    visitor("fastest", self.fastest);
    visitor("x", self.x);
    visitor("z", self.z);
    visitor("ux", self.ux);
    visitor("uz", self.uz);
    visitor("spin", self.spin);
    visitor("level", self.level);
    visitor("goal", self.goal);
    visitor("sinks", self.sinks);
    visitor("shift", self.shift);
    visitor("under", self.under);
    visitor("floor", self.floor);
    visitor("free", self.free);
    visitor("swing", self.swing);
    visitor("drop", self.drop);
  }
};

// A way of one coordinate of least jerk, from place, velocity and acceleration to a goal.
//
// It comes to rest there, with another acceleration. Time is the part of the swing, 0 to 1.
struct Course {
  double start;
  double place;
  double velocity;
  double acceleration;
  double brake; // its acceleration at the goal

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("start", self.start);
    visitor("place", self.place);
    visitor("velocity", self.velocity);
    visitor("acceleration", self.acceleration);
    visitor("brake", self.brake);
  }
};

// How the ground lies under a foot.
struct Lie {
  double pitch; // up at its toes
  double roll; // up at its left side

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("pitch", self.pitch);
    visitor("roll", self.roll);
  }
};

// A leg: where it is in its cycle, its foot, and the plan of its swing.
struct Step {
  double phase; // cycles since it should have landed, 0 to 1
  numbers::Damped offset; // phase of the animal at which it should land
  double facing; // yaw of the foot
  transcendental::Turn toes; // of that
  numbers::Point foot;
  numbers::Point goal; // where it lands
  numbers::Point stood; // where it stood before
  numbers::Point hip; // at the end of the last step of time
  bool down; // it stands
  double since; // cycles since it landed
  double stray; // how far from rest the foot would be; a lot without ground under it
  double gate; // phase at which it lifted
  double part; // what is over of it, 0 to 1
  Course x;
  Course y;
  Course z;
  double base; // height of the foot without the arc
  double low;
  Course over;
  double high;
  numbers::Above want; // that of the plan before it looked at the ground
  bool lost; // there was none, and it steps where it stood
  double cost; // 0 to 2: what it costs more than a good one
  double under; // height of the ground there
  double least_hip; // height of the hip with which the leg is not in the ground there
  double slope; // angle of the ground under the third segment, where it stands or will
  double slope_before; // where it stood before
  Lie lie; // of its sole, where it stands or will
  Lie lie_before; // where it stood before
  numbers::Damped angle; // of the third segment over the ground, if free
  numbers::Damped hold; // how much the bones above decide its angle
  numbers::Damped splay; // by which its plane turns for its knee

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("phase", self.phase);
    visitor("offset", self.offset);
    visitor("facing", self.facing);
    visitor("toes", self.toes);
    visitor("foot", self.foot);
    visitor("goal", self.goal);
    visitor("stood", self.stood);
    visitor("hip", self.hip);
    visitor("down", self.down);
    visitor("since", self.since);
    visitor("stray", self.stray);
    visitor("gate", self.gate);
    visitor("part", self.part);
    visitor("x", self.x);
    visitor("y", self.y);
    visitor("z", self.z);
    visitor("base", self.base);
    visitor("low", self.low);
    visitor("over", self.over);
    visitor("high", self.high);
    visitor("want", self.want);
    visitor("lost", self.lost);
    visitor("cost", self.cost);
    visitor("under", self.under);
    visitor("least_hip", self.least_hip);
    visitor("slope", self.slope);
    visitor("slope_before", self.slope_before);
    visitor("lie", self.lie);
    visitor("lie_before", self.lie_before);
    visitor("angle", self.angle);
    visitor("hold", self.hold);
    visitor("splay", self.splay);
  }
};

// How a link hangs, over a trunk that is level and straight.
struct Hanging {
  numbers::Damped yaw;
  numbers::Damped pitch;
  numbers::Damped roll;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("yaw", self.yaw);
    visitor("pitch", self.pitch);
    visitor("roll", self.roll);
  }
};

// An animal on its way.
struct Walk {
  double x; // of the trunk's middle
  double z;
  double yaw;
  numbers::Damped duty;
  numbers::Damped vault; // as those of a gait
  numbers::Damped flex;
  py::List<Station> stations;
  py::List<Step> steps;
  py::List<Hanging> links;
  py::List<numbers::Damped> tail_yaw;
  py::List<numbers::Damped> tail_pitch;
  Order asked; // to which the next three go
  numbers::Damped aside; // velocity in its own space, and its rate
  numbers::Damped ahead;
  numbers::Damped turn;
  numbers::Damped felt_aside;
  numbers::Damped felt_ahead;
  bool stops; // it shall come to rest
  bool moving; // it goes, or shall go
  double calm; // share of the order that it follows, less on bad ground
  double slow; // share of the velocity that its legs allow
  double lets; // the same, of the reach of legs alone
  double delay; // seconds since it last did a third of what is asked for
  py::Int gait; // index
  double blend; // place in the gait's range of speeds, 0 to 1
  double phase; // of the cycle, 0 to 1
  double rate; // cycles per second; 0: it stands
  numbers::Damped beat; // without jumps, for the forces of the feet
  numbers::Damped vigour; // 0 standing to 1: scales what the body does
  numbers::Damped roll; // of the ground under the feet
  numbers::Damped back; // bend of the back
  numbers::Damped lean; // pitch forward, of the gait
  numbers::Damped bank; // roll in a curve
  numbers::Damped rise; // height of the gait
  numbers::Damped balance_x; // of the body over the feet that stand
  numbers::Damped balance_z;
  numbers::Damped look; // yaw of the head, into a curve
  numbers::Damped front_high; // height of the front station
  numbers::Damped tail_high; // of its end, which follows the pelvis
  double breath; // breaths that it has taken
  double idle; // share of the time until the next small step
  py::Int fidgets; // small steps that it has begun
  py::Int fidget; // the leg that shall make one; -1: none

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("x", self.x);
    visitor("z", self.z);
    visitor("yaw", self.yaw);
    visitor("duty", self.duty);
    visitor("vault", self.vault);
    visitor("flex", self.flex);
    visitor("stations", self.stations);
    visitor("steps", self.steps);
    visitor("links", self.links);
    visitor("tail_yaw", self.tail_yaw);
    visitor("tail_pitch", self.tail_pitch);
    visitor("asked", self.asked);
    visitor("aside", self.aside);
    visitor("ahead", self.ahead);
    visitor("turn", self.turn);
    visitor("felt_aside", self.felt_aside);
    visitor("felt_ahead", self.felt_ahead);
    visitor("stops", self.stops);
    visitor("moving", self.moving);
    visitor("calm", self.calm);
    visitor("slow", self.slow);
    visitor("lets", self.lets);
    visitor("delay", self.delay);
    visitor("gait", self.gait);
    visitor("blend", self.blend);
    visitor("phase", self.phase);
    visitor("rate", self.rate);
    visitor("beat", self.beat);
    visitor("vigour", self.vigour);
    visitor("roll", self.roll);
    visitor("back", self.back);
    visitor("lean", self.lean);
    visitor("bank", self.bank);
    visitor("rise", self.rise);
    visitor("balance_x", self.balance_x);
    visitor("balance_z", self.balance_z);
    visitor("look", self.look);
    visitor("front_high", self.front_high);
    visitor("tail_high", self.tail_high);
    visitor("breath", self.breath);
    visitor("idle", self.idle);
    visitor("fidgets", self.fidgets);
    visitor("fidget", self.fidget);
  }
};

// A station of the trunk in space.
struct Frame {
  double x;
  double y;
  double z;
  double yaw;
  double pitch; // nose up
  double roll; // left side up

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("x", self.x);
    visitor("y", self.y);
    visitor("z", self.z);
    visitor("yaw", self.yaw);
    visitor("pitch", self.pitch);
    visitor("roll", self.roll);
  }
};

// A leg of a pose, before its joints are computed.
struct Stand {
  numbers::Point hip;
  numbers::Point foot;
  double angle; // of the third segment
  double facing;
  double pitch; // of the sole: up at its toes
  double roll; // up at its left side
  double splay; // angle by which the knee turns about the way to the ankle
  double gives; // 0 to 1: how early a foot in the air gives way that its leg cannot reach
  bool down;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("hip", self.hip);
    visitor("foot", self.foot);
    visitor("angle", self.angle);
    visitor("facing", self.facing);
    visitor("pitch", self.pitch);
    visitor("roll", self.roll);
    visitor("splay", self.splay);
    visitor("gives", self.gives);
    visitor("down", self.down);
  }
};

// A rotation: left side up, then nose up, then to the left.
struct Angles {
  double yaw;
  double pitch;
  double roll;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("yaw", self.yaw);
    visitor("pitch", self.pitch);
    visitor("roll", self.roll);
  }
};

// An animal at one moment.
struct Pose {
  py::List<Frame> frames;
  py::List<Stand> stands;
  py::List<Angles> links; // in the space of the front station
  py::List<double> tail_yaw; // of each link, in the space of the rear station
  py::List<double> tail_pitch;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("frames", self.frames);
    visitor("stands", self.stands);
    visitor("links", self.links);
    visitor("tail_yaw", self.tail_yaw);
    visitor("tail_pitch", self.tail_pitch);
  }
};

// What the legs do to the trunk.
struct Sums {
  py::List<double> ahead; // of each leg: how far ahead of its place at rest its foot is, of the hip
  py::List<double> fore; // the mean of those of each station
  py::List<double> apart; // by which the left foot is ahead of the right
  py::List<double> air; // load of the right side over the left
  double heave; // up, metres
  double pitch; // nose up, radians
  double roll; // left side up
  double sway; // to the left, metres

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("ahead", self.ahead);
    visitor("fore", self.fore);
    visitor("apart", self.apart);
    visitor("air", self.air);
    visitor("heave", self.heave);
    visitor("pitch", self.pitch);
    visitor("roll", self.roll);
    visitor("sway", self.sway);
  }
};

// Where a trunk is, and how it moves over the ground.
struct Motion {
  double x;
  double z;
  double heading;
  double aside; // velocity in its own space
  double ahead;
  double turn;
  double front_x; // of its front station
  double front_z;
  double front_heading;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("x", self.x);
    visitor("z", self.z);
    visitor("heading", self.heading);
    visitor("aside", self.aside);
    visitor("ahead", self.ahead);
    visitor("turn", self.turn);
    visitor("front_x", self.front_x);
    visitor("front_z", self.front_z);
    visitor("front_heading", self.front_heading);
  }
};

// A walk, and its poses and motions before and after the last step.
struct Journey {
  Walk walk;
  py::List<Pose> poses;
  py::List<Motion> motions;
  py::Int last; // which of the two is the later
  double after; // seconds from the earlier pose to the time to which it has walked

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("walk", self.walk);
    visitor("poses", self.poses);
    visitor("motions", self.motions);
    visitor("last", self.last);
    visitor("after", self.after);
  }
};
}
