// Programs: formulas as lists of instructions (see core/programs.py), over blocks of rows.
//
// Each instruction applies one operation to a few registers of numbers for many rows, so what it costs to look it
// up is shared by all of them. The operations are those of NumPy, in the same order: the bits are the same.
#pragma once

#include <cstdint>
#include <new>

#include "fitting.hpp"
#include "memory.hpp"
#include "slopes.hpp"
#include "solvers.hpp"

namespace {
namespace program {

using twobone::Column;
using twobone::Instruction;
using twobone::Program;
using twobone::ProgramData;

constexpr int CACHE = 24 << 10;  // bytes: all values of a block should fit the fastest cache
constexpr int MOST = 16, FEWEST = 8;  // vectors of a value in a block: with 4, reverse programs take 1.3 times as long
constexpr int SLOPES = 9;  // results of `op_slopes`

// The values of one operand for all rows of a block; those of a constant are the same.
template <class V> struct Operand {
    const V *data;
    int step;
    INLINE V operator[](int i) const { return data[i * step]; }
};

// A truth value as a number, since a mask of AVX-512 cannot be stored among numbers.
template <class V> INLINE V number_of(Mask<V> mask) { return where(mask, real<V>(1), real<V>(0)); }
template <class V> INLINE Mask<V> mask_of(V number) { return greater(number, real<V>(0)); }

// Solves a limb in its plane, with the root at the origin, the target on the x axis, and a policy.
template <class V> struct Solver {
    twobone::Policy policy;
    int count;
    twobone::Step<Number<V>> steps[twobone::MOST_STEPS];
    twobone::Step<double> wide_steps[twobone::MOST_STEPS];

    explicit Solver(const Program &from) : policy(from.policy), count(from.step_count) {
        read_steps([&](int i) { return Number<V>(from.steps[i]); }, count, steps);
        widen_steps(steps, count, wide_steps);
    }

    NOINLINE Results<2, V> solve(V d, V r1, V r2) const {
        if (!count) return solve_on_axis(d, r1, r2, policy);
        Results<2, V> results;
        answer_fitted(limb_on_axis(d, r1, r2), steps, count, results);
        return results;
    }

    // Store the derivatives of x, y and end, each with respect to d, r1 and r2; those of floats are computed in doubles.
    NOINLINE void differentiate(V d, V r1, V r2, V *const *out, int row) const {
        using T = Number<V>;
        using W = Lane<double>;
        constexpr int N = Lanes<V>::count, STEP = Lanes<W>::count;
        T in[3][N], found[SLOPES][N];
        store(in[0], d);
        store(in[1], r1);
        store(in[2], r2);
        for (int lane = 0; lane < N; lane += STEP) {
            AxisSlopes<W> slopes;
            slopes_on_axis<T>(load<W>(in[0] + lane), load<W>(in[1] + lane), load<W>(in[2] + lane), policy, wide_steps,
                              count, slopes);
            for (int i = 0; i < 3; i++) {
                store(found[i] + lane, slopes.x[i]);
                store(found[3 + i] + lane, slopes.y[i]);
                store(found[6 + i] + lane, slopes.end[i]);
            }
        }
        for (int i = 0; i < SLOPES; i++) out[i][row] = load<V>(found[i]);
    }
};

template <class V> struct Machine {
    using T = Number<V>;
    static constexpr int N = Lanes<V>::count;
    const Program &program;
    V *values, *constants;
    int vectors;  // of each value
    Solver<V> solver;

    Operand<V> operand(int index) const {
        return index < 0 ? Operand<V>{constants + ~index, 0} : Operand<V>{values + std::ptrdiff_t(index) * vectors, 1};
    }
    V *place(int index) const { return values + std::ptrdiff_t(index) * vectors; }

    // Run the program for `rows` rows, at most N for each of `filled` vectors.
    void run(const ProgramData &data, std::ptrdiff_t row, int rows) const {
        const int filled = (rows + N - 1) / N;
        const Instruction *end = program.code + program.length;
        for (const Instruction *next = program.code; next != end; next++) {
            const Operand<V> a = operand(next->a), b = operand(next->b), c = operand(next->c);
            V *out = place(next->out);
#define FOR_ALL(expression)                                                                                            \
    for (int i = 0; i < filled; i++) out[i] = expression;                                                              \
    break
            switch (next->op) {
            case twobone::op_add: FOR_ALL(a[i] + b[i]);
            case twobone::op_subtract: FOR_ALL(a[i] - b[i]);
            case twobone::op_multiply: FOR_ALL(a[i] * b[i]);
            case twobone::op_divide: FOR_ALL(a[i] / b[i]);
            case twobone::op_negate: FOR_ALL(-a[i]);
            case twobone::op_root: FOR_ALL(sqrt_of(a[i]));
            case twobone::op_greater: FOR_ALL(number_of<V>(greater(a[i], b[i])));
            case twobone::op_at_least: FOR_ALL(number_of<V>(at_least(a[i], b[i])));
            case twobone::op_equal: FOR_ALL(number_of<V>(equal(a[i], b[i])));
            case twobone::op_and: FOR_ALL(a[i] * b[i]);
            case twobone::op_or: FOR_ALL(larger(a[i], b[i]));
            case twobone::op_not: FOR_ALL(real<V>(1) - a[i]);
            case twobone::op_choose: FOR_ALL(where(mask_of(a[i]), b[i], c[i]));
            case twobone::op_read:
                for (int i = 0; i < filled; i++)
                    out[i] = gather<V>(data.inputs[next->a], next->b, row + i * N, of(rows, i));
                break;
            case twobone::op_write:
                for (int i = 0; i < filled; i++) write(data, *next, b[i], row + i * N, of(rows, i));
                break;
            case twobone::op_triangle: {
                V *second = place(next[1].a), *third = place(next[1].b), *fourth = place(next[1].c);
                for (int i = 0; i < filled; i++) {
                    const Results<2, V> found = solver.solve(a[i], b[i], c[i]);
                    out[i] = found.joint[0];
                    second[i] = found.joint[1];
                    third[i] = found.end[0];
                    fourth[i] = found.status;
                }
                next++;
                break;
            }
            case twobone::op_slopes: {
                V *const outs[SLOPES] = {out,
                                         place(next[1].a),
                                         place(next[1].b),
                                         place(next[1].c),
                                         place(next[2].a),
                                         place(next[2].b),
                                         place(next[2].c),
                                         place(next[3].a),
                                         place(next[3].b)};
                for (int i = 0; i < filled; i++) solver.differentiate(a[i], b[i], c[i], outs, i);
                next += 3;
                break;
            }
            }
#undef FOR_ALL
        }
    }

    static int of(int rows, int i) { return rows - i * N < N ? rows - i * N : N; }

    static void write(const ProgramData &data, const Instruction &next, V v, std::ptrdiff_t row, int rows) {
        T lanes[N];
        const Column &to = data.outputs[next.a];
        if (data.codes[next.a]) {
            signed char bytes[N];
            store(lanes, where(equal(v, v), v, real<V>(0)));
            for (int i = 0; i < N; i++) bytes[i] = static_cast<signed char>(lanes[i]);
            scatter(bytes, to, next.c, row, rows);
        } else {
            store(lanes, v);
            scatter(lanes, to, next.c, row, rows);
        }
    }
};

inline Column moved(Column column, std::ptrdiff_t by) {
    column.data += by;
    return column;
}

// Run a program for all rows of all frames. Outputs that are carried over are inputs of the next frame.
template <class T> bool run(const Program &program, ProgramData data) {
    using V = Lane<T>;
    constexpr int N = Lanes<V>::count;
    const int fit = CACHE / int(sizeof(V)) / (program.values + 1);
    int vectors = fit < FEWEST ? FEWEST : fit > MOST ? MOST : fit;
    if (data.count < std::ptrdiff_t(vectors) * N) vectors = int((data.count + N - 1) / N);
    const std::size_t size = sizeof(V) * (std::size_t(program.values) * vectors + program.constant_count);
    // Plain `new` does not align for the widest vectors.
    char *memory = new (std::nothrow) char[size + 64];
    if (!memory) return false;
    char *aligned = memory + (64 - reinterpret_cast<std::uintptr_t>(memory) % 64) % 64;
    V *values = reinterpret_cast<V *>(aligned), *constants = values + std::ptrdiff_t(program.values) * vectors;
    for (int i = 0; i < program.constant_count; i++) constants[i] = V(T(program.constants[i]));
    const Machine<V> machine{program, values, constants, vectors, Solver<V>(program)};
    for (std::ptrdiff_t frame = 0; frame < data.frames; frame++) {
        for (std::ptrdiff_t row = 0; row < data.count; row += vectors * N) {
            const std::ptrdiff_t left = data.count - row;
            machine.run(data, row, left < vectors * N ? int(left) : vectors * N);
        }
        for (int i = 0; i < data.input_count; i++) {
            const int carried = data.carried[i];
            if (carried < 0) data.inputs[i].data += data.input_frames[i];
            else data.inputs[i] = data.outputs[carried];
        }
        for (int i = 0; i < data.output_count; i++) data.outputs[i] = moved(data.outputs[i], data.output_frames[i]);
    }
    delete[] memory;
    return true;
}

}  // namespace program
}  // namespace
