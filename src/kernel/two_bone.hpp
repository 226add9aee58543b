// The formula: the C++ version of core/formula.py, for a float, a double or a SIMD type.
//
// It performs the same operations in the same order, so the bits are the same; names are the same too.
#pragma once

#include "exact.hpp"

namespace {

// Quantities that depend on the two lengths alone.
template <class V> struct Bones {
    V r1;
    Pair<V> difference;    // r1 - r2
    Pair<V> square;  // (r1 - r2)^2; its low word includes 2 f f_low
    Pair<V> four;    // 4 r1 r2
    Pair<V> c;       // 2 r1 (r1 - r2)
    V maximum_reach, minimum_reach;
    V rr;
};

// The triangle of the bones and the target. The type of masks depends on the instruction set.
template <class V, class Mask> struct Triangle {
    V h, h_low, w, w_low, area, area_low;  // pairs
    Mask inside, met, too_far, too_near, extended;
};

template <class A, class V> INLINE Bones<V> bones(V r1, V r2) {
    using T = Number<V>;
    const Pair<V> difference = two_sum(r1, -r2);
    const auto [ff, ff_low] = two_square<A>(difference.high);
    const auto [c, c_low] = two_product<A>(V(T(2)) * r1, difference.high);
    return {r1,
            difference,
            {ff, ff_low + V(T(2)) * (difference.high * difference.low)},
            two_product<A>(V(T(4)) * r1, r2),
            {c, c_low + V(T(2)) * (r1 * difference.low)},
            r1 + r2,
            magnitude(difference.high),
            r1 * r1};
}

template <class A, int D, class V> INLINE void squares(const V *p, Pair<V> *squared) {
    for (int i = 0; i < D; i++) squared[i] = two_square<A>(p[i]);
}

// Return `b` as a pair, and store the pair `h`; accurate enough unless the first bone is thin.
// `SHORT`: where h < (r1 - r2)^2 / 2, only the sign of `b` is right. That is enough for `too_near` and for all other
// results of `triangle` except `w`, because `a` is positive there.
template <bool SHORT, int D, class V> INLINE Pair<V> gap(const Pair<V> *squared, Pair<V> square, Pair<V> &h) {
    h = sum_of_pairs(squared, D);
    const auto [b, lost] = SHORT ? fast_two_sum(h.high, -square.high) : two_sum(h.high, -square.high);
    return fast_two_sum(b, lost + (h.low - square.low));
}

// Compute `a`, `w` and the area from `h` and `b`, all in the same unit. See `scaled_triangle` for separate units.
// `SHORT`: where b > 8 r1 r2, which is out of reach, only the sign of `a` is right; `too_far` may be wrong.
template <bool SHORT, class A, class V, class R = Real<Number<V>>>
INLINE auto triangle(Pair<V> h, Pair<V> b, const Bones<V> &bones) {
    using T = Number<V>;
    const V zero = V(T(0)), slack = V(-8 * R::eps);
    const auto too_near = greater(slack * (bones.difference.high * bones.difference.high), b.high);
    const Pair<V> left = SHORT ? fast_two_sum(bones.four.high, -b.high) : two_sum(bones.four.high, -b.high);
    const Pair<V> a = fast_two_sum(left.high, left.low + (bones.four.low - b.low));
    const auto too_far = greater(slack * (bones.maximum_reach * bones.maximum_reach), a.high);
    const auto extended = at_least(zero, a.high);
    const auto met = at_least(a.high, zero) & at_least(b.high, zero);
    const Pair<V> area = product_of_pairs<A>(a, b);
    // That the product is positive implies `met`: where b is negative, a is at least 4 r1 r2.
    const auto inside = greater(area.high, V(R::speck) * (h.high * bones.rr));
    Triangle<V, decltype(greater(zero, zero))> triangle;
    triangle.h = h.high;
    triangle.h_low = h.low;
    triangle.w = bones.c.high + b.high;
    triangle.w_low = b.low + bones.c.low;
    triangle.area = area.high;
    triangle.area_low = area.low;
    triangle.inside = inside;
    triangle.met = met;
    triangle.too_far = too_far;
    triangle.too_near = too_near;
    triangle.extended = extended;
    return triangle;
}

// Store `m = h pole - (p.pole) p`, perpendicular to `p`; each component is rounded once. Return `p.pole`.
template <class A, class V> INLINE Pair<V> towards(const V *p, const V *pole, Pair<V> h, V *m) {
    Pair<V> products[3];
    for (int i = 0; i < 3; i++) products[i] = two_product<A>(p[i], pole[i]);
    const Pair<V> d = sum_of_pairs(products, 3);
    for (int i = 0; i < 3; i++) {
        const Pair<V> u = two_product<A>(pole[i], h.high), v = two_product<A>(p[i], d.high);
        const auto [s, lost] = two_sum(u.high, -v.high);
        m[i] = s + (lost + ((u.low - v.low) + (pole[i] * h.low - p[i] * d.low)));
    }
    return d;
}

template <class V> INLINE V dot(const V *u, const V *v, int count) {
    V sum = u[0] * v[0];
    for (int i = 1; i < count; i++) sum = sum + u[i] * v[i];
    return sum;
}

// The largest squared length of `m` for which the pole counts as parallel to `p`: within 4 eps of its line.
template <class V> INLINE V least_apart(Pair<V> h, const V *pole, Number<V> eps = Real<Number<V>>::eps) {
    return V(16 * eps * eps) * ((h.high * h.high) * dot(pole, pole, 3));
}

// A solution before the policy: x = along p + across q.
template <class V> struct Solution {
    V q[3], across, root, inverse;
};

template <class V, class B> INLINE V root_of(const B &triangle, V under) {
    return sqrt_of(where(triangle.inside, under, triangle.h + triangle.h_low));
}

// Apply the side to `across`, which takes a single product. Python applies it to `q`; the bits are the same.
template <class V, class B> INLINE V across_to(V side, V across, const B &triangle) {
    return side * where(triangle.inside, across, V(Number<V>(0)));
}

template <class A, class V, class B> INLINE Solution<V> solve_in_plane(const V *p, const B &triangle, V side) {
    using T = Number<V>;
    Solution<V> solution;
    solution.root = root_of(triangle, triangle.area + triangle.area_low);
    const Pair<V> two_h = {triangle.h + triangle.h, triangle.h_low + triangle.h_low};
    solution.inverse = V(T(1)) / two_h.high;
    const V across = quotient_of_pairs<A>({solution.root, V(T(0))}, two_h, solution.inverse);
    solution.across = across_to(side, across, triangle);
    solution.q[0] = -p[1];
    solution.q[1] = p[0];
    return solution;
}

template <class A, class V, class B> INLINE Solution<V> solve_in_space(const V *m, const B &triangle, V side) {
    using T = Number<V>;
    Solution<V> solution;
    Pair<V> squared[3];
    squares<A, 3>(m, squared);
    const Pair<V> below = product_of_pairs<A>(Pair<V>{triangle.h, triangle.h_low}, sum_of_pairs(squared, 3));
    const V two_h = triangle.h + triangle.h;
    const V both = V(T(1)) / (two_h * below.high);
    const Pair<V> area = {triangle.area, triangle.area_low};
    solution.root = root_of(triangle, quotient_of_pairs<A>(area, below, both * two_h));
    solution.across = across_to(side, V(T(0.5)) * solution.root, triangle);
    solution.inverse = both * below.high;
    for (int i = 0; i < 3; i++) solution.q[i] = m[i];
    return solution;
}

template <class A, int D, class V, class B>
INLINE void place(const V *p, const B &triangle, const Solution<V> &solution, Pair<V> w, V *joint) {
    const Pair<V> two_h = {triangle.h + triangle.h, triangle.h_low + triangle.h_low};
    const V along = quotient_of_pairs<A>(w, two_h, solution.inverse);
    for (int i = 0; i < D; i++) joint[i] = along * p[i] + solution.across * solution.q[i];
}

// Without a triangle: +1 if the first bone points at the target, -1 if it points away.
template <class V, class B> INLINE V straight(const B &triangle, const Bones<V> &bones) {
    using T = Number<V>;
    const V one = V(T(1));
    return where(triangle.extended, one, where(at_least(bones.difference.high, V(T(0))), one, -one));
}

// --- easy limbs: accurate without scaling -------------------------------------------------

// Return whether a number is 0 or at least `least`.
template <class V> INLINE auto zero_or_at_least(V v, Number<V> least) {
#if defined(__AVX512F__)
    if constexpr (Lanes<V>::count > 1) return zero_or_beyond(v, least);
    else
#endif
        return at_least(magnitude(v), V(least)) | at_least(V(Number<V>(0)), magnitude(v));
}

// Return whether no component is too large, the largest is not too small, and none is tiny but nonzero.
template <int D, class V> INLINE auto is_easy_vector(const V *v, Number<V> size, Number<V> part) {
    const V most = V(size);
    V largest = magnitude(v[0]);
    auto good = at_least(most, largest);  // one by one: `larger` of NaN and a number may be the number
    for (int i = 1; i < D; i++) {
        good = good & at_least(most, magnitude(v[i]));
        largest = larger(largest, magnitude(v[i]));
    }
    good = good & at_least(largest, V(1 / size));
    for (int i = 0; i < D; i++) good = good & zero_or_at_least(v[i], 1 / part);
    return good;
}

template <class V> INLINE auto are_moderate_bones(V r1, V r2, V side, Number<V> size) {
    const V most = V(size), least = V(1 / size), one = V(Number<V>(1)), square = side * side;
    const auto unit = at_least(square, one) & at_least(one, square);
    return unit & at_least(r1, least) & at_least(most, r1) & at_least(r2, least) & at_least(most, r2);
}

template <class V, class R = Real<Number<V>>> INLINE auto are_easy_bones(V r1, V r2, V side, Number<V> size) {
    return at_least(V(R::thick) * r1, r2) & are_moderate_bones(r1, r2, side, size);
}

}  // namespace
