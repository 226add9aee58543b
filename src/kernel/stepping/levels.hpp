// How high the trunk is: over its feet, and shifted where belly or legs need room.
//
// Printed from creature/stepping/levels.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "anatomy.hpp"
#include "belly.hpp"
#include "lines.hpp"
#include "numbers.hpp"
#include "path.hpp"
#include "records.hpp"
#include "rhythm.hpp"
#include "support.hpp"

namespace twobone::stepping::levels {

inline constexpr double PUSH = 1.0; // of gravity: legs that bear twice the weight accelerate a body up by so much; taste

inline constexpr double FALL = 0.7; // of gravity: a body that sinks falls at most so fast, beside what its legs give; taste

inline void level(const anatomy::Anatomy &animal, records::Walk &walk, double dt);
inline void move(numbers::Damped &value, double goal, double rate, double fastest, double sinks, double dt);
template <class Ground> void shift(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const records::Pose &pose,
  double heave,
  const Ground &ground,
  double dt
);
inline double fastest_rise(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  const numbers::Point &hip
);
inline void free_leg(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const anatomy::Leg &leg,
  const records::Step &step,
  const numbers::Point &hip,
  py::List<double> &least,
  py::List<double> &down
);
inline numbers::Point moved(const records::Station &bearer, const numbers::Point &hip, double seconds);
inline double too_high(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot
);
inline double too_low(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot
);
inline double height_at(double distance, const numbers::Point &hip, const numbers::Point &foot);
inline void together(const anatomy::Anatomy &animal, py::List<double> &shifts);
inline void straighten(const anatomy::Anatomy &animal, records::Walk &walk);

// Move each station to the height of the ground under its feet, planned footholds included.
inline void level(const anatomy::Anatomy &animal, records::Walk &walk, double dt) {
  const py::Int count = py::Int(walk.stations.size());
  py::List<double> own = py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; });
  py::List<double> feet = py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; });
  double tipped = 0.0;
  double width = 0.0;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    const records::Step &step = walk.steps[i];
    own[leg.station] += step.base;
    feet[leg.station] += 1.0;
    tipped += step.base * leg.side;
    width += std::fabs(leg.foot_aside);
  }
  for (py::Int k = 0; k < count; k++) {
    own[k] /= feet[k];
  }
  const lines::Line fitted = lines::fit(animal, own);
  // Feet are farther apart than the stations over which the line is fitted.
  const double slope = animal.tilt / animal.fan * fitted.slope;
  const double rate = rhythm::WITH_STEPS * rhythm::clock(animal, walk);
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    records::Station &station = walk.stations[k];
    const double line = fitted.middle + slope * (animal.along[k] - animal.middle);
    double near = own[k];
    if (count > 2) {
      const py::Int before = k > 0 ? k - 1 : 0;
      const py::Int after = k + 1 < count ? k + 1 : k;
      near = (own[before] + 2.0 * own[k] + own[after]) / 4.0;
    }
    station.goal = line + animal.limp * (near - line);
    const double speed = station.level.speed;
    move(station.level, station.goal, rate, numbers::HUGE_, FALL * numbers::GRAVITY, dt);
    station.sinks = dt > 0.0 ? (speed - station.level.speed) / dt : 0.0;
  }
  rhythm::settle(walk.roll, animal.bank * tipped / width, rate, dt);
}

// Settle a height that rises at most so fast, and accelerates down by at most `sinks`.
inline void move(numbers::Damped &value, double goal, double rate, double fastest, double sinks, double dt) {
  const double before = value.at;
  const double speed = value.speed;
  rhythm::settle(value, goal, rate, dt);
  if (dt > 0.0) {
    const double most = PUSH * numbers::GRAVITY * dt;
    value.speed = numbers::clamp(numbers::smaller(value.speed, fastest), speed - sinks * dt, speed + most);
    value.at = before + 0.5 * (speed + value.speed) * dt;
  }
}

