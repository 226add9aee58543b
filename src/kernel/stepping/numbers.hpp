// Small functions of numbers, and records that the other modules share.
//
// Printed from creature/stepping/numbers.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "transcendental.hpp"

namespace twobone::stepping::numbers {

// A place: y is up, +z forward, +x to the left.
struct Point {
  double x;
  double y;
  double z;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("x", self.x);
    visitor("y", self.y);
    visitor("z", self.z);
  }
};

// A place or a vector, seen from above.
struct Above {
  double x;
  double z;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("x", self.x);
    visitor("z", self.z);
  }
};

// A number that follows a goal without overshoot, and its rate of change per second.
struct Damped {
  double at;
  double speed;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("at", self.at);
    visitor("speed", self.speed);
  }
};

inline constexpr double GRAVITY = 9.81; // metres per second squared, a law

inline constexpr double TINY = 1e-09; // metres, or of 1: differences below it are those of rounding

inline constexpr double FLAT = 0.2; // of a leg: what is left of its height or length, where it does not reach; taste

inline constexpr double HUGE_ = 1e+30; // more than any length or cost

inline Above placed(double x, double z, const transcendental::Turn &turn, double aside, double ahead);
inline transcendental::Turn facing(double angle);
inline double smaller(double a, double b);
inline double larger(double a, double b);
inline double clamp(double x, double low, double high);
inline double mix(double a, double b, double part);
inline double wrapped(double turns);
inline double smooth(double t);
inline double length(const Point &p);
inline Point between(const Point &a, const Point &b);
inline Point cross(const Point &a, const Point &b);
inline Point plus(const Point &a, const Point &b);
inline double side(double longest, double square);
inline void damp(Damped &value, double goal, double rate, double dt);

// Return a place that is given to the left and ahead of another, which faces so.
inline Above placed(double x, double z, const transcendental::Turn &turn, double aside, double ahead) {
  return Above{x + aside * turn.c + ahead * turn.s, z - aside * turn.s + ahead * turn.c};
}

// Return cosine and sine of an angle in radians, with the same bits in every language.
inline transcendental::Turn facing(double angle) {
  return transcendental::turn(angle);
}

// Return the smaller number.
inline double smaller(double a, double b) {
  return b < a ? b : a;
}

// Return the larger number.
inline double larger(double a, double b) {
  return b > a ? b : a;
}

// Return the number from `low` to `high` that is nearest to x.
inline double clamp(double x, double low, double high) {
  return x < low ? low : x > high ? high : x;
}

// Return the number between two; the same one if they are equal.
inline double mix(double a, double b, double part) {
  return a + part * (b - a);
}

// Return the same angle from -1/2 to 1/2 turns.
inline double wrapped(double turns) {
  return turns - py::floor(turns + 0.5);
}

// Return 0 up to 0, 1 from 1, and between them a cubic with level ends (smoothstep).
inline double smooth(double t) {
  const double s = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  return s * s * (3.0 - 2.0 * s);
}

// Return the distance from the origin.
inline double length(const Point &p) {
  return std::sqrt(p.x * p.x + p.y * p.y + p.z * p.z);
}

// Return the vector from a to b.
inline Point between(const Point &a, const Point &b) {
  return Point{b.x - a.x, b.y - a.y, b.z - a.z};
}

// Return the vector product.
inline Point cross(const Point &a, const Point &b) {
  return Point{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Return the sum of two vectors.
inline Point plus(const Point &a, const Point &b) {
  return Point{a.x + b.x, a.y + b.y, a.z + b.z};
}

// Return a side of a right triangle, from its longest side and the square of another.
//
// It is at least `FLAT` of the longest, even where there is no such triangle.
inline double side(double longest, double square) {
  const double least = FLAT * longest;
  return std::sqrt(larger(longest * longest - square, least * least));
}

// Move a number to its goal, critically damped, for a time.
//
// Exact but for the exponential, whose rational approximation is within 1e-3 (Lowe, Critically
// damped ease-in/ease-out smoothing, Game Programming Gems 4). The rate is the inverse of the time
// constant, per second.
inline void damp(Damped &value, double goal, double rate, double dt) {
  const double k = rate * dt;
  const double decay = 1.0 / (1.0 + k + 0.48 * k * k + 0.235 * k * k * k);
  const double away = value.at - goal;
  const double step = (value.speed + rate * away) * dt;
  value.at = goal + (away + step) * decay;
  value.speed = (value.speed - rate * step) * decay;
}
}
