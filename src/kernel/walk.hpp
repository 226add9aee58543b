// Loops over the points of one body or of the path of one foot (walking.cpp), for any SIMD type.
#pragma once

#include "loops.hpp"
#include "memory.hpp"

namespace {

// The first numbers of an array, and `rest` in the lanes that are left.
template <class V> INLINE V load_some(const double *from, std::ptrdiff_t count, double rest = 0.0) {
    constexpr int N = Lanes<V>::count;
    if (count >= N) return load<V>(from);
    double lanes[N];
    for (int i = 0; i < N; i++) lanes[i] = i < count ? from[i] : rest;
    return load<V>(lanes);
}

namespace walk {

// See loops.hpp.
inline void place(const double *points, std::ptrdiff_t count, const double *axes, double middle, double *out) {
    using V = Lane<double>;
    constexpr int N = Lanes<V>::count;
    const double *const u = points, *const v = points + count, *const w = points + 2 * count;
    std::ptrdiff_t at = 0;
    for (; at + N <= count; at += N) {
        const V sum = V(axes[0]) * load<V>(u + at) + V(axes[3]) * load<V>(v + at) + V(axes[6]) * load<V>(w + at);
        store(out + at, sum + V(middle));
    }
    for (; at < count; at++) out[at] = (axes[0] * u[at] + axes[3] * v[at] + axes[6] * w[at]) + middle;
}

inline void glide(const double *weights, std::ptrdiff_t count, const double *swing, double goal, double *out) {
    using V = Lane<double>;
    constexpr int N = Lanes<V>::count;
    const double *const a = weights, *const b = a + count, *const c = b + count, *const d = c + count;
    std::ptrdiff_t at = 0;
    for (; at + N <= count; at += N) {
        const V sum = load<V>(a + at) * V(swing[0]) + load<V>(b + at) * V(swing[3]) + load<V>(c + at) * V(swing[6]);
        store(out + at, sum + load<V>(d + at) * V(goal));
    }
    for (; at < count; at++) out[at] = (a[at] * swing[0] + b[at] * swing[3] + c[at] * swing[6]) + d[at] * goal;
}

inline bool comes_near(const double *x, const double *z, const double *y, const double *high, double raised,
                       const double *rest, const double *hip, const double *moves, double closest,
                       std::ptrdiff_t count) {
    using V = Lane<double>;
    constexpr int N = Lanes<V>::count;
    for (std::ptrdiff_t at = 0; at < count; at += N) {
        const std::ptrdiff_t left = count - at;  // lanes that are left repeat the first of them
        const V part = load_some<V>(rest + at, left, rest[at]);
        const V up = load_some<V>(y + at, left, y[at]) + V(raised) * load_some<V>(high + at, left, high[at]);
        const V a = load_some<V>(x + at, left, x[at]) - (V(hip[0]) + part * V(moves[0]));
        const V b = load_some<V>(z + at, left, z[at]) - (V(hip[1]) + part * V(moves[1]));
        const V c = up - (V(hip[2]) + part * V(moves[2]));
        if (bits(greater(V(closest), a * a + b * b + c * c))) return true;
    }
    return false;
}

}  // namespace walk
}  // namespace
