// How far a leg turns about the line from hip to ankle, where the ground is in its knee's way.
//
// Printed from creature/stepping/knees.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "records.hpp"

namespace twobone::stepping::knees {

// Of the hip: so near the ground, a knee begins to turn aside: twice the clearance of what plans are
// about, since it turns more slowly than the ground comes.
inline constexpr double NEAR = 0.08;

inline constexpr double WIDEST = 0.8; // radians: a knee turns aside at most so far; taste

template <class Ground> double splayed(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Stand &stand,
  double now,
  const Ground &ground
);
inline numbers::Point turned_by(const numbers::Point &pole, const numbers::Point &way, double angle);

// Return the angle by which a leg must turn for its knee to clear the ground, 0 if it does.
//
// The knee goes around a circle whose radius r leads to it now. Where the ground is a plane with
// the normal n, it has the height h at an angle t for
//
//     r . n cos t + (axis x r) . n sin t = r . n + h - height now
//
// which is a line that meets a circle. Of the two places, that nearer to the angle `now` is taken.
template <class Ground> double splayed(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Stand &stand,
  double now,
  const Ground &ground
) {
  if (leg.radial) return 0.0;
  const transcendental::Turn toes = numbers::facing(stand.facing);
  const limbs::Bent found = limbs::bent(animal, leg, stand.hip, stand.foot, stand.angle, toes);
  const numbers::Point &knee = found.knee;
  const numbers::Point there = numbers::plus(stand.hip, knee);
  const double clear = NEAR * animal.hip;
  const double under = ground(there.x, there.z);
  const double lacks = under + clear - there.y;
  if (lacks <= 0.0) return 0.0;
  const double slope_x = (ground(there.x + clear, there.z) - under) / clear;
  const double slope_z = (ground(there.x, there.z + clear) - under) / clear;
  const numbers::Point way = numbers::between(stand.hip, found.ankle);
  const double square = numbers::larger(way.x * way.x + way.y * way.y + way.z * way.z, numbers::TINY * numbers::TINY);
  const double part = (knee.x * way.x + knee.y * way.y + knee.z * way.z) / square;
  const numbers::Point r = numbers::Point{knee.x - part * way.x, knee.y - part * way.y, knee.z - part * way.z};
  const double size = std::sqrt(square);
  const numbers::Point turned = numbers::cross(way, r);
  const double a = r.y - slope_x * r.x - slope_z * r.z;
  const double b = turned.y / size - slope_x * turned.x / size - slope_z * turned.z / size;
  const double need = a + lacks;
  const double left = std::sqrt(numbers::larger(a * a + b * b - need * need, 0.0));
  const double one = transcendental::arctangent(need * b - a * left, need * a + b * left);
  const double two = transcendental::arctangent(need * b + a * left, need * a - b * left);
  return numbers::clamp(std::fabs(one - now) < std::fabs(two - now) ? one : two, -WIDEST, WIDEST);
}

// Return a pole that is turned about the way from hip to ankle.
inline numbers::Point turned_by(const numbers::Point &pole, const numbers::Point &way, double angle) {
  const double size = numbers::larger(numbers::length(way), numbers::TINY);
  const transcendental::Turn turn = numbers::facing(angle);
  const double s = turn.s / size;
  const numbers::Point across = numbers::cross(way, pole);
  return numbers::Point{turn.c * pole.x + s * across.x, turn.c * pole.y + s * across.y, turn.c * pole.z + s * across.z};
}
}
