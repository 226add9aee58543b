// What passes between the module (module.cpp) and the loops over limbs (loops.cpp).
#pragma once

#include <cstddef>

namespace twobone {

// Numbers or vectors in memory, one for each limb: how many bytes apart the limbs and the parts are.
struct Column {
    char *data;
    std::ptrdiff_t step;
    std::ptrdiff_t part;
};

enum Policy { clamp, stretch, nan_ };

// Limbs to solve: where the numbers are and where the answers go; no `data`, not wanted.
struct Limbs {
    std::ptrdiff_t count;
    Policy policy;
    Column target, r1, r2, side, pole;
    Column joint, end, status;
};

// Matrices in memory: how many bytes apart the limbs, the rows of a matrix and the parts of a row are.
struct Matrices {
    char *data;
    std::ptrdiff_t step, row, part;
};

// What else is wanted of a limb, bit by bit; the first two hold the policy.
enum Wish { policy_bits = 3, pole_bit = 4, twist_bit = 8, soften_bit = 16, weight_bit = 32 };

// Which part of the work: all of it, or that before or after the triangle is known.
enum Pass { all_of_it, before, after };

// Limbs given as matrices, to be corrected.
struct Poses {
    std::ptrdiff_t count;
    Pass pass;
    int wishes;
    Matrices start, mid, end;
    Column target, pole, mid_axis, cos, sin, soften, weight;
    Column triangle[4];  // before: to d, r1, r2; after: from x, y, end and status
    Column at_start, at_mid, status, fault;
};

// The loops of one instruction set; [0] for float32, [1] for float64.
struct Loops {
    const char *name;
    void (*plane[2])(const Limbs &);
    void (*space[2])(const Limbs &);
    void (*poses[2])(const Poses &);
    void (*one_in_plane)(const double *p, double r1, double r2, double side, double *joint);
    void (*one_in_space)(const double *p, double r1, double r2, double side, const double *pole,
                         double *joint);
};

extern const Loops baseline, avx2, avx512;

}  // namespace twobone
