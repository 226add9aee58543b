// Ankle and knee between a hip and a foot, and whether they are in the ground.
//
// Printed from creature/stepping/limbs.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"
#include "anatomy.hpp"
#include "numbers.hpp"

namespace twobone::stepping::limbs {

// Distances from hip to ankle between which two bones bend.
struct Range {
  double least;
  double most;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("least", self.least);
    visitor("most", self.most);
  }
};

// A leg that bends as in plans; the knee is seen from the hip.
struct Bent {
  numbers::Point ankle;
  numbers::Point knee;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("ankle", self.ankle);
    visitor("knee", self.knee);
  }
};

inline constexpr double OPEN = 1.06; // of the distance between the ends of two bones when folded: their least; taste

inline constexpr double STRAIGHT = 0.995; // of the reach of two bones: the most that a leg uses; taste

inline constexpr py::Int SAMPLES = 6; // of the ground below a segment; more find lower edges and cost time

inline constexpr double SOFT = 0.06; // of the reach of two bones: how far before its ends a leg begins to give way; taste

inline Range range_of(const anatomy::Leg &leg, double least, double most);
inline double straightest(const anatomy::Anatomy &animal);
inline Range bending(const anatomy::Anatomy &animal, const anatomy::Leg &leg);
inline double within(double distance, const Range &allowed, double soft);
inline transcendental::Turn behind(
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  const transcendental::Turn &toes
);
inline numbers::Point ankle_of(
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double angle,
  const transcendental::Turn &toes,
  const Range &allowed
);
inline numbers::Point bend(const numbers::Point &target, double r1, double r2, const numbers::Point &pole);
inline numbers::Point pole_of(const anatomy::Leg &leg, const transcendental::Turn &turn, const numbers::Point &ankle);
inline Bent bent(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double angle,
  const transcendental::Turn &toes
);
template <class Ground> double buried(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double angle,
  const transcendental::Turn &toes,
  const numbers::Point &clear,
  const Ground &ground
);
template <class Ground> double sunken(const numbers::Point &a, const numbers::Point &b, const Ground &ground);
template <class Ground> double slope_under(
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  const transcendental::Turn &toes,
  const Ground &ground
);

// Return the range for shares of the reach of two bones.
inline Range range_of(const anatomy::Leg &leg, double least, double most) {
  const double reach = leg.upper + leg.lower;
  const double folded = OPEN * std::fabs(leg.upper - leg.lower);
  return Range{numbers::larger(folded, least * reach), most * reach};
}

// Return the most of its reach that a leg uses: all of it, where others wait for its foot.
inline double straightest(const anatomy::Anatomy &animal) {
  return animal.waits ? STRAIGHT : 0.5 * (1.0 + animal.straight);
}

// Return the distances from hip to ankle between which the bones of a pose bend.
inline Range bending(const anatomy::Anatomy &animal, const anatomy::Leg &leg) {
  return range_of(leg, animal.least, straightest(animal));
}

// Return a distance in a range: the same number in its middle, bent smoothly at its ends.
//
// Within `soft` of an end it is a parabola that meets both lines with their slopes.
inline double within(double distance, const Range &allowed, double soft) {
  const double over = distance - allowed.most;
  if (over > -soft) {
    if (over >= soft) return allowed.most;
    return distance - (over + soft) * (over + soft) / (4.0 * soft);
  }
  const double under = allowed.least - distance;
  if (under > -soft) {
    if (under >= soft) return allowed.least;
    return distance + (under + soft) * (under + soft) / (4.0 * soft);
  }
  return distance;
}

// Return where the third segment lies seen from above: x is `s` and z is `c`.
inline transcendental::Turn behind(
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  const transcendental::Turn &toes
) {
  if (!leg.radial) return transcendental::Turn{-toes.c, -toes.s};
  const double dx = hip.x - foot.x;
  const double dz = hip.z - foot.z;
  const double d = std::sqrt(dx * dx + dz * dz);
  if (d < numbers::TINY) return transcendental::Turn{-toes.c, -toes.s};
  return transcendental::Turn{dz / d, dx / d};
}

