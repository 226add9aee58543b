// What hangs on the trunk: neck, head, arms, ears and tail, as damped springs.
//
// Printed from creature/stepping/hanging.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "anatomy.hpp"
#include "numbers.hpp"
#include "records.hpp"
#include "rhythm.hpp"

namespace twobone::stepping::hanging {

inline constexpr double RUNS = 0.55; // the duty factor below which an animal begins to run; at half of it it does; taste

inline constexpr double SELDOM = 0.17;
inline constexpr double OFTEN = 0.29; // glances per breath of the first link, in two waves; others more

inline constexpr double ABRUPT = 4.0; // by which these waves are cut off: an animal looks somewhere for a while; taste

// Of a step: how long the head of a bird is held still in space (Frost, J. Exp. Biol. 74, 1978).
inline constexpr double HELD = 0.6;

inline constexpr double MOST_HELD = 0.3; // of the hip: half the way that a head can be held behind; taste

inline constexpr double NODS = 40.0; // radians per second: how soon a neck feels that its bearer rises; taste

inline constexpr double LASH = 14.0; // radians per second: a link of the tail, if it swings freely; taste

inline void hang(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const records::Sums &swings,
  records::Pose &pose,
  double dt
);
inline double running(const records::Walk &walk);
inline double glanced(const records::Walk &walk, double rate);
inline double nodded(const records::Walk &walk);
inline double held_back(const anatomy::Anatomy &animal, const records::Walk &walk);
inline void follow(const anatomy::Anatomy &animal, records::Walk &walk, records::Pose &pose, double dt);
inline void sway(numbers::Damped &value, double goal, double quick, double dt);

// Let neck, head, arms and the like follow what bears them, with goals of their own.
inline void hang(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const records::Sums &swings,
  records::Pose &pose,
  double dt
) {
  const py::Int count = py::Int(walk.stations.size());
  const records::Station &front = walk.stations[count - 1];
  const records::Frame &frame = pose.frames[count - 1];
  const double look = numbers::clamp(animal.manner.look * walk.turn.at, -rhythm::MOST_TILT, rhythm::MOST_TILT);
  rhythm::settle(walk.look, look, rhythm::AT_EASE, dt);
  sway(walk.front_high, frame.y, NODS, dt);
  const double rises = walk.front_high.speed / std::sqrt(numbers::GRAVITY * animal.hip);
  const double runs = running(walk);
  const double nod = (walk.vigour.at - runs) * nodded(walk);
  const double held = (walk.vigour.at - runs) * held_back(animal, walk);
  for (py::Int i = 0; i < py::Int(animal.links.size()); i++) {
    const anatomy::Link &link = animal.links[i];
    records::Hanging &own = walk.links[i];
    double yaw = front.swing.at;
    double pitch = frame.pitch;
    double roll = frame.roll;
    if (link.parent >= 0) {
      const records::Hanging &bearer = walk.links[link.parent];
      yaw = bearer.yaw.at;
      pitch = bearer.pitch.at;
      roll = bearer.roll.at;
    }
    yaw = link.twist * yaw + link.look * walk.look.at;
    if (link.glance > 0.0 && walk.vigour.at < 1.0 - numbers::TINY) {
      yaw += link.glance * glanced(walk, i + 1.0);
    }
    double swung = link.swing * (1.0 + link.pump * runs);
    swung *= link.leg >= 0 ? swings.ahead[link.leg] : 0.0;
    sway(own.yaw, yaw, link.quick, dt);
    swung += link.bobs * rises + link.run * runs - link.nod * nod + link.holds * held;
    swung -= link.trails * walk.felt_ahead.speed / numbers::GRAVITY;
    sway(own.pitch, link.tip * pitch + swung, link.quick, dt);
    const double rolled = link.tip * roll - link.trails * walk.felt_aside.speed / numbers::GRAVITY;
    sway(own.roll, rolled, link.quick, dt);
    pose.links[i] = records::Angles{own.yaw.at - front.swing.at, own.pitch.at - frame.pitch, own.roll.at - frame.roll};
  }
}

// Return how much of a run a gait is, 0 to 1: the less of a cycle feet stand, the more.
inline double running(const records::Walk &walk) {
  return walk.vigour.at * numbers::smooth(2.0 * (1.0 - walk.duty.at / RUNS));
}

// Return to where an animal that stands turns a link, -1 to 1: here and there for a while.
inline double glanced(const records::Walk &walk, double rate) {
  const double turns = 2.0 * 3.141592653589793 * walk.breath * rate;
  const double waves = numbers::facing(SELDOM * turns).s + numbers::facing(OFTEN * turns).s;
  return (1.0 - walk.vigour.at) * numbers::clamp(ABRUPT * waves, -1.0, 1.0);
}

// Return a wave, -1 to 1, that begins to rise when each of the two front feet lands.
inline double nodded(const records::Walk &walk) {
  const double landed = walk.phase - walk.steps[py::Int(walk.steps.size()) - 1].offset.at;
  return numbers::facing(4.0 * 3.141592653589793 * landed).s;
}

// Return how far behind its middle a head is that is held still in space, of the hip.
//
// In each step it goes back as fast as the body goes on, and while both feet stand it is thrust
// forward, by a cubic that begins and ends with the speed at which it goes back.
inline double held_back(const anatomy::Anatomy &animal, const records::Walk &walk) {
  if (walk.beat.at <= 0.0) return 0.0;
  const double landed = walk.phase - walk.steps[py::Int(walk.steps.size()) - 1].offset.at;
  const double part = numbers::wrapped(2.0 * landed - (walk.duty.at - 0.5)) + 0.5 * (1.0 - HELD);
  const double most = numbers::smaller(0.25 * HELD * walk.ahead.at / (walk.beat.at * animal.hip), MOST_HELD);
  if (part > 1.0 - HELD || part < 0.0) {
    const double begun = part > 0.0 ? part - (1.0 - HELD) : part + HELD;
    return most * (2.0 * begun / HELD - 1.0);
  }
  const double t = part / (1.0 - HELD);
  const double steep = 2.0 * (1.0 - HELD) / HELD;
  return most * (1.0 - 2.0 * numbers::smooth(t) + steep * t * (1.0 - t) * (1.0 - 2.0 * t));
}

// Let the tail swing after the pelvis, and its end stay behind as that goes up and down.
inline void follow(const anatomy::Anatomy &animal, records::Walk &walk, records::Pose &pose, double dt) {
  const anatomy::Manner &manner = animal.manner;
  double yaw = manner.wag * walk.stations[0].swing.at + walk.felt_aside.speed / numbers::GRAVITY;
  const double high = pose.frames[0].y;
  sway(walk.tail_high, high, LASH, dt);
  const double whipped = manner.whip * (high - walk.tail_high.at) / animal.hip;
  double pitch = pose.frames[0].pitch - manner.streams * running(walk);
  pitch += numbers::clamp(whipped, -rhythm::MOST_TILT, rhythm::MOST_TILT);
  for (py::Int j = 0; j < py::Int(walk.tail_yaw.size()); j++) {
    sway(walk.tail_yaw[j], yaw, LASH, dt);
    sway(walk.tail_pitch[j], pitch, LASH, dt);
    yaw = walk.tail_yaw[j].at;
    pitch = walk.tail_pitch[j].at;
    pose.tail_yaw[j] = yaw - walk.stations[0].swing.at;
    pose.tail_pitch[j] = pitch - pose.frames[0].pitch;
  }
}

// Move a spring damped by half of the critical amount, by a symplectic step.
//
// Without time, or if it is not `quick`, it is at its goal at once.
inline void sway(numbers::Damped &value, double goal, double quick, double dt) {
  if (dt > 0.0 && quick > 0.0) {
    value.speed += quick * (quick * (goal - value.at) - value.speed) * dt;
    value.at += value.speed * dt;
  } else {
    value.at = goal;
    value.speed = 0.0;
  }
}
}
