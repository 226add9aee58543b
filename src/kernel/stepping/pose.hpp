// The trunk in space, from the path, the levels and the rhythm of the legs.
//
// Printed from creature/stepping/pose.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "belly.hpp"
#include "hanging.hpp"
#include "knees.hpp"
#include "levels.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "records.hpp"
#include "rhythm.hpp"
#include "soles.hpp"
#include "support.hpp"
#include "thirds.hpp"

namespace twobone::stepping::pose {

// Cosines and sines of the angles of a station.
struct Tilt {
  transcendental::Turn yaw;
  transcendental::Turn pitch;
  transcendental::Turn roll;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("yaw", self.yaw);
    visitor("pitch", self.pitch);
    visitor("roll", self.roll);
  }
};

inline constexpr double CROUCH = 0.8; // of the hip per squared radian: an animal that leans sinks so much; taste

inline constexpr double TUCK = 0.22; // of the trunk's length per radian: an arched back draws its ends together; taste

inline constexpr double SLOW = 0.13;
inline constexpr double QUICK = 0.21; // shifts of weight per breath: two waves that repeat together late; taste

inline records::Pose blank(const anatomy::Anatomy &animal);
template <class Ground> void put(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  const Ground &ground,
  double dt
);
inline void put_leg(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  py::Int i,
  const Tilt &tilt
);
template <class Ground> void turn_knee(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  py::Int i,
  const Ground &ground,
  double dt
);
inline void bend_trunk(const anatomy::Anatomy &animal, records::Walk &walk, const records::Sums &swings, double dt);
inline void put_trunk(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const records::Sums &swings,
  records::Pose &pose
);
inline double breathed(const anatomy::Anatomy &animal, const records::Walk &walk);
inline double shifted(const anatomy::Anatomy &animal, const records::Walk &walk);
inline Tilt tilt_of(const records::Frame &frame);
inline numbers::Point hip_of(const anatomy::Leg &leg, const records::Frame &frame, const Tilt &tilt);

// Return a pose that is still to be filled.
inline records::Pose blank(const anatomy::Anatomy &animal) {
  return records::Pose{
    py::map(animal.along, [&]([[maybe_unused]] const auto &_) { return records::Frame{0.0, 0.0, 0.0, 0.0, 0.0, 0.0}; }),
    py::map(
      animal.legs,
      [&]([[maybe_unused]] const auto &_) { return records::Stand{
        numbers::Point{0.0, 0.0, 0.0},
        numbers::Point{0.0, 0.0, 0.0},
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        0.0,
        true
      }; }
    ),
    py::map(animal.links, [&]([[maybe_unused]] const auto &_) { return records::Angles{0.0, 0.0, 0.0}; }),
    py::map(py::Count{animal.tail}, [&]([[maybe_unused]] const auto &_) { return 0.0; }),
    py::map(py::Count{animal.tail}, [&]([[maybe_unused]] const auto &_) { return 0.0; })
  };
}

// Put an animal into its pose after a time, in which what follows the legs moves on.
template <class Ground> void put(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  const Ground &ground,
  double dt
) {
  records::Sums swings = rhythm::sums(animal, walk);
  bend_trunk(animal, walk, swings, dt);
  support::over_feet(animal, walk, dt);
  put_trunk(animal, walk, swings, pose);
  py::List<Tilt> tilts = py::map(pose.frames, [&]([[maybe_unused]] const auto &frame) { return tilt_of(frame); });
  const double rate = rhythm::WITH_SWINGS * rhythm::clock(animal, walk);
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    records::Step &step = walk.steps[i];
    records::Stand &stand = pose.stands[i];
    rhythm::settle(step.angle, soles::angle_of(leg, walk, step), rate, dt);
    rhythm::settle(step.hold, thirds::hold_of(walk, step), rate, dt);
    stand.hip = hip_of(leg, pose.frames[leg.station], tilts[leg.station]);
    stand.foot = soles::foot_of(animal, walk, leg, step);
    stand.facing = step.facing;
    stand.down = step.down;
    stand.gives = step.down ? 0.0 : 4.0 * step.part * (1.0 - step.part);
  }
  levels::shift(animal, walk, pose, swings.heave, ground, dt);
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    const records::Station &station = walk.stations[k];
    pose.frames[k].y += station.shift.at;
  }
  belly::keep_off(animal, walk, pose);
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    put_leg(animal, walk, pose, i, tilts[animal.legs[i].station]);
    turn_knee(animal, walk, pose, i, ground, dt);
  }
  hanging::hang(animal, walk, swings, pose, dt);
  hanging::follow(animal, walk, pose, dt);
}

