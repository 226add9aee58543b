// Heights of the landforms at one place, in numbers alone.
//
// They have the bits of `Terrain.height`, which takes arrays. A walker asks for a few places at a
// time, for which arrays are slow.
//
// Printed from terrain/heights.py by `python tools/generate.py`: do not edit.
#pragma once
#include "py.hpp"

namespace twobone::stepping::heights {

// A plane wave: turns for each unit of x and z, and its phase in turns.
struct Wave {
  double along_x;
  double along_z;
  double phase;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("along_x", self.along_x);
    visitor("along_z", self.along_z);
    visitor("phase", self.phase);
  }
};

// Heights on a square grid, rows along z.
struct Grid {
  py::List<py::List<double>> heights;
  double spacing;
  double x; // of the first height
  double z;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("heights", self.heights);
    visitor("spacing", self.spacing);
    visitor("x", self.x);
    visitor("z", self.z);
  }
};

// Where a place is on an axis of a grid: its cell, and the place in it from 0 to 1.
struct Nodes {
  py::Int cell;
  double part;

  template <class Self, class Visitor> static void visit(Self &self, Visitor &visitor) {
    visitor("cell", self.cell);
    visitor("part", self.part);
  }
};

// Added to a number and subtracted again, it rounds it to the nearest whole one, as `numpy.rint`.
inline constexpr double WHOLE = 6755399441055744.0;

// Of the cosine of t turns, from -1/2 to 1/2, as a polynomial in t^2 that interpolates at
// Chebyshev's nodes, but for the first coefficient, which is 1. The error is below 1e-15.
inline constexpr double COSINE_1 = -19.739208802178684;

inline constexpr double COSINE_2 = 64.93939402266314;

inline constexpr double COSINE_3 = -85.45681720637177;

inline constexpr double COSINE_4 = 60.24464136156249;

inline constexpr double COSINE_5 = -26.426256590531025;

inline constexpr double COSINE_6 = 7.903534122041613;

inline constexpr double COSINE_7 = -1.7143738447256551;

inline constexpr double COSINE_8 = 0.2819245703565778;

inline constexpr double COSINE_9 = -0.03613799133425832;

inline constexpr double COSINE_10 = 0.003359676254891574;

inline double slope_height(double along_x, double along_z, double x, double z);
inline double steps_height(double rise, double run, double face, double z);
inline double noise_height(const py::List<Wave> &waves, double high, double x, double z);
inline double grid_height(const Grid &grid, double x, double z);
inline Nodes nodes_at(double place, py::Int count);
inline py::Int kept(py::Int node, py::Int count);
inline double weight(py::Int node, double t);

// Return the height of an inclined plane through the origin.
inline double slope_height(double along_x, double along_z, double x, double z) {
  return along_x * x + along_z * z;
}

// Return the height of a staircase along z; a face takes a fraction of the run.
inline double steps_height(double rise, double run, double face, double z) {
  const double runs = z / run;
  const py::Int step = py::floor(runs);
  double t = (runs - step - 0.5) / face + 0.5;
  t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
  return rise * (step + t * t * (3.0 - 2.0 * t));
}

// Return the height of a sum of plane waves, each `high`.
inline double noise_height(const py::List<Wave> &waves, double high, double x, double z) {
  double total = 0.0;
  for (const Wave &wave : waves) {
    const double turns = wave.along_x * x + wave.along_z * z + wave.phase;
    const double rest = turns - (turns + WHOLE - WHOLE);
    const double u = rest * rest;
    double c = (((COSINE_10 * u + COSINE_9) * u + COSINE_8) * u + COSINE_7) * u + COSINE_6;
    c = (((c * u + COSINE_5) * u + COSINE_4) * u + COSINE_3) * u + COSINE_2;
    total += (c * u + COSINE_1) * u + 1.0;
  }
  return high * total;
}

// Return the height of a bicubic Catmull-Rom spline through a grid of heights.
inline double grid_height(const Grid &grid, double x, double z) {
  const py::Int columns = py::Int(grid.heights[0].size());
  const py::Int rows = py::Int(grid.heights.size());
  const Nodes across = nodes_at((x - grid.x) / grid.spacing, columns);
  const Nodes along = nodes_at((z - grid.z) / grid.spacing, rows);
  double total = 0.0;
  for (py::Int i = 0; i < 4; i++) {
    const py::List<double> &row = grid.heights[kept(along.cell + i - 1, rows)];
    double line = 0.0;
    for (py::Int j = 0; j < 4; j++) {
      line += weight(j, across.part) * row[kept(across.cell + j - 1, columns)];
    }
    total += weight(i, along.part) * line;
  }
  return total;
}

// Return where a place is on an axis, in units of the spacing; at most two cells outside.
inline Nodes nodes_at(double place, py::Int count) {
  const double most = count + 1.0;
  const double clipped = place < -2.0 ? -2.0 : place > most ? most : place;
  const py::Int cell = py::floor(clipped);
  return Nodes{cell, clipped - cell};
}

// Return the node of the border for one beyond it.
inline py::Int kept(py::Int node, py::Int count) {
  return node < 0 ? 0 : node >= count ? count - 1 : node;
}

// Return the weight of one of the four nodes around a place.
inline double weight(py::Int node, double t) {
  if (node == 0) return 0.5 * t * ((2.0 - t) * t - 1.0);
  if (node == 1) return 0.5 * (t * t * (3.0 * t - 5.0) + 2.0);
  if (node == 2) return 0.5 * t * ((4.0 - 3.0 * t) * t + 1.0);
  return 0.5 * t * t * (t - 1.0);
}
}
