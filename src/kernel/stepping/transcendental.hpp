// Sine, cosine, arctangent and exponential of single numbers: the same bits in every language.
//
// Those of C, Python and browsers differ in their last digits. These use only `+ - * /` and are
// printed as JavaScript and C++. They are accurate to 1 unit in the last place, the arctangent to 2.
// The coefficients interpolate at Chebyshev's nodes.
//
// Printed from core/transcendental.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"

namespace twobone::stepping::transcendental {

// Cosine and sine of an angle.
struct Turn {
  double c;
  double s;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("c", self.c);
    visitor("s", self.s);
  }
};

// A quarter of a turn in three parts: whole multiples of the first two are exact to 2^20 quarters.
inline constexpr double QUARTER_1 = 1.5707963267341256;
inline constexpr double QUARTER_2 = 6.077100506303966e-11;
inline constexpr double QUARTER_3 = 2.0222662487959506e-21;

inline constexpr double QUARTERS = 0.6366197723675814; // in a radian

inline constexpr double LARGEST_ANGLE = 1000000000.0; // radians; beyond that the result is NaN

inline constexpr double EIGHTH = 0.7853981633974483;
inline constexpr double EIGHTH_REST = 3.061616997868383e-17; // of a turn; thrice is exact

inline constexpr double TAN_SIXTEENTH = 0.41421356237309503; // of a turn: sqrt(2) - 1

inline constexpr double HUGE_ = 1e+300;

inline constexpr double LOG2_HIGH = 0.6931471803691238;
inline constexpr double LOG2_LOW = 1.9082149292705877e-10; // products with 700 are exact

inline constexpr double LOG2_E = 1.4426950408889634;

inline constexpr double LARGEST_EXPONENT = 700.0; // beyond that the exponential is infinite, or 0

inline Turn turn(double angle);
inline double cosine(double angle);
inline double sine(double angle);
inline double arctangent(double y, double x);
inline double exponential(double x);

// Return cosine and sine of an angle in radians.
//
// Beyond 8e5 radians the error grows, to 1e-10 at 1e9; from there on the result is NaN.
inline Turn turn(double angle) {
  if (!(std::fabs(angle) < LARGEST_ANGLE)) return Turn{py::nan, py::nan};
  const py::Int quarters = py::floor(angle * QUARTERS + 0.5);
  // The rest and its rounding error, as fdlibm has them (Cody and Waite).
  const double first = angle - quarters * QUARTER_1;
  const double step = quarters * QUARTER_2;
  const double second = first - step;
  const double third = quarters * QUARTER_3 - (first - second - step);
  const double x = second - third;
  const double error = second - x - third;
  const double z = x * x;
  const double p = 0.008333333333330948
    + z
      * (-0.00019841269836756774
        + z * (2.7557316101617874e-06 + z * (-2.505113165023518e-08 + z * 1.5918115263265974e-10)));
  const double v = z * x;
  const double s = x - (z * (0.5 * error - v * p) - error + v * 0.16666666666666666);
  const double q = z
    * (0.041666666666666664
      + z
        * (-0.0013888888888887398
          + z
            * (2.480158729876456e-05
              + z * (-2.7557317271145144e-07 + z * (2.087614614655861e-09 - z * 1.1382623647474604e-11)))));
  const double half = 0.5 * z;
  const double near = 1.0 - half;
  const double c = near + (1.0 - near - half + (z * q - x * error));
  const py::Int quadrant = py::modulo(quarters, 4);
  if (quadrant == 0) return Turn{c, s};
  if (quadrant == 1) return Turn{-s, c};
  return quadrant == 2 ? Turn{-c, -s} : Turn{s, -c};
}

// Return the cosine of an angle in radians.
inline double cosine(double angle) {
  return turn(angle).c;
}

// Return the sine of an angle in radians.
inline double sine(double angle) {
  return turn(angle).s;
}

// Return the angle of a point, from -pi to pi, as `math.atan2(y, x)` does.
//
// Infinite coordinates give NaN.
inline double arctangent(double y, double x) {
  const double wide = std::fabs(x);
  const double high = std::fabs(y);
  // Eighths of a turn from which the angle is counted, and in which direction.
  double eighths = 0.0;
  double sign = 1.0;
  double low = high;
  double great = wide;
  if (high > wide) {
    low = wide;
    great = high;
    eighths = 2.0;
    sign = -1.0;
  }
  if (great > HUGE_) { // their sum must not overflow
    low = 0.5 * low;
    great = 0.5 * great;
  }
  double t = great > 0.0 ? low / great : low;
  if (t > TAN_SIXTEENTH) {
    t = (low - great) / (low + great);
    eighths += sign;
  }
  if (std::copysign(1.0, x) < 0.0) {
    eighths = 4.0 - eighths;
    sign = -sign;
  }
  const double z = t * t;
  double p = 0.05878927554473807
    + z * (-0.05230443640686948 + z * (0.045515447340221615 + z * (-0.03456931506332609 + z * 0.016284375050043393)));
  p = 0.11111111105150588 + z * (-0.09090908753259112 + z * (0.07692296368042296 + z * (-0.0666642476020052 + z * p)));
  p = -0.3333333333333333 + z * (0.19999999999999804 + z * (-0.14285714285659779 + z * p));
  const double part = eighths * EIGHTH_REST + sign * (t * z * p);
  const double angle = eighths * EIGHTH + (part + sign * t);
  return std::copysign(angle, y);
}

// Return e to the power of a number.
inline double exponential(double x) {
  if (!(std::fabs(x) <= LARGEST_EXPONENT)) {
    if (std::isnan(x)) return x;
    return x > 0.0 ? py::infinity : 0.0;
  }
  const py::Int power = py::floor(x * LOG2_E + 0.5);
  const double high = x - power * LOG2_HIGH;
  const double low = power * LOG2_LOW;
  const double r = high - low;
  const double error = high - r - low;
  double p = 0.0013888888917213717
    + r
      * (0.00019841269863053618
        + r
          * (2.4801521295954376e-05
            + r * (2.7557268459997064e-06 + r * (2.7620088445409746e-07 + r * 2.510038549551032e-08))));
  p = 0.5000000000000001 + r * (0.16666666666666669 + r * (0.04166666666662413 + r * (0.008333333333330062 + r * p)));
  const double found = 1.0 + (r + (r * r * p + error));
  // Times 2 to the power, by squares: exact.
  py::Int left = std::abs(power);
  double square = 2.0;
  double scale = 1.0;
  while (left > 0) {
    if (py::modulo(left, 2) == 1) {
      scale *= square;
    }
    square *= square;
    left = py::floor_divided(left, 2);
  }
  return power > 0 ? found * scale : found / scale;
}
}
