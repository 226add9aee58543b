// The joints of a pose: knees by `twobone.solve_xyz`.
//
// Printed from creature/stepping/joints.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "../joint.hpp"
#include "anatomy.hpp"
#include "knees.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "records.hpp"

namespace twobone::stepping::joints {

// The points of a leg.
struct Joints {
  numbers::Point hip;
  numbers::Point knee;
  numbers::Point ankle;
  numbers::Point foot;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("hip", self.hip);
    visitor("knee", self.knee);
    visitor("ankle", self.ankle);
    visitor("foot", self.foot);
  }
};

inline Joints joints_of(const anatomy::Anatomy &animal, const records::Pose &pose, py::Int i);

// Return the joints of a leg in a pose.
//
// A foot in the air gives way near the end of its leg's reach; one that stands does not move.
inline Joints joints_of(const anatomy::Anatomy &animal, const records::Pose &pose, py::Int i) {
  const anatomy::Leg &leg = animal.legs[i];
  const records::Stand &stand = pose.stands[i];
  const numbers::Point &hip = stand.hip;
  numbers::Point foot = stand.foot;
  numbers::Point way{};
  if (!stand.down) {
    way = numbers::between(hip, foot);
    const limbs::Range ends = limbs::range_of(leg, 0.0, limbs::straightest(animal));
    const double soft = stand.gives * limbs::SOFT * (leg.upper + leg.lower);
    const double distance = numbers::length(way);
    const double held = limbs::within(distance, limbs::Range{ends.least - leg.third, ends.most + leg.third}, soft);
    if (held != distance && distance > 0.0) {
      const double size = held / distance;
      foot = numbers::plus(hip, numbers::Point{size * way.x, size * way.y, size * way.z});
    }
  }
  const numbers::Point ankle = limbs::ankle_of(
    leg,
    hip,
    foot,
    stand.angle,
    numbers::facing(stand.facing),
    limbs::bending(animal, leg)
  );
  way = numbers::between(hip, ankle);
  const numbers::Point pole = knees::turned_by(
    limbs::pole_of(leg, numbers::facing(pose.frames[leg.station].yaw), way),
    way,
    stand.splay
  );
  const std::array<double, 3> found = one::joint_xyz(
    way.x,
    way.y,
    way.z,
    leg.upper,
    leg.lower,
    pole.x,
    pole.y,
    pole.z,
    1.0
  );
  return Joints{hip, numbers::plus(hip, numbers::Point{found[0], found[1], found[2]}), ankle, foot};
}
}
