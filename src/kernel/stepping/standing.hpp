// How an animal starts: it stands on all its feet, if it fits where it is put.
//
// Printed from creature/stepping/standing.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "footholds.hpp"
#include "legs.hpp"
#include "levels.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "pose.hpp"
#include "records.hpp"
#include "soles.hpp"

namespace twobone::stepping::standing {

// Why an animal does not fit where it is put.
inline constexpr py::Int FITS = 0;
inline constexpr py::Int TOO_FAR = 1;
inline constexpr py::Int TOO_NEAR = 2;
inline constexpr py::Int LEG_BURIED = 3;
inline constexpr py::Int BELLY_BURIED = 4;

template <class Ground> records::Walk started(
  const anatomy::Anatomy &animal,
  double x,
  double z,
  double yaw,
  const Ground &ground
);
template <class Ground> void put_feet(const anatomy::Anatomy &animal, records::Walk &walk, const Ground &ground);
template <class Ground> py::Int misfit(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const records::Pose &pose,
  const Ground &ground
);

// Return an animal that stands on all its feet.
template <class Ground> records::Walk started(
  const anatomy::Anatomy &animal,
  double x,
  double z,
  double yaw,
  const Ground &ground
) {
  const anatomy::Gait &gait = animal.gaits[0];
  const transcendental::Turn turn = numbers::facing(yaw);
  records::Walk walk = records::Walk{
    x,
    z,
    yaw,
    numbers::Damped{gait.duty_low, 0.0},
    numbers::Damped{gait.vault, 0.0},
    numbers::Damped{gait.flex, 0.0},
    py::map(
      animal.along,
      [&]([[maybe_unused]] const auto &_) { return records::Station{
        yaw,
        turn,
        numbers::HUGE_,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        numbers::Damped{0.0, 0.0},
        0.0,
        0.0,
        numbers::Damped{0.0, 0.0},
        0.0,
        0.0,
        1.0,
        numbers::Damped{0.0, 0.0},
        numbers::Damped{0.0, 0.0}
      }; }
    ),
    py::map(
      gait.offsets_low,
      [&]([[maybe_unused]] const auto &at) { return records::Step{
        -at - py::floor(-at),
        numbers::Damped{at, 0.0},
        yaw,
        turn,
        numbers::Point{0.0, 0.0, 0.0},
        numbers::Point{0.0, 0.0, 0.0},
        numbers::Point{0.0, 0.0, 0.0},
        numbers::Point{0.0, 0.0, 0.0},
        true,
        1.0,
        0.0,
        1.0,
        0.0,
        records::Course{0.0, 0.0, 0.0, 0.0, 0.0},
        records::Course{0.0, 0.0, 0.0, 0.0, 0.0},
        records::Course{0.0, 0.0, 0.0, 0.0, 0.0},
        0.0,
        0.0,
        records::Course{0.0, 0.0, 0.0, 0.0, 0.0},
        0.0,
        numbers::Above{0.0, 0.0},
        false,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        records::Lie{0.0, 0.0},
        records::Lie{0.0, 0.0},
        numbers::Damped{0.0, 0.0},
        numbers::Damped{0.0, 0.0},
        numbers::Damped{0.0, 0.0}
      }; }
    ),
    py::map(
      animal.links,
      [&]([[maybe_unused]] const auto &_) { return records::Hanging{
        numbers::Damped{0.0, 0.0},
        numbers::Damped{0.0, 0.0},
        numbers::Damped{0.0, 0.0}
      }; }
    ),
    py::map(py::Count{animal.tail}, [&]([[maybe_unused]] const auto &_) { return numbers::Damped{0.0, 0.0}; }),
    py::map(py::Count{animal.tail}, [&]([[maybe_unused]] const auto &_) { return numbers::Damped{0.0, 0.0}; }),
    records::Order{0.0, 0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    true,
    false,
    1.0,
    1.0,
    1.0,
    0.0,
    0,
    0.0,
    0.0,
    0.0,
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    numbers::Damped{0.0, 0.0},
    0.0,
    0.0,
    0,
    -1
  };
  records::Pose pose = pose::blank(animal);
  path::place_stations(animal, walk, 0.0);
  put_feet(animal, walk, ground);
  levels::level(animal, walk, 0.0);
  // Footholds depend on the height of the trunk, and that on them.
  for (py::Int i_ = 0; i_ < 3; i_++) {
    for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
      footholds::choose(animal, walk, i, ground);
      walk.steps[i].lie = soles::lie_of(animal, walk, i, ground);
      legs::land(walk, i);
      walk.steps[i].since = 1.0;
    }
    levels::level(animal, walk, 0.0);
    pose::put(animal, walk, pose, ground, 0.0);
    path::place_stations(animal, walk, 0.0);
  }
  return walk;
}

// Put all feet where they are at rest; those in a pit count as if it were filled.
template <class Ground> void put_feet(const anatomy::Anatomy &animal, records::Walk &walk, const Ground &ground) {
  double mean = 0.0;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    records::Step &step = walk.steps[i];
    const records::Station &station = walk.stations[leg.station];
    const numbers::Above foot = path::at_rest(leg, station.x, station.z, station.facing);
    step.foot = numbers::Point{foot.x, ground(foot.x, foot.z), foot.z};
    step.goal = step.foot;
    step.stood = step.foot;
    step.least_hip = step.foot.y;
    mean += step.foot.y / py::Int(walk.steps.size());
  }
  for (records::Step &step : walk.steps) {
    step.base = numbers::larger(step.foot.y, mean);
  }
}

// Return why an animal cannot stand as it does, or `FITS`.
template <class Ground> py::Int misfit(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const records::Pose &pose,
  const Ground &ground
) {
  for (py::Int j = 0; j < py::Int(walk.stations.size()); j++) {
    const records::Station &station = walk.stations[j];
    const records::Frame &frame = pose.frames[j];
    if (frame.y < station.under - numbers::TINY) return BELLY_BURIED;
  }
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    const records::Stand &stand = pose.stands[i];
    const double distance = numbers::length(numbers::between(stand.hip, stand.foot));
    if (distance > path::reach_of(leg, 1.0)) return TOO_FAR;
    if (distance < limbs::range_of(leg, animal.least, 1.0).least - leg.third) return TOO_NEAR;
    const transcendental::Turn turn = numbers::facing(stand.facing);
    const numbers::Point still = numbers::Point{0.0, 0.0, 0.0};
    if (limbs::buried(animal, leg, stand.hip, stand.foot, stand.angle, turn, still, ground) > 0.0) {
      return LEG_BURIED;
    }
  }
  return FITS;
}
}
