// The way of the trunk: its middle with the velocity, each station after the one before it.
//
// Printed from creature/stepping/path.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "limbs.hpp"
#include "numbers.hpp"
#include "records.hpp"
#include "rhythm.hpp"

namespace twobone::stepping::path {

// A station as it will be: where it is, and where it faces.
struct Seen {
  double x;
  double z;
  transcendental::Turn turn;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("x", self.x);
    visitor("z", self.z);
    visitor("turn", self.turn);
  }
};

inline constexpr double FOLDED = 0.5; // of the third segment: the length of it that a folded leg uses; taste

inline constexpr double RESTS = 8.0; // time constants in which a damped number goes to 3 thousandths of its way: a law

inline double reach_of(const anatomy::Leg &leg, double used);
inline double fold_of(const anatomy::Leg &leg, double used);
inline numbers::Above velocity(const records::Walk &walk, double aside, double ahead);
inline void advance(const anatomy::Anatomy &animal, records::Walk &walk, double vx, double vz, double share, double dt);
inline void turn_stations(const anatomy::Anatomy &animal, records::Walk &walk, double dt);
inline double swinging(const anatomy::Anatomy &animal, double ahead, double turn);
inline double bends(const anatomy::Anatomy &animal);
inline void set_yaw(records::Walk &walk, py::Int i, double yaw, double dt);
inline void place_stations(const anatomy::Anatomy &animal, records::Walk &walk, double dt);
inline double height(const records::Station &station);
inline Seen ahead(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const records::Station &station,
  double seconds
);
inline numbers::Above at_rest(const anatomy::Leg &leg, double x, double z, const transcendental::Turn &turn);
inline double lasting(const anatomy::Anatomy &animal, const records::Walk &walk, double seconds);
inline numbers::Above wanted(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  const records::Step &step
);
inline double strides(const anatomy::Anatomy &animal, const records::Walk &walk);
inline double resting(const anatomy::Anatomy &animal);
inline double left_to_go(const anatomy::Anatomy &animal, const records::Walk &walk);
inline bool is_stiff(const anatomy::Anatomy &animal);

// Return the distance between hip and foot at which two bones use that part of their reach.
inline double reach_of(const anatomy::Leg &leg, double used) {
  return used * (leg.upper + leg.lower) + leg.third;
}

// Return the least distance from hip to foot, where two bones keep that part of their reach.
inline double fold_of(const anatomy::Leg &leg, double used) {
  return limbs::range_of(leg, used, 1.0).least + FOLDED * leg.third;
}

// Return a velocity in the world, given to the left and ahead of each station of a trunk.
inline numbers::Above velocity(const records::Walk &walk, double aside, double ahead) {
  double x = 0.0;
  double z = 0.0;
  for (const records::Station &station : walk.stations) {
    x += aside * station.facing.c + ahead * station.facing.s;
    z += ahead * station.facing.c - aside * station.facing.s;
  }
  return numbers::Above{x / py::Int(walk.stations.size()), z / py::Int(walk.stations.size())};
}

// Move the trunk for a time, with the share of a velocity that legs allow.
inline void advance(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  double vx,
  double vz,
  double share,
  double dt
) {
  // It slows down at once and speeds up at ease.
  const double rate = share < walk.slow ? rhythm::WITH_SWINGS * rhythm::clock(animal, walk) : rhythm::AT_EASE;
  walk.slow = rhythm::eased(walk.slow, share, rate, dt);
  walk.x += vx * walk.slow * dt;
  walk.z += vz * walk.slow * dt;
  turn_stations(animal, walk, dt);
  place_stations(animal, walk, dt);
}