// Raise or lower stations, so that the belly clears the ground and legs reach their feet.
//
// Where both do not go together, the belly comes first, but the trunk rises no faster than legs
// that stand allow. Both are looked at now and when they will matter: the belly on its way, a leg
// when it lifts or lands, at most so far ahead. The heave of a pose is left out: it passes before
// a shift follows it.
template <class Ground> void shift(
  const anatomy::Anatomy &animal,
  records::Walk &walk,
  const records::Pose &pose,
  double heave,
  const Ground &ground,
  double dt
) {
  const py::Int count = py::Int(walk.stations.size());
  py::List<double> least = py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return -numbers::HUGE_; });
  py::List<double> down = py::map(py::Count{count}, [&]([[maybe_unused]] const auto &_) { return 0.0; });
  const double rate = rhythm::WITH_STEPS * rhythm::clock(animal, walk);
  belly::free_belly(animal, walk, pose, heave, ground, least);
  for (records::Station &station : walk.stations) {
    station.fastest = numbers::HUGE_;
  }
  bool flight = true;
  for (py::Int i = 0; i < py::Int(animal.legs.size()); i++) {
    const anatomy::Leg &leg = animal.legs[i];
    const records::Step &step = walk.steps[i];
    const numbers::Point &high = pose.stands[i].hip;
    const numbers::Point hip = numbers::Point{high.x, high.y - heave, high.z};
    flight = flight && !step.down;
    levels::free_leg(animal, walk, leg, step, hip, least, down);
    records::Station &bearer = walk.stations[leg.station];
    if (step.down) {
      bearer.fastest = numbers::smaller(bearer.fastest, fastest_rise(animal, walk, leg, step.foot, hip));
    } else if (animal.steady && step.part > rhythm::DECIDED) {
      // It cannot do without the foot that lands; until then, another place may do.
      const numbers::Point later = moved(bearer, hip, rhythm::left_to_swing(animal, walk, step));
      const numbers::Point there = numbers::Point{later.x, hip.y, later.z};
      const double fastest = fastest_rise(animal, walk, leg, step.goal, there);
      bearer.fastest = numbers::smaller(bearer.fastest, fastest);
    }
  }
  py::List<double> up = py::map(least, [&]([[maybe_unused]] const auto &rise) { return numbers::larger(rise, 0.0); });
  levels::together(animal, up);
  levels::together(animal, down);
  bool rises = false;
  if (path::is_stiff(animal)) {
    double slowest = numbers::HUGE_;
    for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
      records::Station &station = walk.stations[k];
      rises = rises || up[k] > 0.0;
      slowest = numbers::smaller(slowest, station.fastest);
    }
    for (records::Station &station : walk.stations) {
      station.fastest = slowest;
    }
  }
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    records::Station &station = walk.stations[k];
    double goal = up[k];
    if (rises || goal > 0.0) {
      station.floor = numbers::larger(station.floor, pose.frames[k].y - heave + goal);
    } else {
      goal = numbers::larger(-down[k], numbers::smaller(least[k], 0.0));
      if (flight) {
        goal = numbers::smaller(goal, station.shift.at);
      }
    }
    // Both together fall no faster than one may.
    const double sinks = numbers::clamp(FALL * numbers::GRAVITY - station.sinks, 0.0, FALL * numbers::GRAVITY);
    // A leg that cannot reach its foot lifts; it does not press the trunk into another one.
    const double room = numbers::smaller(rate * (least[k] - station.shift.at), 0.0);
    move(station.shift, goal, rate, numbers::larger(station.fastest, room), sinks, dt);
  }
  if (path::is_stiff(animal)) {
    straighten(animal, walk);
  }
}

// Return how fast a station may be shifted up for a leg that stands to keep its foot in reach.
//
// The nearer to the end of its reach, the slower; `hip` is its hip before the shift.
inline double fastest_rise(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const anatomy::Leg &leg,
  const numbers::Point &foot,
  const numbers::Point &hip
) {
  const records::Station &bearer = walk.stations[leg.station];
  const double top = foot.y + height_at(path::reach_of(leg, support::USED), hip, foot);
  const double left = top - hip.y - bearer.shift.at;
  const double rises = bearer.level.speed + leg.aside * walk.roll.speed;
  const double rate = rhythm::WITH_STEPS * rhythm::clock(animal, walk);
  const double brakes = std::sqrt(2.0 * FALL * numbers::GRAVITY * numbers::larger(left, 0.0));
  return numbers::smaller(rate * left, brakes) - rises;
}

