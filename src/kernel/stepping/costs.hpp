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
  double slope; // angle of the ground that its third segment clears as it lands and lifts

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("cost", self.cost);
    visitor("hip", self.hip);
    visitor("slope", self.slope);
  }
};

// What a foothold costs: for each hip's height by which a leg is too long, too short or in the
// ground; for steepness, a change of height or an arc, and a ring. Taste, but for their order.
inline constexpr double LONG = 4.0;
inline constexpr double SHORT = 9.0;
inline constexpr double BURIED = 30.0;
inline constexpr double STEEP = 0.5;
inline constexpr double HIGH = 0.5;
inline constexpr double FAR = 0.25;

inline constexpr double RAISED = 1.5; // times its depth in the ground, by which the hip of a leg is raised to free it; taste

inline constexpr double RISEN = 0.5; // of that way: how far the hip has come when its foot lands; taste

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
inline double stretched(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  double own,
  const Leaning &leaning
);
inline bool lacks(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  double own,
  const Leaning &leaning
);
inline double square_of(const numbers::Above &hip, const numbers::Point &foot);
template <class Ground> Cost freed(
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
  const numbers::Point &hip,
  const numbers::Point &foot,
  double free,
  const transcendental::Turn &toes,
  const numbers::Point &clear,
  const Ground &ground
);

// Return what a foothold costs which costs that much for its distance.
//
// What takes the least time is looked at first, and the rest not where that is more than the best
// already.
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
  double slope = 0.0;
  const double own = liked(leg, stance, foot);
  if (found < best) {
    found += stretched(animal, leg, foot, own, stance.landing);
    found += stretched(animal, leg, foot, own, stance.lifting);
    if (lacks(animal, leg, foot, own, stance.landing)) {
      found = numbers::HUGE_;
    }
  }
  if (found < best) {
    const double edge = swings::CLEARANCE * animal.hip;
    double steep = std::fabs(ground(foot.x + edge, foot.z) - foot.y);
    steep += std::fabs(ground(foot.x, foot.z + edge) - foot.y);
    found += STEEP * steep / edge;
  }
  if (found < best) {
    const Cost landing = freed(animal, leg, foot, own, stance.landing, ground);
    found += landing.cost;
    hip = landing.hip;
    slope = landing.slope;
  }
  if (found < best) {
    // A tarsus lies towards the hip, and turns about the foot while the leg stands.
    const Cost lifting = freed(animal, leg, foot, own, stance.lifting, ground);
    found += lifting.cost;
    hip = numbers::larger(hip, lifting.hip);
    slope = numbers::larger(slope, lifting.slope);
  }
  return Cost{found, hip, slope};
}

// Return the height that a hip would like, if its foot stands there.
inline double liked(const anatomy::Leg &leg, const Stance &stance, const numbers::Point &foot) {
  return numbers::smaller(stance.line + leg.follows * (foot.y - stance.base), stance.highest);
}

// Return what a leg costs that is too long or too short, with its hip at such a place.
//
// `own` is the height that the hip would like.
inline double stretched(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  double own,
  const Leaning &leaning
) {
  const double y = numbers::larger(own, leaning.least_y);
  const double distance = std::sqrt(square_of(leaning.hip, foot) + (foot.y - y) * (foot.y - y));
  const double most = path::reach_of(leg, animal.straight);
  const double least = path::fold_of(leg, animal.least);
  const double found = LONG * numbers::larger(distance - most, 0.0) + SHORT * numbers::larger(least - distance, 0.0);
  return found / animal.hip;
}

// Return whether a leg is too short for a foothold, though its hip has sunk.
inline bool lacks(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  double own,
  const Leaning &leaning
) {
  const double low = foot.y - numbers::larger(own - support::SINKS * animal.hip, leaning.least_y);
  const double reach = path::reach_of(leg, limbs::straightest(animal));
  return square_of(leaning.hip, foot) + low * low > reach * reach;
}

// Return the squared distance of a foot from its hip, seen from above.
inline double square_of(const numbers::Above &hip, const numbers::Point &foot) {
  const double dx = foot.x - hip.x;
  const double dz = foot.z - hip.z;
  return dx * dx + dz * dz;
}

// Return what a leg costs that is in the ground, or whose hip must rise to free it.
template <class Ground> Cost freed(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  double own,
  const Leaning &leaning,
  const Ground &ground
) {
  const double y = numbers::larger(own, leaning.least_y);
  const numbers::Point below = numbers::Point{leaning.hip.x, foot.y, leaning.hip.z};
  const double slope = limbs::slope_under(leg, below, foot, leaning.toes, ground);
  const double angle = leaning.angle + slope;
  const numbers::Point high = numbers::Point{leaning.hip.x, y, leaning.hip.z};
  double depth = depth_of(animal, leg, high, foot, angle, leaning.toes, leaning.clear, ground);
  double found = 0.0;
  double hip = foot.y;
  if (depth > 0.0) {
    const double room = numbers::side(path::reach_of(leg, animal.straight), square_of(leaning.hip, foot));
    const double top = numbers::smaller(y + RAISED * depth, foot.y + room);
    double left = depth;
    if (top > y) {
      const numbers::Point risen = numbers::Point{high.x, numbers::mix(y, top, RISEN), high.z};
      left = depth_of(animal, leg, risen, foot, angle, leaning.toes, leaning.clear, ground);
    }
    if (left < depth) {
      found = HIGH * (top - y);
      depth = left;
      hip = top;
    }
  }
  return Cost{(found + BURIED * depth) / animal.hip, hip, slope};
}

// Return how deep a leg would be in the ground, as `buried`.
//
// Its third segment would have such an angle if it were free.
template <class Ground> double depth_of(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double free,
  const transcendental::Turn &toes,
  const numbers::Point &clear,
  const Ground &ground
) {
  const double angle = thirds::angle_with(animal, leg, hip, foot, free, 1.0, toes, toes);
  return limbs::buried(animal, leg, hip, foot, angle, toes, clear, ground);
}
}
