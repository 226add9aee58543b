// How a foot lies: its third segment and its sole, on the ground and in the air.
//
// Printed from creature/stepping/soles.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "numbers.hpp"
#include "records.hpp"
#include "rhythm.hpp"
#include "swings.hpp"

namespace twobone::stepping::soles {

inline constexpr double LANDED = 0.3; // of a stance: how long a foot rolls onto the ground, and stays there at least; taste

// Of a swing: when toes rise for a landing on the heel, when they sink, and how long both last.
inline constexpr double RISES = 0.45;
inline constexpr double SINKS = 0.75;
inline constexpr double TURNS = 0.25;

inline constexpr double UNPEELED = 0.5; // of a swing: how long a foot that has peeled off takes to turn back; taste

inline constexpr double SOLE = 0.35; // of the third segment: how far around a foot the ground is looked at; taste

inline constexpr double LEAD = 0.12; // of a swing: by how much earlier the angle of a foot turns, as it is damped

inline constexpr double KICKED = 1.0; // skew of the arc of a kick: its top is at .3 of a swing, and it ends softly

template <class Ground> records::Lie lie_of(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  py::Int i,
  const Ground &ground
);
inline numbers::Point foot_of(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const anatomy::Leg &leg,
  const records::Step &step
);
template <class Ground> double lift_over(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  py::Int i,
  const numbers::Point &goal,
  double slope,
  py::Int samples,
  const Ground &ground
);
inline double toes_up(const anatomy::Leg &leg, const records::Step &step, const numbers::Point &goal, double part);
inline records::Lie sole_of(
  const anatomy::Leg &leg,
  const records::Step &step,
  const numbers::Point &foot,
  double angle
);
inline double angle_of(const anatomy::Leg &leg, const records::Walk &walk, const records::Step &step);

// Return how the ground lies under the foothold of a foot that faces as the trunk.
//
// Toes rise with the ground ahead where that is steeper than on average.
template <class Ground> records::Lie lie_of(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  py::Int i,
  const Ground &ground
) {
  const numbers::Point &goal = walk.steps[i].goal;
  const transcendental::Turn &turn = walk.stations[animal.legs[i].station].facing;
  const double d = numbers::larger(swings::CLEARANCE * animal.hip, SOLE * animal.legs[i].third);
  const double ahead = ground(goal.x + d * turn.s, goal.z + d * turn.c);
  const double behind = ground(goal.x - d * turn.s, goal.z - d * turn.c);
  const double left = ground(goal.x + d * turn.c, goal.z - d * turn.s);
  const double right = ground(goal.x - d * turn.c, goal.z + d * turn.s);
  const double rises = numbers::larger(ahead - behind, 2.0 * (ahead - goal.y));
  return records::Lie{
    numbers::clamp(transcendental::arctangent(rises, 2.0 * d), -rhythm::MOST_TILT, rhythm::MOST_TILT),
    numbers::clamp(transcendental::arctangent(left - right, 2.0 * d), -rhythm::MOST_TILT, rhythm::MOST_TILT)
  };
}

// Return where a foot is: in the air it kicks up behind, and rolls over its heel to land.
inline numbers::Point foot_of(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const anatomy::Leg &leg,
  const records::Step &step
) {
  if (step.down) return step.foot;
  const double kick = animal.gaits[walk.gait].kick * animal.hip * walk.vigour.at * swings::skewed(step.part, KICKED);
  const transcendental::Turn up = numbers::facing(walk.vigour.at * leg.land * toes_up(leg, step, step.goal, step.part));
  const double back = leg.heel * (1.0 - up.c);
  const double x = step.foot.x - back * step.toes.s;
  const double z = step.foot.z - back * step.toes.c;
  return numbers::Point{x, step.foot.y + kick + leg.heel * up.s, z};
}

// Return the height of another arc with which a foot clears the ground on its way to a goal.
//
// A heel that trails behind it clears the ground, too; it will land on such a slope.
template <class Ground> double lift_over(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  py::Int i,
  const numbers::Point &goal,
  double slope,
  py::Int samples,
  const Ground &ground
) {
  const anatomy::Leg &leg = animal.legs[i];
  const records::Step &step = walk.steps[i];
  double lifted = 0.0;
  const double clear = swings::CLEARANCE * animal.hip;
  for (py::Int n = 0; n < samples; n++) {
    const double part = (n + 2.0) / (samples + 2.0);
    if (part > step.part) {
      const numbers::Point foot = swings::planned(step, goal, part);
      double lacks = ground(foot.x, foot.z) - foot.y;
      if (leg.heel > 0.0 && part > UNPEELED) {
        const double up = walk.vigour.at * leg.land * toes_up(leg, step, goal, part);
        const transcendental::Turn rolled = numbers::facing(up);
        const transcendental::Turn third = numbers::facing(
          leg.rest - up + slope * numbers::smooth(part / rhythm::DECIDED)
        );
        const double back = leg.heel * (1.0 - rolled.c) + leg.third * third.c;
        const double under = ground(foot.x - back * step.toes.s, foot.z - back * step.toes.c);
        const double high = leg.heel * rolled.s + leg.third * third.s;
        lacks = numbers::larger(lacks, under - foot.y - high);
      }
      lacks -= swings::lifted_by(step, part);
      lifted = numbers::larger(lifted, lacks / swings::risen_by(step, 1.0, part) + clear);
    }
  }
  return lifted;
}

// Return how far toes are up for a landing on the heel, 0 to 1, at a part of a swing.
//
// Who steps down by the length of a heel or more lands on the toes.
inline double toes_up(const anatomy::Leg &leg, const records::Step &step, const numbers::Point &goal, double part) {
  const double steps_down = leg.heel > 0.0 ? numbers::smooth((step.stood.y - goal.y) / leg.heel) : 1.0;
  return (1.0 - steps_down) * (numbers::smooth((part - RISES) / TURNS) - numbers::smooth((part - SINKS) / TURNS));
}

// Return how the sole of a foot lies, given the `foot_of` a leg: as the ground while it stands.
//
// In the air it turns with the third segment, which has that angle above the ground, as far as
// there is room below: toes and heel reach half as far as that segment is long. Toes rise only for
// a landing on the heel.
inline records::Lie sole_of(
  const anatomy::Leg &leg,
  const records::Step &step,
  const numbers::Point &foot,
  double angle
) {
  if (step.down || leg.third == 0.0) return step.lie;
  const double turned = numbers::smooth(step.part / rhythm::DECIDED);
  const double most = transcendental::arctangent(numbers::larger(foot.y - step.base, 0.0), 0.5 * leg.third);
  const double bent = leg.rest + numbers::mix(step.slope_before, step.slope, turned) - angle;
  const double rises = leg.heel > 0.0 ? most : 0.0;
  return records::Lie{
    numbers::mix(step.lie_before.pitch, step.lie.pitch, turned) + numbers::clamp(bent, -most, rises),
    numbers::mix(step.lie_before.roll, step.lie.roll, turned)
  };
}

// Return the angle of the third segment above the ground: it lands, rolls, peels off, curls.
inline double angle_of(const anatomy::Leg &leg, const records::Walk &walk, const records::Step &step) {
  const double duty = walk.duty.at;
  const double vigour = walk.vigour.at;
  double bent{};
  if (!step.down) {
    const double part = step.part;
    const double turned = numbers::smooth(part / rhythm::DECIDED);
    double stretched = numbers::smooth(2.0 * part - 1.0);
    if (leg.heel > 0.0) {
      stretched = toes_up(leg, step, step.goal, part + LEAD);
    }
    bent = leg.peel * (1.0 - numbers::smooth(part / UNPEELED)) + leg.curl * swings::arc(part) - leg.land * stretched;
    return leg.rest + vigour * bent + numbers::mix(step.slope_before, step.slope, turned);
  }
  double landed = 1.0;
  double left = 0.0;
  if (walk.rate > 0.0) {
    if (leg.heel == 0.0) {
      landed = numbers::smooth(step.since / (LANDED * duty));
    }
    left = step.phase < duty ? step.phase / duty : 1.0;
  }
  bent = landed * leg.peel * numbers::smooth(2.0 * left - 1.0) - (1.0 - landed) * leg.land;
  return leg.rest + vigour * bent + step.slope;
}
}