// Note by how much the station of a leg must rise or sink for it, now and when it lifts.
//
// What a leg in the air needs where it will land counts more and more. Where `least` is below 0,
// a station may sink so far, and no farther for another leg.
inline void free_leg(
  const anatomy::Anatomy &animal,
  const records::Walk &walk,
  const anatomy::Leg &leg,
  const records::Step &step,
  const numbers::Point &hip,
  py::List<double> &least,
  py::List<double> &down
) {
  const py::Int at = leg.station;
  const records::Station &bearer = walk.stations[at];
  double share = 1.0;
  numbers::Point foot = step.goal;
  double first = 0.0;
  double seconds{};
  if (step.down) {
    foot = step.foot;
    seconds = numbers::smaller(rhythm::left_to_stand(animal, walk, step), belly::foresight(animal, walk));
    down[at] = numbers::larger(down[at], too_high(animal, leg, hip, foot));
  } else {
    share = numbers::smooth(step.part / rhythm::DECIDED);
    seconds = rhythm::left_to_swing(animal, walk, step);
    first = seconds;
  }
  const numbers::Point later = moved(bearer, hip, seconds);
  // It is nearest to its foot in between.
  const double u = bearer.ux * bearer.ux + bearer.uz * bearer.uz + numbers::TINY;
  const double way = (foot.x - hip.x) * bearer.ux + (foot.z - hip.z) * bearer.uz;
  const double over = numbers::clamp(way / u, first, numbers::larger(seconds, belly::foresight(animal, walk)));
  const double high = step.down ? hip.y : later.y;
  double lacks = too_low(animal, leg, moved(bearer, hip, over), foot);
  lacks = numbers::larger(lacks, step.least_hip - high);
  least[at] = numbers::larger(least[at], numbers::smaller(lacks, share * lacks));
  down[at] = numbers::larger(down[at], share * too_high(animal, leg, later, foot));
}

// Return a hip after a time, if its station moves on as now.
inline numbers::Point moved(const records::Station &bearer, const numbers::Point &hip, double seconds) {
  return numbers::Point{hip.x + bearer.ux * seconds, hip.y + bearer.level.speed * seconds, hip.z + bearer.uz * seconds};
}

// Return by how much a hip is too high for its leg to reach a foot, in metres; 0 if not.
inline double too_high(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot
) {
  return numbers::larger(hip.y - foot.y - height_at(path::reach_of(leg, animal.straight), hip, foot), 0.0);
}

// Return by how much a hip is too low for its leg to fold, in metres, less than 0 if not.
inline double too_low(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot
) {
  return height_at(path::fold_of(leg, animal.least), hip, foot) - (hip.y - foot.y);
}

// Return how high a hip is over a foot at a distance from it, or little if it is far away.
inline double height_at(double distance, const numbers::Point &hip, const numbers::Point &foot) {
  const double dx = foot.x - hip.x;
  const double dz = foot.z - hip.z;
  return numbers::side(distance, dx * dx + dz * dz);
}

// Shift a stiff trunk along a line; of a limp one, neighbours by half as much.
inline void together(const anatomy::Anatomy &animal, py::List<double> &shifts) {
  const py::Int count = py::Int(shifts.size());
  if (path::is_stiff(animal)) {
    const lines::Line line = lines::line_over(animal, shifts);
    for (py::Int k = 0; k < count; k++) {
      shifts[k] = line.middle + line.slope * (animal.along[k] - animal.middle);
    }
  } else if (count > 2) {
    double before = 0.0;
    for (py::Int k = 0; k < count; k++) {
      const double own = shifts[k];
      const double after = k + 1 < count ? shifts[k + 1] : own;
      shifts[k] = numbers::larger(own, 0.5 * (before + after));
      before = own;
    }
  }
}

// Move the shifts of a stiff trunk, and their rates, to those of a line.
inline void straighten(const anatomy::Anatomy &animal, records::Walk &walk) {
  const lines::Line at = lines::fit(
    animal,
    py::map(walk.stations, [&]([[maybe_unused]] const auto &station) { return station.shift.at; })
  );
  const lines::Line speed = lines::fit(
    animal,
    py::map(walk.stations, [&]([[maybe_unused]] const auto &station) { return station.shift.speed; })
  );
  for (py::Int k = 0; k < py::Int(walk.stations.size()); k++) {
    records::Station &station = walk.stations[k];
    const double arm = animal.along[k] - animal.middle;
    station.shift.at = at.middle + at.slope * arm;
    station.shift.speed = speed.middle + speed.slope * arm;
  }
}
}
