// The angle of a third segment where the bones above it decide: of legs that lock, and birds.
//
// Printed from creature/stepping/thirds.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "records.hpp"
#include "swings.hpp"

namespace twobone::stepping::thirds {

inline constexpr double UP = 0.5; // of a way back: how far up the ankle below a still thigh points; taste

inline double hold_of(const records::Walk &walk, const records::Step &step);
inline double angle_with(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double free,
  double hold,
  const transcendental::Turn &toes,
  const transcendental::Turn &turn
);
inline double steeper(const numbers::Point &way, const transcendental::Turn &back, double angle);
inline numbers::Point thigh_of(const anatomy::Anatomy &animal, const anatomy::Leg &leg);

// Return how much the bones above decide, 0 to 1: less in the air, where a leg must fold.
inline double hold_of(const records::Walk &walk, const records::Step &step) {
  if (step.down) return 1.0;
  return 1.0 - walk.vigour.at * swings::arc(step.part);
}

// Return the angle of the third segment of a leg above the ground, given that if it were free.
//
// `hold` is how much the bones above it decide, and `turn` that of the trunk.
//
// A leg that locks goes straight from knee to foot. One whose thigh is still has its ankle where
// shin and third segment meet, from the knee of a leg at rest to the foot.
inline double angle_with(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double free,
  double hold,
  const transcendental::Turn &toes,
  const transcendental::Turn &turn
) {
  double angle = free;
  if (leg.third == 0.0 || (leg.locks == 0.0 && leg.still == 0.0)) return angle;
  const transcendental::Turn back = limbs::behind(leg, hip, foot, toes);
  const numbers::Point way = numbers::between(hip, foot);
  numbers::Point knee{};
  if (leg.locks > 0.0) {
    knee = limbs::bend(way, leg.upper, leg.lower + leg.third, limbs::pole_of(leg, turn, way));
    angle += leg.locks * hold * steeper(numbers::between(way, knee), back, angle);
  }
  if (leg.still > 0.0) {
    const numbers::Point thigh = thigh_of(animal, leg);
    knee = numbers::Point{thigh.z * turn.s, thigh.y, thigh.z * turn.c};
    const numbers::Point pole = numbers::Point{back.s, UP, back.c};
    const numbers::Point ankle = limbs::bend(numbers::between(way, knee), leg.third, leg.lower, pole);
    angle += leg.still * hold * steeper(ankle, back, angle);
  }
  return angle;
}

// Return by how much a way from a foot rises more steeply than an angle, seen from the side.
inline double steeper(const numbers::Point &way, const transcendental::Turn &back, double angle) {
  const transcendental::Turn up = numbers::facing(angle);
  const double along = way.x * back.s + way.z * back.c;
  return transcendental::arctangent(way.y * up.c - along * up.s, along * up.c + way.y * up.s);
}

// Return the way from hip to knee of a leg at rest that faces +z, seen from the side.
inline numbers::Point thigh_of(const anatomy::Anatomy &animal, const anatomy::Leg &leg) {
  const transcendental::Turn up = numbers::facing(leg.rest);
  const double high = animal.height + leg.up;
  const numbers::Point ankle = numbers::Point{0.0, leg.third * up.s - high, leg.foot_ahead - leg.third * up.c};
  return limbs::bend(ankle, leg.upper, leg.lower, limbs::pole_of(leg, transcendental::Turn{1.0, 0.0}, ankle));
}
}
