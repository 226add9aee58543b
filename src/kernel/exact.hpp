// Double-word arithmetic: the C++ version of core/exact.py, with the same bits.
//
// The template parameter `A` selects how the error of a product is computed: `Fused` with a fused
// multiply-add, `Halved` with Veltkamp's and Dekker's algorithms, as in Python. Both give the same pair
// unless one of its words is subnormal, so `Fused` is used for limbs of moderate size only.
#pragma once

#include "simd.hpp"

namespace {

// Constants of a floating-point type; see core/exact.py for their meaning.
template <class T> struct Real;
template <> struct Real<double> {
    static constexpr double eps = 0x1p-52, splitter = 0x1p27 + 1, nudge = 0x1p-53 * (1 + 0x1p-52), digits = 0x1p52;
    static constexpr double above = 1 + 0x1p-10;  // times a limit: beyond it whatever the rounding
    static constexpr double largest = 0x1.fffffffffffffp1023, coarse = 0x1p500, step = 0x1p600, flush = 0x1p-480;
    static constexpr double faint = 0x1p-511, speck = 0x1p-200, near = 0x1p-480, thin = 0x1p900;
    static constexpr double size[2] = {0x1p100, 0x1p60}, part[2] = {0x1p200, 0x1p80};  // plane, space
    static constexpr double thick = 4;
    // Of `FineSetting`: the least nonzero component of a target in the plane and in space, the least that is worth
    // squaring, and the least p.pole. See `measure` and `aim` in solvers.hpp.
    static constexpr double fine_part[2] = {0x1p-822, 0x1p-740}, fine_square = 0x1p-215, fine_d = 0x1p-175;
    static constexpr double fit_least = 0x1p-430;  // of lengths and numbers of policies, if not 0; see fitted.hpp
};
template <> struct Real<float> {
    static constexpr float eps = 0x1p-23f, splitter = 0x1p12f + 1, nudge = 0x1p-24f * (1 + 0x1p-23f), digits = 0x1p23f;
    static constexpr float above = 1 + 0x1p-10f;
    static constexpr float largest = 0x1.fffffep127f, coarse = 0x1p60f, step = 0x1p70f, flush = 0x1p-50f;
    static constexpr float faint = 0x1p-62f, speck = 0x1p-60f, near = 0x1p-60f, thin = 0x1p100f;
    static constexpr float size[2] = {0x1p12f, 0x1p6f}, part[2] = {0x1p24f, 0x1p16f};
    static constexpr float thick = 4, fit_least = 0x1p-38f;
};
// For float32 numbers in doubles.
struct Wide : Real<double> {
    static constexpr double eps = Real<float>::eps, thick = 0x1p20, part[2] = {0x1p200, 0x1p149};
};

struct Halved {};
#if defined(TWOBONE_FMA)
struct Fused {};
#else
using Fused = Halved;
#endif

template <class V> using Number = typename Lanes<V>::T;
template <class V> using Mask = decltype(greater(V(), V()));

// A constant in the type of the arrays, like a Python number in an expression with arrays.
template <class V> INLINE V real(double v) { return V(Number<V>(v)); }

// A number without its derivative, everywhere or under a condition; only dual numbers have one (dual.hpp).
template <class V> INLINE V constant(V v) { return v; }
template <class V> INLINE V constant_where(Mask<V>, V v) { return v; }

template <class V> struct Pair {
    V high, low;
};

template <class V> INLINE Pair<V> two_sum(V a, V b) {
    const V s = a + b;
#if defined(TWOBONE_SIZES)
    // The same error with fewer operations, if sorting by magnitude is one instruction.
    if constexpr (Lanes<V>::count > 1) return {s, smaller_in_size(a, b) - (s - larger_in_size(a, b))};
#endif
    const V c = s - a;
    return {s, (a - (s - c)) + (b - c)};
}

// The same as `two_sum` with fewer operations, for |a| >= |b|.
template <class V> INLINE Pair<V> fast_two_sum(V a, V b) {
    const V s = a + b;
    return {s, b - (s - a)};
}

template <class V> struct Split {
    V whole, high, low;
};

template <class V> INLINE Split<V> split(V a) {
    const V c = V(Real<Number<V>>::splitter) * a;
    const V high = c - (c - a);
    return {a, high, a - high};
}

template <class A, class V> INLINE Pair<V> two_product(V a, V b) {
    const V p = a * b;
#if defined(TWOBONE_FMA)
    if constexpr (std::is_same_v<A, Fused>) return {p, multiply_subtract(a, b, p)};
#endif
    const Split<V> u = split(a), v = split(b);
    return {p, ((u.high * v.high - p) + u.high * v.low + u.low * v.high) + u.low * v.low};
}

template <class A, class V> INLINE Pair<V> two_square(V a) {
    const V p = a * a;
#if defined(TWOBONE_FMA)
    if constexpr (std::is_same_v<A, Fused>) return {p, multiply_subtract(a, a, p)};
#endif
    const Split<V> u = split(a);
    const V cross = u.high * u.low;
    return {p, ((u.high * u.high - p) + (cross + cross)) + u.low * u.low};
}

template <class V> INLINE Pair<V> sum_of_pairs(Pair<V> u, Pair<V> v) {
    const auto [high, lost] = two_sum(u.high, v.high);
    return {high, lost + (u.low + v.low)};
}

template <class V> INLINE Pair<V> sum_of_pairs(const Pair<V> *pairs, int count) {
    Pair<V> sum = pairs[0];
    for (int i = 1; i < count; i++) sum = sum_of_pairs(sum, pairs[i]);
    return sum;
}

template <class A, class V> INLINE Pair<V> product_of_pairs(Pair<V> u, Pair<V> v) {
    const auto [p, e] = two_product<A>(u.high, v.high);
    return {p, e + (u.high * v.low + u.low * v.high)};
}

// A quotient of pairs as a sum that is not rounded yet.
template <class A, class V> INLINE Pair<V> unrounded_quotient(Pair<V> u, Pair<V> v, V inverse) {
    const V q = u.high * inverse;
    V rest;
#if defined(TWOBONE_FMA)
    // `u - p` is exact, so the fused multiply-add rounds the same value as the last operation in Python.
    if constexpr (std::is_same_v<A, Fused>) rest = subtract_product(u.high, q, v.high);
    else
#endif
    {
        const auto [p, e] = two_product<A>(q, v.high);
        rest = (u.high - p) - e;
    }
    return {q, (rest + (u.low - q * v.low)) * inverse};
}

template <class A, class V> INLINE V quotient_of_pairs(Pair<V> u, Pair<V> v, V inverse) {
    const Pair<V> q = unrounded_quotient<A>(u, v, inverse);
    return q.high + q.low;
}

// Return whether all numbers within `error` of a sum are rounded alike.
template <class V> INLINE Mask<V> rounds_alike(Pair<V> sum, V error) {
    return equal(sum.high + (sum.low + error), sum.high + (sum.low - error));
}

// A divisor of many numbers. The divider is slow, so quotients of doubles come from fused multiply-adds: `estimate` is
// a faithful rounding, and the last step rounds correctly since `inverse` is 1 / whole, rounded correctly (Markstein;
// Handbook of Floating-Point Arithmetic, section 4.7). No step may underflow.
template <class V> struct Divisor {
    V whole, inverse, inverse_low;
};

// The same for a given `inverse`.
template <class V> INLINE Divisor<V> divisor(V whole, V inverse) {
#if defined(TWOBONE_FMA)
    if constexpr (sizeof(Number<V>) == sizeof(double))
        return {whole, inverse, subtract_product(V(Number<V>(1)), whole, inverse) * inverse};
#endif
    return {whole, inverse, inverse};
}
template <class V> INLINE Divisor<V> divisor(V whole) { return divisor(whole, V(Number<V>(1)) / whole); }

template <class V> INLINE V quotient(V v, const Divisor<V> &by) {
#if defined(TWOBONE_FMA)
    if constexpr (sizeof(Number<V>) == sizeof(double)) {
        const V estimate = multiply_add(v, by.inverse, v * by.inverse_low);
        return multiply_add(subtract_product(v, estimate, by.whole), by.inverse, estimate);
    }
#endif
    return v / by.whole;
}

template <class V> INLINE Pair<V> twice(Pair<V> pair) { return {pair.high + pair.high, pair.low + pair.low}; }

template <class V> INLINE V power_of_two(V v) {
    using R = Real<Number<V>>;
    const V one = V(1), coarse = V(R::coarse), step = V(R::step), small = V(1 / R::coarse), back = V(1 / R::step);
    const V grow = where(greater(small, v), step, where(greater(v, coarse), back, one));
    v = v * grow;
    return ((v + V(R::nudge) * v) - v) * V(R::digits) / grow;
}

}  // namespace
