// The trunk in space, from the path, the levels and the rhythm of the legs.
//
// Printed from creature/stepping/pose.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "belly.hpp"
#include "legs.hpp"
#include "levels.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "records.hpp"
#include "rhythm.hpp"
#include "support.hpp"

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

inline constexpr double STILL_HEAD = 0.8; // of the yaw and pitch of the front station, which the head undoes; taste

inline constexpr double LASH = 9.0; // radians per second: a link of the tail, if it swings freely; taste

template <class Ground> records::Pose posed(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const Ground &ground,
  double dt
);
inline void bend_trunk(const anatomy::Anatomy &animal, records::Walk &walk, const records::Sums &swings, double dt);
inline records::Pose trunk(const anatomy::Anatomy &animal, const records::Walk &walk, const records::Sums &swings);
inline Tilt tilt_of(const records::Frame &frame);
inline numbers::Point hip_of(const anatomy::Leg &leg, const records::Frame &frame, const Tilt &tilt);
inline void follow(const anatomy::Anatomy &animal, records::Walk &walk, records::Pose &pose, double dt);
inline numbers::Damped lash(double place, double speed, double goal, double dt);

// Return the pose of an animal after a time, in which what follows the legs moves on.
template <class Ground> records::Pose posed(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const Ground &ground,
  double dt
) {
  records::Sums swings = rhythm::sums(animal, walk);
  bend_trunk(animal, walk, swings, dt);
  support::over_feet(animal, walk, dt);
  records::Pose pose = trunk(animal, walk, swings);
  py::List<Tilt> tilts = py::map(pose.frames, [&]([[maybe_unused]] const auto &frame) { return tilt_of(frame); });
  const double rate = rhythm::WITH_SWINGS * rhythm::clock(animal, walk);
  numbers::Point hip{};
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    records::Step &step = walk.steps[i];
    rhythm::settle(step.angle, legs::angle_of(leg, walk, step), rate, dt);
    hip = hip_of(leg, pose.frames[leg.station], tilts[leg.station]);
    pose.stands[i] = records::Stand{hip, step.foot, step.angle.at, step.facing, step.down};
  }
  levels::shift(animal, walk, pose, swings.heave, ground, dt);
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    const records::Station &station = walk.stations[k];
    pose.frames[k].y += station.shift.at;
  }
  belly::keep_off(animal, walk, pose.frames);
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    hip = hip_of(leg, pose.frames[leg.station], tilts[leg.station]);
    pose.stands[i].hip = hip;
    walk.steps[i].hip = hip;
  }
  follow(animal, walk, pose, dt);
  return pose;
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
    rhythm::settle(station.drop, 0.5 * manner.drop * walk.vigour * swings.air[k], rate, dt);
  }
  const double flex = 0.5 * walk.flex * (swings.fore[0] - swings.fore[count - 1]);
  rhythm::settle(walk.back, flex, rate, dt);
  const double lean = animal.manner.lean * walk.ahead.speed / numbers::GRAVITY;
  const double bank = animal.manner.bank * walk.ahead.at * walk.turn.at / numbers::GRAVITY;
  rhythm::settle(walk.lean, lean, rhythm::AT_EASE, dt);
  rhythm::settle(walk.bank, numbers::clamp(bank, -rhythm::MOST_TILT, rhythm::MOST_TILT), rhythm::AT_EASE, dt);
  const double rise = animal.gaits[walk.gait].rise * animal.hip * walk.vigour;
  rhythm::settle(walk.rise, rise, rhythm::WITH_STEPS * rhythm::clock(animal, walk), dt);
}

