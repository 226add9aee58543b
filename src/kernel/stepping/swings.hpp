// The way of a foot through the air: a minimum-jerk course, and arcs over the ground.
//
// Printed from creature/stepping/swings.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "anatomy.hpp"
#include "numbers.hpp"
#include "records.hpp"

namespace twobone::stepping::swings {

// The coefficients of a course, from the first power on.
struct Quintic {
  double c1;
  double c2;
  double c3;
  double c4;
  double c5;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("c1", self.c1);
    visitor("c2", self.c2);
    visitor("c3", self.c3);
    visitor("c4", self.c4);
    visitor("c5", self.c5);
  }
};

// Accelerations of a foot as it lifts and lands, in ways per squared swing by (1 - duty). Taste.
inline constexpr double PUSH = 6.0;
inline constexpr double BRAKE = 8.0;

inline constexpr double SKEW = 0.4; // of the arc of a stride: 0 is highest in the middle of a swing, 1 at .3 of it; taste

inline constexpr double HIGHEST = 0.9; // of the hip: a foot steps and swings at most so much higher than it stood; taste

inline constexpr double CLEARANCE = 0.04; // of the hip: between the ground and a leg, a swinging foot or a belly; taste

inline void aim(records::Step &step, const numbers::Point &goal, double duty);
inline void push_off(records::Course &course, double goal, double air);
inline numbers::Point planned(const records::Step &step, const numbers::Point &goal, double part);
inline double lifted_by(const records::Step &step, double part);
inline double risen_by(const records::Step &step, double high, double part);
inline records::Course goes_on(const records::Step &step);
inline double highest(const anatomy::Anatomy &animal, const records::Step &step);
inline double arc(double part);
inline double skewed(double part, double skew);
inline double at(const records::Course &course, double goal, double part);
inline double along(const Quintic &c, double s);
inline Quintic quintic(const records::Course &course, double goal);
inline records::Course from_here(const records::Course &course, double goal, double part);

// Let a foot that lifts set off to a goal.
//
// It sets off fast and brakes late, the more the longer it is in the air: so it is not far ahead
// of its body before it lands.
inline void aim(records::Step &step, const numbers::Point &goal, double duty) {
  if (step.part == 0.0) {
    push_off(step.x, goal.x, 1.0 - duty);
    push_off(step.y, goal.y, 1.0 - duty);
    push_off(step.z, goal.z, 1.0 - duty);
  }
}

// Give a course its accelerations, for the share of a cycle that a foot is in the air.
inline void push_off(records::Course &course, double goal, double air) {
  course.acceleration = PUSH * air * (goal - course.place);
  course.brake = -BRAKE * air * (goal - course.place);
}

// Return the place of a foot at a part of its swing, without its arcs.
inline numbers::Point planned(const records::Step &step, const numbers::Point &goal, double part) {
  return numbers::Point{at(step.x, goal.x, part), at(step.y, goal.y, part), at(step.z, goal.z, part)};
}

// Return how high a swing is over its course at a part of it.
inline double lifted_by(const records::Step &step, double part) {
  const double left = step.over.start > 0.0 ? at(step.over, 0.0, part) : 0.0;
  return step.low * arc(part) + left + risen_by(step, step.high, part);
}

// Return the height of the arc that the last plan added: mostly needed late, so not skewed.
inline double risen_by(const records::Step &step, double high, double part) {
  const double s = (part - step.over.start) / (1.0 - step.over.start);
  return high * skewed(s, 0.0);
}

// Return how a swing goes on, from where it is, without the arc that the last plan added.
inline records::Course goes_on(const records::Step &step) {
  const double time = 1.0 - step.over.start;
  const double s = (step.part - step.over.start) / time;
  records::Course left = from_here(step.over, 0.0, step.part);
  const double p = s * (1.0 - s);
  const double high = 16.0 * step.high;
  return records::Course{
    step.part,
    left.place + high * p * p,
    left.velocity + 2.0 * high * p * (1.0 - 2.0 * s) / time,
    left.acceleration + 2.0 * high * (1.0 - 6.0 * p) / (time * time),
    0.0
  };
}

// Return how high another arc may be: the later it starts, the less, to be no faster.
inline double highest(const anatomy::Anatomy &animal, const records::Step &step) {
  const double left = HIGHEST * animal.hip - step.low - step.over.place;
  return numbers::larger(left, 0.0) * (1.0 - step.part) * (1.0 - step.part);
}

// Return the height of a stride over its greatest: steep at first, level at both ends.
inline double arc(double part) {
  return skewed(part, SKEW);
}

// Return an arc from 0 to 1 to 0 with level ends, the earlier the more it is skewed.
inline double skewed(double part, double skew) {
  double s = part * (1.0 + skew - skew * part);
  s = s * (1.0 - s);
  return 16.0 * s * s;
}

// Return the place on a course at a part of the swing.
inline double at(const records::Course &course, double goal, double part) {
  const double s = numbers::clamp((part - course.start) / (1.0 - course.start), 0.0, 1.0);
  return course.place + along(quintic(course, goal), s);
}

// Return how far a course has gone at a part of its time.
inline double along(const Quintic &c, double s) {
  return s * (c.c1 + s * (c.c2 + s * (c.c3 + s * (c.c4 + s * c.c5))));
}

// Return the coefficients of a course, from its state to that at the goal (Flash and Hogan).
inline Quintic quintic(const records::Course &course, double goal) {
  const double time = 1.0 - course.start;
  const double v = course.velocity * time;
  const double a = course.acceleration * time * time;
  const double b = course.brake * time * time;
  const double d = goal - course.place;
  return Quintic{
    v,
    0.5 * a,
    10.0 * d - 6.0 * v - 1.5 * a + 0.5 * b,
    -15.0 * d + 8.0 * v + 1.5 * a - b,
    6.0 * d - 3.0 * v - 0.5 * a + 0.5 * b
  };
}

// Return a course that goes on from where another one is.
inline records::Course from_here(const records::Course &course, double goal, double part) {
  const Quintic c = quintic(course, goal);
  const double time = 1.0 - course.start;
  const double s = numbers::clamp((part - course.start) / time, 0.0, 1.0);
  const double place = course.place + along(c, s);
  const double slope = c.c1 + s * (2.0 * c.c2 + s * (3.0 * c.c3 + s * (4.0 * c.c4 + s * 5.0 * c.c5)));
  const double curve = 2.0 * c.c2 + s * (6.0 * c.c3 + s * (12.0 * c.c4 + s * 20.0 * c.c5));
  return records::Course{part, place, slope / time, curve / (time * time), course.brake};
}
}