// Turn the station that leads; each other follows the one before it, as a trailer does.
//
// Between two, the line has their mean yaw. If both go straight ahead, it turns by their sideways
// difference: gap (spin + spin before) / 2 = v (yaw before - yaw). What a trunk cannot follow,
// since it would have to bend more than it can, it turns as a whole.
inline void turn_stations(const anatomy::Anatomy &animal, records::Walk &walk, double dt) {
  const py::Int count = py::Int(walk.stations.size());
  const bool forward = walk.ahead.at >= 0.0;
  const py::Int lead = forward ? count - 1 : 0;
  const double whole = swinging(animal, walk.ahead.at, walk.turn.at) * walk.slow;
  double spin = walk.turn.at * walk.slow - whole;
  double yaw = walk.stations[lead].yaw;
  double after = yaw + (spin + whole) * dt;
  set_yaw(walk, lead, after, dt);
  if (count > 1) {
    const double gap = (animal.along[count - 1] - animal.along[0]) / (count - 1);
    const double rate = std::fabs(walk.ahead.at) * walk.slow / gap;
    for (py::Int j = 1; j < count; j++) {
      const py::Int i = forward ? lead - j : j;
      const double was = walk.stations[i].yaw;
      spin = 2.0 * rate * (yaw - was) - spin;
      const double now = was + (spin + whole) * dt;
      after -= numbers::clamp(after - now, -animal.bend, animal.bend);
      yaw = was;
      set_yaw(walk, i, after, dt);
    }
  }
}

// Return the yaw rate by which a trunk turns as a whole.
//
// It is what is left of a turn when the trunk bends as the way does that it goes, or as it can.
inline double swinging(const anatomy::Anatomy &animal, double ahead, double turn) {
  if (animal.span == 0.0) return turn;
  const double most = bends(animal) * std::fabs(ahead) / animal.span;
  return turn - numbers::clamp(turn, -most, most);
}

// Return the angle by which a trunk bends at most, from end to end.
inline double bends(const anatomy::Anatomy &animal) {
  return (py::Int(animal.along.size()) - 1) * animal.bend;
}

// Turn a station to a yaw.
inline void set_yaw(records::Walk &walk, py::Int i, double yaw, double dt) {
  records::Station &station = walk.stations[i];
  station.spin = (yaw - station.yaw) / dt;
  station.yaw = yaw;
  station.facing = numbers::facing(yaw);
}

// Place the stations along a line through the middle; a part of it has its ends' mean yaw.
//
// Where the trunk rises, its stations are nearer to each other, seen from above. With `dt` 0 they
// have no velocity.
inline void place_stations(const anatomy::Anatomy &animal, records::Walk &walk, double dt) {
  const py::Int count = py::Int(walk.stations.size());
  double x = 0.0;
  double z = 0.0;
  double sum_x = 0.0;
  double sum_z = 0.0;
  double yaw = 0.0;
  py::List<double> xs = py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; });
  py::List<double> zs = py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; });
  for (py::Int k = 0; k < count; k++) {
    if (k > 0) {
      const double rise = height(walk.stations[k]) - height(walk.stations[k - 1]);
      double gap = animal.along[k] - animal.along[k - 1];
      gap = gap * gap / std::sqrt(gap * gap + rise * rise);
      const transcendental::Turn mean = numbers::facing(0.5 * (walk.stations[k].yaw + walk.stations[k - 1].yaw));
      x += gap * mean.s;
      z += gap * mean.c;
    }
    xs[k] = x;
    zs[k] = z;
    sum_x += x / count;
    sum_z += z / count;
    yaw += walk.stations[k].yaw / count;
  }
  walk.yaw = yaw;
  const transcendental::Turn turn = numbers::facing(yaw);
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    records::Station &station = walk.stations[k];
    const double was_x = station.x;
    const double was_z = station.z;
    station.x = walk.x + xs[k] - sum_x + animal.middle * turn.s;
    station.z = walk.z + zs[k] - sum_z + animal.middle * turn.c;
    station.ux = dt > 0.0 ? (station.x - was_x) / dt : 0.0;
    station.uz = dt > 0.0 ? (station.z - was_z) / dt : 0.0;
  }
}

// Return the height of a station over that of level ground.
inline double height(const records::Station &station) {
  return station.level.at + station.shift.at;
}