// Put the hip of a leg on its station, and turn third segment and sole as that lets them.
inline void put_leg(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  py::Int i,
  const Tilt &tilt
) {
  const anatomy::Leg &leg = animal.legs[i];
  records::Step &step = walk.steps[i];
  records::Stand &stand = pose.stands[i];
  const numbers::Point hip = hip_of(leg, pose.frames[leg.station], tilt);
  const double angle = step.angle.at;
  const double hold = step.hold.at;
  step.hip = hip;
  stand.hip = hip;
  stand.angle = thirds::angle_with(animal, leg, hip, stand.foot, angle, hold, step.toes, tilt.yaw);
  const records::Lie sole = soles::sole_of(leg, step, stand.foot, stand.angle);
  stand.pitch = sole.pitch;
  stand.roll = sole.roll;
}

// Turn the knee of a leg aside where the ground is in its way, and back with less haste.
template <class Ground> void turn_knee(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  records::Pose &pose,
  py::Int i,
  const Ground &ground,
  double dt
) {
  numbers::Damped &splay = walk.steps[i].splay;
  const double goal = knees::splayed(animal, animal.legs[i], pose.stands[i], splay.at, ground);
  const double rate = std::fabs(goal) > std::fabs(splay.at) ? rhythm::WITH_KNEES : rhythm::WITH_SWINGS;
  rhythm::settle(splay, goal, rate * rhythm::clock(animal, walk), dt);
  pose.stands[i].splay = splay.at;
}

// Move girdles and back with the feet, and lean, bank and rise with the speed.
inline void bend_trunk(const anatomy::Anatomy &animal, records::Walk &walk, const records::Sums &swings, double dt) {
  const py::Int count = py::Int(walk.stations.size());
  const double rate = rhythm::WITH_SWINGS * rhythm::clock(animal, walk);
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    records::Station &station = walk.stations[k];
    const double part = count > 1 ? double(k) / (count - 1.0) : 0.0;
    const anatomy::Manner &manner = animal.manner;
    const double yaw = manner.pelvis_yaw + (manner.shoulder_yaw - manner.pelvis_yaw) * part;
    rhythm::settle(station.swing, -0.5 * yaw * swings.apart[k], rate, dt);
    rhythm::settle(station.drop, 0.5 * manner.drop * walk.vigour.at * swings.air[k], rate, dt);
  }
  const double flex = 0.5 * walk.flex.at * (swings.fore[0] - swings.fore[count - 1]);
  rhythm::settle(walk.back, flex, rate, dt);
  const double lean = animal.gaits[walk.gait].lean * walk.vigour.at;
  const double bank = animal.manner.bank * walk.ahead.at * walk.turn.at / numbers::GRAVITY;
  rhythm::settle(walk.lean, lean, rhythm::AT_EASE, dt);
  rhythm::settle(walk.bank, numbers::clamp(bank, -rhythm::MOST_TILT, rhythm::MOST_TILT), rhythm::AT_EASE, dt);
  const double rise = animal.gaits[walk.gait].rise * animal.hip * walk.vigour.at;
  rhythm::settle(walk.beat, walk.rate, rhythm::AT_EASE, dt);
  walk.breath += animal.manner.breathes * (1.0 + walk.vigour.at) * dt;
  rhythm::settle(walk.rise, rise, rhythm::WITH_GAITS * rhythm::clock(animal, walk), dt);
}

