// Legs that lift with a plan, swing along it and land.
//
// Printed from creature/stepping/legs.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "anatomy.hpp"
#include "footholds.hpp"
#include "levels.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "records.hpp"
#include "rhythm.hpp"
#include "soles.hpp"
#include "support.hpp"
#include "swings.hpp"

namespace twobone::stepping::legs {

inline constexpr double BRIEFEST = 0.3333333333333333; // of a swing: the least of it that a foot which lifts late takes; taste

inline constexpr double LOW = 0.35; // of the arc of a stride: that of a step on the spot; taste

inline constexpr py::Int SAMPLES = 66; // of the ground below a swing: one in about .02 of a leg of a long one

template <class Ground> void swing(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const Ground &ground,
  double dt
);
inline bool may_lift(const anatomy::Anatomy &animal, const records::Walk &walk, py::Int i);
inline void lift(records::Walk &walk, py::Int i);
inline double briefest(const records::Walk &walk);
inline void land(records::Walk &walk, py::Int i);
template <class Ground> void fly(const anatomy::Anatomy &animal, records::Walk &walk, py::Int i, const Ground &ground);
template <class Ground> void plan_again(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  py::Int i,
  const Ground &ground
);
template <class Ground> void meet(const anatomy::Anatomy &animal, records::Walk &walk, const Ground &ground);
template <class Ground> void plan(const anatomy::Anatomy &animal, records::Walk &walk, py::Int i, const Ground &ground);
inline void stray(const anatomy::Anatomy &animal, records::Walk &walk);

// Move all legs on in their cycles: they lift, swing and land.
//
// A leg that may not lift when it is due does so later, in the first half of its swing. An animal
// that stops lifts only feet that will be astray; at once where its trunk is nearly at rest, and
// one of a pair after the other.
template <class Ground> void swing(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const Ground &ground,
  double dt
) {
  const double duty = walk.duty.at;
  const bool is_there = path::left_to_go(animal, walk) < rhythm::ASTRAY * animal.hip;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    records::Step &step = walk.steps[i];
    const records::Station &station = walk.stations[leg.station];
    double late = rhythm::catch_up(walk.phase - step.offset.at - step.phase);
    if (walk.stops) {
      late = numbers::larger(late, 0.0); // it need not be in its turn
    }
    const double was = step.phase;
    step.phase += walk.rate * dt * (1.0 + late);
    if (step.down) {
      step.since += walk.rate * dt;
      const bool stood = step.since > soles::LANDED * duty;
      const bool early = step.phase < 0.5 + 0.5 * duty && stood;
      bool due = step.phase >= duty && (was < duty || early);
      if (walk.stops) {
        const bool astray = step.stray > rhythm::ASTRAY * animal.hip;
        due = astray && (due || (is_there && stood && walk.steps[rhythm::other(i)].down));
        due = due || i == walk.fidget;
        if (due) {
          step.phase = duty; // it does not wait for its turn
        }
      }
      if (due) {
        if (may_lift(animal, walk, i)) {
          if (i == walk.fidget) {
            walk.fidget = -1;
          }
          lift(walk, i);
          plan(animal, walk, i, ground);
        } else {
          step.phase = duty; // it waits
        }
      }
    } else if (step.phase >= 1.0) {
      const double soon = briefest(walk) / rhythm::clock(animal, walk);
      if (support::beyond(animal, leg, step, step.hip) <= 0.0) {
        land(walk, i);
      } else if (support::beyond(animal, leg, step, levels::moved(station, step.hip, soon)) <= 0.0) {
        step.phase = was; // it waits until its hip has come near
      } else {
        step.phase = duty; // it looks for another foothold, from where it is
        step.stood = step.goal;
        lift(walk, i);
        plan(animal, walk, i, ground);
      }
    }
    if (step.phase >= 1.0) {
      step.phase -= 1.0;
    }
    if (!step.down) {
      fly(animal, walk, i, ground);
      step.facing = rhythm::eased(step.facing, station.yaw, rhythm::WITH_SWINGS * rhythm::clock(animal, walk), dt);
      step.toes = numbers::facing(step.facing);
    }
  }
}

// Return whether a leg may lift: its neighbours stand, and so would the animal.
inline bool may_lift(const anatomy::Anatomy &animal, const records::Walk &walk, py::Int i) {
  if (!animal.waits) return true;
  const py::Int count = py::Int(walk.steps.size());
  for (const py::Int j : std::array<py::Int, 3>{i - 2, i + 2, rhythm::other(i)}) {
    if (j >= 0 && j < count && !walk.steps[j].down) return false;
  }
  if (animal.steady) return support::margin(animal, walk, i, 0.0, 0.0).inside > 0.0;
  return true;
}

