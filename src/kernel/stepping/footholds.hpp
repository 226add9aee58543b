// Where a foot lands: the place it wants, or a better one near it.
//
// Printed from creature/stepping/footholds.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "belly.hpp"
#include "costs.hpp"
#include "levels.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "records.hpp"
#include "rhythm.hpp"
#include "soles.hpp"
#include "swings.hpp"

namespace twobone::stepping::footholds {

// Places that are compared: rings around the one that is wanted. Taste.
inline constexpr py::Int RINGS = 4;

inline constexpr py::Int DIRECTIONS = 8; // of the places of a ring

inline constexpr double APART = 0.1; // of a leg: between rings

inline constexpr double NOWHERE = 3.0; // a foothold that costs so much is none; taste

inline constexpr py::Int SWING = 14; // places below a swing that are looked at to choose it; taste

inline constexpr py::Int LATE = 3; // of them, the last: there the leg is nearly as it lands, with the ground behind it; taste

inline constexpr double GOOD = 0.35; // a foothold that costs less is taken before the next ring is looked at

template <class Ground> void choose(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  py::Int i,
  const Ground &ground
);
inline double aside_of(const anatomy::Leg &leg, const transcendental::Turn &turn, double x, double z);
template <class Ground> double swung(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  py::Int i,
  const costs::Stance &stance,
  const numbers::Point &foot,
  double slope,
  double most,
  const Ground &ground
);
template <class Ground> costs::Stance stance_of(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  const records::Step &step,
  const path::Seen &first,
  const Ground &ground
);
inline double held(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  double seconds,
  double rolled
);
template <class Ground> double crest(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  const path::Seen &seen,
  double seconds,
  double rolled,
  const Ground &ground
);

// Choose where a foot lands: its goal, what that costs, and the slope below its third segment.
//
// Places in rings around the one that is wanted are compared until one is good.
template <class Ground> void choose(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  py::Int i,
  const Ground &ground
) {
  const anatomy::Leg &leg = animal.legs[i];
  records::Step &step = walk.steps[i];
  const records::Station &station = walk.stations[leg.station];
  step.want = path::wanted(animal, leg, walk, step);
  const double landing = rhythm::left_to_swing(animal, walk, step);
  const path::Seen first = path::ahead(animal, walk, station, landing);
  const costs::Stance stance = stance_of(animal, leg, walk, step, first, ground);
  const double size = APART * (leg.upper + leg.lower + leg.third);
  // On its own side of the trunk, and of the other foot of the pair, where the trunk goes across
  // that; legs of one that turns may cross.
  const numbers::Point &beside = walk.steps[rhythm::other(i)].goal;
  double across = aside_of(leg, station.facing, beside.x - station.x, beside.z - station.z);
  across -= leg.side * walk.aside.at * path::lasting(animal, walk, landing);
  const double own = animal.wide * std::fabs(leg.foot_aside);
  const double least = numbers::larger(own, across + 2.0 * own);
  double best = NOWHERE;
  py::Int ring = 0;
  while (ring <= RINGS && best > numbers::larger(GOOD, costs::FAR * ring)) {
    const py::Int count = ring == 0 ? 1 : DIRECTIONS;
    for (py::Int j = 0; j < count; j++) {
      const transcendental::Turn around = numbers::facing(2.0 * 3.141592653589793 * j / DIRECTIONS);
      double x = step.want.x + size * ring * around.s;
      double z = step.want.z + size * ring * around.c;
      const double inward = numbers::larger(least - aside_of(leg, first.turn, x - first.x, z - first.z), 0.0);
      x += inward * leg.side * first.turn.c;
      z -= inward * leg.side * first.turn.s;
      const numbers::Point foot = numbers::Point{x, ground(x, z), z};
      const costs::Cost found = costs::cost(animal, leg, stance, foot, costs::FAR * ring, best, ground);
      if (found.cost < best) {
        const double swing = swung(animal, walk, i, stance, foot, found.slope, best - found.cost, ground);
        if (found.cost + swing < best) {
          best = found.cost + swing;
          step.goal = foot;
          step.least_hip = found.hip;
          step.slope = found.slope;
        }
      }
    }
    ring += 1;
  }
  step.lost = best == NOWHERE;
  if (step.lost) {
    // A leg in the air keeps its plan; another one steps where it stood.
    best = 0.0;
    if (step.part == 0.0) {
      step.goal = numbers::Point{step.stood.x, ground(step.stood.x, step.stood.z), step.stood.z};
      step.least_hip = step.goal.y;
      step.slope = step.slope_before;
    }
  }
  step.under = step.goal.y;
  // A foothold that costs no more than two rings is as good as any.
  step.cost = numbers::clamp(best - 2.0 * costs::FAR, 0.0, 2.0);
}

// Return how far a way leads to the side of a leg, for one who faces so.
inline double aside_of(const anatomy::Leg &leg, const transcendental::Turn &turn, double x, double z) {
  return (x * turn.c - z * turn.s) * leg.side;
}

// Return what it costs to swing to a foothold: over what is in its way, below the hip.
//
// A leg that comes down behind an edge may be in the ground before it lands: that is looked at
// only where the rest costs less than `most`.
template <class Ground> double swung(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  py::Int i,
  const costs::Stance &stance,
  const numbers::Point &foot,
  double slope,
  double most,
  const Ground &ground
) {
  const anatomy::Leg &leg = animal.legs[i];
  records::Step &step = walk.steps[i];
  if (step.down) return 0.0;
  swings::aim(step, foot, walk.duty.at);
  const double lifted = soles::lift_over(animal, walk, i, foot, slope, SWING, ground);
  if (lifted > swings::highest(animal, step)) return numbers::HUGE_;
  const double hip = costs::liked(leg, stance, foot);
  const double least = path::fold_of(leg, animal.least);
  const costs::Leaning &landing = stance.landing;
  const double angle = landing.angle + slope;
  double short_ = 0.0;
  double found = costs::HIGH * lifted / animal.hip;
  for (py::Int n = 0; n < SWING; n++) {
    const double gone = (n + 1.0) / (SWING + 1.0);
    const double part = numbers::mix(step.part, 1.0, gone);
    const numbers::Point way = swings::planned(step, foot, part);
    const double high = way.y + swings::lifted_by(step, part) + swings::risen_by(step, lifted, part);
    const double x = numbers::mix(step.hip.x, landing.hip.x, gone);
    const double y = numbers::mix(step.hip.y, hip, gone);
    const double z = numbers::mix(step.hip.z, landing.hip.z, gone);
    const double square = least * least - costs::square_of(numbers::Above{x, z}, way);
    if (square > 0.0) {
      const double more = numbers::larger(high - y + std::sqrt(square) - short_, 0.0);
      short_ += more;
      found += costs::SHORT * more / animal.hip;
    }
    if (n >= SWING - LATE && found < most) {
      const numbers::Point raised = numbers::Point{way.x, high, way.z};
      const numbers::Point still = numbers::Point{0.0, 0.0, 0.0};
      const transcendental::Turn &toes = landing.toes;
      const double deep = costs::depth_of(animal, leg, numbers::Point{x, y, z}, raised, angle, toes, still, ground);
      found += costs::BURIED * deep / animal.hip;
    }
  }
  return found;
}

// Return how a leg will land, with its station as it is seen then, and how it will lift.
template <class Ground> costs::Stance stance_of(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  const records::Step &step,
  const path::Seen &first,
  const Ground &ground
) {
  const double landing = rhythm::left_to_swing(animal, walk, step);
  const double lifting = landing + walk.duty.at / rhythm::clock(animal, walk);
  const records::Station &station = walk.stations[leg.station];
  const path::Seen last = path::ahead(animal, walk, station, lifting);
  // The trunk rises before a crest, so it is high enough for both.
  const double rolled = numbers::facing(walk.roll.at).s;
  const double top = numbers::larger(
    crest(animal, leg, walk, first, landing, rolled, ground),
    crest(animal, leg, walk, last, lifting, rolled, ground)
  );
  const double hip = leg.up + leg.aside * rolled;
  const double high = numbers::larger(top + animal.belly + swings::CLEARANCE * animal.hip, station.floor) + hip;
  // A foot that lands on its heel has rolled over it when it stands.
  const double land = leg.heel == 0.0 ? leg.land : 0.0;
  const double landed = leg.rest - walk.vigour.at * land;
  const double peeled = leg.rest + walk.vigour.at * leg.peel;
  // Until a leg lands, the body stays over the others.
  const double x = first.x + walk.balance_x.at;
  const double z = first.z + walk.balance_z.at;
  const numbers::Above lands = numbers::placed(x, z, first.turn, leg.aside, 0.0);
  const numbers::Above lifts = numbers::placed(last.x, last.z, last.turn, leg.aside, 0.0);
  // It comes from above, and leaves upwards and ahead.
  const double clear = swings::CLEARANCE * animal.hip;
  const numbers::Point way = numbers::Point{last.x - first.x, 0.0, last.z - first.z};
  const double share = std::sqrt(0.5) * clear / numbers::larger(numbers::length(way), clear);
  const numbers::Point above = numbers::Point{0.0, -clear, 0.0};
  const numbers::Point before = numbers::Point{share * way.x, -std::sqrt(0.5) * clear, share * way.z};
  return costs::Stance{
    costs::Leaning{lands, high, landed, first.turn, above},
    costs::Leaning{lifts, high, peeled, first.turn, before},
    animal.height + hip + station.level.at + station.shift.at,
    step.down ? numbers::HUGE_ : held(animal, leg, walk, landing, rolled) + hip,
    step.base
  };
}

// Return how high the legs let the station of one in the air be, which stand when it lands.
inline double held(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  double seconds,
  double rolled
) {
  const records::Station &station = walk.stations[leg.station];
  double high = animal.highest + station.level.at;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &bearer = animal.legs[i];
    const records::Step &step = walk.steps[i];
    const bool stays = step.down && rhythm::left_to_stand(animal, walk, step) > seconds;
    if (stays && bearer.station == leg.station) {
      const numbers::Point hip = levels::moved(station, step.hip, seconds);
      const double top = step.foot.y + levels::height_at(path::reach_of(bearer, animal.straight), hip, step.foot);
      high = numbers::smaller(high, top - bearer.up - bearer.aside * rolled);
    }
  }
  return high;
}

// Return how high the ground lets the trunk be where it bears a leg, later.
template <class Ground> double crest(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  const path::Seen &seen,
  double seconds,
  double rolled,
  const Ground &ground
) {
  if (!path::is_stiff(animal)) {
    return belly::top_under(animal, seen.x, seen.z, seen.turn, rolled, ground);
  }
  py::List<double> tops = py::List<double>{};
  for (const records::Station &station : walk.stations) {
    const double x = station.x + station.ux * seconds;
    const double z = station.z + station.uz * seconds;
    tops.push_back(belly::top_under(animal, x, z, seen.turn, rolled, ground));
  }
  levels::together(animal, tops);
  return tops[leg.station];
}
}
