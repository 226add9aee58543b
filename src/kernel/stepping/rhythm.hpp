// The rhythm of the steps: when feet lift and land, how fast the rest follows, what forces do.
//
// Printed from creature/stepping/rhythm.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "numbers.hpp"
#include "records.hpp"

namespace twobone::stepping::rhythm {

// How fast a number follows its goal, the inverse of its time constant. All are taste.
inline constexpr double WITH_GAITS = 2.0; // per cycle: what does in two cycles, as the order of the steps; forces stay small

inline constexpr double WITH_STEPS = 9.0; // per cycle: what goes nine tenths of its way in .43 of a cycle, as heights

inline constexpr double WITH_SWINGS = 27.0; // per cycle: what does in .14 of a cycle, as a foot that turns in the air

inline constexpr double ANSWER = 2.2; // time constants in which a damped number goes two thirds of its way: a law

inline constexpr double WITH_KNEES = 81.0; // per cycle: what does in .05 of a cycle, as a knee that meets the ground

inline constexpr double AT_EASE = 7.0; // per second: what does in half a second, whatever the steps are, as a lean

// When legs hurry, and when they are decided. All are taste.
inline constexpr double ASTRAY = 0.09; // of the hip: a foot so far from where it should be steps, or plans again

inline constexpr double DECIDED = 0.6; // of a swing: from here on a foothold stays, and the leg is as it will land

inline constexpr double CATCH = 4.0; // of its delay: what a leg makes up for in a cycle

inline constexpr double HURRY = 0.5; // of its pace: how much faster or slower a leg may be for that

inline constexpr double SLOWEST = 0.16; // of sqrt(g / hip): cycles per second at the least; slower looks unreal; taste

inline constexpr double ENOUGH = 0.3333333333333333; // share of its velocity with which an animal is not blocked; taste

inline constexpr double HASTE = 0.2; // of its speed: an animal that slows down by so much is on bad ground; taste

inline constexpr double MOST_TILT = 0.5; // radians: pitch and roll from the forces, and bank in a curve; taste

inline constexpr py::Int HARMONICS = 6; // of the cycle; the next has an amplitude below a hundredth of the first

inline double clock(const anatomy::Anatomy &animal, const records::Walk &walk);
inline py::Int other(py::Int i);
inline double answer(const anatomy::Anatomy &animal);
inline double left_to_stand(const anatomy::Anatomy &animal, const records::Walk &walk, const records::Step &step);
inline double left_to_swing(const anatomy::Anatomy &animal, const records::Walk &walk, const records::Step &step);
inline double over_of(const anatomy::Anatomy &animal, const records::Walk &walk);
inline double catch_up(double late);
inline double eased(double value, double goal, double rate, double dt);
inline void settle(numbers::Damped &value, double goal, double rate, double dt);
inline records::Sums sums(const anatomy::Anatomy &animal, const records::Walk &walk);
inline py::List<double> harmonics(double duty, double vault);
inline double sunk(double cycles, double duty, const py::List<double> &force);
inline double hump(double u, double cosine, double n);

// Return the cycles per second of the steps; for an animal that stands, of its slowest.
inline double clock(const anatomy::Anatomy &animal, const records::Walk &walk) {
  return numbers::larger(walk.rate, animal.slowest);
}

// Return the leg on the other side of a pair.
inline py::Int other(py::Int i) {
  return i + 1 - 2 * py::modulo(i, 2);
}

// Return the rate, per second, with which velocities follow what is asked for.
inline double answer(const anatomy::Anatomy &animal) {
  return ANSWER / animal.quick;
}

// Return the seconds until a foot on the ground lifts.
inline double left_to_stand(const anatomy::Anatomy &animal, const records::Walk &walk, const records::Step &step) {
  const double duty = walk.duty.at;
  const double cycles = step.phase < duty ? duty - step.phase : 1.0 - step.phase + duty;
  return cycles / clock(animal, walk);
}

// Return the seconds until a foot in the air lands.
inline double left_to_swing(const anatomy::Anatomy &animal, const records::Walk &walk, const records::Step &step) {
  return (1.0 - step.part) * (1.0 - step.gate) / clock(animal, walk);
}

// Return the share of a stance after which the body is over a foot: half of it on bad ground.
//
// There, a body ahead of its feet would come to a rise before they do.
inline double over_of(const anatomy::Anatomy &animal, const records::Walk &walk) {
  const double calm = numbers::clamp(1.0 - (1.0 - walk.calm) / HASTE, 0.0, 1.0);
  return numbers::mix(0.5, animal.gaits[walk.gait].over, calm);
}

// Return by what share of its pace a leg is faster that is late by so many cycles.
inline double catch_up(double late) {
  return numbers::clamp(CATCH * numbers::wrapped(late), -HURRY, HURRY);
}

// Return a number after a time, in which it went a share of its way to a goal.
//
// For a `rate` per second it is the exponential of a first-order lag, to first order in `dt`.
inline double eased(double value, double goal, double rate, double dt) {
  return value + (goal - value) * numbers::smaller(1.0, rate * dt);
}

// Move a number to its goal, critically damped; at once if `dt` is 0.
inline void settle(numbers::Damped &value, double goal, double rate, double dt) {
  if (dt > 0.0) {
    numbers::damp(value, goal, rate, dt);
  } else {
    value.at = goal;
    value.speed = 0.0;
  }
}

// Return how the forces of the feet move the body, and how its feet are placed.
inline records::Sums sums(const anatomy::Anatomy &animal, const records::Walk &walk) {
  const py::Int count = py::Int(walk.stations.size());
  records::Sums found = records::Sums{
    py::map(animal.legs, [&]([[maybe_unused]] const auto &_) { return 0.0; }),
    py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; }),
    py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; }),
    py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; }),
    0.0,
    0.0,
    0.0,
    0.0
  };
  py::List<double> feet = py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; });
  double weight = 0.0;
  for (const anatomy::Leg &leg : animal.legs) {
    weight += leg.share;
  }
  py::List<double> force = harmonics(walk.duty.at, walk.vault.at);
  // Of the hip: how far behind their places at rest feet are in the middle of a stance.
  const double stance = walk.ahead.at * walk.duty.at / (clock(animal, walk) * animal.hip);
  const double behind = (0.5 - over_of(animal, walk)) * stance;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    const records::Step &step = walk.steps[i];
    const py::Int at = leg.station;
    const double down = rhythm::sunk(walk.phase - step.offset.at, walk.duty.at, force);
    const double load = down * leg.share / weight;
    found.heave -= load;
    found.pitch -= load * animal.along[at];
    found.roll -= load * leg.side;
    found.air[at] -= down * leg.share * leg.side;
    const records::Station &station = walk.stations[at];
    const double dx = step.foot.x - station.x;
    const double dz = step.foot.z - station.z;
    const double away = dx * station.facing.s + dz * station.facing.c - leg.foot_ahead;
    const double fore = away / animal.hip + behind;
    found.ahead[i] = fore;
    found.fore[at] += fore;
    found.apart[at] += fore * leg.side;
    feet[at] += 1.0;
  }
  for (py::Int k = 0; k < count; k++) {
    found.fore[k] /= feet[k];
  }
  // The double integral of g at the frequency of the steps, g / (2 pi f)^2. A slow walk would bob
  // without end: added to the square, that of the slowest steps limits it.
  const double slowest = SLOWEST * std::sqrt(numbers::GRAVITY / animal.hip);
  const double square = walk.beat.at * walk.beat.at + slowest * slowest;
  const double size = walk.vigour.at * numbers::GRAVITY / (4.0 * 3.141592653589793 * 3.141592653589793 * square);
  // Radius of gyration, squared, of a box as long as the trunk and twice as high as its belly.
  double gyration = (animal.span * animal.span + 4.0 * animal.belly * animal.belly) / 12.0;
  gyration = numbers::larger(gyration, numbers::TINY);
  const anatomy::Manner &manner = animal.manner;
  found.sway = -found.roll * size * manner.sway;
  found.heave = found.heave * size * manner.heave;
  found.pitch = numbers::clamp(found.pitch * size * manner.pitch / gyration, -MOST_TILT, MOST_TILT);
  found.roll = numbers::clamp(found.roll * size * manner.roll / animal.hip, -MOST_TILT, MOST_TILT);
  return found;
}

