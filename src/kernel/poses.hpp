// The vectorised loop over limbs given as matrices.
#pragma once

#include "limb.hpp"
#include "solvers.hpp"

namespace {
namespace pose {

using twobone::Column;
using twobone::Matrices;
using twobone::Poses;

// Read matrices with any strides; contiguous ones are transposed between registers.
template <class V> INLINE void read_matrices(const Matrices &from, std::ptrdiff_t row, int rows, V *parts) {
    using T = Number<V>;
    constexpr int N = Lanes<V>::count;
    if (from.row == 4 * sizeof(T) && from.part == sizeof(T)) {
        const char *data = from.data + row * from.step;
        for (int k = 0; k < N; k++) {
            for (int i = 0; i < 16; i += N) parts[i + k] = load<V>(reinterpret_cast<const T *>(data) + i);
            if (k + 1 < rows) data += from.step;
        }
        for (int i = 0; i < 16; i += N) transpose(parts + i);
    } else {
        for (int i = 0; i < 16; i++)
            parts[i] = gather<V>({from.data + i / 4 * from.row, from.step, from.part}, i % 4, row, rows);
    }
}

template <class V> INLINE Vector<V> read_vectors(const Column &from, std::ptrdiff_t row, int rows) {
    return {gather<V>(from, 0, row, rows), gather<V>(from, 1, row, rows), gather<V>(from, 2, row, rows)};
}

template <class V> INLINE void write_parts(const V *parts, int count, const Column &to, std::ptrdiff_t row, int rows) {
    Number<V> lanes[Lanes<V>::count];
    for (int i = 0; i < count; i++) {
        store(lanes, parts[i]);
        scatter(lanes, to, i, row, rows);
    }
}

template <class V> INLINE void write_rotations(Rotation<V> q, const Column &to, std::ptrdiff_t row, int rows) {
    using T = Number<V>;
    const V parts[4] = {q.x, q.y, q.z, q.w};
    if (to.step == 4 * sizeof(T) && to.part == sizeof(T) && rows == Lanes<V>::count)
        write_rows<false, 4>(reinterpret_cast<T *>(to.data + row * to.step), parts);
    else write_parts(parts, 4, to, row, rows);
}

template <class V> INLINE void write_codes(V codes, const Column &to, std::ptrdiff_t row, int rows) {
    constexpr int N = Lanes<V>::count;
    Number<V> lanes[N];
    signed char bytes[N];
    store(lanes, where(equal(codes, codes), codes, real<V>(0)));
    for (int i = 0; i < N; i++) bytes[i] = static_cast<signed char>(lanes[i]);
    if (to.step == 1 && rows == N) std::memcpy(to.data + row, bytes, N);
    else scatter(bytes, to, 0, row, rows);
}

// Solve the triangle in the plane, for a target at the distance `d` on the x axis.
template <class V> INLINE Triangle<V> solve(V d, V r1, V r2, int policy, V &status) {
    const Results<2, V> results = solve_on_axis(d, r1, r2, policy);
    status = results.status;
    return {results.joint[0], results.joint[1], results.end[0]};
}

template <class T> void run(const Poses &poses) {
    using V = Lane<T>;
    constexpr int N = Lanes<V>::count;
    const int options = poses.options, word = options & twobone::policy_bits;
    const int policy = word == twobone::nan_ ? int(twobone::clamp) : word;  // `correct` writes the NaN
    for (std::ptrdiff_t row = 0; row < poses.count; row += N) {
        const int rows = poses.count - row < N ? int(poses.count - row) : N;
        auto number = [&](const Column &from) { return gather<V>(from, 0, row, rows); };
        Given<V> given;
        read_matrices(poses.start, row, rows, given.start);
        read_matrices(poses.mid, row, rows, given.mid);
        read_matrices(poses.end, row, rows, given.end);
        given.target = read_vectors<V>(poses.target, row, rows);
        if (options & twobone::pole_bit) given.pole = read_vectors<V>(poses.pole, row, rows);
        given.mid_axis = read_vectors<V>(poses.mid_axis, row, rows);
        if (options & twobone::twist_bit) given.twist = {number(poses.cos), number(poses.sin)};
        if (options & twobone::soften_bit) given.soften = number(poses.soften);
        if (options & twobone::weight_bit) given.weight = number(poses.weight);
        const Seen<V> seen = look(given, options);
        const Hinge<V> &hinge = seen.hinge;
        if (poses.pass == twobone::before) {
            write_parts(&seen.d, 1, poses.triangle[0], row, rows);
            write_parts(&hinge.r1, 1, poses.triangle[1], row, rows);
            write_parts(&hinge.r2, 1, poses.triangle[2], row, rows);
            continue;
        }
        Triangle<V> triangle;
        V status;
        if (poses.pass == twobone::after) {
            triangle = {number(poses.triangle[0]), number(poses.triangle[1]), number(poses.triangle[2])};
            status = number(poses.triangle[3]);
        } else {
            triangle = solve(seen.d, hinge.r1, hinge.r2, policy, status);
        }
        const Corrections<V> found = correct(given, options, seen, triangle, status);
        write_rotations(found.start, poses.at_start, row, rows);
        write_rotations(found.mid, poses.at_mid, row, rows);
        write_codes(found.status, poses.status, row, rows);
        write_codes(found.fault, poses.fault, row, rows);
    }
}

}  // namespace pose
}  // namespace
