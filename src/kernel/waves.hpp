// Heights of rough ground: sums of plane waves (`Noise` in terrain/landforms.py), for any SIMD type.
#pragma once

#include "loops.hpp"
#include "memory.hpp"

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
template <class V> INLINE V cosine(V turns, const double *coefficients, int count) {
    const V rest = turns - nearest(turns), square = rest * rest;
    V sum = V(coefficients[count - 1]);
    for (int i = count - 2; i >= 0; i--) sum = sum * square + V(coefficients[i]);
    return sum;
}

inline void heights(const twobone::Waves &given) {
    using V = Lane<double>;
    constexpr int N = Lanes<V>::count;
    for (std::ptrdiff_t start = 0; start < given.places; start += N) {
        const int rows = given.places - start < N ? int(given.places - start) : N;
        double x[N] = {}, z[N] = {}, out[N];
        std::memcpy(x, given.x + start, rows * sizeof(double));
        std::memcpy(z, given.z + start, rows * sizeof(double));
        const V left = load<V>(x), ahead = load<V>(z);
        V sum = V(0.0);
        for (int wave = 0; wave < given.count; wave++) {
            const V a = V(given.along[wave]), b = V(given.along[given.count + wave]), c = V(given.phase[wave]);
            const V term = cosine((a * left + b * ahead) + c, given.coefficients, given.coefficient_count);
            sum = wave ? sum + term : term;
        }
        store(out, V(given.high) * sum);
        std::memcpy(given.out + start, out, rows * sizeof(double));
    }
}

}  // namespace waves
}  // namespace
