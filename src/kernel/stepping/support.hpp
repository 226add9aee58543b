// The body over the feet that stand: how far they let it go, and how it moves to their middle.
//
// Printed from creature/stepping/support.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "records.hpp"
#include "rhythm.hpp"

namespace twobone::stepping::support {

// How far the body is inside the polygon of the feet that stand, beyond `MARGIN`.
struct Margin {
  double inside; // distance to the nearest edge
  double share; // of a velocity that keeps it there

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("inside", self.inside);
    visitor("share", self.share);
  }
};

inline constexpr double FOLLOW = 3.9; // per swing: a body goes nine tenths of its way over its feet in one; taste

inline constexpr double MARGIN = 0.06; // of a leg: how far inside each edge the body stays; the bar of .05, and some room

inline constexpr double SINKS = 0.12; // of the hip: how far a hip may sink until its leg lifts; taste

inline constexpr double USED = 0.97; // of the reach of a straight leg: how far the body goes over a foot; taste

inline double allowed(const anatomy::Anatomy &animal, const records::Walk &walk, double vx, double vz);
inline double lowest(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  const records::Step &step
);
inline double beyond(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Step &step,
  const numbers::Point &hip
);
inline bool lags(
  const anatomy::Leg &leg,
  const records::Station &station,
  const numbers::Point &foot,
  double ux,
  double uz
);
inline Margin margin(const anatomy::Anatomy &animal, const records::Walk &walk, py::Int without, double ux, double uz);
inline py::List<numbers::Point> bearing(const anatomy::Anatomy &animal, const records::Walk &walk, py::Int without);
inline bool all_beyond(const py::List<numbers::Point> &feet, const numbers::Point &foot, double nx, double nz);
inline void over_feet(const anatomy::Anatomy &animal, records::Walk &walk, double dt);
inline void drift(const records::Walk &walk, numbers::Damped &value, double goal, double rate, double dt);

// Return the share of a velocity with which each leg that stands reaches until it lifts.
//
// A leg without a foothold is not left farther behind; where others wait for it, it is if it does
// not reach where it stood.
// A hip at h over its foot, moving by u in that time, stays within R for the share s that solves
// |foot - hip - s u|^2 = R^2 - h^2.
inline double allowed(const anatomy::Anatomy &animal, const records::Walk &walk, double vx, double vz) {
  double share = 1.0;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    const records::Step &step = walk.steps[i];
    const records::Station &station = walk.stations[leg.station];
    if (step.lost
      && lags(leg, station, step.goal, vx, vz)
      && !(animal.waits && beyond(animal, leg, step, step.hip) > 0.0)) {
      share = 0.0;
    }
    if (step.down) {
      const double seconds = path::lasting(animal, walk, rhythm::left_to_stand(animal, walk, step));
      const double reach = path::reach_of(leg, USED);
      const double high = lowest(animal, leg, walk, step) - step.foot.y;
      const double room = numbers::side(reach, high * high);
      const double ux = (vx + walk.turn.at * (step.hip.z - walk.z)) * seconds;
      const double uz = (vz - walk.turn.at * (step.hip.x - walk.x)) * seconds;
      const double dx = step.foot.x - step.hip.x;
      const double dz = step.foot.z - step.hip.z;
      const double a = ux * ux + uz * uz;
      const double b = dx * ux + dz * uz;
      const double c = dx * dx + dz * dz - room * room;
      if (a > numbers::TINY) {
        if (c <= 0.0) {
          share = numbers::smaller(share, (b + std::sqrt(numbers::larger(b * b - a * c, 0.0))) / a);
        } else if (b <= 0.0) {
          share = 0.0;
        }
      }
    }
  }
  return share;
}

// Return how low a hip may sink until its leg lifts, over the ground below its trunk.
inline double lowest(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  const records::Step &step
) {
  const double least = walk.stations[leg.station].floor + leg.up;
  return numbers::larger(step.hip.y - SINKS * animal.hip, numbers::smaller(least, step.hip.y));
}

// Return by how much a leg is too short for its foothold from a hip.
inline double beyond(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Step &step,
  const numbers::Point &hip
) {
  return numbers::length(numbers::between(step.goal, hip)) - path::reach_of(leg, limbs::straightest(animal));
}

// Return whether a foot would be farther behind its place at rest if its station moved so.
inline bool lags(
  const anatomy::Leg &leg,
  const records::Station &station,
  const numbers::Point &foot,
  double ux,
  double uz
) {
  const numbers::Above rest = path::at_rest(leg, station.x, station.z, station.facing);
  return (rest.x - foot.x) * ux + (rest.z - foot.z) * uz > 0.0;
}

