// The interface between the module (module.cpp) and the loops over limbs (loops.cpp).
#pragma once

#include <cstddef>

namespace twobone {

// Numbers or vectors in memory, one for each limb. `step` and `part` are strides in bytes: from limb to limb,
// and from component to component.
struct Column {
    char *data;
    std::ptrdiff_t step;
    std::ptrdiff_t part;
};

enum Policy { clamp, stretch, nan_ };

// A policy that is an object, with its numbers. 0: `Soft`, the softness; 1: `Stretch`, the limit and whether it is
// finite; 2: `Limits`, sin^2 and cos^2 of half the least joint angle, then of the greatest.
template <class T> struct Step {
    int kind;
    T numbers[4];
};
constexpr int STEP_NUMBERS = 5, MOST_STEPS = 8;

// Limbs to solve: the inputs and the outputs. Outputs without `data` are not requested.
struct Limbs {
    std::ptrdiff_t count;
    Policy policy;
    Column target, r1, r2, side, pole;
    Column joint, end, status;
    Column steps;  // of policies that are objects: kind and numbers, `STEP_NUMBERS` for each
    int step_count;
};

// Matrices in memory, with strides in bytes from limb to limb, row to row and column to column.
struct Matrices {
    char *data;
    std::ptrdiff_t step, row, part;
};

// Flags for the options of a limb; the lowest two bits hold the policy.
enum Wish { policy_bits = 3, pole_bit = 4, twist_bit = 8, soften_bit = 16, weight_bit = 32 };

// Which part of the computation: all of it, or the part before or after the triangle is solved.
enum Pass { all_of_it, before, after };

// Limbs to correct, given as matrices.
struct Poses {
    std::ptrdiff_t count;
    Pass pass;
    int options;
    Matrices start, mid, end;
    Column target, pole, mid_axis, cos, sin, soften, weight;
    Column triangle[4];  // before: outputs d, r1, r2; after: inputs x, y, end, status
    Column at_start, at_mid, status, fault;
};

// The loops for one instruction set; [0] is float32, [1] is float64.
struct Loops {
    const char *name;
    void (*plane[2])(const Limbs &);
    void (*space[2])(const Limbs &);
    void (*fitted_plane[2])(const Limbs &);
    void (*fitted_space[2])(const Limbs &);
    void (*poses[2])(const Poses &);
    void (*one_in_plane)(const double *p, double r1, double r2, double side, double *joint);
    void (*one_in_space)(const double *p, double r1, double r2, double side, const double *pole,
                         double *joint);
};

extern const Loops baseline, avx2, avx512;

}  // namespace twobone
