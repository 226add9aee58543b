// What a foothold costs, from where its leg will stand.
//
// Printed from creature/stepping/costs.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "support.hpp"
#include "swings.hpp"
#include "thirds.hpp"

namespace twobone::stepping::costs {

// A leg as it will stand: its hip, the angle of its third segment, where its toes point.
struct Leaning {
  numbers::Above hip;
  double least_y; // of the hip, over the crest of the ground below the trunk
  double angle; // on level ground
  transcendental::Turn toes;
  numbers::Point clear; // by which the leg shall be free of the ground: see `buried`

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("hip", self.hip);
    visitor("least_y", self.least_y);
    visitor("angle", self.angle);
    visitor("toes", self.toes);
    visitor("clear", self.clear);
  }
};

// A leg in its next stance: when it lands, when it lifts, and the height that its hip likes.
struct Stance {
  Leaning landing;
  Leaning lifting;
  double line; // of the hip, if the foot stands where it stood
  double highest; // of the hip, as far as legs that stand let it rise
  double base; // height of the foot where it stood

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("landing", self.landing);
    visitor("lifting", self.lifting);
    visitor("line", self.line);
    visitor("highest", self.highest);
    visitor("base", self.base);
  }
};

// What a foothold costs, and the least height of the hip with which the leg is free.
struct Cost {
  double cost;
  double hip;
  double lacks; // metres by which the leg is too short for it, though its hip has sunk
  double slope; // angle of the ground that its third segment clears as it lands and lifts

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("cost", self.cost);
    visitor("hip", self.hip);
    visitor("lacks", self.lacks);
    visitor("slope", self.slope);
  }
};

// What a foothold costs: for each hip's height by which a leg is too long, too short or in the
// ground; for steepness, a change of height or an arc, and a ring. Taste, but for their order.
inline constexpr double LONG = 4.0;
inline constexpr double SHORT = 9.0;
inline constexpr double BURIED = 10.0;
inline constexpr double STEEP = 0.5;
inline constexpr double HIGH = 0.5;
inline constexpr double FAR = 0.25;

inline constexpr double RAISED = 1.5; // times its depth in the ground, by which the hip of a leg is raised to free it; taste

template <class Ground> Cost cost(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const Stance &stance,
  const numbers::Point &foot,
  double far,
  double best,
  const Ground &ground
);
inline double liked(const anatomy::Leg &leg, const Stance &stance, const numbers::Point &foot);
template <class Ground> Cost cost_of(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  double own,
  const Leaning &leaning,
  const Ground &ground
);
template <class Ground> double depth_of(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  double y,
  const numbers::Point &foot,
  double slope,
  const Leaning &leaning,
  const Ground &ground
);

// Return what a foothold costs which costs that much for its distance.
//
// The rest is not looked at where that is more than the best already.
template <class Ground> Cost cost(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const Stance &stance,
  const numbers::Point &foot,
  double far,
  double best,
  const Ground &ground
) {
  double found = far + HIGH * std::fabs(foot.y - stance.base) / animal.hip;
  double hip = foot.y;
  if (found < best) {
    const double edge = swings::CLEARANCE * animal.hip;
    double steep = std::fabs(ground(foot.x + edge, foot.z) - foot.y);
    steep += std::fabs(ground(foot.x, foot.z + edge) - foot.y);
    found += STEEP * steep / edge;
  }
  const double own = liked(leg, stance, foot);
  double slope = 0.0;
  if (found < best) {
    const Cost landing = cost_of(animal, leg, foot, own, stance.landing, ground);
    found += landing.cost;
    hip = landing.hip;
    slope = landing.slope;
    if (landing.lacks > 0.0) {
      found = numbers::HUGE_;
    }
  }
  if (found < best) {
    // A tarsus lies towards the hip, and turns about the foot while the leg stands.
    const Cost lifting = cost_of(animal, leg, foot, own, stance.lifting, ground);
    found += lifting.cost;
    hip = numbers::larger(hip, lifting.hip);
    slope = numbers::larger(slope, lifting.slope);
  }
  return Cost{found, hip, 0.0, slope};
}

// Return the height that a hip would like, if its foot stands there.
inline double liked(const anatomy::Leg &leg, const Stance &stance, const numbers::Point &foot) {
  return numbers::smaller(stance.line + leg.follows * (foot.y - stance.base), stance.highest);
}

// Return what a leg costs that stands on a foothold with its hip at such a place.
//
// `own` is the height that the hip would like. If the leg is in the ground there, it is raised.
template <class Ground> Cost cost_of(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  double own,
  const Leaning &leaning,
  const Ground &ground
) {
  const double y = numbers::larger(own, leaning.least_y);
  const double dx = foot.x - leaning.hip.x;
  const double dz = foot.z - leaning.hip.z;
  const double square = dx * dx + dz * dz;
  const double most = path::reach_of(leg, animal.straight);
  const double least = path::fold_of(leg, animal.least);
  const double distance = std::sqrt(square + (foot.y - y) * (foot.y - y));
  double found = LONG * numbers::larger(distance - most, 0.0) + SHORT * numbers::larger(least - distance, 0.0);
  const numbers::Point below = numbers::Point{leaning.hip.x, foot.y, leaning.hip.z};
  const double slope = limbs::slope_under(leg, below, foot, leaning.toes, ground);
  double depth = depth_of(animal, leg, y, foot, slope, leaning, ground);
  double hip = foot.y;
  if (depth > 0.0 && most * most > square) {
    const double top = numbers::smaller(y + RAISED * depth, foot.y + std::sqrt(most * most - square));
    const double left = top > y ? depth_of(animal, leg, top, foot, slope, leaning, ground) : depth;
    if (left < depth) {
      found += HIGH * (top - y);
      depth = left;
      hip = top;
    }
  }
  const double low = foot.y - numbers::larger(own - support::SINKS * animal.hip, leaning.least_y);
  const double lacks = std::sqrt(square + low * low) - path::reach_of(leg, limbs::straightest(animal));
  return Cost{(found + BURIED * depth) / animal.hip, hip, lacks, slope};
}

// Return how deep a leg would be in the ground with its hip at that height.
template <class Ground> double depth_of(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  double y,
  const numbers::Point &foot,
  double slope,
  const Leaning &leaning,
  const Ground &ground
) {
  const numbers::Point hip = numbers::Point{leaning.hip.x, y, leaning.hip.z};
  const limbs::Range allowed = limbs::range_of(leg, animal.least, animal.straight);
  const transcendental::Turn &toes = leaning.toes;
  const double angle = thirds::angle_with(animal, leg, hip, foot, leaning.angle + slope, 1.0, toes, toes);
  return limbs::buried(leg, hip, foot, angle, toes, allowed, leaning.clear, ground);
}
}