// Return the margin of support without a leg, -1 for none, while the body moves by (ux, uz).
//
// Two feet make an edge if all others are on one side of them.
inline Margin margin(const anatomy::Anatomy &animal, const records::Walk &walk, py::Int without, double ux, double uz) {
  double inside = numbers::HUGE_;
  double share = 1.0;
  const transcendental::Turn turn = numbers::facing(walk.yaw);
  const double x = walk.x + walk.balance_x.at + animal.middle * turn.s;
  const double z = walk.z + walk.balance_z.at + animal.middle * turn.c;
  py::List<numbers::Point> feet = bearing(animal, walk, without);
  for (const numbers::Point &a : feet) {
    for (const numbers::Point &b : feet) {
      const double ex = b.x - a.x;
      const double ez = b.z - a.z;
      const double size = std::sqrt(ex * ex + ez * ez);
      if (size > numbers::TINY) {
        const double nx = -ez / size;
        const double nz = ex / size;
        if (support::all_beyond(feet, a, nx, nz)) {
          const double d = (x - a.x) * nx + (z - a.z) * nz - MARGIN * animal.reach;
          const double out = -(ux * nx + uz * nz);
          inside = numbers::smaller(inside, d);
          if (out > numbers::TINY && d < out) {
            share = numbers::smaller(share, numbers::larger(d, 0.0) / out);
          }
        }
      }
    }
  }
  return Margin{inside, share};
}

// Return the feet that bear the body, without that of a leg which lifts, -1 for none.
//
// A leg that finds no foothold soon lets go; so may one near the end of its reach, before the leg
// that lifts has landed.
inline py::List<numbers::Point> bearing(const anatomy::Anatomy &animal, const records::Walk &walk, py::Int without) {
  py::List<numbers::Point> feet = py::List<numbers::Point>{};
  for (py::Int i = 0; i < py::Int(walk.steps.size()); i++) {
    const records::Step &step = walk.steps[i];
    if (i != without && step.down && !step.lost) {
      const double reach = path::reach_of(animal.legs[i], USED);
      if (without < 0 || numbers::length(numbers::between(step.foot, step.hip)) <= reach) {
        feet.push_back(step.foot);
      }
    }
  }
  return feet;
}

// Return whether feet are on the side of a line through one to which (nx, nz) points.
inline bool all_beyond(const py::List<numbers::Point> &feet, const numbers::Point &foot, double nx, double nz) {
  for (const numbers::Point &each : feet) {
    const double inside = (each.x - foot.x) * nx + (each.z - foot.z) * nz;
    if (inside < -numbers::TINY) return false;
  }
  return true;
}

// Move the body towards the middle of the feet that bear it.
//
// A foot bears more and more after it has landed, and less and less before it lifts or while it
// waits to.
inline void over_feet(const anatomy::Anatomy &animal, records::Walk &walk, double dt) {
  if (animal.balance == 0.0) return;
  double weight = 0.0;
  double x = 0.0;
  double z = 0.0;
  double rest_x = 0.0;
  double rest_z = 0.0;
  const py::Int count = py::Int(walk.steps.size());
  const double duty = walk.duty.at;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    const records::Step &step = walk.steps[i];
    double part = 0.0;
    if (step.down) {
      part = 1.0;
      if (walk.rate > 0.0) {
        part = numbers::smooth(numbers::smaller(duty - step.phase, step.since) / animal.lead);
      }
    }
    weight += part;
    x += part * (step.foot.x - walk.x);
    z += part * (step.foot.z - walk.z);
    const records::Station &station = walk.stations[leg.station];
    const numbers::Above rest = path::at_rest(leg, station.x, station.z, station.facing);
    rest_x += (rest.x - walk.x) / count;
    rest_z += (rest.z - walk.z) / count;
  }
  if (weight > 0.0) {
    const double rate = FOLLOW * rhythm::clock(animal, walk) / (1.0 - duty);
    drift(walk, walk.balance_x, animal.balance * (x / weight - rest_x), rate, dt);
    drift(walk, walk.balance_z, animal.balance * (z / weight - rest_z), rate, dt);
  }
}

// Move the body towards a place over its feet, as slowly as the reach of legs lets it go.
inline void drift(const records::Walk &walk, numbers::Damped &value, double goal, double rate, double dt) {
  if (dt > 0.0) {
    numbers::damp(value, goal, rate, walk.lets * dt);
  } else {
    rhythm::settle(value, goal, rate, 0.0);
  }
}
}
