// Room for the belly: the trunk clears the ground, and stops before what is too high.
//
// Printed from creature/stepping/belly.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "records.hpp"
#include "rhythm.hpp"
#include "support.hpp"
#include "swings.hpp"

namespace twobone::stepping::belly {

inline constexpr double NINE_TENTHS = 3.9; // time constants in which a damped number goes nine tenths of its way: a law

inline constexpr py::Int AHEAD = 3; // places on the way of a station at which the ground is looked at

inline constexpr double ROOM = 0.5; // of the hip: a trunk stops so far before a wall, for its head and its knees; taste

template <class Ground> void free_belly(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const records::Pose &pose,
  double heave,
  const Ground &ground,
  py::List<double> &least
);
template <class Ground> double top_under(
  const anatomy::Anatomy &animal,
  double x,
  double z,
  const transcendental::Turn &turn,
  double rolled,
  const Ground &ground
);
template <class Ground> bool is_walled(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  py::Int k,
  double x,
  double z,
  double most,
  const Ground &ground
);
inline double foresight(const anatomy::Anatomy &animal, const records::Walk &walk);
inline void keep_off(const anatomy::Anatomy &animal, const records::Walk &walk, records::Pose &pose);
inline double folded_by(const anatomy::Leg &leg, const records::Stand &stand);

// Note by how much each station must rise at the least for its belly, now and on its way.
//
// It looks as far ahead as it comes while its height changes, as slowly as its legs let it, but
// not so slowly that it would be blocked. It goes on no faster than it can rise to what comes, and
// stops before ground that is too high for its legs to carry it over: see `is_walled`.
template <class Ground> void free_belly(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const records::Pose &pose,
  double heave,
  const Ground &ground,
  py::List<double> &least
) {
  const numbers::Above v = path::velocity(walk, walk.aside.at, walk.ahead.at);
  const double seconds = foresight(animal, walk);
  const double clear = animal.belly + swings::CLEARANCE * animal.hip;
  const double room = ROOM * animal.hip;
  const double rolled = numbers::facing(walk.roll.at).s;
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    records::Station &station = walk.stations[k];
    const records::Frame &frame = pose.frames[k];
    const double own = frame.y - heave;
    const double top = top_under(animal, frame.x, frame.z, station.facing, rolled, ground);
    station.under = top + animal.belly;
    const double most = station.level.at + animal.highest - clear;
    const double ux = (v.x + walk.turn.at * (station.z - walk.z)) * seconds;
    const double uz = (v.z - walk.turn.at * (station.x - walk.x)) * seconds;
    const double far = std::sqrt(ux * ux + uz * uz);
    const double slow = numbers::larger(walk.slow, rhythm::ENOUGH);
    const double near = slow * far;
    station.floor = top + clear;
    station.free = 1.0;
    double lacks = station.floor - own;
    const double coming = numbers::larger(station.goal - station.level.at, 0.0);
    if (far > numbers::TINY) {
      for (py::Int n = 0; n < AHEAD; n++) {
        const double before = double(n) / AHEAD;
        const double part = (n + 1.0) / AHEAD;
        const double x = frame.x + part * near / far * ux;
        const double z = frame.z + part * near / far * uz;
        const double high = top_under(animal, x, z, station.facing, rolled, ground);
        const double rise = numbers::smaller(station.level.speed * part * slow * seconds, coming);
        double need = high + clear - (own + rise);
        lacks = numbers::larger(lacks, need);
        need -= station.shift.at + clear - animal.belly;
        if (need > 0.0) {
          // Legs that hold it down give up, or step up, while it sinks into them.
          const double risen = numbers::larger(station.fastest * seconds, support::SINKS * animal.hip);
          station.free = numbers::smaller(station.free, before * near / far * risen / need);
        }
        const double reach = walk.slow + room / far;
        if (is_walled(animal, walk, k, part * reach * ux, part * reach * uz, most, ground)) {
          station.free = numbers::smaller(station.free, numbers::larger(before * reach - room / far, 0.0));
          break;
        }
      }
    }
    least[k] = numbers::larger(least[k], lacks);
  }
}