// Return the stations in space, before they are shifted; legs are still empty.
inline records::Pose trunk(const anatomy::Anatomy &animal, const records::Walk &walk, const records::Sums &swings) {
  const py::Int count = py::Int(walk.stations.size());
  const transcendental::Turn turn = numbers::facing(walk.yaw);
  const double x = walk.balance_x.at + swings.sway * turn.c;
  const double z = walk.balance_z.at - swings.sway * turn.s;
  const double lean = walk.lean.at;
  const double crouch = CROUCH * animal.hip * lean * lean;
  py::List<records::Frame> frames = py::List<records::Frame>{};
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    const records::Station &station = walk.stations[k];
    const py::Int a = k + 1 < count ? k + 1 : k;
    const py::Int b = k > 0 ? k - 1 : 0;
    double tilt = 0.0;
    if (count > 1) {
      const double up = path::height(walk.stations[a]) - path::height(walk.stations[b]);
      tilt = up / (animal.along[a] - animal.along[b]);
    }
    const double end = count > 1 ? 2.0 * k / (count - 1.0) - 1.0 : 0.0;
    const double tuck = -TUCK * animal.span * end * walk.back.at;
    frames.push_back(records::Frame{
      station.x + x + tuck * station.facing.s,
      animal.height + station.level.at + walk.rise.at + swings.heave - crouch
        + (animal.along[k] - animal.middle) * (swings.pitch - lean),
      station.z + z + tuck * station.facing.c,
      station.yaw + station.swing.at,
      tilt + swings.pitch - lean - walk.back.at * end,
      walk.roll.at + swings.roll - walk.bank.at + station.drop.at
    });
  }
  const numbers::Point origin = numbers::Point{0.0, 0.0, 0.0};
  py::List<records::Stand> stands = py::map(
    animal.legs,
    [&]([[maybe_unused]] const auto &_) { return records::Stand{origin, origin, 0.0, 0.0, true}; }
  );
  const py::Int links = py::Int(walk.tail_yaw.size());
  py::List<double> tail_yaw = py::map(py::Count{links}, [&]([[maybe_unused]] const auto &_) { return 0.0; });
  py::List<double> tail_pitch = py::map(py::Count{links}, [&]([[maybe_unused]] const auto &_) { return 0.0; });
  return records::Pose{std::move(frames), std::move(stands), 0.0, 0.0, std::move(tail_yaw), std::move(tail_pitch)};
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
  return numbers::Point{
    path::placed_x(frame.x, tilt.yaw, aside, ahead),
    frame.y + up * tilt.pitch.c,
    path::placed_z(frame.z, tilt.yaw, aside, ahead)
  };
}

// Let the head look where the animal goes, and the tail swing after the pelvis.
inline void follow(const anatomy::Anatomy &animal, records::Walk &walk, records::Pose &pose, double dt) {
  const py::Int count = py::Int(walk.stations.size());
  const records::Station &front = walk.stations[count - 1];
  double yaw = numbers::clamp(animal.manner.look * walk.turn.at, -rhythm::MOST_TILT, rhythm::MOST_TILT);
  rhythm::settle(walk.look, yaw, rhythm::AT_EASE, dt);
  pose.head_yaw = walk.look.at - STILL_HEAD * front.swing.at;
  pose.head_pitch = -STILL_HEAD * pose.frames[count - 1].pitch;
  yaw = animal.manner.wag * walk.stations[0].swing.at;
  double pitch = pose.frames[0].pitch;
  for (py::Int j = 0; j < py::Int(walk.tail_yaw.size()); j++) {
    walk.tail_yaw[j] = lash(walk.tail_yaw[j].at, walk.tail_yaw[j].speed, yaw, dt);
    walk.tail_pitch[j] = lash(walk.tail_pitch[j].at, walk.tail_pitch[j].speed, pitch, dt);
    yaw = walk.tail_yaw[j].at;
    pitch = walk.tail_pitch[j].at;
    pose.tail_yaw[j] = yaw - walk.stations[0].swing.at;
    pose.tail_pitch[j] = pitch - pose.frames[0].pitch;
  }
}

// Return a spring damped by half of the critical amount after a time, by a symplectic step.
inline numbers::Damped lash(double place, double speed, double goal, double dt) {
  const double acceleration = LASH * (LASH * (goal - place) - speed);
  const double faster = speed + acceleration * dt;
  return numbers::Damped{place + faster * dt, faster};
}
}
