// Policies that are objects: the C++ version of core/fitting.py and of `fit` of the policies in core/policies.py,
// with the same bits.
#pragma once

#include "general.hpp"

namespace {

// The edges of the range that a chain of policies has left, and the distances of their squares from those of the bones.
template <class V> struct Edges {
    V outer, inner, width, outer_rest, outer_over, inner_rest, inner_under;
};

// The distance from root to end, and how far it is from the edges. Both are `Fit` in fitting.py.
template <class V> struct Fit {
    V distance, far, near, stretch;
    Mask<V> moved, met;
};

// A policy for given bones: what depends on the distance of neither target nor end. `width` is that of the range after
// it. 0: the sizes of the zones, each over `fine`, and times 4; 1: the limit; 2: by how much the edges move.
template <class V> struct PreparedStep {
    int kind;
    Mask<V> unlimited;
    V outer, inner, width, fine, first, second;
    Divisor<V> four_first, four_second;
};

// Return `u - v` of two pairs, rounded once.
template <class V> INLINE V pair_difference(Pair<V> u, Pair<V> v) {
    const auto [high, lost] = two_sum(u.high, -v.high);
    return high + (lost + (u.low - v.low));
}

template <class V> INLINE Edges<V> edges_of(const ReachableRange<V> &reachable) {
    const V zero = real<V>(0), four = real<V>(4) * reachable.r1 * reachable.r2;
    return {reachable.outer, reachable.inner, reachable.width, zero, four, zero, four};
}

// Return 2 root times the error of `root`, the root of the high word of `h`.
template <class A, class V> INLINE V error_of_root(Pair<V> h, V root) {
    const auto [square, square_low] = two_square<A>(root);
    return (h.high - square) + (h.low - square_low);
}

// `SHORT`: where d is beyond twice the maximum reach, only the sign of `far` is right; `keep_within` needs no more.
template <bool SHORT, class V> INLINE Fit<V> fit_at(Pair<V> d, const ReachableRange<V> &reachable) {
    Fit<V> fit;
    fit.distance = d.high;
    const Pair<V> far = SHORT ? fast_two_sum(reachable.outer, -d.high) : two_sum(reachable.outer, -d.high);
    fit.far = far.high + (far.low + (reachable.outer_low - d.low));
    fit.near = pair_difference(d, {reachable.inner, reachable.inner_low});
    fit.stretch = real<V>(1);
    fit.moved = fit.met = greater(real<V>(0), real<V>(0));
    return fit;
}

template <int D, class V> INLINE Fit<V> fit_target(const AnyLimb<D, V> &limb) {
    using R = Real<Number<V>>;
    Pair<V> squared[D];
    squares<Halved, D>(limb.p, squared);
    const Pair<V> h = sum_of_pairs(squared, D);
    const V root = sqrt_of(h.high);
    const Pair<V> d = {root, error_of_root<Halved>(h, root) / (root + root)};
    V unit = smaller(limb.units.target / limb.units.longer, V(R::largest / 4));
    unit = where(limb.units.at_root, real<V>(0), unit);
    return fit_at<false, V>({d.high * unit, d.low * unit}, limb.reachable);
}

// The distance from root to end before the bones stretch; `E` has the edges.
template <class V, class E> INLINE V end_distance(const Fit<V> &fit, const E &edges) {
    return where(greater(fit.near, fit.far), edges.outer - fit.far, edges.inner + fit.near);
}

template <class V> INLINE V positive_or_one(V v) { return where(greater(v, real<V>(0)), v, real<V>(1)); }

// Clamp the end to the reachable range.
template <class V> INLINE void keep_within(Fit<V> &fit, V width) {
    const V zero = real<V>(0);
    const Mask<V> over = greater(zero, fit.far), under = greater(zero, fit.near);
    const V near = fit.near;
    fit.far = where(over, zero, where(under, width, fit.far));
    fit.near = where(over, width, where(under, zero, near));
    fit.moved = fit.moved | over | under;
}

template <class V> struct Eased {
    V left;
    Mask<V> changed;
};

// Return the difference to an edge after easing, and where easing changed it. Without a zone, `zone` is negative.
template <bool SCALED, class V> INLINE Eased<V> ease(V left, V zone, const Divisor<V> &four_size, V fine) {
    const V zero = real<V>(0);
    V inside = larger(left + zone, zero);
    if constexpr (SCALED) inside = inside / fine;
    V curve = inside * inside;
    if constexpr (SCALED) curve = curve / four_size.whole * fine;
    else curve = quotient(curve, four_size);
    const Mask<V> changed = SCALED ? Mask<V>(greater(zone, left) & greater(zone, zero)) : greater(zone, left);
    return {where(changed, curve, left), changed};
}

template <bool SCALED, class V> INLINE void soften(Fit<V> &fit, const PreparedStep<V> &step) {
    const auto [far, slow] = ease<SCALED>(fit.far, step.first, step.four_first, step.fine);
    const auto [near, fast] = ease<SCALED>(fit.near, step.second, step.four_second, step.fine);
    fit.far = where(fast, step.width - near, far);
    fit.near = where(slow, step.width - far, near);
    fit.moved = fit.moved | slow | fast;
}

template <class V> INLINE void stretch(Fit<V> &fit, const PreparedStep<V> &step, V least) {
    using R = Real<Number<V>>;
    keep_within(fit, step.width);
    const V d = end_distance(fit, step), one = real<V>(1), limit = step.first;
    // An end at the root stays there. A distance capped at a quarter of the largest number exceeds any finite limit.
    const Mask<V> lags = fit.moved & greater(fit.distance, d) & greater(d, least);
    const V factor = where(lags, fit.distance, one) / where(lags, d, one);
    fit.met = lags & at_least(limit, factor);
    fit.met = fit.met & (greater(V(R::largest / 4), fit.distance) | step.unlimited);
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

// Move the edges. Store by how much each of them moved, outer and inner.
template <class V>
INLINE void limit_angle(Edges<V> &edges, const ReachableRange<V> &reachable, const JointLimits<V> &limits, V *moves) {
    const V zero = real<V>(0), four = real<V>(4) * reachable.r1 * reachable.r2;
    // An earlier policy may have narrowed the range already: the narrower edges apply.
    const V outer_rest = larger(four * limits.greatest_cos2, edges.outer_rest);
    const V outer_over = smaller(four * limits.greatest_sin2, edges.outer_over);
    const V inner_rest = larger(four * limits.least_sin2, edges.inner_rest);
    const V inner_under = smaller(four * limits.least_cos2, edges.inner_under);
    const Mask<V> lower = greater(outer_rest, edges.outer_rest) | greater(edges.outer_over, outer_over);
    const Mask<V> higher = greater(inner_rest, edges.inner_rest) | greater(edges.inner_under, inner_under);
    const V outer = where(lower, edge_of(reachable, outer_over, outer_rest), edges.outer);
    const V inner = where(higher, edge_of(reachable, inner_rest, inner_under), edges.inner);
    // The edges move by a difference of squares over a sum, from the smaller squares: no cancellation.
    const Mask<V> hardly_opens = greater(outer_rest, outer_over), hardly_closes = greater(inner_rest, inner_under);
    const V less = where(hardly_opens, edges.outer_over - outer_over, outer_rest - edges.outer_rest);
    const V more = where(hardly_closes, edges.inner_under - inner_under, inner_rest - edges.inner_rest);
    moves[0] = less / positive_or_one(edges.outer + outer);
    moves[1] = more / positive_or_one(edges.inner + inner);
    const V square = where(hardly_opens, outer_over - inner_rest, inner_under - outer_rest);
    const V width = larger(square, zero) / positive_or_one(outer + inner);
    edges = {outer, inner, where(lower | higher, width, edges.width), outer_rest, outer_over, inner_rest, inner_under};
}

// The same for the differences to the edges.
template <class V> INLINE void follow_edges(Fit<V> &fit, const PreparedStep<V> &step) {
    // The difference to the nearer edge is the more accurate one; the other follows from it.
    const Mask<V> low = greater(fit.far, fit.near);
    const V far = fit.far - step.first, near = fit.near - step.second;
    fit.far = where(low, step.width - near, far);
    fit.near = where(low, near, step.width - far);
}

// Read the policies of a chain; `number(i)` is the i-th of their numbers.
template <class T, class Read> void read_steps(const Read &number, int count, twobone::Step<T> *steps) {
    for (int i = 0; i < count; i++) {
        const int at = i * twobone::STEP_NUMBERS;
        steps[i] = {int(number(at)), {number(at + 1), number(at + 2), number(at + 3), number(at + 4)}};
    }
}

// Prepare a policy for the edges that the policies before it have left, and narrow them if it does. Its numbers are the
// same for all lanes, or S is V.
template <bool SCALED, class V, class S>
INLINE PreparedStep<V> prepare_step(const twobone::Step<S> &step, const ReachableRange<V> &reachable, V fine,
                                    Edges<V> &edges) {
    const auto *n = step.numbers;
    PreparedStep<V> prepared;
    prepared.kind = step.kind;
    prepared.unlimited = equal(V(n[1]), real<V>(0));
    prepared.fine = fine;
    prepared.first = V(n[0]);
    if (step.kind == 0) {
        const V half = real<V>(0.5) * edges.width, zero = real<V>(0), one = real<V>(1);
        const V outer = smaller(V(n[0]) * edges.outer, half), inner = smaller(V(n[0]) * edges.inner, half);
        prepared.first = outer;
        prepared.second = inner;
        if constexpr (SCALED) {
            prepared.four_first.whole = real<V>(4) * where(greater(outer, zero), outer / fine, one);
            prepared.four_second.whole = real<V>(4) * where(greater(inner, zero), inner / fine, one);
        } else {
            prepared.four_first = divisor(real<V>(4) * where(greater(outer, zero), outer, one));
            prepared.four_second = divisor(real<V>(4) * where(greater(inner, zero), inner, one));
        }
    } else if (step.kind == 2) {
        V moves[2];
        limit_angle(edges, reachable, JointLimits<V>{V(n[0]), V(n[1]), V(n[2]), V(n[3])}, moves);
        prepared.first = moves[0];
        prepared.second = moves[1];
    }
    prepared.outer = edges.outer;
    prepared.inner = edges.inner;
    prepared.width = edges.width;
    return prepared;
}

// Apply a policy; `least` is the distance at which an end counts as being at the root.
template <bool SCALED, class V> INLINE void apply(const PreparedStep<V> &step, V least, Fit<V> &fit) {
    if (step.kind == 0) soften<SCALED>(fit, step);
    else if (step.kind == 1) stretch(fit, step, least);
    else follow_edges(fit, step);
}

// Correct a vector whose length is the root of `square` to rounding, to nearly full accuracy; `doubled` is 2 square.
template <class A, bool SCALED, int D, class V>
INLINE void correct_length(V *v, Pair<V> square, const Divisor<V> &doubled) {
    Pair<V> squared[D];
    squares<A, D>(v, squared);
    const Pair<V> vv = sum_of_pairs(squared, D);
    const V difference = (vv.high - square.high) + (vv.low - square.low);
    V excess;
    if constexpr (SCALED) excess = where(greater(square.high, real<V>(0)), difference / doubled.whole, real<V>(0));
    else excess = quotient(difference, doubled);
    excess = constant(excess);
    for (int i = 0; i < D; i++) v[i] = v[i] - excess * v[i];
}

// What follows from the distance of an end: 4 S / d^2 = a b / d^2 and w as in formula.py.
template <class V> struct Bent {
    V a, b, w, d;
};

// `w_rest` is w - b.
template <class V> INLINE Bent<V> bend(const Fit<V> &fit, const Edges<V> &edges, V w_rest) {
    const V two = real<V>(2), b = edges.inner_rest + fit.near * (two * edges.inner + fit.near);
    return {edges.outer_rest + fit.far * (two * edges.outer - fit.far), b, b + w_rest, end_distance(fit, edges)};
}

// Return the joint and the end of a limb whose end is at the distance of a `Fit`.
template <int D, class V>
INLINE void limb_at(const AnyLimb<D, V> &limb, V side, const Fit<V> &fit, const Edges<V> &edges, V *joint, V *end) {
    using R = Real<Number<V>>;
    const V zero = real<V>(0), one = real<V>(1), near = V(R::near);
    const auto &reachable = limb.reachable;
    const auto &units = limb.units;
    const auto [a, b, w, d] = bend(fit, edges, real<V>(2) * (reachable.r1 * reachable.difference));
    const Mask<V> apart = greater(d, near);
    const V safe = where(apart, d, one);
    V along = where(apart, w / (safe + safe), zero);
    const Mask<V> bent = greater(a, zero) & (greater(b, zero) | at_least(near, d));
    const V root = sqrt_of(where(bent, a, one)) * sqrt_of(where(bent & apart, b, one));
    V across = where(bent, root / (safe + safe), zero);
    V q[D];
    for (int i = 0; i < D; i++) q[i] = side * limb.solution.q[i];
    const V length = sqrt_of(dot(limb.p, limb.p, D));
    const V to_p = one / length, to_q = one / sqrt_of(dot(q, q, D));
    along = along * units.thin * to_p;
    across = across * units.thin * to_q;
    for (int i = 0; i < D; i++) joint[i] = along * limb.p[i] + across * q[i];
    const Pair<V> square = two_square<Halved>(reachable.r1 * units.thin);
    const V doubled = where(greater(square.high, zero), square.high + square.high, one);
    correct_length<Halved, true, D>(joint, square, {doubled, doubled, doubled});
    // This order of products avoids overflow and underflow.
    const V factor = where(fit.met, length / safe / units.thin, one);
    const V unit = where(fit.met, units.target, units.first);
    for (int i = 0; i < D; i++) {
        end[i] = d * to_p * limb.p[i] * units.longer * fit.stretch;
        joint[i] = joint[i] * factor * unit * fit.stretch;
    }
}

// Apply a chain of policies to a limb, and store the edges that it leaves.
template <int D, class V, class S>
INLINE Fit<V> fit_with(const AnyLimb<D, V> &limb, const twobone::Step<S> *steps, int count, Edges<V> &edges) {
    Fit<V> fit = fit_target(limb);
    edges = edges_of(limb.reachable);
    const V fine = power_of_two(positive_or_one(limb.reachable.width));
    for (int i = 0; i < count; i++)
        apply<true>(prepare_step<true>(steps[i], limb.reachable, fine, edges), V(Real<Number<V>>::near), fit);
    keep_within(fit, edges.width);
    return fit;
}

// Solve any limbs with any policy: a named one, or a chain of `count` steps. `eps` is that of the type in which the
// numbers came.
template <int D, class V, class S>
INLINE void answer(const Given<D, V> &given, int policy, const twobone::Step<S> *steps, int count, Number<V> eps,
                   Results<D, V> &results) {
    const Mask<V> valid = is_valid(given);
    const Given<D, V> safe = without_invalid(given, valid);
    const AnyLimb<D, V> limb = any_limb(safe, eps);
    results = apply_named(limb, safe.p, policy);
    Edges<V> edges;
    const Fit<V> fit = fit_with(limb, steps, count, edges);
    if (count && bits(fit.moved)) {
        V joint[D], end[D];
        limb_at(limb, safe.side, fit, edges, joint, end);
        const V d = end_distance(fit, edges);
        const V slack = V(4 * eps) * larger(edges.inner, d);
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

// Solve any limbs with a chain of policies.
template <int D, class V, class S>
NOINLINE void answer_fitted(const Given<D, V> &given, const twobone::Step<S> *steps, int count,
                            Results<D, V> &results) {
    answer(given, twobone::clamp, steps, count, Real<Number<V>>::eps, results);
}

}  // namespace