// Return the ankle: the end of the third segment that rises by an angle from the foot.
//
// The segment is in a plane with the hip, and turns there as far as the two bones need it to.
// Foot, hip and ankle are a triangle whose angle at the foot, e, has
//
//     cos e = (d^2 + r^2 - distance^2) / (2 d r)
//
// for the way d from foot to hip, the length r of the segment, and the distance of hip and ankle,
// which alone moves the knee: so that is what nears the ends of its range smoothly.
// Below its trunk, the segment stays behind the way to the hip; that of a leg which stands out is
// above it.
inline numbers::Point ankle_of(
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double angle,
  const transcendental::Turn &toes,
  const Range &allowed
) {
  if (leg.third == 0.0) return foot;
  const transcendental::Turn back = behind(leg, hip, foot, toes);
  const double dx = hip.x - foot.x;
  const double dz = hip.z - foot.z;
  double high = hip.y - foot.y;
  const double away = dx * back.s + dz * back.c;
  transcendental::Turn over = transcendental::Turn{1.0, 0.0};
  if (high > 0.0) {
    const double aside = dx * back.c - dz * back.s;
    const double rise = std::sqrt(high * high + aside * aside);
    over = transcendental::Turn{high / rise, aside / rise};
    high = rise;
  }
  transcendental::Turn up = numbers::facing(angle);
  const double square = away * away + high * high;
  if (square > numbers::TINY) {
    const double way = std::sqrt(square);
    const double rest = square + leg.third * leg.third;
    const double above = leg.radial ? 1.0 : -1.0;
    const double nearest = std::fabs(way - leg.third);
    const bool inside = above * (away * up.s - high * up.c) > 0.0;
    double free = rest - 2.0 * leg.third * (away * up.c + high * up.s);
    free = inside ? std::sqrt(numbers::larger(free, 0.0)) : nearest;
    const double soft = numbers::smaller(SOFT * (leg.upper + leg.lower), numbers::smaller(way, leg.third));
    double held = within(free, allowed, soft);
    // Where the leg is too short or too long, the segment lies along the way.
    const double room = numbers::smaller(allowed.most - nearest, way + leg.third - allowed.least);
    held = within(held, Range{nearest, way + leg.third}, numbers::smaller(soft, numbers::larger(room, 0.0)));
    if (held != free || !inside) {
      const double c = (rest - held * held) / (2.0 * way * leg.third);
      const double s = above * std::sqrt(numbers::larger(1.0 - c * c, 0.0));
      up = transcendental::Turn{(away * c - high * s) / way, (high * c + away * s) / way};
    }
  }
  const double rises = leg.third * up.s;
  return numbers::Point{
    foot.x + leg.third * up.c * back.s + rises * over.s * back.c,
    foot.y + rises * over.c,
    foot.z + leg.third * up.c * back.c - rises * over.s * back.s
  };
}

// Return the joint between two bones, by the plain formula of the article.
//
// It is for plans and third segments: what a pose shows as a knee is `twobone.solve_xyz`.
inline numbers::Point bend(const numbers::Point &target, double r1, double r2, const numbers::Point &pole) {
  const double h = numbers::larger(
    target.x * target.x + target.y * target.y + target.z * target.z,
    numbers::TINY * numbers::TINY
  );
  const double w = h + r1 * r1 - r2 * r2;
  const double area = 4.0 * r1 * r1 * h - w * w;
  const double dot = (pole.x * target.x + pole.y * target.y + pole.z * target.z) / h;
  const double mx = pole.x - dot * target.x;
  const double my = pole.y - dot * target.y;
  const double mz = pole.z - dot * target.z;
  const double mm = numbers::larger(mx * mx + my * my + mz * mz, numbers::TINY * numbers::TINY);
  double along{};
  if (area <= 0.0) {
    // Straight, or folded: the first bone lies along the way to the target, or against it.
    along = w > 0.0 ? r1 / std::sqrt(h) : -r1 / std::sqrt(h);
    return numbers::Point{along * target.x, along * target.y, along * target.z};
  }
  along = w / (2.0 * h);
  const double across = std::sqrt(area / (4.0 * h * mm));
  return numbers::Point{along * target.x + across * mx, along * target.y + across * my, along * target.z + across * mz};
}

