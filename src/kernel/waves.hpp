// Heights of rough ground: sums of plane waves (`Noise` in terrain/landforms.py), for any SIMD type.
#pragma once

#include "loops.hpp"
#include "memory.hpp"

namespace {

// The first numbers of an array; 0 in the lanes that are left.
template <class V> INLINE V load_some(const double *from, std::ptrdiff_t count) {
    constexpr int N = Lanes<V>::count;
    if (count >= N) return load<V>(from);
    double lanes[N];
    for (int i = 0; i < N; i++) lanes[i] = i < count ? from[i] : 0.0;
    return load<V>(lanes);
}

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

}  // namespace waves

}  // namespace
