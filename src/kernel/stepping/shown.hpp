// What is shown of a pose: places of stations and joints, and rotations as quaternions.
//
// Printed from creature/stepping/shown.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "joints.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "records.hpp"

namespace twobone::stepping::shown {

// A rotation; 1 is (0, 0, 0, 1).
struct Quaternion {
  double x;
  double y;
  double z;
  double w;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("x", self.x);
    visitor("y", self.y);
    visitor("z", self.z);
    visitor("w", self.w);
  }
};

// An animal as pictures and recordings have it.
struct Shown {
  py::List<numbers::Point> stations;
  py::List<Quaternion> rotations; // of the stations, in the world
  py::List<joints::Joints> joints;
  py::List<bool> down; // which feet stand
  py::List<Quaternion> soles; // of the feet, in the world: 1 is level with toes towards +z
  py::List<Quaternion> neck; // of neck, head, arms and the like, in the space of the front station
  py::List<Quaternion> tail; // of its links, each in the space of the rear station

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("stations", self.stations);
    visitor("rotations", self.rotations);
    visitor("joints", self.joints);
    visitor("down", self.down);
    visitor("soles", self.soles);
    visitor("neck", self.neck);
    visitor("tail", self.tail);
  }
};

inline Shown shown(const anatomy::Anatomy &animal, const records::Pose &pose);
inline Quaternion rotation(double yaw, double pitch, double roll);
inline Quaternion sole_of(const anatomy::Leg &leg, const records::Stand &stand, const joints::Joints &joints);

// Return what is shown of a pose; knees are computed here.
inline Shown shown(const anatomy::Anatomy &animal, const records::Pose &pose) {
  const py::Int legs = py::Int(animal.legs.size());
  py::List<joints::Joints> joints = py::map(
    py::Count{legs},
    [&]([[maybe_unused]] const auto &i) { return joints::joints_of(animal, pose, i); }
  );
  py::List<Quaternion> soles = py::map(
    py::Count{legs},
    [&]([[maybe_unused]] const auto &i) { return sole_of(animal.legs[i], pose.stands[i], joints[i]); }
  );
  return Shown{
    py::map(pose.frames, [&]([[maybe_unused]] const auto &frame) { return numbers::Point{frame.x, frame.y, frame.z}; }),
    py::map(
      pose.frames,
      [&]([[maybe_unused]] const auto &frame) { return rotation(frame.yaw, frame.pitch, frame.roll); }
    ),
    std::move(joints),
    py::map(pose.stands, [&]([[maybe_unused]] const auto &stand) { return stand.down; }),
    std::move(soles),
    py::map(pose.links, [&]([[maybe_unused]] const auto &link) { return rotation(link.yaw, link.pitch, link.roll); }),
    py::map(
      py::Count{animal.tail},
      [&]([[maybe_unused]] const auto &j) { return rotation(pose.tail_yaw[j], pose.tail_pitch[j], 0.0); }
    )
  };
}

// Return a rotation: first the left side up, then the nose up, then to the left.
inline Quaternion rotation(double yaw, double pitch, double roll) {
  const transcendental::Turn y = numbers::facing(0.5 * yaw);
  const transcendental::Turn x = numbers::facing(-0.5 * pitch);
  const transcendental::Turn z = numbers::facing(0.5 * roll);
  return Quaternion{
    y.c * x.s * z.c + y.s * x.c * z.s,
    y.s * x.c * z.c - y.c * x.s * z.s,
    y.c * x.c * z.s - y.s * x.s * z.c,
    y.c * x.c * z.c + y.s * x.s * z.s
  };
}

// Return the rotation of a foot; that of a tarsus points away from the body.
inline Quaternion sole_of(const anatomy::Leg &leg, const records::Stand &stand, const joints::Joints &joints) {
  double yaw = stand.facing;
  if (leg.radial && leg.third > 0.0) {
    const transcendental::Turn back = limbs::behind(leg, joints.hip, joints.foot, numbers::facing(yaw));
    yaw = transcendental::arctangent(-back.s, -back.c);
  }
  return rotation(yaw, stand.pitch, stand.roll);
}
}
