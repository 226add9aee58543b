// The interface between the module (module.cpp) and the loops over limbs (loops.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

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
constexpr int STEP_NUMBERS = 5, MOST_STEPS = 8;  // numbers of a step; steps of the longest chain

// Matrices in memory, with strides in bytes from limb to limb, row to row and column to column.
struct Matrices {
    char *data;
    std::ptrdiff_t step, row, part;
};

// Limbs to solve: the inputs and the outputs. Outputs without `data` are not requested.
struct Limbs {
    std::ptrdiff_t count;
    Policy policy;
    Column target, r1, r2, side, pole;
    Column joint, end, status;
    // Of policies that are objects: kind and numbers, `STEP_NUMBERS` for each; without `data`: `policy`. The kinds are
    // the same for all limbs.
    Column steps;
    int step_count;
};

// Limbs to differentiate. The outputs are the derivatives of joint and end, a row for each of their components and a
// column for each component of target, r1, r2 and pole.
struct LimbSlopes {
    Limbs limbs;
    Matrices joint, end;
};

// Limbs to differentiate in reverse. The inputs are derivatives of a loss by joint and end; the outputs, its derivatives
// by the arguments. `end` may have no `data`, and neither may all outputs but `by_target`. `by_steps` has numbers as
// `steps` has, those of the kinds 0.
struct Pulls {
    Limbs limbs;
    Column joint, end, by_target, by_r1, by_r2, by_pole, by_steps;
};

// Limbs to differentiate forwards. The inputs are derivatives of the arguments in one direction; those without `data`
// are zero. The outputs are derivatives of joint and end; `end` may have no `data`.
struct Pushes {
    Limbs limbs;
    Column along_target, along_r1, along_r2, along_pole, joint, end;
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

// The operations of programs; core/programs.py has the same list.
enum Op {
    op_read,
    op_write,
    op_add,
    op_subtract,
    op_multiply,
    op_divide,
    op_negate,
    op_root,
    op_greater,
    op_at_least,
    op_equal,
    op_and,
    op_or,
    op_not,
    op_choose,
    op_triangle,
    op_slopes,
    op_more,
    OPS
};

// `out` is a value; `a`, `b` and `c` are values, or constants as ~index. `op_read` has an input and a component in
// `a` and `b`, `op_write` an output in `a` and a component in `c`. After `op_triangle`, `a`, `b` and `c` of `op_more`
// are the values of its other results: y, end and status. After `op_slopes` there are three of these for the nine
// derivatives of x, y and end, each with respect to d, r1 and r2; the last `c` is not used.
struct Instruction {
    std::int32_t op, out, a, b, c;
};

// A formula as a list of instructions, and the policy of its triangles.
struct Program {
    const Instruction *code;
    int length, values, constant_count;
    const double *constants;
    Policy policy;
    const double *steps;
    int step_count;
};

// The arrays that a program reads and writes. `codes` marks the outputs of small integers. The strides from frame
// to frame are in bytes. `carried` of an input is the output of the previous frame that it is read from, or -1.
constexpr int MOST_ARRAYS = 64;
struct ProgramData {
    std::ptrdiff_t count, frames;
    int input_count, output_count;
    Column inputs[MOST_ARRAYS], outputs[MOST_ARRAYS];
    std::ptrdiff_t input_frames[MOST_ARRAYS], output_frames[MOST_ARRAYS];
    int carried[MOST_ARRAYS];
    bool codes[MOST_ARRAYS];
};

// Plane waves of the same height, to be summed at places: turns are along x + along z + phase. The cosine of an angle
// in turns is a polynomial in the square of its distance from the nearest whole number.
constexpr int COSINE_TERMS = 11, MOST_WAVES = 64;
struct Waves {
    int count;
    const double *along, *phase;  // `along` has those along x, then those along z
    double high;
    const double *coefficients;
};

// The loops for one instruction set; [0] is float32, [1] is float64.
struct Loops {
    const char *name;
    void (*plane[2])(const Limbs &);
    void (*space[2])(const Limbs &);
    void (*slopes_in_plane[2])(const LimbSlopes &);
    void (*slopes_in_space[2])(const LimbSlopes &);
    void (*pull_in_plane[2])(const Pulls &);
    void (*pull_in_space[2])(const Pulls &);
    void (*push_in_plane[2])(const Pushes &);
    void (*push_in_space[2])(const Pushes &);
    void (*poses[2])(const Poses &);
    bool (*programs[2])(const Program &, ProgramData);  // returns false if there is no memory
    double (*wave_height)(const Waves &, double x, double z);
    void (*one_in_plane)(const double *p, double r1, double r2, double side, double *joint);
    void (*one_in_space)(const double *p, double r1, double r2, double side, const double *pole, double *joint);
};

extern const Loops baseline, avx2, avx512;

// The loops for the instruction set in use.
const Loops &loops_in_use();

}  // namespace twobone
