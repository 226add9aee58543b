// A walk in time: steps of one length, and poses at any time between them.
//
// Printed from creature/stepping/journey.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "anatomy.hpp"
#include "numbers.hpp"
#include "pose.hpp"
#include "records.hpp"
#include "standing.hpp"
#include "walking.hpp"

namespace twobone::stepping::journey {

inline constexpr double SAME = 1e-09; // seconds: frames that end so near a step end with it

inline constexpr double PATIENCE = 1.0; // seconds below a third of the order after which an animal is blocked

template <class Ground> records::Journey set_off(
  const anatomy::Anatomy &animal,
  double x,
  double z,
  double yaw,
  const Ground &ground
);
template <class Ground> void travel(
  const anatomy::Anatomy &animal,
  records::Journey &journey,
  records::Order order,
  double dt,
  const Ground &ground
);
inline records::Motion moved(const records::Walk &walk);
inline bool is_blocked(const records::Journey &journey);
inline records::Motion motion(const records::Journey &journey);
inline records::Pose seen(const records::Journey &journey);
inline records::Pose mixed(const records::Pose &a, const records::Pose &b, double part);
inline numbers::Point mix_points(const numbers::Point &a, const numbers::Point &b, double part);

// Return an animal that stands there, with its pose.
template <class Ground> records::Journey set_off(
  const anatomy::Anatomy &animal,
  double x,
  double z,
  double yaw,
  const Ground &ground
) {
  records::Walk walk = standing::started(animal, x, z, yaw, ground);
  records::Pose pose = pose::blank(animal);
  pose::put(animal, walk, pose, ground, 0.0);
  const records::Motion start = moved(walk);
  return records::Journey{
    std::move(walk),
    py::List<records::Pose>{mixed(pose, pose, 0.0), std::move(pose)},
    py::List<records::Motion>{start, start},
    1,
    walking::DT
  };
}

// Walk for any time, in steps of the same length: the walk is the same at any frame rate.
template <class Ground> void travel(
  const anatomy::Anatomy &animal,
  records::Journey &journey,
  records::Order order,
  double dt,
  const Ground &ground
) {
  journey.after += dt;
  while (journey.after > walking::DT + SAME) {
    journey.last = 1 - journey.last;
    walking::step_on(animal, journey.walk, journey.poses[journey.last], order, ground);
    journey.motions[journey.last] = moved(journey.walk);
    journey.after -= walking::DT;
  }
  if (journey.after > walking::DT - SAME) {
    journey.after = walking::DT;
  }
}

// Return the motion of a trunk after a step, as far as its legs allow.
inline records::Motion moved(const records::Walk &walk) {
  const double slow = walk.slow;
  const records::Station &front = walk.stations[py::Int(walk.stations.size()) - 1];
  return records::Motion{
    walk.x,
    walk.z,
    walk.yaw,
    slow * walk.aside.at,
    slow * walk.ahead.at,
    slow * walk.turn.at,
    front.x,
    front.z,
    front.yaw
  };
}

// Return whether an animal has been kept from doing what it is told.
inline bool is_blocked(const records::Journey &journey) {
  return journey.walk.delay >= PATIENCE;
}

// Return the motion of a trunk at the time to which it has walked.
inline records::Motion motion(const records::Journey &journey) {
  const records::Motion &a = journey.motions[1 - journey.last];
  const records::Motion &b = journey.motions[journey.last];
  if (journey.after == walking::DT) return b;
  const double part = journey.after / walking::DT;
  return records::Motion{
    numbers::mix(a.x, b.x, part),
    numbers::mix(a.z, b.z, part),
    numbers::mix(a.heading, b.heading, part),
    numbers::mix(a.aside, b.aside, part),
    numbers::mix(a.ahead, b.ahead, part),
    numbers::mix(a.turn, b.turn, part),
    numbers::mix(a.front_x, b.front_x, part),
    numbers::mix(a.front_z, b.front_z, part),
    numbers::mix(a.front_heading, b.front_heading, part)
  };
}

// Return the pose at the time to which an animal has walked.
inline records::Pose seen(const records::Journey &journey) {
  const py::Int last = journey.last;
  if (journey.after == walking::DT) return mixed(journey.poses[last], journey.poses[last], 0.0);
  return mixed(journey.poses[1 - last], journey.poses[last], journey.after / walking::DT);
}

// Return the pose between two: a foot that stands in both stays exactly where it is.
inline records::Pose mixed(const records::Pose &a, const records::Pose &b, double part) {
  py::List<records::Frame> frames = py::map(
    a.frames,
    b.frames,
    [&]([[maybe_unused]] const auto &u, [[maybe_unused]] const auto &v) { return records::Frame{
      numbers::mix(u.x, v.x, part),
      numbers::mix(u.y, v.y, part),
      numbers::mix(u.z, v.z, part),
      numbers::mix(u.yaw, v.yaw, part),
      numbers::mix(u.pitch, v.pitch, part),
      numbers::mix(u.roll, v.roll, part)
    }; }
  );
  py::List<records::Stand> stands = py::map(
    a.stands,
    b.stands,
    [&]([[maybe_unused]] const auto &u, [[maybe_unused]] const auto &v) { return records::Stand{
      mix_points(u.hip, v.hip, part),
      mix_points(u.foot, v.foot, part),
      numbers::mix(u.angle, v.angle, part),
      numbers::mix(u.facing, v.facing, part),
      numbers::mix(u.pitch, v.pitch, part),
      numbers::mix(u.roll, v.roll, part),
      numbers::mix(u.splay, v.splay, part),
      numbers::mix(u.gives, v.gives, part),
      u.down && v.down
    }; }
  );
  py::List<records::Angles> links = py::map(
    a.links,
    b.links,
    [&]([[maybe_unused]] const auto &u, [[maybe_unused]] const auto &v) { return records::Angles{
      numbers::mix(u.yaw, v.yaw, part),
      numbers::mix(u.pitch, v.pitch, part),
      numbers::mix(u.roll, v.roll, part)
    }; }
  );
  return records::Pose{
    std::move(frames),
    std::move(stands),
    std::move(links),
    py::map(
      a.tail_yaw,
      b.tail_yaw,
      [&]([[maybe_unused]] const auto &u, [[maybe_unused]] const auto &v) { return numbers::mix(u, v, part); }
    ),
    py::map(
      a.tail_pitch,
      b.tail_pitch,
      [&]([[maybe_unused]] const auto &u, [[maybe_unused]] const auto &v) { return numbers::mix(u, v, part); }
    )
  };
}

// Return the point between two.
inline numbers::Point mix_points(const numbers::Point &a, const numbers::Point &b, double part) {
  return numbers::Point{numbers::mix(a.x, b.x, part), numbers::mix(a.y, b.y, part), numbers::mix(a.z, b.z, part)};
}
}