// Return the pole of a knee in space, for a trunk that faces so; `ankle` is seen from the hip.
//
// It is that of the leg at rest, turned with the leg the shortest way: its plane turns over only
// where the leg points against its rest. For unit vectors u to the ankle at rest and d to it now,
// the pole p becomes p - p . (u + d) / (1 + u . d) (u + d), and something along d; here times a
// positive number.
inline numbers::Point pole_of(const anatomy::Leg &leg, const transcendental::Turn &turn, const numbers::Point &ankle) {
  const double x = leg.pole_aside * turn.c + leg.pole_ahead * turn.s;
  const double y = leg.pole_up;
  const double z = leg.pole_ahead * turn.c - leg.pole_aside * turn.s;
  const double ux = leg.ankle_aside * turn.c + leg.ankle_ahead * turn.s;
  const double uy = leg.ankle_up;
  const double uz = leg.ankle_ahead * turn.c - leg.ankle_aside * turn.s;
  const double size = numbers::larger(numbers::length(ankle), numbers::TINY);
  const double sx = ux + ankle.x / size;
  const double sy = uy + ankle.y / size;
  const double sz = uz + ankle.z / size;
  const double along = x * sx + y * sy + z * sz;
  const double near = ux * sx + uy * sy + uz * sz;
  return numbers::Point{near * x - along * sx, near * y - along * sy, near * z - along * sz};
}

// Return ankle and knee of a leg; the arguments are those of `ankle_of`.
inline Bent bent(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double angle,
  const transcendental::Turn &toes
) {
  const numbers::Point ankle = ankle_of(leg, hip, foot, angle, toes, bending(animal, leg));
  const numbers::Point way = numbers::between(hip, ankle);
  return Bent{ankle, bend(way, leg.upper, leg.lower, pole_of(leg, toes, way))};
}

// Return how deep a leg below its knee is in the ground, or would be if its joints moved.
//
// The foot stays, and ankle and knee move by `clear`. The other arguments are those of `ankle_of`.
template <class Ground> double buried(
  const anatomy::Anatomy &animal,
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  double angle,
  const transcendental::Turn &toes,
  const numbers::Point &clear,
  const Ground &ground
) {
  const Bent found = bent(animal, leg, hip, foot, angle, toes);
  const numbers::Point ankle = numbers::plus(found.ankle, clear);
  const numbers::Point knee = numbers::plus(numbers::plus(hip, found.knee), clear);
  const double deep = leg.third > 0.0 ? sunken(foot, ankle, ground) : 0.0;
  return numbers::larger(deep, sunken(ankle, knee, ground));
}

// Return how deep a segment is in the ground beyond its point a; 0 if it is not.
template <class Ground> double sunken(const numbers::Point &a, const numbers::Point &b, const Ground &ground) {
  double most = 0.0;
  for (py::Int k = 0; k < SAMPLES; k++) {
    const double part = (k + 1.0) / SAMPLES;
    const double high = ground(numbers::mix(a.x, b.x, part), numbers::mix(a.z, b.z, part));
    most = numbers::larger(most, high - numbers::mix(a.y, b.y, part));
  }
  return most;
}

// Return the angle of the ground behind a foot that the third segment must clear, 0 or more.
template <class Ground> double slope_under(
  const anatomy::Leg &leg,
  const numbers::Point &hip,
  const numbers::Point &foot,
  const transcendental::Turn &toes,
  const Ground &ground
) {
  if (leg.third == 0.0) return 0.0;
  const transcendental::Turn back = behind(leg, hip, foot, toes);
  double most = 0.0;
  for (py::Int k = 0; k < SAMPLES; k++) {
    const double d = (k + 1.0) / SAMPLES * leg.third;
    most = numbers::larger(most, (ground(foot.x + d * back.s, foot.z + d * back.c) - foot.y) / d);
  }
  // Upright is enough: beyond that it would lean over, away from the hip.
  const double upright = numbers::larger(0.5 * 3.141592653589793 - leg.rest, 0.0);
  return numbers::smaller(transcendental::arctangent(most, 1.0), upright);
}
}
