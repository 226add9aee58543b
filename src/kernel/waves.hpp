// Heights of rough ground: sums of plane waves (`Noise` in terrain/landforms.py), for any SIMD type.
#pragma once

#include <limits>

#include "loops.hpp"
#include "walk.hpp"

namespace {
namespace waves {

// The nearest whole number, halfway cases to even.
template <class V> INLINE V nearest(V v) {
#if defined(__AVX512F__)
    if constexpr (Lanes<V>::count == 8)
        return V(_mm512_roundscale_pd(v.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    else
#endif
#if defined(TWOBONE_FMA)
        if constexpr (Lanes<V>::count == 4)
        return V(_mm256_round_pd(v.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    else
#endif
    {
        const V whole = V(4503599627370496.0), size = magnitude(v);  // 2^52: numbers from there on are whole
        const V rounded = (size + whole) - whole;
        return where(greater(whole, size), where(greater(V(0.0), v), -rounded, rounded), v);
    }
}

// The cosine of an angle in turns.
template <class V> INLINE V cosine(V turns, const double *coefficients) {
    const V rest = turns - nearest(turns), square = rest * rest;
    V sum = V(coefficients[twobone::COSINE_TERMS - 1]);
    for (int i = twobone::COSINE_TERMS - 2; i >= 0; i--) sum = sum * square + V(coefficients[i]);
    return sum;
}

// The heights at some vectors of places: several together hide the latency of the operations.
template <int VECTORS, class V> INLINE void heights_at(const twobone::Waves &waves, const V *x, const V *z, V *out) {
    for (int k = 0; k < VECTORS; k++) out[k] = V(0.0);
    for (int wave = 0; wave < waves.count; wave++) {
        const V a = V(waves.along[wave]), b = V(waves.along[waves.count + wave]), c = V(waves.phase[wave]);
        for (int k = 0; k < VECTORS; k++) {
            const V term = cosine((a * x[k] + b * z[k]) + c, waves.coefficients);
            out[k] = wave ? out[k] + term : term;
        }
    }
    for (int k = 0; k < VECTORS; k++) out[k] = V(waves.high) * out[k];
}

inline void heights(const twobone::Waves &waves, const double *x, const double *z, std::ptrdiff_t count, double *out) {
    using V = Lane<double>;
    constexpr int N = Lanes<V>::count, VECTORS = 4;
    V left[VECTORS], ahead[VECTORS], found[VECTORS];
    std::ptrdiff_t at = 0;
    for (; at + VECTORS * N <= count; at += VECTORS * N) {
        for (int k = 0; k < VECTORS; k++) {
            left[k] = load<V>(x + at + k * N);
            ahead[k] = load<V>(z + at + k * N);
        }
        heights_at<VECTORS>(waves, left, ahead, found);
        for (int k = 0; k < VECTORS; k++) store(out + at + k * N, found[k]);
    }
    for (; at < count; at += N) {
        double last[N];
        left[0] = load_some<V>(x + at, count - at);
        ahead[0] = load_some<V>(z + at, count - at);
        heights_at<1>(waves, left, ahead, found);
        store(last, found[0]);
        std::memcpy(out + at, last, (count - at < N ? count - at : N) * sizeof(double));
    }
}

// The height at one place: the lanes are waves, and their cosines are added in the same order.
inline double height_at(const twobone::Waves &waves, double x, double z) {
    using V = Lane<double>;
    constexpr int N = Lanes<V>::count;
    double terms[twobone::MOST_WAVES + N];
    terms[0] = 0.0;
    for (int wave = 0; wave < waves.count; wave += N) {
        const int left = waves.count - wave;
        const V a = load_some<V>(waves.along + wave, left), b = load_some<V>(waves.along + waves.count + wave, left);
        const V c = load_some<V>(waves.phase + wave, left);
        store(terms + wave, cosine((a * V(x) + b * V(z)) + c, waves.coefficients));
    }
    double sum = terms[0];
    for (int wave = 1; wave < waves.count; wave++) sum = sum + terms[wave];
    return waves.high * sum;
}

// --- the deepest point --------------------------------------------------------------------

// Of many points few can be the deepest, and single precision shows which: it has twice as many lanes, and a cosine half
// as many terms. Only those are computed in full, so the result has the same bits.

constexpr int MOST_POINTS = 128;  // at once
// The cosine of t turns as a polynomial in t^2 that interpolates at Chebyshev's nodes, within 1.4e-6.
constexpr float ROUGH[] = {0.9999992f, -19.738977f, 64.92859f, -85.27084f, 58.78694f, -21.06543f};
// At most FAR_TURNS from the first point, which is at most FARTHEST_TURNS from the origin, turns are within 6e-6 of those
// in full, and cosines within 5e-5, with the rounding of their sum. What follows is rounded at most six times, each
// time by at most 6e-8 of its size.
constexpr float FAR_TURNS = 16.0f, FARTHEST_TURNS = 1e9f, OF_WAVES = 6e-5f, OF_HEIGHTS = 5e-7f;

template <class F> INLINE F rough_nearest(F v) {
#if defined(__AVX512F__)
    return F(_mm512_roundscale_ps(v.v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
    const F large = F(12582912.0f);  // 1.5 * 2^23: a sum with it is rounded to a whole number
    return (v + large) - large;
#endif
}

template <class F> INLINE F rough_sum(F a, F b, F c) {  // a b + c
#if defined(TWOBONE_FMA)
    return multiply_add(a, b, c);
#else
    return a * b + c;
#endif
}

// Waves seen from a place, in single precision.
struct RoughWaves {
    static constexpr int N = Lanes<Lane<double>>::count;
    int count;
    float along[2][twobone::MOST_WAVES + N], phase[twobone::MOST_WAVES + N], steepest[2] = {};

    RoughWaves(const twobone::Waves &waves, double x, double z) : count(waves.count) {
        using V = Lane<double>;
        for (int wave = 0; wave < count; wave += N) {
            const V a = load_some<V>(waves.along + wave, count - wave);
            const V b = load_some<V>(waves.along + count + wave, count - wave);
            const V turns = (a * V(x) + b * V(z)) + load_some<V>(waves.phase + wave, count - wave);
            store(along[0] + wave, a);
            store(along[1] + wave, b);
            store(phase + wave, turns - nearest(turns));
        }
        for (int i = 0; i < 2; i++)
            for (int wave = 0; wave < count; wave++) steepest[i] = larger(steepest[i], magnitude(along[i][wave]));
    }

    // The sums of the cosines at some vectors of places.
    template <int VECTORS, class F> INLINE void sums_at(const F *x, const F *z, F *out) const {
        constexpr int TERMS = sizeof ROUGH / sizeof *ROUGH;
        for (int k = 0; k < VECTORS; k++) out[k] = F(0.0f);
        for (int wave = 0; wave < count; wave++) {
            const F a = F(along[0][wave]), b = F(along[1][wave]), c = F(phase[wave]);
            for (int k = 0; k < VECTORS; k++) {
                const F turns = rough_sum(a, x[k], rough_sum(b, z[k], c)), rest = turns - rough_nearest(turns);
                const F square = rest * rest;
                F term = F(ROUGH[TERMS - 1]);
                for (int i = TERMS - 2; i >= 0; i--) term = rough_sum(term, square, F(ROUGH[i]));
                out[k] = out[k] + term;
            }
        }
    }
};

// See loops.hpp.
inline double deepest(const twobone::Waves &waves, const double *x, const double *z, const double *y, const double *low,
                      const double *scale, int count) {
    using V = Lane<double>;
    using F = Lane<float>;
    constexpr int N = Lanes<V>::count, M = Lanes<F>::count, MOST = MOST_POINTS + M;
    constexpr float infinite = std::numeric_limits<float>::infinity();
    const RoughWaves rough(waves, x[0], z[0]);
    float aside[MOST], ahead[MOST], up[MOST], down[MOST], part[MOST], most[MOST];
    int end = 0;  // lanes that are left are like the first point
    for (; end < count || end % M; end += N) {
        const int left = count - end;
        store(aside + end, load_some<V>(x + end, left, x[0]) - V(x[0]));
        store(ahead + end, load_some<V>(z + end, left, z[0]) - V(z[0]));
        store(up + end, load_some<V>(y + end, left, y[0]));
        if (low) store(down + end, load_some<V>(low + end, left, low[0]));
        if (scale) store(part + end, V(1.0) / load_some<V>(scale + end, left, scale[0]));
    }
    const float origin = rough.steepest[0] * magnitude(float(x[0])) + rough.steepest[1] * magnitude(float(z[0]));
    const F far = F(origin <= FARTHEST_TURNS ? FAR_TURNS : -1.0f);
    const F of_waves = F(OF_WAVES * float(waves.count) * magnitude(float(waves.high)));
    F least = F(-infinite);
    auto find = [&](auto vectors, int start) {
        constexpr int VECTORS = decltype(vectors)::value;
        F left[VECTORS], right[VECTORS], sums[VECTORS];
        for (int k = 0; k < VECTORS; k++) {
            left[k] = load<F>(aside + start + k * M);
            right[k] = load<F>(ahead + start + k * M);
        }
        rough.sums_at<VECTORS>(left, right, sums);
        for (int k = 0; k < VECTORS; k++) {
            const int at = start + k * M;
            const F height = load<F>(up + at);
            const F turns = F(rough.steepest[0]) * magnitude(left[k]) + F(rough.steepest[1]) * magnitude(right[k]);
            F depth = F(float(waves.high)) * sums[k] - height;
            F error = where(at_least(far, turns), of_waves + F(OF_HEIGHTS) * magnitude(height), F(infinite));
            if (low) {
                const F lower = load<F>(down + at);
                depth = depth + lower;
                error = error + F(OF_HEIGHTS) * magnitude(lower);
            }
            if (scale) {
                const F over = load<F>(part + at);
                depth = depth * over;
                error = error * over;
            }
            least = larger(least, depth - error);
            store(most + at, depth + error);
        }
    };
    int start = 0;  // several vectors at once hide the latency of the operations
    for (; start + 3 * M <= end; start += 3 * M) find(std::integral_constant<int, 3>(), start);
    if (start + 2 * M <= end) find(std::integral_constant<int, 2>(), start);
    else if (start < end) find(std::integral_constant<int, 1>(), start);
    float bounds[M], bound = -infinite;
    store(bounds, least);
    for (int i = 0; i < M; i++) bound = larger(bound, bounds[i]);
    double found = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < count; i++) {
        if (most[i] < bound) continue;
        const double high = height_at(waves, x[i], z[i]) - y[i], below = low ? high + low[i] : high;
        const double depth = scale ? below / scale[i] : below;
        found = found >= depth || found != found ? found : depth;
    }
    return found;
}

inline double greatest_depth(const twobone::Waves &waves, const double *x, const double *z, const double *y,
                             const double *low, const double *scale, std::ptrdiff_t count) {
    double found = -std::numeric_limits<double>::infinity();
    for (std::ptrdiff_t at = 0; at < count; at += MOST_POINTS) {
        const int some = count - at < MOST_POINTS ? int(count - at) : MOST_POINTS;
        const double depth =
            deepest(waves, x + at, z + at, y + at, low ? low + at : nullptr, scale ? scale + at : nullptr, some);
        found = found >= depth || found != found ? found : depth;
    }
    return found;
}

}  // namespace waves

}  // namespace
