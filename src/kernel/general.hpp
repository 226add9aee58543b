// The solver for any limb: the C++ version of core/scaling.py and the named policies of core/answer.py, with the
// same bits.
//
// It solves the rows that are not easy: invalid values, sizes far from 1, thin first bones, a pole along the target
// direction; and rows of policies that are objects (see fitting.hpp). Many targets of one pair of bones rarely need it
// (see `FineSetting` and fitted.hpp).
#pragma once

#include <limits>

#include "loops.hpp"
#include "two_bone.hpp"

namespace {

enum Status { reached, too_far, too_near, ambiguous, invalid };

// A result; `status` holds floating-point numbers.
template <int D, class V> struct Results {
    V joint[D], end[D], status;
};

// Limbs to solve. `pole` is in use in space only.
template <int D, class V> struct Given {
    V p[D], r1, r2, side, pole[3];
};

// The powers of two in which a limb is measured, and where they had to be bounded; see `Units` in scaling.py.
template <class V> struct Units {
    V target, longer, first, distance, near, thin;
    Mask<V> at_root;
};

// Targets so far out of reach that `Units::near` or r1 - r2 was bounded, and w / (2 h) there.
template <class V> struct FarOutside {
    Mask<V> there;
    V along;
};

// The distances that can be reached, in units of the longer bone.
template <class V> struct ReachableRange {
    V outer, outer_low, inner, inner_low, width, r1, r2, difference, difference_low;
};

// A limb before the policy.
template <int D, class V> struct AnyLimb {
    V p[D], line;  // in units of the target; w where there is no triangle
    Bones<V> bones;
    Triangle<V, Mask<V>> triangle;
    Solution<V> solution;
    Units<V> units;
    ReachableRange<V> reachable;
    FarOutside<V> outside;
    Mask<V> ambiguous;
};

template <int D, class V> INLINE Mask<V> is_valid(const Given<D, V> &given) {
    const V most = V(Real<Number<V>>::largest), zero = real<V>(0);
    Mask<V> good = at_least(given.r1, zero) & at_least(most, given.r1) & at_least(given.r2, zero) &
                   at_least(most, given.r2) & equal(given.side * given.side, real<V>(1));
    for (int i = 0; i < D; i++) good = good & at_least(most, magnitude(given.p[i]));
    for (int i = 0; D == 3 && i < 3; i++) good = good & at_least(most, magnitude(given.pole[i]));
    return good;
}

template <int D, class V> INLINE V largest_part(const V *v) {
    V largest = magnitude(v[0]);
    for (int i = 1; i < D; i++) largest = larger(largest, magnitude(v[i]));
    return largest;
}

template <class V> INLINE V without_tiny(V v, Number<V> least) {
    return v - constant(where(greater(V(least), magnitude(v)), v, real<V>(0)));
}

// Whether the first component is smallest, and, if not, whether the second is.
template <class V> struct Least {
    Mask<V> first, second;
};
template <class V> INLINE Least<V> is_least(const V *v) {
    const V x = magnitude(v[0]), y = magnitude(v[1]), z = magnitude(v[2]);
    return {Mask<V>(at_least(y, x) & at_least(z, x)), at_least(z, y)};
}

template <class V> INLINE void least_axis(const V *v, V *axis) {
    const auto [first, second] = is_least(v);
    const V zero = real<V>(0), one = real<V>(1);
    axis[0] = where(first, one, zero);
    axis[1] = where(first, zero, where(second, one, zero));
    axis[2] = where(first, zero, where(second, zero, one));
}

// `v x e`, where `e` is the `least_axis` of `v`.
template <class V> INLINE void cross_least_axis(const V *v, V *across) {
    const auto [first, second] = is_least(v);
    const V zero = v[0] * real<V>(0);
    across[0] = where(first, zero, where(second, -v[2], v[1]));
    across[1] = where(first, v[2], where(second, zero, -v[0]));
    across[2] = where(first, -v[1], where(second, v[0], zero));
}

// Scale a pole by a power of two, so that its largest component is in [1, 2), or 0.
template <class V> INLINE void in_units_of_its_own(V *pole) {
    const V size = largest_part<3>(pole);
    const V unit = power_of_two(where(greater(size, real<V>(0)), size, real<V>(1)));
    for (int i = 0; i < 3; i++) pole[i] = without_tiny(pole[i] / unit, Real<Number<V>>::flush);
}

// The direction taken for a target at the root: +x, or perpendicular to the pole.
template <int D, class V> INLINE void start(const V *pole, V *p) {
    const V zero = real<V>(0), one = real<V>(1);
    p[0] = one;
    for (int i = 1; i < D; i++) p[i] = zero;
    if constexpr (D == 3) {
        const Mask<V> none = equal(largest_part<3>(pole), zero);
        V away[3];
        cross_least_axis(pole, away);
        for (int i = 0; i < 3; i++) p[i] = where(none, p[i], away[i]);
    }
}

// Return `b` with an error of 2^-158 h, as a thin first bone requires; `h` is an output.
template <class A, int D, class V> INLINE Pair<V> fine_gap(const Pair<V> *squared, Pair<V> difference, Pair<V> &h) {
    const auto [ff, ff_low] = two_square<A>(difference.high);
    const auto [fe, fe_low] = two_product<A>(real<V>(2) * difference.high, difference.low);
    h = sum_of_pairs(squared, D);
    V b = squared[0].high, words[2 * D + 2];
    int count = 0;
    words[count++] = squared[0].low;
    for (int i = 1; i < D; i++) {
        const Pair<V> sum = two_sum(b, squared[i].high);
        b = sum.high;
        words[count++] = squared[i].low;
        words[count++] = sum.low;
    }
    const Pair<V> sum = two_sum(b, -ff);
    b = sum.high;
    words[count++] = sum.low;
    words[count++] = -ff_low;
    words[count++] = -fe;
    V tail = -(fe_low + difference.low * difference.low), high = words[0];
    for (int i = 1; i < count; i++) {
        const Pair<V> next = two_sum(high, words[i]);
        high = next.high;
        tail = tail + next.low;
    }
    const Pair<V> both = two_sum(b, high);
    return two_sum(both.high, both.low + tail);
}

// The triangle if target, longer bone and first bone have their own units.
template <class V>
INLINE Triangle<V, Mask<V>> scaled_triangle(Pair<V> h, Pair<V> b, const Bones<V> &bones, V near, V thin,
                                            Number<V> eps) {
    const V slack = V(-8 * eps), f = bones.difference.high, zero = real<V>(0);
    Triangle<V, Mask<V>> triangle;
    triangle.h = h.high;
    triangle.h_low = h.low;
    triangle.too_near = greater(slack * (f * f), b.high);
    b = {thin * b.high, thin * b.low};
    const V square = near * near;
    const Pair<V> left = two_sum(bones.four.high, -(square * b.high));
    const Pair<V> a = fast_two_sum(left.high, left.low + (bones.four.low - square * b.low));
    triangle.too_far = greater(slack * (bones.maximum_reach * bones.maximum_reach) * thin, a.high);
    triangle.w = bones.c.high + near * b.high;
    triangle.w_low = near * b.low + bones.c.low;
    triangle.extended = at_least(zero, a.high);
    triangle.met = at_least(a.high, zero) & at_least(b.high, zero);
    b = {where(triangle.met, b.high, real<V>(1)), where(triangle.met, b.low, zero)};
    const Pair<V> area = product_of_pairs<Halved>(a, b);
    triangle.area = area.high;
    triangle.area_low = area.low;
    triangle.inside = triangle.met & greater(area.high, V(Real<Number<V>>::speck) * (h.high * bones.rr));
    return triangle;
}

// Choose powers of two as units, and compute the reachable range.
template <class V>
INLINE void scale(V target, Mask<V> at_root, V r1, V r2, Units<V> &units, ReachableRange<V> &reachable) {
    using R = Real<Number<V>>;
    const V zero = real<V>(0);
    V longer_bone = larger(r1, r2);
    longer_bone = where(greater(longer_bone, zero), longer_bone, real<V>(1));
    units.target = target;
    units.at_root = at_root;
    units.longer = power_of_two(longer_bone);
    units.first = power_of_two(where(greater(r1, zero), r1, longer_bone));
    units.thin = smaller(units.longer / units.first, V(R::thin));
    units.distance = larger(smaller(target / units.longer, V(1 / R::near)), V(R::near));
    units.distance = where(at_root, V(R::near), units.distance);
    units.near = smaller(units.distance, real<V>(8));
    reachable.r1 = r1 / units.first / units.thin;
    reachable.r2 = without_tiny(r2 / units.longer, R::flush);
    const Pair<V> outer = two_sum(reachable.r1, reachable.r2), difference = two_sum(reachable.r1, -reachable.r2);
    reachable.outer = outer.high;
    reachable.outer_low = outer.low;
    reachable.inner = magnitude(difference.high);
    reachable.inner_low = where(greater(zero, difference.high), -difference.low, difference.low);
    reachable.width = real<V>(2) * smaller(reachable.r1, reachable.r2);
    reachable.difference = difference.high;
    reachable.difference_low = difference.low;
}

// The bones in the units that `scaled_triangle` expects, with a bounded `r1 - r2`.
template <class V> INLINE Bones<V> scaled_bones(const Units<V> &units, const ReachableRange<V> &reachable, V r1) {
    // With the target at the root, the derivative of this quotient is too large for a float.
    const V f = constant_where(units.at_root, reachable.difference) / units.near;
    const V f_low = constant_where(units.at_root, reachable.difference_low) / units.near;
    const Mask<V> tame = greater(real<V>(8), magnitude(f));
    const V bounded = where(greater(real<V>(0), f), real<V>(-8), real<V>(8));
    Bones<V> prepared = bones<Halved>(r1 / units.first, reachable.r2);
    prepared.difference = {where(tame, f, bounded), where(tame, f_low, real<V>(0))};
    const auto [c, c_low] = two_product<Halved>(real<V>(2) * prepared.r1, prepared.difference.high);
    prepared.c = {c, c_low + real<V>(2) * (prepared.r1 * prepared.difference.low)};
    prepared.maximum_reach = reachable.outer;
    prepared.minimum_reach = reachable.inner;
    return prepared;
}

// Solve any valid limbs. `eps` is that of the type in which the numbers came.
template <int D, class V>
INLINE AnyLimb<D, V> any_limb(const Given<D, V> &given, Number<V> eps = Real<Number<V>>::eps) {
    using R = Real<Number<V>>;
    const V zero = real<V>(0);
    AnyLimb<D, V> limb;
    V pole[3];
    for (int i = 0; D == 3 && i < 3; i++) pole[i] = given.pole[i];
    if constexpr (D == 3) in_units_of_its_own(pole);
    V p[D], beginning[D], seen[D];
    const V size = largest_part<D>(given.p);
    const Mask<V> at_root = equal(size, zero);
    start<D>(pole, beginning);
    for (int i = 0; i < D; i++) p[i] = where(at_root, beginning[i], given.p[i]);
    const V target = power_of_two(largest_part<D>(p));
    for (int i = 0; i < D; i++) {
        p[i] = p[i] / target;
        seen[i] = without_tiny(p[i], R::faint);
        limb.p[i] = p[i];
    }
    scale(target, at_root, given.r1, given.r2, limb.units, limb.reachable);
    limb.bones = scaled_bones(limb.units, limb.reachable, given.r1);
    Pair<V> squared[D], h;
    squares<Halved, D>(seen, squared);
    const Pair<V> b = fine_gap<Halved, D>(squared, limb.bones.difference, h);
    auto triangle = scaled_triangle(h, b, limb.bones, limb.units.near, limb.units.thin, eps);
    // A target at the root is never too far, and the joint is exactly perpendicular to the direction taken.
    triangle.too_far = triangle.too_far & greater(size, zero);
    const Mask<V> square = at_root & triangle.inside;
    triangle.w = where(square, zero, triangle.w);
    triangle.w_low = where(square, zero, triangle.w_low);
    limb.ambiguous = square;
    if constexpr (D == 2) {
        limb.solution = solve_in_plane<Halved>(p, triangle, given.side);
    } else {
        V m[3], axis[3], other[3];
        towards<Halved>(p, pole, h, m);
        const Mask<V> along = at_least(least_apart(h, pole, eps), dot(m, m, 3));
        least_axis(p, axis);
        towards<Halved>(p, axis, h, other);
        for (int i = 0; i < 3; i++) m[i] = where(along, other[i], m[i]);
        limb.solution = solve_in_space<Halved>(m, triangle, given.side);
        limb.ambiguous = limb.ambiguous | (triangle.inside & along);
    }
    limb.triangle = triangle;
    limb.line = real<V>(2) * straight(triangle, limb.bones) * limb.bones.r1 * limb.solution.root;
    const V far = limb.units.distance;
    limb.outside.there = greater(far, real<V>(4)) | greater(magnitude(limb.bones.difference.high), real<V>(4));
    limb.outside.along =
        real<V>(0.5) + real<V>(0.5) * ((limb.reachable.difference / far) * (limb.reachable.outer / far) / dot(p, p, D));
    return limb;
}

// Apply a named policy. `target` is what was given.
template <int D, class V>
INLINE Results<D, V> apply_named(const AnyLimb<D, V> &limb, const V *target, int policy) {
    const V zero = real<V>(0), nan = V(std::numeric_limits<Number<V>>::quiet_NaN());
    const auto &triangle = limb.triangle;
    const auto &units = limb.units;
    const bool gives = policy == twobone::stretch;
    const Pair<V> found = {triangle.w, triangle.w_low};
    const Pair<V> kept = {where(triangle.inside, triangle.w, limb.line), where(triangle.inside, triangle.w_low, zero)};
    Results<D, V> results;
    place<Halved, D>(limb.p, triangle, limb.solution, gives ? found : kept, results.joint);
    if (gives) {
        // Where the bones stretch, the unit of the first bone no longer applies.
        const V unit = where(triangle.inside, units.first, units.longer / units.thin);
        V folded[D];
        place<Halved, D>(limb.p, triangle, limb.solution, kept, folded);
        for (int i = 0; i < D; i++) {
            const V away = where(units.at_root, folded[i] * units.first, limb.outside.along * limb.p[i] * units.target);
            results.joint[i] = where(limb.outside.there, away, results.joint[i] * unit);
        }
    } else {
        for (int i = 0; i < D; i++) results.joint[i] = results.joint[i] * units.first;
    }
    const auto &bones = limb.bones;
    const V edge = where(triangle.extended, bones.maximum_reach, bones.minimum_reach) * limb.solution.root / triangle.h;
    for (int i = 0; i < D; i++)
        results.end[i] = gives ? target[i] : where(triangle.met, target[i], edge * limb.p[i] * units.longer);
    results.status = where(limb.ambiguous, real<V>(ambiguous), zero);
    results.status = where(triangle.too_near, real<V>(too_near), results.status);
    results.status = where(triangle.too_far, real<V>(too_far), results.status);
    if (policy == twobone::nan_) {
        const Mask<V> missed = triangle.too_far | triangle.too_near;
        for (int i = 0; i < D; i++) {
            results.joint[i] = where(missed, nan, results.joint[i]);
            results.end[i] = where(missed, nan, results.end[i]);
        }
    }
    return results;
}

// Replace the numbers of invalid rows by 1, so that computing with them is harmless.
template <int D, class V> INLINE Given<D, V> without_invalid(const Given<D, V> &given, Mask<V> valid) {
    const V one = real<V>(1);
    Given<D, V> safe;
    for (int i = 0; i < D; i++) safe.p[i] = where(valid, given.p[i], one);
    for (int i = 0; D == 3 && i < 3; i++) safe.pole[i] = where(valid, given.pole[i], one);
    safe.r1 = where(valid, given.r1, one);
    safe.r2 = where(valid, given.r2, one);
    safe.side = where(valid, given.side, one);
    return safe;
}

template <int D, class V> INLINE void mark_invalid(Mask<V> valid, Results<D, V> &results) {
    const V nan = V(std::numeric_limits<Number<V>>::quiet_NaN());
    for (int i = 0; i < D; i++) {
        results.joint[i] = where(valid, results.joint[i], nan);
        results.end[i] = where(valid, results.end[i], nan);
    }
    results.status = where(valid, results.status, real<V>(invalid));
}

// Solve any limbs with a named policy.
template <int D, class V> NOINLINE void answer_any(const Given<D, V> &given, int policy, Results<D, V> &results) {
    const Mask<V> valid = is_valid(given);
    const Given<D, V> safe = without_invalid(given, valid);
    results = apply_named(any_limb(safe), safe.p, policy);
    mark_invalid(valid, results);
}

}  // namespace