// Return the Fourier series of how far the force of a leg lets the body sink.
//
// Its mean is 0. The force over a stance is a half sine, and another of three times the frequency
// which `vault` scales: 0 is the one hump of a bounce, about 1/3 the two of a walk. Its Fourier
// series, integrated twice, has the coefficients A_k / k^2 with
//
//     A_k = 2 cos(pi k d) (1 / (1 - 4 k^2 d^2) + (q / 3) / (1 - 4 k^2 d^2 / 9)) / (1 + q / 3)
//
// for a duty factor d, and the weight 1 - k^2 / 49, which lets the series end smoothly. It is in
// units of g / (2 pi f)^2, and its time is counted from the middle of the stance.
inline py::List<double> harmonics(double duty, double vault) {
  const transcendental::Turn edge = numbers::facing(3.141592653589793 * duty);
  const double beyond = HARMONICS + 1.0;
  // Chebyshev's recurrence: cos (k + 1) a = 2 cos a cos k a - cos (k - 1) a.
  double edge_k = edge.c;
  double edge_before = 1.0;
  py::List<double> found = py::List<double>{};
  for (py::Int n = 0; n < HARMONICS; n++) {
    const double k = n + 1.0;
    const double part = hump(k * duty, edge_k, 1.0) + vault / 3.0 * hump(k * duty, edge_k, 3.0);
    const double weight = 2.0 * (1.0 - k * k / (beyond * beyond)) / (k * k * (1.0 + vault / 3.0));
    found.push_back(weight * part);
    const double edge_next = 2.0 * edge.c * edge_k - edge_before;
    edge_before = edge_k;
    edge_k = edge_next;
  }
  return found;
}

// Return how far a leg lets the body sink, in units of g / (2 pi f)^2, with its `harmonics`.
//
// `cycles` are those since the foot landed, and `duty` is the duty factor.
inline double sunk(double cycles, double duty, const py::List<double> &force) {
  const transcendental::Turn along = numbers::facing(2.0 * 3.141592653589793 * (cycles - 0.5 * duty));
  double height = 0.0;
  double along_k = along.c;
  double along_before = 1.0;
  for (const double part : force) {
    height += part * along_k;
    const double along_next = 2.0 * along.c * along_k - along_before;
    along_before = along_k;
    along_k = along_next;
  }
  return height;
}

// Return cos(pi u) / (1 - 4 u^2 / n^2) for n = 1 or 3, given the cosine; u is 0 or more.
//
// Both are 0 at u = n / 2. With e = 1 - 2 u / n the cosine is +-sin(n pi e / 2), and the quotient
// near there +-(n pi / 2) / (2 - e), to a relative error of e^2.
inline double hump(double u, double cosine, double n) {
  const double e = 1.0 - 2.0 * u / n;
  if (std::fabs(e) < numbers::TINY) {
    const double limit = 0.5 * 3.141592653589793 * n / (2.0 - e);
    return n < 2.0 ? limit : -limit;
  }
  return cosine / (e * (2.0 - e));
}
}
