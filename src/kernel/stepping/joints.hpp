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
// A foot in the air that its leg cannot reach gives way; one that stands does not move.
inline Joints joints_of(const anatomy::Anatomy &animal, const records::Pose &pose, py::Int i) {
  const anatomy::Leg &leg = animal.legs[i];
  const records::Stand &stand = pose.stands[i];
  const numbers::Point &hip = stand.hip;
  numbers::Point foot = stand.foot;
  const limbs::Range allowed = limbs::range_of(leg, animal.least, 0.5 * (1.0 + animal.straight));
  numbers::Point ankle = limbs::ankle_of(leg, hip, foot, stand.angle, numbers::facing(stand.facing), allowed);
  double x = ankle.x - hip.x;
  double y = ankle.y - hip.y;
  double z = ankle.z - hip.z;
  const double distance = std::sqrt(x * x + y * y + z * z);
  if (!stand.down && distance > 0.0) {
    // Only beyond what a leg that stands uses, so that no foot jumps as it lifts or lands.
    const double left = 0.25 * (1.0 - animal.straight);
    const double soft = left * (leg.upper + leg.lower);
    const double held = limbs::within(distance, limbs::range_of(leg, 0.0, 1.0 - left), soft);
    if (held != distance) {
      const double size = held / distance;
      foot = numbers::Point{foot.x + (size - 1.0) * x, foot.y + (size - 1.0) * y, foot.z + (size - 1.0) * z};
      ankle = numbers::Point{hip.x + size * x, hip.y + size * y, hip.z + size * z};
      x = size * x;
      y = size * y;
      z = size * z;
    }
  }
  const numbers::Point way = numbers::Point{x, y, z};
  const numbers::Point pole = knees::turned_by(
    limbs::pole_of(leg, numbers::facing(pose.frames[leg.station].yaw), way),
    way,
    stand.splay
  );
  const std::array<double, 3> found = one::joint_xyz(x, y, z, leg.upper, leg.lower, pole.x, pole.y, pole.z, 1.0);
  const numbers::Point knee = numbers::Point{hip.x + found[0], hip.y + found[1], hip.z + found[2]};
  return Joints{hip, knee, ankle, foot};
}
}
