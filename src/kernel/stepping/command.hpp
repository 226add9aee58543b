// What is asked for becomes a velocity, a gait, and the rate of its clock.
//
// Printed from creature/stepping/command.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "anatomy.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "records.hpp"
#include "rhythm.hpp"

namespace twobone::stepping::command {

inline constexpr double CAREFUL = 0.6; // footholds that cost 1 each slow the walk to 1 / (1 + .6); taste

inline constexpr double STILL = 0.02; // of sqrt(g hip), or of a lower top speed: who is, and shall be, slower stands; taste

// When an animal that stands makes a small step, and with which leg.
inline constexpr double SOONEST = 0.5; // of the mean time between two: the least; the most is this and 1; taste

inline constexpr double GOLDEN = 0.618; // the golden section: its multiples, without whole parts, come in no pattern; a law

inline records::Order limited(const anatomy::Anatomy &animal, const records::Order &order);
inline double arm_of(const anatomy::Anatomy &animal);
inline double speed_of(const anatomy::Anatomy &animal, const records::Order &order);
inline double around_of(const anatomy::Anatomy &animal, double ahead, double turn);
inline void obey(const anatomy::Anatomy &animal, records::Walk &walk, records::Order order, double dt);
inline double still(const anatomy::Anatomy &animal);
inline double size_of(const anatomy::Anatomy &animal, const records::Order &order);
inline void follow(numbers::Damped &value, double goal, double rate, double most, double dt);
inline void shove(const anatomy::Anatomy &animal, records::Walk &walk, double aside, double ahead);
inline double pace(const anatomy::Anatomy &animal, const records::Walk &walk);
inline void tick(const anatomy::Anatomy &animal, records::Walk &walk, const records::Order &order, double dt);
inline void change_gait(const anatomy::Anatomy &animal, records::Walk &walk, double froude, double dt);
inline void fidget(const anatomy::Anatomy &animal, records::Walk &walk, double dt);
inline void set_off(const anatomy::Anatomy &animal, records::Walk &walk, const records::Order &order);
inline void shift_offsets(const anatomy::Anatomy &animal, records::Walk &walk, double dt);
inline void wait(const anatomy::Anatomy &animal, records::Walk &walk, const records::Order &order, double dt);

// Return what an animal can do of an order: the same direction, at most at its top speed.
inline records::Order limited(const anatomy::Anatomy &animal, const records::Order &order) {
  const double speed = speed_of(animal, order);
  if (speed <= animal.top_speed) return order;
  const double share = animal.top_speed / speed;
  return records::Order{share * order.aside, share * order.ahead, share * order.turn};
}

// Return how far from its middle the feet of an animal are.
inline double arm_of(const anatomy::Anatomy &animal) {
  return 0.5 * animal.span + std::fabs(animal.legs[0].foot_aside);
}

// Return the speed of the feet; a turn adds how fast they go around the middle.
inline double speed_of(const anatomy::Anatomy &animal, const records::Order &order) {
  const double around = around_of(animal, order.ahead, order.turn);
  return std::sqrt(order.aside * order.aside + order.ahead * order.ahead + around * around);
}

// Return the speed of the outermost feet from a turn, of an animal that goes ahead.
inline double around_of(const anatomy::Anatomy &animal, double ahead, double turn) {
  const double whole = path::swinging(animal, ahead, turn);
  return std::fabs(turn * animal.legs[0].foot_aside) + 0.5 * animal.span * std::fabs(whole);
}

// Move the velocity to what is asked for, less on bad ground, as quickly as the animal can.
inline void obey(const anatomy::Anatomy &animal, records::Walk &walk, records::Order order, double dt) {
  double squares = 0.0;
  for (const records::Step &step : walk.steps) {
    squares += step.cost * step.cost;
  }
  const double rough = std::sqrt(squares / py::Int(walk.steps.size()));
  walk.calm = rhythm::eased(walk.calm, 1.0 / (1.0 + CAREFUL * rough), rhythm::AT_EASE, dt);
  const double calm = walk.calm;
  const records::Order asked = records::Order{calm * order.aside, calm * order.ahead, calm * order.turn};
  walk.asked = asked;
  walk.stops = size_of(animal, order) <= still(animal);
  const double rate = rhythm::answer(animal);
  const double most = animal.strong * numbers::GRAVITY;
  follow(walk.aside, asked.aside, rate, most, dt);
  follow(walk.ahead, asked.ahead, rate, most, dt);
  follow(walk.felt_aside, walk.aside.at, rhythm::AT_EASE, numbers::GRAVITY, dt);
  follow(walk.felt_ahead, walk.ahead.at, rhythm::AT_EASE, numbers::GRAVITY, dt);
  // Shoulders and hips, half a hip's height from the middle, accelerate as much in a turn.
  follow(walk.turn, asked.turn, rate, 2.0 * most / animal.hip, dt);
}

// Return the speed below which an animal stands.
inline double still(const anatomy::Anatomy &animal) {
  return STILL * numbers::smaller(std::sqrt(numbers::GRAVITY * animal.hip), animal.top_speed);
}

// Return the size of an order; a turn counts as the speed of a hip's height around it.
inline double size_of(const anatomy::Anatomy &animal, const records::Order &order) {
  return std::fabs(order.aside) + std::fabs(order.ahead) + std::fabs(order.turn) * animal.hip;
}

// Move a velocity to a goal, with an acceleration of at most `most`.
inline void follow(numbers::Damped &value, double goal, double rate, double most, double dt) {
  const double was = value.at;
  numbers::damp(value, goal, rate, dt);
  value.at = numbers::clamp(value.at, was - most * dt, was + most * dt);
  value.speed = numbers::clamp(value.speed, -most, most);
}

// Add to the velocity of a body; the sum is at most its top speed.
inline void shove(const anatomy::Anatomy &animal, records::Walk &walk, double aside, double ahead) {
  const records::Order order = records::Order{walk.aside.at + aside, walk.ahead.at + ahead, 0.0};
  const records::Order possible = limited(animal, order);
  walk.aside.at = possible.aside;
  walk.ahead.at = possible.ahead;
}

// Return the speed of the feet over the ground, which the gait depends on.
inline double pace(const anatomy::Anatomy &animal, const records::Walk &walk) {
  return speed_of(animal, records::Order{walk.aside.at, walk.ahead.at, walk.turn.at});
}

// Choose the gait of the speed, and move its clock.
//
// A cycle is c hip Fr^(1/4) long, with Froude's number Fr = v^2 / (g hip) (Alexander and Jayes,
// 1983): so its rate is sqrt(g / hip) Fr^(1/4) / c. It is higher where stances would be too long.
inline void tick(const anatomy::Anatomy &animal, records::Walk &walk, const records::Order &order, double dt) {
  const double root = std::sqrt(numbers::GRAVITY * animal.hip);
  const double speed = pace(animal, walk);
  change_gait(animal, walk, speed / root, dt);
  walk.moving = speed > still(animal) || !walk.stops;
  fidget(animal, walk, dt);
  bool stepping = walk.moving || walk.fidget >= 0;
  for (const records::Step &step : walk.steps) {
    stepping = stepping || !step.down || step.stray > rhythm::ASTRAY * animal.hip;
  }
  if (stepping && walk.rate == 0.0) {
    set_off(animal, walk, order);
  }
  if (stepping) {
    const double duty = walk.duty.at;
    double wanted = std::sqrt(numbers::GRAVITY / animal.hip * speed / root) / animal.stride;
    // Who shall stand puts its feet together as in its slowest gait at its highest speed.
    const double brisk = std::sqrt(numbers::GRAVITY / animal.hip * animal.gaits[0].high) / animal.stride;
    wanted = numbers::larger(wanted, walk.stops ? brisk : animal.slowest);
    wanted = numbers::larger(wanted, duty * speed / animal.travel);
    wanted = numbers::larger(wanted, duty * std::fabs(walk.aside.at) / animal.across);
    walk.rate = rhythm::eased(walk.rate, numbers::smaller(wanted, animal.fastest), rhythm::AT_EASE, dt);
  } else {
    walk.rate = 0.0;
  }
  // The body moves in full from a stance of half a hip's height on.
  const double stance = walk.slow * speed * walk.duty.at / rhythm::clock(animal, walk);
  const double vigour = walk.moving ? numbers::smaller(1.0, 2.0 * stance / animal.hip) : 0.0;
  numbers::damp(walk.vigour, vigour, rhythm::AT_EASE, dt);
  walk.phase += walk.rate * dt;
  walk.phase -= py::floor(walk.phase);
  shift_offsets(animal, walk, dt);
}

// Choose the gait of a speed over sqrt(g hip), and move duty factor and forces to its own.
inline void change_gait(const anatomy::Anatomy &animal, records::Walk &walk, double froude, double dt) {
  while (walk.gait + 1 < py::Int(animal.gaits.size()) && froude > animal.gaits[walk.gait].high) {
    walk.gait += 1;
  }
  while (walk.gait > 0 && froude < animal.gaits[walk.gait].low) {
    walk.gait -= 1;
  }
  const anatomy::Gait &gait = animal.gaits[walk.gait];
  walk.blend = numbers::clamp((froude - gait.low) / (gait.high - gait.low), 0.0, 1.0);
  const double duty = gait.duty_low + (gait.duty_high - gait.duty_low) * walk.blend;
  const double time = walk.rate > 0.0 ? dt : 0.0;
  rhythm::settle(walk.vault, gait.vault, rhythm::WITH_GAITS * walk.rate, time);
  rhythm::settle(walk.flex, gait.flex, rhythm::WITH_GAITS * walk.rate, time);
  rhythm::settle(walk.duty, duty, rhythm::WITH_STEPS * walk.rate, time);
}

// Let an animal that stands make a small step now and then, with one leg after another.
inline void fidget(const anatomy::Anatomy &animal, records::Walk &walk, double dt) {
  if (walk.moving) {
    walk.idle = 0.0;
    walk.fidget = -1;
  } else if (walk.rate == 0.0) {
    const double part = GOLDEN * walk.fidgets;
    walk.idle += animal.manner.fidgets * dt;
    if (walk.idle > SOONEST + part - py::floor(part)) {
      walk.idle = 0.0;
      const py::Int count = py::Int(walk.steps.size());
      walk.fidget = count - 1 - py::modulo(walk.fidgets, count);
      walk.fidgets += 1;
    }
  }
}

// Set the clock of an animal that stands, so that the leg which leads steps first.
//
// An animal that balances first moves its body, the longer the further that goes.
inline void set_off(const anatomy::Anatomy &animal, records::Walk &walk, const records::Order &order) {
  const numbers::Above wanted = path::velocity(walk, order.aside, order.ahead);
  py::Int first = 0;
  double most = -numbers::HUGE_;
  for (py::Int i = 0; i < py::Int(walk.steps.size()); i++) {
    records::Step &step = walk.steps[i];
    double lead = wanted.x * (step.foot.x - walk.x) + wanted.z * (step.foot.z - walk.z);
    if (i == walk.fidget) {
      lead = numbers::HUGE_;
    }
    if (lead > most + numbers::TINY) {
      first = i;
      most = lead;
    }
  }
  walk.phase = walk.steps[first].offset.at + walk.duty.at - animal.balance * animal.lead;
  for (records::Step &step : walk.steps) {
    step.phase = walk.phase - step.offset.at;
    step.phase -= py::floor(step.phase);
  }
}

// Move the offsets of the legs to those of the gait, each the shorter way around the cycle.
inline void shift_offsets(const anatomy::Anatomy &animal, records::Walk &walk, double dt) {
  const anatomy::Gait &gait = animal.gaits[walk.gait];
  for (py::Int i = 0; i < py::Int(walk.steps.size()); i++) {
    records::Step &step = walk.steps[i];
    const double between = numbers::wrapped(gait.offsets_high[i] - gait.offsets_low[i]);
    double goal = gait.offsets_low[i] + walk.blend * between;
    goal = step.offset.at + numbers::wrapped(goal - step.offset.at);
    numbers::damp(step.offset, goal, rhythm::WITH_GAITS * walk.rate, dt);
  }
}

// Count the seconds in which an animal does less than `ENOUGH` of what it is asked for.
inline void wait(const anatomy::Anatomy &animal, records::Walk &walk, const records::Order &order, double dt) {
  const double arm = arm_of(animal);
  double asked = order.aside * order.aside + order.ahead * order.ahead;
  asked += order.turn * order.turn * arm * arm;
  double done = walk.aside.at * order.aside + walk.ahead.at * order.ahead;
  done = walk.slow * (done + walk.turn.at * order.turn * arm * arm);
  if (done >= rhythm::ENOUGH * asked) {
    walk.delay = 0.0;
  } else {
    walk.delay += dt;
  }
}
}