// Return how high a station must be for the ground across its width.
//
// `rolled` is the sine of its roll.
template <class Ground> double top_under(
  const anatomy::Anatomy &animal,
  double x,
  double z,
  const transcendental::Turn &turn,
  double rolled,
  const Ground &ground
) {
  double top = ground(x, z);
  if (animal.half > 0.0) {
    const numbers::Above left = numbers::placed(x, z, turn, animal.half, 0.0);
    const numbers::Above right = numbers::placed(x, z, turn, -animal.half, 0.0);
    const double up = animal.half * rolled;
    top = numbers::larger(top, ground(left.x, left.z) - up);
    top = numbers::larger(top, ground(right.x, right.z) + up);
  }
  return top;
}

// Return whether a station that moves by (x, z), or a foot beside it, comes to such a height.
//
// A foot beside which the ground is so high already is left to its footholds. The station rises
// with the ground there that its feet find where they stand nearest to it.
template <class Ground> bool is_walled(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  py::Int k,
  double x,
  double z,
  double most,
  const Ground &ground
) {
  const records::Station &station = walk.stations[k];
  const double top = ground(station.x + x, station.z + z);
  double rises = 0.0;
  double feet = 0.0;
  for (const anatomy::Leg &leg : animal.legs) {
    if (leg.station == k) {
      const numbers::Above foot = path::at_rest(leg, station.x, station.z, station.facing);
      if (ground(foot.x + x, foot.z + z) > most && ground(foot.x, foot.z) <= most) return true;
      if (top > most) {
        const double aside = animal.wide * leg.foot_aside;
        const numbers::Above near = numbers::placed(
          station.x + x,
          station.z + z,
          station.facing,
          aside,
          leg.foot_ahead
        );
        rises += ground(near.x, near.z) - station.level.at;
        feet += 1.0;
      }
    }
  }
  return top > most + numbers::larger(rises / numbers::larger(feet, 1.0), 0.0);
}

// Return the seconds in which a height goes nine tenths of its way: see `WITH_STEPS`.
inline double foresight(const anatomy::Anatomy &animal, const records::Walk &walk) {
  return NINE_TENTHS / (rhythm::WITH_STEPS * rhythm::clock(animal, walk));
}

// Keep the belly out of the ground and over folded legs: the one constraint on a pose.
//
// The hips of the pose are not yet shifted with their stations.
inline void keep_off(const anatomy::Anatomy &animal, const records::Walk &walk, records::Pose &pose) {
  py::List<double> up = py::map(
    py::Count{py::Int(pose.frames.size())},
    [&]([[maybe_unused]] const auto &k) { return numbers::larger(walk.stations[k].under - pose.frames[k].y, 0.0); }
  );
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    const records::Stand &stand = pose.stands[i];
    if (stand.down) {
      const double shift = walk.stations[leg.station].shift.at;
      up[leg.station] = numbers::larger(up[leg.station], folded_by(leg, stand) - shift);
    }
  }
  double most = 0.0;
  for (py::Int k = 0; k < py::Int(up.size()); k++) {
    most = numbers::larger(most, up[k]);
  }
  for (py::Int k = 0; k < py::Int(pose.frames.size()); k++) {
    records::Frame &frame = pose.frames[k];
    frame.y += path::is_stiff(animal) ? most : up[k];
  }
}

// Return by how much a hip must rise until its leg is folded no further than it can.
inline double folded_by(const anatomy::Leg &leg, const records::Stand &stand) {
  const double least = limbs::range_of(leg, 0.0, 1.0).least - leg.third;
  const double dx = stand.hip.x - stand.foot.x;
  const double dz = stand.hip.z - stand.foot.z;
  const double square = least * least - dx * dx - dz * dz;
  if (least <= 0.0 || square <= 0.0) return -numbers::HUGE_;
  return std::sqrt(square) - (stand.hip.y - stand.foot.y);
}
}
