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

// The loops of one instruction set; [0] for float32, [1] for float64.
struct Loops {
    const char *name;
    void (*plane[2])(const Limbs &);
    void (*space[2])(const Limbs &);
    void (*one_in_plane)(const double *p, double r1, double r2, double side, double *joint);
    void (*one_in_space)(const double *p, double r1, double r2, double side, const double *pole,
                         double *joint);
};

extern const Loops baseline, avx2, avx512;

}  // namespace twobone
