// Straight lines along a trunk: the nearest to some heights, and the lowest over them.
//
// Printed from creature/stepping/lines.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"
#include "anatomy.hpp"
#include "numbers.hpp"

namespace twobone::stepping::lines {

// Heights along a trunk that is straight.
struct Line {
  double middle;
  double slope;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("middle", self.middle);
    visitor("slope", self.slope);
  }
};

inline Line fit(const anatomy::Anatomy &animal, const py::List<double> &heights);
inline Line line_over(const anatomy::Anatomy &animal, const py::List<double> &heights);

// Return the line that is nearest to the heights of stations, by least squares.
inline Line fit(const anatomy::Anatomy &animal, const py::List<double> &heights) {
  const py::Int count = py::Int(heights.size());
  double mean = 0.0;
  for (py::Int k = 0; k < count; k++) {
    mean += heights[k] / count;
  }
  double products = 0.0;
  double squares = 0.0;
  for (py::Int k = 0; k < count; k++) {
    const double arm = animal.along[k] - animal.middle;
    products += (heights[k] - mean) * arm;
    squares += arm * arm;
  }
  return Line{mean, squares > 0.0 ? products / squares : 0.0};
}

// Return the line over the heights of stations that is lowest in the middle of the trunk.
//
// Of all these lines it is the most level one.
inline Line line_over(const anatomy::Anatomy &animal, const py::List<double> &heights) {
  const py::Int count = py::Int(heights.size());
  double middle = -numbers::HUGE_;
  for (py::Int i = 0; i < count; i++) {
    for (py::Int j = 0; j < count; j++) {
      const double back = animal.middle - animal.along[i];
      const double fore = animal.along[j] - animal.middle;
      if (back >= 0.0 && fore >= 0.0) {
        const double part = back > 0.0 ? back / (back + fore) : 0.0;
        middle = numbers::larger(middle, numbers::mix(heights[i], heights[j], part));
      }
    }
  }
  double least = -numbers::HUGE_;
  double most = numbers::HUGE_;
  for (py::Int k = 0; k < count; k++) {
    const double arm = animal.along[k] - animal.middle;
    if (arm > 0.0) {
      least = numbers::larger(least, (heights[k] - middle) / arm);
    } else if (arm < 0.0) {
      most = numbers::smaller(most, (heights[k] - middle) / arm);
    }
  }
  return Line{middle, numbers::clamp(0.0, least, most)};
}
}