// Return a station after some time, if it goes on as now or slows down.
inline Seen ahead(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const records::Station &station,
  double seconds
) {
  if (seconds == 0.0) return Seen{station.x, station.z, station.facing};
  const double way = lasting(animal, walk, seconds);
  const double turned = station.spin * way;
  const transcendental::Turn half = numbers::facing(0.5 * turned);
  const double x = station.x + (station.ux * half.c + station.uz * half.s) * way;
  const double z = station.z + (station.uz * half.c - station.ux * half.s) * way;
  return Seen{x, z, numbers::facing(station.yaw + turned)};
}

// Return where the foot of a leg is at rest, beside its station.
inline numbers::Above at_rest(const anatomy::Leg &leg, double x, double z, const transcendental::Turn &turn) {
  return numbers::placed(x, z, turn, leg.foot_aside, leg.foot_ahead);
}

// Return the seconds in which a trunk would come as far, if it went on as fast as now.
//
// Its velocity v follows what is asked for as a critically damped number. Where it becomes slower,
// along the way that it goes, it is (g + (a + (s + r a) t) exp(-r t)) v, with the share g of v
// that it shall have, a = 1 - g, the rate r, and the share s by which it changes in a second.
inline double lasting(const anatomy::Anatomy &animal, const records::Walk &walk, double seconds) {
  const double h = animal.hip * animal.hip;
  const double aside = walk.aside.at;
  const double forward = walk.ahead.at;
  const double turn = h * walk.turn.at;
  const double square = aside * aside + forward * forward + turn * walk.turn.at + numbers::TINY * numbers::TINY;
  const records::Order &asked = walk.asked;
  double goal = (asked.aside * aside + asked.ahead * forward + asked.turn * turn) / square;
  if (goal >= 1.0) return seconds;
  goal = numbers::larger(goal, 0.0);
  const double away = 1.0 - goal;
  const double change = walk.aside.speed * aside + walk.ahead.speed * forward + walk.turn.speed * turn;
  const double rate = rhythm::answer(animal);
  const double push = numbers::smaller(change / square, 0.0) + rate * away;
  const double decay = transcendental::exponential(-rate * seconds);
  const double damped = away * (1.0 - decay) + push * ((1.0 - decay) / rate - seconds * decay);
  return numbers::larger(goal * seconds + damped / rate, 0.0);
}

// Return where a foot wants to land: it is at rest there when its station is over it.
//
// In the middle of a stance, it is the foothold of Raibert (Legged robots that balance, 1986)
// without its correction. A foot that lands on its heel and lifts from its toes stands later. It
// need not step again where the trunk comes to rest, if it reaches that place.
inline numbers::Above wanted(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const records::Walk &walk,
  const records::Step &step
) {
  const records::Station &station = walk.stations[leg.station];
  const double landing = rhythm::left_to_swing(animal, walk, step);
  double seconds = landing + rhythm::over_of(animal, walk) * walk.duty.at / rhythm::clock(animal, walk);
  if (walk.stops) {
    const double rest = resting(animal);
    const double left = lasting(animal, walk, rest) - lasting(animal, walk, landing);
    if (left * strides(animal, walk) <= 0.5) {
      seconds = rest;
    }
  }
  const Seen there = ahead(animal, walk, station, seconds);
  return at_rest(leg, there.x, there.z, there.turn);
}

// Return over how many of the longest stances a trunk goes in a second.
inline double strides(const anatomy::Anatomy &animal, const records::Walk &walk) {
  return std::fabs(walk.ahead.at) / animal.travel + std::fabs(walk.aside.at) / animal.across;
}

// Return the seconds in which an animal that stops comes to rest, nearly: see `RESTS`.
inline double resting(const anatomy::Anatomy &animal) {
  return RESTS / rhythm::answer(animal);
}

// Return how far an animal that stops still goes; a turn counts a hip's height from it.
inline double left_to_go(const anatomy::Anatomy &animal, const records::Walk &walk) {
  const double speed = std::fabs(walk.aside.at) + std::fabs(walk.ahead.at) + std::fabs(walk.turn.at) * animal.hip;
  return speed * lasting(animal, walk, resting(animal));
}

// Return whether the stations of a trunk rise and sink together.
inline bool is_stiff(const anatomy::Anatomy &animal) {
  return animal.limp < 0.5;
}
}
