// Policies that are objects: the C++ version of core/fitting.py and of `fit` of the policies in core/policies.py,
// with the same bits.
#pragma once

#include "general.hpp"

namespace {

// The distance from root to end, and how far it is from the edges of the range; see `Fit` in fitting.py.
template <class V> struct Fit {
    V distance, far, near, outer, inner, width, outer_rest, outer_over, inner_rest, inner_under, stretch;
    Mask<V> moved, met;
    V fine;
};

// Return `u - v` of two pairs, rounded once.
template <class V> INLINE V pair_difference(Pair<V> u, Pair<V> v) {
    const auto [high, lost] = two_sum(u.high, -v.high);
    return high + (lost + (u.low - v.low));
}

template <int D, class V> INLINE Fit<V> fit_target(const AnyLimb<D, V> &limb) {
    using R = Real<Number<V>>;
    const V zero = real<V>(0);
    const auto &reachable = limb.reachable;
    Pair<V> squared[D];
    squares<Halved, D>(limb.p, squared);
    const Pair<V> h = sum_of_pairs(squared, D);
    const V root = sqrt_of(h.high);
    const auto [square, square_low] = two_square<Halved>(root);
    const V root_low = ((h.high - square) + (h.low - square_low)) / (root + root);
    V unit = smaller(limb.units.target / limb.units.longer, V(R::largest / 4));
    unit = where(limb.units.at_root, zero, unit);
    const Pair<V> d = {root * unit, root_low * unit};
    const V four = real<V>(4) * reachable.r1 * reachable.r2;
    Fit<V> fit;
    fit.distance = d.high;
    fit.far = pair_difference({reachable.outer, reachable.outer_low}, d);
    fit.near = pair_difference(d, {reachable.inner, reachable.inner_low});
    fit.outer = reachable.outer;
    fit.inner = reachable.inner;
    fit.width = reachable.width;
    fit.outer_rest = fit.inner_rest = zero;
    fit.outer_over = fit.inner_under = four;
    fit.stretch = real<V>(1);
    fit.moved = fit.met = greater(zero, zero);
    fit.fine = power_of_two(where(greater(reachable.width, zero), reachable.width, real<V>(1)));
    return fit;
}

// The distance from root to end before the bones stretch.
template <class V> INLINE V end_distance(const Fit<V> &fit) {
    return where(greater(fit.near, fit.far), fit.outer - fit.far, fit.inner + fit.near);
}

template <class V> INLINE V positive_or_one(V v) { return where(greater(v, real<V>(0)), v, real<V>(1)); }

// Clamp the end to the reachable range.
template <class V> INLINE void keep_within(Fit<V> &fit) {
    const V zero = real<V>(0);
    const Mask<V> over = greater(zero, fit.far), under = greater(zero, fit.near);
    const V near = fit.near;
    fit.far = where(over, zero, where(under, fit.width, fit.far));
    fit.near = where(over, fit.width, where(under, zero, near));
    fit.moved = fit.moved | over | under;
}

template <class V> struct Eased {
    V left;
    Mask<V> changed;
};

// Return the difference to an edge after easing, and where easing changed it.
template <class V> INLINE Eased<V> ease(const Fit<V> &fit, V left, V zone) {
    const V zero = real<V>(0);
    const Mask<V> changed = greater(zone, left) & greater(zone, zero);
    V inside = where(changed, left + zone, zero);
    inside = where(greater(inside, zero), inside, zero) / fit.fine;
    const V size = where(greater(zone, zero), zone / fit.fine, real<V>(1));
    const V curve = inside * inside / (real<V>(4) * size) * fit.fine;
    return {where(changed, curve, left), changed};
}

template <class V> INLINE void soften(Fit<V> &fit, V softness) {
    const V half = real<V>(0.5) * fit.width;
    const auto [far, slow] = ease(fit, fit.far, smaller(softness * fit.outer, half));
    const auto [near, fast] = ease(fit, fit.near, smaller(softness * fit.inner, half));
    fit.far = where(fast, fit.width - near, far);
    fit.near = where(slow, fit.width - far, near);
    fit.moved = fit.moved | slow | fast;
}

template <class V> INLINE void stretch(Fit<V> &fit, V limit, bool limited) {
    using R = Real<Number<V>>;
    keep_within(fit);
    const V d = end_distance(fit), one = real<V>(1);
    // An end at the root stays there. A distance capped at a quarter of the largest number exceeds any finite limit.
    const Mask<V> lags = fit.moved & greater(fit.distance, d) & greater(d, V(R::near));
    const V factor = where(lags, fit.distance, one) / where(lags, d, one);
    fit.met = lags & at_least(limit, factor);
    if (limited) fit.met = fit.met & greater(V(R::largest / 4), fit.distance);
    fit.stretch = where(fit.met, fit.stretch, where(lags, limit, fit.stretch));
}

// An edge: its square is minimum reach^2 + over, and maximum reach^2 - under.
template <class V> INLINE V edge_of(const ReachableRange<V> &reachable, V over, V under) {
    const V low = reachable.inner * reachable.inner + over, high = reachable.outer * reachable.outer - under;
    const V square = where(greater(under, over), low, high);
    return where(greater(square, real<V>(0)), sqrt_of(positive_or_one(square)), real<V>(0));
}

// Squared sines and cosines of half the least and the greatest joint angle.
template <class V> struct JointLimits {
    V least_sin2, least_cos2, greatest_sin2, greatest_cos2;
};

template <class V>
INLINE void limit_angle(Fit<V> &fit, const ReachableRange<V> &reachable, const JointLimits<V> &limits) {
    const V zero = real<V>(0), four = real<V>(4) * reachable.r1 * reachable.r2;
    // An earlier policy may have narrowed the range already: the narrower edges apply.
    const V outer_rest = larger(four * limits.greatest_cos2, fit.outer_rest);
    const V outer_over = smaller(four * limits.greatest_sin2, fit.outer_over);
    const V inner_rest = larger(four * limits.least_sin2, fit.inner_rest);
    const V inner_under = smaller(four * limits.least_cos2, fit.inner_under);
    const Mask<V> lower = greater(outer_rest, fit.outer_rest) | greater(fit.outer_over, outer_over);
    const Mask<V> higher = greater(inner_rest, fit.inner_rest) | greater(fit.inner_under, inner_under);
    const V outer = where(lower, edge_of(reachable, outer_over, outer_rest), fit.outer);
    const V inner = where(higher, edge_of(reachable, inner_rest, inner_under), fit.inner);
    // The edges move by a difference of squares over a sum, from the smaller squares: no cancellation.
    const Mask<V> hardly_opens = greater(outer_rest, outer_over), hardly_closes = greater(inner_rest, inner_under);
    V less = where(hardly_opens, fit.outer_over - outer_over, outer_rest - fit.outer_rest);
    V more = where(hardly_closes, fit.inner_under - inner_under, inner_rest - fit.inner_rest);
    less = less / positive_or_one(fit.outer + outer);
    more = more / positive_or_one(fit.inner + inner);
    const V square = where(hardly_opens, outer_over - inner_rest, inner_under - outer_rest);
    V width = larger(square, zero) / positive_or_one(outer + inner);
    width = where(lower | higher, width, fit.width);
    // The difference to the nearer edge is the more accurate one; the other follows from it.
    const Mask<V> low = greater(fit.far, fit.near);
    const V far = fit.far - less, near = fit.near - more;
    fit.far = where(low, width - near, far);
    fit.near = where(low, near, width - far);
    fit.outer = outer;
    fit.inner = inner;
    fit.width = width;
    fit.outer_rest = outer_rest;
    fit.outer_over = outer_over;
    fit.inner_rest = inner_rest;
    fit.inner_under = inner_under;
}

// Read the policies of a chain; `number(i)` is the i-th of their numbers.
template <class T, class Read> void read_steps(const Read &number, int count, twobone::Step<T> *steps) {
    for (int i = 0; i < count; i++) {
        const int at = i * twobone::STEP_NUMBERS;
        steps[i] = {int(number(at)), {number(at + 1), number(at + 2), number(at + 3), number(at + 4)}};
    }
}

// Apply the policies of a chain, one after the other.
template <class V>
INLINE void apply(const twobone::Step<Number<V>> *steps, int count, const ReachableRange<V> &reachable, Fit<V> &fit) {
    for (int i = 0; i < count; i++) {
        const auto &step = steps[i];
        const auto *n = step.numbers;
        if (step.kind == 0) soften(fit, V(n[0]));
        else if (step.kind == 1) stretch(fit, V(n[0]), n[1] != 0);
        else limit_angle(fit, reachable, JointLimits<V>{V(n[0]), V(n[1]), V(n[2]), V(n[3])});
    }
}

// Correct a vector whose length is `length` to rounding, to nearly full accuracy.
template <int D, class V> INLINE void make_as_long_as(V *v, V length) {
    const V zero = real<V>(0);
    Pair<V> squared[D];
    squares<Halved, D>(v, squared);
    const Pair<V> vv = sum_of_pairs(squared, D);
    const auto [square, square_low] = two_square<Halved>(length);
    const Mask<V> sound = greater(square, zero);
    V excess = ((vv.high - square) + (vv.low - square_low)) / where(sound, square + square, real<V>(1));
    excess = where(sound, excess, zero);
    for (int i = 0; i < D; i++) v[i] = v[i] - excess * v[i];
}

// Return the joint and the end of a limb whose end is at the distance of a `Fit`.
template <int D, class V>
INLINE void limb_at(const AnyLimb<D, V> &limb, V side, const Fit<V> &fit, V *joint, V *end) {
    using R = Real<Number<V>>;
    const V zero = real<V>(0), one = real<V>(1), two = real<V>(2);
    const auto &reachable = limb.reachable;
    const auto &units = limb.units;
    const V a = fit.outer_rest + fit.far * (two * fit.outer - fit.far);
    const V b = fit.inner_rest + fit.near * (two * fit.inner + fit.near);
    const V w = b + two * (reachable.r1 * reachable.difference);
    const V d = end_distance(fit);
    const V safe = where(greater(d, V(R::near)), d, one);
    const Mask<V> apart = greater(d, V(R::near));
    V along = where(apart, w / (safe + safe), zero);
    const Mask<V> bent = greater(a, zero) & (greater(b, zero) | at_least(V(R::near), d));
    const V root = sqrt_of(where(bent, a, one)) * sqrt_of(where(bent & apart, b, one));
    V across = where(bent, root / (safe + safe), zero);
    V q[D];
    for (int i = 0; i < D; i++) q[i] = side * limb.solution.q[i];
    const V length = sqrt_of(dot(limb.p, limb.p, D));
    const V to_p = one / length, to_q = one / sqrt_of(dot(q, q, D));
    along = along * units.thin * to_p;
    across = across * units.thin * to_q;
    for (int i = 0; i < D; i++) joint[i] = along * limb.p[i] + across * q[i];
    make_as_long_as<D>(joint, reachable.r1 * units.thin);
    // This order of products avoids overflow and underflow.
    const V factor = where(fit.met, length / safe / units.thin, one);
    const V unit = where(fit.met, units.target, units.first);
    for (int i = 0; i < D; i++) {
        end[i] = d * to_p * limb.p[i] * units.longer * fit.stretch;
        joint[i] = joint[i] * factor * unit * fit.stretch;
    }
}

// Solve any limbs with a chain of policies.
template <int D, class V>
NOINLINE void answer_fitted(const Given<D, V> &given, const twobone::Step<Number<V>> *steps, int count,
                            Results<D, V> &results) {
    using R = Real<Number<V>>;
    const Mask<V> valid = is_valid(given);
    const Given<D, V> safe = without_invalid(given, valid);
    const AnyLimb<D, V> limb = any_limb(safe);
    results = apply_named(limb, safe.p, twobone::clamp);
    Fit<V> fit = fit_target(limb);
    apply(steps, count, limb.reachable, fit);
    keep_within(fit);
    if (bits(fit.moved)) {
        V joint[D], end[D];
        limb_at(limb, safe.side, fit, joint, end);
        const V d = end_distance(fit);
        const V slack = real<V>(4 * R::eps) * larger(fit.inner, d);
        V status = where(greater(fit.distance - d, slack), real<V>(too_far), results.status);
        status = where(greater(d - fit.distance, slack), real<V>(too_near), status);
        for (int i = 0; i < D; i++) {
            end[i] = where(fit.met, safe.p[i], end[i]);
            results.joint[i] = where(fit.moved, joint[i], results.joint[i]);
            results.end[i] = where(fit.moved, end[i], results.end[i]);
        }
        results.status = where(fit.moved, status, results.status);
    }
    mark_invalid(valid, results);
}

}  // namespace
