// Dual numbers: a value and its derivative in one direction, so that a formula differentiates itself.
//
// The solver for any limb (general.hpp, fitting.hpp) runs on them unchanged. Derivatives are those of exact arithmetic:
// rounding errors have none, nor have powers of two that are units. A comparison sees only the values, and `where` takes
// value and derivative from the same side. Automatic differentiation of core/answer.py finds the same derivatives, also
// where there is a kink or a jump.
#pragma once

#include "exact.hpp"

namespace {

template <class V> struct Dual {
    V value, slope;
    Dual() = default;
    INLINE Dual(V value_, V slope_) : value(value_), slope(slope_) {}
    INLINE explicit Dual(Number<V> same) : value(V(same)), slope(V(Number<V>(0))) {}
};
template <class V> struct Lanes<Dual<V>> {
    using T = Number<V>;
    static constexpr int count = Lanes<V>::count;
};

template <class V> INLINE Dual<V> operator-(Dual<V> a) { return {-a.value, -a.slope}; }
template <class V> INLINE Dual<V> operator+(Dual<V> a, Dual<V> b) { return {a.value + b.value, a.slope + b.slope}; }
template <class V> INLINE Dual<V> operator-(Dual<V> a, Dual<V> b) { return {a.value - b.value, a.slope - b.slope}; }
template <class V> INLINE Dual<V> operator*(Dual<V> a, Dual<V> b) {
    return {a.value * b.value, a.slope * b.value + a.value * b.slope};
}
template <class V> INLINE Dual<V> operator/(Dual<V> a, Dual<V> b) {
    const V q = a.value / b.value;
    return {q, (a.slope - q * b.slope) / b.value};
}
template <class V> INLINE Dual<V> sqrt_of(Dual<V> a) {
    const V root = sqrt_of(a.value);
    return {root, a.slope / (root + root)};
}

template <class V> INLINE auto greater(Dual<V> a, Dual<V> b) { return greater(a.value, b.value); }
template <class V> INLINE auto at_least(Dual<V> a, Dual<V> b) { return at_least(a.value, b.value); }
template <class V> INLINE auto equal(Dual<V> a, Dual<V> b) { return equal(a.value, b.value); }
template <class V> INLINE Dual<V> where(Mask<V> mask, Dual<V> a, Dual<V> b) {
    return {where(mask, a.value, b.value), where(mask, a.slope, b.slope)};
}
template <class V> INLINE Dual<V> constant(Dual<V> v) { return {constant(v.value), real<V>(0)}; }
template <class V> INLINE Dual<V> constant_where(Mask<V> mask, Dual<V> v) {
    return {constant_where(mask, v.value), where(mask, real<V>(0), v.slope)};
}
template <class V> INLINE Dual<V> larger(Dual<V> a, Dual<V> b) { return where(greater(a.value, b.value), a, b); }
template <class V> INLINE Dual<V> smaller(Dual<V> a, Dual<V> b) { return where(greater(b.value, a.value), a, b); }
template <class V> INLINE Dual<V> magnitude(Dual<V> v) { return where(greater(real<V>(0), v.value), -v, v); }

// --- double-word arithmetic: the low words are rounding errors ------------------------------

template <class V> INLINE Pair<Dual<V>> with_slope(Pair<V> pair, V slope) {
    return {{pair.high, slope}, {pair.low, real<V>(0)}};
}
template <class V> INLINE Pair<V> values_of(Pair<Dual<V>> pair) { return {pair.high.value, pair.low.value}; }
template <class V> INLINE Pair<Dual<V>> two_sum(Dual<V> a, Dual<V> b) {
    return with_slope(two_sum(a.value, b.value), a.slope + b.slope);
}
template <class V> INLINE Pair<Dual<V>> fast_two_sum(Dual<V> a, Dual<V> b) {
    return with_slope(fast_two_sum(a.value, b.value), a.slope + b.slope);
}
template <class A, class V> INLINE Pair<Dual<V>> two_product(Dual<V> a, Dual<V> b) {
    return with_slope(two_product<A>(a.value, b.value), a.slope * b.value + a.value * b.slope);
}
template <class A, class V> INLINE Pair<Dual<V>> two_square(Dual<V> a) {
    const V half = a.value * a.slope;
    return with_slope(two_square<A>(a.value), half + half);
}
// `inverse` is an approximation of 1 / v, on which the quotient does not depend.
template <class A, class V>
INLINE Pair<Dual<V>> unrounded_quotient(Pair<Dual<V>> u, Pair<Dual<V>> v, Dual<V> inverse) {
    const Pair<V> q = unrounded_quotient<A>(values_of(u), values_of(v), inverse.value);
    const V rest = (u.high.slope + u.low.slope) - q.high * (v.high.slope + v.low.slope);
    return with_slope(q, rest * inverse.value);
}
template <class V> INLINE Dual<V> power_of_two(Dual<V> v) { return {power_of_two(v.value), real<V>(0)}; }

}  // namespace
