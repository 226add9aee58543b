// A step of time.
//
// Printed from creature/stepping/walking.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "anatomy.hpp"
#include "command.hpp"
#include "legs.hpp"
#include "levels.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "pose.hpp"
#include "records.hpp"
#include "rhythm.hpp"
#include "support.hpp"

namespace twobone::stepping::walking {

inline constexpr double DT = 0.008333333333333333; // seconds of a step

inline constexpr double SOON = 0.03333333333333333; // how far ahead a leg that stands is freed from the ground; taste

template <class Ground> void step_on(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  records::Order order,
  const Ground &ground
);
inline double share_of(const anatomy::Anatomy &animal, const records::Walk &walk, double vx, double vz, double reach);
template <class Ground> void give_up(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  const Ground &ground
);
template <class Ground> bool is_hindered(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const records::Stand &stand,
  py::Int i,
  const Ground &ground
);

// Walk for one step of time, to the pose at its end.
template <class Ground> void step_on(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  records::Order order,
  const Ground &ground
) {
  const records::Order possible = command::limited(animal, order);
  command::obey(animal, walk, possible, DT);
  legs::stray(animal, walk);
  command::tick(animal, walk, possible, DT);
  const numbers::Above v = path::velocity(walk, walk.aside.at, walk.ahead.at);
  const double reach = support::allowed(animal, walk, v.x, v.z);
  walk.lets = rhythm::eased(walk.lets, reach, rhythm::WITH_SWINGS * rhythm::clock(animal, walk), DT);
  path::advance(animal, walk, v.x, v.z, share_of(animal, walk, v.x, v.z, reach), DT);
  legs::swing(animal, walk, ground, DT);
  levels::level(animal, walk, DT);
  pose::put(animal, walk, pose, ground, DT);
  give_up(animal, walk, pose, ground);
  command::wait(animal, walk, possible, DT);
}

// Return the share of a velocity that the legs on the ground allow, until they lift.
inline double share_of(const anatomy::Anatomy &animal, const records::Walk &walk, double vx, double vz, double reach) {
  double share = reach;
  if (animal.steady) {
    double cycles = 1.0;
    for (const records::Step &step : walk.steps) {
      if (!step.down) {
        cycles = numbers::smaller(cycles, 1.0 - step.phase);
      }
    }
    const double seconds = cycles / rhythm::clock(animal, walk);
    share = numbers::smaller(share, support::margin(animal, walk, -1, vx * seconds, vz * seconds).share);
  }
  for (const records::Station &station : walk.stations) {
    share = numbers::smaller(share, station.free);
  }
  return numbers::larger(share, 0.0);
}

// Lift legs that cannot reach their foot any longer, or soon have the ground in their way.
template <class Ground> void give_up(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  const Ground &ground
) {
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    records::Step &step = walk.steps[i];
    if (step.down && walk.rate > 0.0) {
      const bool short_ = support::beyond(animal, leg, step, step.hip) > 0.0;
      if (short_ || is_hindered(animal, walk, pose.stands[i], i, ground)) {
        step.phase = numbers::larger(step.phase, walk.duty.at);
        legs::lift(walk, i);
        legs::plan(animal, walk, i, ground);
        pose.stands[i].down = false;
      }
    }
  }
}

// Return whether a leg that may lift soon has the ground in its way.
//
// It is asked in the second half of a stance. Where there is another ground now, feet step onto
// that one after the other.
template <class Ground> bool is_hindered(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const records::Stand &stand,
  py::Int i,
  const Ground &ground
) {
  const anatomy::Leg &leg = animal.legs[i];
  const records::Step &step = walk.steps[i];
  if (step.phase < 0.5 * walk.duty.at || step.foot.y != step.under) return false;
  if (!legs::may_lift(animal, walk, i)) return false;
  const numbers::Point hip = levels::moved(walk.stations[leg.station], step.hip, SOON);
  const numbers::Point still = numbers::Point{0.0, 0.0, 0.0};
  return limbs::buried(animal, leg, hip, step.foot, stand.angle, step.toes, still, ground) > 0.0;
}
}