// Let a foot leave the ground.
inline void lift(records::Walk &walk, py::Int i) {
  records::Step &step = walk.steps[i];
  step.down = false;
  step.phase = numbers::smaller(step.phase, 1.0 - briefest(walk));
  step.gate = step.phase;
  step.over = records::Course{0.0, 0.0, 0.0, 0.0, 0.0};
  step.high = 0.0;
  step.part = 0.0;
  step.slope_before = step.slope;
  step.lie_before = step.lie;
  step.x = records::Course{0.0, step.foot.x, 0.0, 0.0, 0.0};
  step.y = records::Course{0.0, step.foot.y, 0.0, 0.0, 0.0};
  step.z = records::Course{0.0, step.foot.z, 0.0, 0.0, 0.0};
}

// Return the cycles that a foot is in the air at the least.
inline double briefest(const records::Walk &walk) {
  return BRIEFEST * (1.0 - walk.duty.at);
}

// Put a foot down on its goal.
inline void land(records::Walk &walk, py::Int i) {
  records::Step &step = walk.steps[i];
  step.down = true;
  step.since = 0.0;
  step.foot = step.goal;
  step.stood = step.goal;
  step.base = step.goal.y;
}

// Move a foot along its plan, and plan again if where it wants to land has moved.
//
// An animal that stays over its feet also plans again if the foothold will be out of reach, as its
// trunk rises: it cannot do without the foot. Others lose more speed by it than they gain.
template <class Ground> void fly(const anatomy::Anatomy &animal, records::Walk &walk, py::Int i, const Ground &ground) {
  const anatomy::Leg &leg = animal.legs[i];
  records::Step &step = walk.steps[i];
  const double part = numbers::clamp((step.phase - step.gate) / (1.0 - step.gate), 0.0, 1.0);
  step.part = part;
  if (part < rhythm::DECIDED) {
    const double near = rhythm::ASTRAY * animal.hip;
    const numbers::Above want = path::wanted(animal, leg, walk, step);
    const double dx = want.x - step.want.x;
    const double dz = want.z - step.want.z;
    bool again = dx * dx + dz * dz > near * near;
    if (animal.steady) {
      const records::Station &station = walk.stations[leg.station];
      const numbers::Point hip = levels::moved(station, step.hip, rhythm::left_to_swing(animal, walk, step));
      const numbers::Point low = numbers::Point{hip.x, support::lowest(animal, leg, walk, step), hip.z};
      again = again || support::beyond(animal, leg, step, low) > 0.0;
    }
    if (again) {
      plan_again(animal, walk, i, ground);
    }
  }
  const numbers::Point foot = swings::planned(step, step.goal, part);
  step.base = foot.y;
  step.foot = numbers::Point{foot.x, foot.y + swings::lifted_by(step, part), foot.z};
}

// Choose another foothold for a leg in the air, from where it is.
template <class Ground> void plan_again(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  py::Int i,
  const Ground &ground
) {
  records::Step &step = walk.steps[i];
  step.x = swings::from_here(step.x, step.goal.x, step.part);
  step.y = swings::from_here(step.y, step.goal.y, step.part);
  step.z = swings::from_here(step.z, step.goal.z, step.part);
  step.over = swings::goes_on(step);
  step.high = 0.0;
  plan(animal, walk, i, ground);
}

// Let an animal notice another ground: where it is not under a foot, this has to step.
template <class Ground> void meet(const anatomy::Anatomy &animal, records::Walk &walk, const Ground &ground) {
  for (py::Int i = 0; i < py::Int(walk.steps.size()); i++) {
    records::Step &step = walk.steps[i];
    step.under = ground(step.goal.x, step.goal.z);
    if (!step.down && step.part < rhythm::DECIDED) {
      plan_again(animal, walk, i, ground);
    }
  }
}

// Choose a foothold, and the height of the swing which clears the ground on the way.
template <class Ground> void plan(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  py::Int i,
  const Ground &ground
) {
  records::Step &step = walk.steps[i];
  if (step.part == 0.0) {
    const double stride = animal.lift * animal.hip * animal.gaits[walk.gait].lift;
    step.low = stride * (LOW + (1.0 - LOW) * walk.vigour.at);
  }
  footholds::choose(animal, walk, i, ground);
  step.lie = soles::lie_of(animal, walk, i, ground);
  swings::aim(step, step.goal, walk.duty.at);
  const double lifted = soles::lift_over(animal, walk, i, step.goal, step.slope, SAMPLES, ground);
  step.high = numbers::smaller(lifted, swings::highest(animal, step));
}

// Measure how far feet are from where they would be at rest, when the trunk has come to it.
inline void stray(const anatomy::Anatomy &animal, records::Walk &walk) {
  const double seconds = walk.stops ? path::resting(animal) : 0.0;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    records::Step &step = walk.steps[i];
    const path::Seen there = path::ahead(animal, walk, walk.stations[leg.station], seconds);
    const numbers::Above rest = path::at_rest(leg, there.x, there.z, there.turn);
    const double dx = rest.x - step.foot.x;
    const double dz = rest.z - step.foot.z;
    step.stray = step.foot.y == step.under ? std::sqrt(dx * dx + dz * dz) : numbers::HUGE_;
  }
}
}