// Put the stations of the trunk where they are before they are shifted.
inline void put_trunk(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const records::Sums &swings,
  records::Pose &pose
) {
  const py::Int count = py::Int(walk.stations.size());
  const transcendental::Turn turn = numbers::facing(walk.yaw);
  const double sway = swings.sway + shifted(animal, walk);
  const double x = walk.balance_x.at + sway * turn.c;
  const double z = walk.balance_z.at - sway * turn.s;
  const double lean = walk.lean.at + animal.manner.lean * walk.felt_ahead.speed / numbers::GRAVITY;
  const double bank = walk.bank.at + animal.manner.bank * walk.felt_aside.speed / numbers::GRAVITY;
  const double crouch = CROUCH * animal.hip * lean * lean + breathed(animal, walk);
  for (py::Int k = 0; k < py::Int(pose.frames.size()); k++) {
    records::Frame &frame = pose.frames[k];
    const records::Station &station = walk.stations[k];
    const py::Int a = k + 1 < count ? k + 1 : k;
    const py::Int b = k > 0 ? k - 1 : 0;
    double tilt = 0.0;
    if (count > 1) {
      const double up = path::height(walk.stations[a]) - path::height(walk.stations[b]);
      tilt = up / (animal.along[a] - animal.along[b]);
    }
    const double end = count > 1 ? 2.0 * k / (count - 1.0) - 1.0 : 0.0;
    const double aside = animal.manner.ripple * animal.hip * walk.vigour.at * swings.air[k];
    const double tuck = -TUCK * animal.span * end * walk.back.at;
    const double high = animal.height + station.level.at + walk.rise.at + swings.heave - crouch;
    frame.x = station.x + x + tuck * station.facing.s - aside * station.facing.c;
    frame.y = high + (animal.along[k] - animal.middle) * (swings.pitch - lean);
    frame.z = station.z + z + tuck * station.facing.c + aside * station.facing.s;
    frame.yaw = station.yaw + station.swing.at;
    frame.pitch = tilt + swings.pitch - lean - walk.back.at * end;
    frame.roll = walk.roll.at + swings.roll - bank + station.drop.at;
  }
}

// Return how far the trunk has sunk, as it breathes.
inline double breathed(const anatomy::Anatomy &animal, const records::Walk &walk) {
  return 0.5 * animal.manner.breath * animal.hip * (1.0 - numbers::facing(2.0 * 3.141592653589793 * walk.breath).c);
}

// Return how far to the left an animal that stands has shifted its weight.
inline double shifted(const anatomy::Anatomy &animal, const records::Walk &walk) {
  const double turns = 2.0 * 3.141592653589793 * walk.breath;
  const double waves = numbers::facing(SLOW * turns).s + numbers::facing(QUICK * turns).s;
  return 0.5 * (1.0 - walk.vigour.at) * animal.manner.shift * animal.hip * waves;
}

// Return the rotation of a station.
inline Tilt tilt_of(const records::Frame &frame) {
  return Tilt{numbers::facing(frame.yaw), numbers::facing(frame.pitch), numbers::facing(frame.roll)};
}

// Return the hip of a leg that a station bears.
inline numbers::Point hip_of(const anatomy::Leg &leg, const records::Frame &frame, const Tilt &tilt) {
  const double aside = leg.aside * tilt.roll.c - leg.up * tilt.roll.s;
  const double up = leg.aside * tilt.roll.s + leg.up * tilt.roll.c;
  const double ahead = -up * tilt.pitch.s;
  const numbers::Above hip = numbers::placed(frame.x, frame.z, tilt.yaw, aside, ahead);
  return numbers::Point{hip.x, frame.y + up * tilt.pitch.c, hip.z};
}
}
