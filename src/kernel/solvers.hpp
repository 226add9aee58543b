// Two solvers with the same bits: `easy`, for easy limbs in or out of reach, and `answer_any` (general.hpp) for all.
//
// `easy` has four stages. The operations on one limb form a chain in which each waits for the last, so long loops
// take a few vectors together through one stage after the other (`packed` in loops.cpp).
#pragma once

#include "general.hpp"
#include "memory.hpp"
#include "two_bone.hpp"

namespace {

#if defined(TWOBONE_VECTORS)
template <class T> using Lane = std::conditional_t<sizeof(T) == 8, Doubles, Floats>;
#else
template <class T> using Lane = T;
#endif

// The constants for numbers in doubles that came as T.
template <class T> using OtherReal = std::conditional_t<sizeof(T) == sizeof(float), Wide, Real<double>>;

// What depends only on bones, side and pole: computed once per call if they are constant, else for each vector of rows.
template <class V> struct Setting {
    Bones<V> bones;
    V r1, r2, side, pole[3];
    V outwards, inwards;  // w / root of limbs without a triangle: beyond the maximum reach, below the minimum
    V pole_least;         // bound of m.m / h^2, with a margin for rounding
    static constexpr bool FINE = false, KEPT = false;
    unsigned good;        // one bit per lane: suitable for `easy<FAST>`
};

// For the answers of `any_limb` without its scaling, which changes no bit where all sizes are moderate: for targets with
// `least <= h <= most`, also with a thin first bone or tiny components.
template <class V> struct FineSetting : Setting<V> {
    V least, most;
    V w_least;  // of |w|: less of it may vanish when its low word is added
    static constexpr bool FINE = true;
};

// The same if all of these targets are well within reach and none of their components is tiny. Then `gap` has digits
// enough, unless a result is so close to the middle of two floats that the digits beyond decide how it is rounded.
template <class V> struct KeptSetting : FineSetting<V> {
    V gap_error, area_error, along_error;  // bounds of what the digits beyond change: in b / h, S / h and w / (2 h)
    static constexpr bool KEPT = true;
};

template <class V> constexpr unsigned ALL = (1u << (Lanes<V>::count - 1) << 1) - 1u;

template <int D, class V, class R = Real<Number<V>>> INLINE Setting<V> prepare(V r1, V r2, V side, const V *pole) {
    using T = Number<V>;
    constexpr T size = R::size[D - 2], part = R::part[D - 2];
    Setting<V> s;
    s.bones = bones<Fused>(r1, r2);
    s.r1 = r1;
    s.r2 = r2;
    s.side = side;
    s.outwards = V(T(2)) * r1;
    s.inwards = where(at_least(s.bones.difference.high, V(T(0))), s.outwards, -s.outwards);
    s.good = bits(are_easy_bones<V, R>(r1, r2, side, size));
    if constexpr (D == 3) {
        for (int i = 0; i < 3; i++) s.pole[i] = pole[i];
        s.good &= bits(is_easy_vector<3>(pole, size, part));
        s.pole_least = V(16 * R::eps * R::eps * R::above) * dot(pole, pole, 3);
    }
    return s;
}

// Return whether the bones, side and pole of a constant setting suit a `FineSetting`, and store it.
template <int D, class V> bool make_fine(const Setting<V> &s, int policy, FineSetting<V> &fine) {
    using T = Number<V>;
    using R = Real<T>;
    constexpr T size = R::size[D - 2], part = R::part[D - 2];
    Mask<V> good = are_moderate_bones(s.r1, s.r2, s.side, size);
    if constexpr (D == 3) good = good & is_easy_vector<3>(s.pole, size, part);
    static_cast<Setting<V> &>(fine) = s;
    fine.least = V(D * R::above / (size * size));
    fine.most = V(size * size / R::above);
    fine.w_least = V(4 * R::eps) * magnitude(s.bones.c.high);
    if (policy == twobone::stretch) {  // not where `FarOutside` has a formula of its own
        const V unit = power_of_two(larger(s.r1, s.r2)), f = s.bones.difference.high;
        fine.least = larger(fine.least, V(D * R::above / 4) * (f * f));
        fine.most = smaller(fine.most, V(64 / R::above) * (unit * unit));
    }
    return bits(good) == ALL<V>;
}

// What each stage of `easy` leaves to the next. Pairs are two members: GCC 12 copies nested structures in
// pieces of 16 bytes, which stalls the next load.
template <int D, class V> struct Draft {
    V p[D], m[D], h, h_low, w, w_low;
    V area, area_low, below, below_low;  // `below` in space only; in the plane `area_low` is added to `area`
    V inverse, root, line;
    Mask<V> inside;
};
template <class V> struct Signals {
    Mask<V> met, extended, too_far, too_near;
};

// Stage 1: the triangle. Returns which lanes are easy. `FAST`: cheaper checks, which recognise only some of them.
// `SHORT`: without `too_far`, which only statuses and the policy "nan" need. "stretch" needs `b` with all its digits,
// since it uses `w` for targets out of reach too.
template <bool FAST, bool SHORT, int D, class V, class R = Real<Number<V>>, class S = Setting<V>>
INLINE Mask<V> measure(const S &s, bool gives, Draft<D, V> &draft, Signals<V> &signals) {
    using T = Number<V>;
    constexpr bool TINY = S::FINE && !S::KEPT && sizeof(T) == 8;  // whether components may be tiny
    constexpr T size = R::size[D - 2], part = R::part[D - 2];
    V p[D], seen[D];
    for (int i = 0; i < D; i++) p[i] = seen[i] = draft.p[i];
    // Squares that underflow would take the processor long. No result shows those that are left out: within reach, b is
    // at least 2^-322 in space, and more in the plane. A square changes how b or S is rounded only from 2^-108 b on,
    // 2^-215 squared, as a tie of the low word. All other sums are larger, also w, since it is not next to 0.
    if constexpr (TINY)
        for (int i = 0; i < D; i++) seen[i] = where(greater(magnitude(p[i]), V(R::fine_square)), p[i], V(T(0)));
    Pair<V> squared[D], h;
    squares<Fused, D>(seen, squared);
    Pair<V> b;
    if constexpr (S::FINE && !S::KEPT) b = fine_gap<Fused, D>(squared, s.bones.difference, h);
    else b = gives ? gap<false, D>(squared, s.bones.square, h) : gap<true, D>(squared, s.bones.square, h);
    const auto found = triangle<SHORT, Fused, V, R>(h, b, s.bones);
    Mask<V> good;
    if constexpr (S::FINE) {
        good = at_least(h.high, s.least) & at_least(s.most, h.high);
        T least_part = 1 / part;
        if constexpr (TINY) {
            // Both terms of the joint must be normal numbers wherever they are seen. In the plane, a tiny part is seen
            // alone for limbs that are straight, times r1 / |p| >= 2^-200: at least 2^-1022 in all.
            // In space, w / (2 h) is at least 2^-174, and the other term must be normal if it is at least 2^-54 of the
            // first: 2^-794 would do. `answer_any` computes p_i (p.pole) in units of the target and the pole, up to 2^60
            // for a p.pole of 2^-109 and more, if any digit of it is seen; by the bound in `aim`, 2^-746 would do.
            least_part = R::fine_part[D - 2];
            good = good & at_least(magnitude(found.w), s.w_least);
        }
        for (int i = 0; i < D; i++) good = good & zero_or_at_least(p[i], least_part);
        // `w` drops what is lost when the high words are added, so that another high word of `b` changes it by much more
        // than another low word.
        if constexpr (S::KEPT) good = good & rounds_alike(b, s.gap_error * h.high);
        if constexpr (S::KEPT && D == 2)
            good = good & rounds_alike(Pair<V>{found.area, found.area_low}, s.area_error * h.high);
    } else if constexpr (FAST) {
        // No part is larger than the root of h, and the largest is at least the root of h / D.
        good = at_least(h.high, V(D * R::above / (size * size))) & at_least(V(size * size / R::above), h.high);
        for (int i = 0; i < D; i++) good = good & zero_or_at_least(p[i], 1 / part);
    } else {
        good = are_easy_bones<V, R>(s.r1, s.r2, s.side, size) & is_easy_vector<D>(p, size, part);
    }
    draft.h = h.high;
    draft.h_low = h.low;
    draft.w = found.w;
    // `w` itself is selected where the root is known.
    draft.w_low = gives || S::KEPT ? found.w_low : where(found.inside, found.w_low, V(T(0)));
    draft.line = where(found.extended, s.outwards, s.inwards);
    draft.inside = found.inside;
    if constexpr (D == 2) {
        draft.area = found.area + found.area_low;
    } else {
        draft.area = found.area;
        draft.area_low = found.area_low;
    }
    signals.met = found.met;
    signals.extended = found.extended;
    signals.too_far = found.too_far;
    signals.too_near = found.too_near;
    return good;
}

// Stage 2, in space: the direction across, and the division. Returns where the pole is not parallel to the target.
template <bool FAST, class V, class R = Real<Number<V>>, class S = Setting<V>>
INLINE Mask<V> aim(const S &s, Draft<3, V> &draft) {
    using T = Number<V>;
    constexpr T size = R::size[1], part = R::part[1];
    const V p[3] = {draft.p[0], draft.p[1], draft.p[2]};
    const Pair<V> h = {draft.h, draft.h_low};
    V m[3];
    const Pair<V> d = towards<Fused>(p, s.pole, h, m);
    const V least = FAST ? (h.high * h.high) * s.pole_least : least_apart(h, s.pole, R::eps);
    Mask<V> good = greater(dot(m, m, 3), least);
    // Of a product p_i (p.pole), the low word and that of the low word of p.pole must be whole: 2^-1022 2^107 = 2^-915 is
    // enough, and this limit times that of a part. (With 2^-970, the low word is whole.)
    if constexpr (S::FINE && !S::KEPT && sizeof(T) == 8)
        good = good & zero_or_at_least(larger(magnitude(d.high), magnitude(d.low)), R::fine_d);
    if constexpr (!FAST) good = good & is_easy_vector<3>(s.pole, size, part);
    Pair<V> squared[3];
    squares<Fused, 3>(m, squared);
    const Pair<V> below = product_of_pairs<Fused>(h, sum_of_pairs(squared, 3));
    draft.below = below.high;
    draft.below_low = below.low;
    draft.inverse = V(T(1)) / ((h.high + h.high) * below.high);
    for (int i = 0; i < 3; i++) draft.m[i] = m[i];
    return good;
}

// Stage 3: the square root, and the division in the plane. Returns which lanes of a `KeptSetting` remain easy, as stage
// 4 does.
template <int D, class V, class S> INLINE Mask<V> take_root(const S &s, Draft<D, V> &draft) {
    using T = Number<V>;
    V under = draft.area;
    Mask<V> good = draft.inside;
    const V two_h = draft.h + draft.h;
    if constexpr (D == 2) {
        draft.inverse = V(T(1)) / two_h;
    } else {
        const V both = draft.inverse;
        const Pair<V> area = {draft.area, draft.area_low}, below = {draft.below, draft.below_low};
        const V inverse = both * two_h;
        const Pair<V> q = unrounded_quotient<Fused>(area, below, inverse);
        under = q.high + q.low;
        if constexpr (S::KEPT) good = rounds_alike(q, s.area_error * draft.h * inverse);
        draft.inverse = both * below.high;
    }
    draft.root = sqrt_of(S::KEPT ? under : where(draft.inside, under, draft.h + draft.h_low));
    return good;
}

// Stage 4: the joint.
template <int D, class V, class S>
INLINE Mask<V> place_joint(const S &s, bool gives, const Draft<D, V> &draft, V *joint) {
    using T = Number<V>;
    const V zero = V(T(0)), root = draft.root, inverse = draft.inverse;
    const Pair<V> two_h = {draft.h + draft.h, draft.h_low + draft.h_low};
    const V p[2] = {draft.p[0], draft.p[1]};
    V across;
    if constexpr (D == 2) across = quotient_of_pairs<Fused>({root, zero}, two_h, inverse);
    else across = V(T(0.5)) * root;
    across = s.side * (S::KEPT ? across : where(draft.inside, across, zero));
    const V w = gives || S::KEPT ? draft.w : where(draft.inside, draft.w, draft.line * root);
    const Pair<V> q = unrounded_quotient<Fused>({w, draft.w_low}, two_h, inverse);
    const V along = q.high + q.low;
    if constexpr (D == 2) {
        joint[0] = along * p[0] + across * -p[1];
        joint[1] = along * p[1] + across * p[0];
    } else {
        for (int i = 0; i < 3; i++) joint[i] = along * draft.p[i] + across * draft.m[i];
    }
    if constexpr (S::KEPT) return rounds_alike(q, s.along_error);
    else return draft.inside;
}

// Write NaN where the target is not reached.
template <int D, class V> INLINE void signal(const Signals<V> &signals, V *vector) {
    using T = Number<V>;
    const V nan = V(std::numeric_limits<T>::quiet_NaN());
    for (int i = 0; i < D; i++) vector[i] = where(signals.too_far | signals.too_near, nan, vector[i]);
}

// Solve easy limbs, whether they reach their targets or not. `WHOLE`: compute ends and statuses too. Returns which
// lanes are easy; `answer_any` must solve the others. With `FAST`, a lane is easy only if `s.good` says so as well.
template <bool FAST, bool WHOLE, int D, class V, class R = Real<Number<V>>>
INLINE Mask<V> easy(const Setting<V> &s, const V *p, int policy, Results<D, V> &results) {
    using T = Number<V>;
    const bool gives = policy == twobone::stretch;
    Draft<D, V> draft;
    Signals<V> signals;
    for (int i = 0; i < D; i++) draft.p[i] = p[i];
    Mask<V> good = measure<FAST, false, D, V, R>(s, gives, draft, signals);
    if constexpr (D == 3) good = good & aim<FAST, V, R>(s, draft);
    take_root(s, draft);
    place_joint(s, gives, draft, results.joint);
    if constexpr (WHOLE) {
        const V edge = where(signals.extended, s.bones.maximum_reach, s.bones.minimum_reach) * draft.root / draft.h;
        for (int i = 0; i < D; i++) results.end[i] = gives ? p[i] : where(signals.met, p[i], edge * p[i]);
        results.status = where(signals.too_far, V(T(too_far)), where(signals.too_near, V(T(too_near)), V(T(0))));
    }
    if (policy == twobone::nan_) {
        signal<D>(signals, results.joint);
        if constexpr (WHOLE) signal<D>(signals, results.end);
    }
    return good;
}

template <int D, class V>
INLINE void keep(Mask<V> good, Results<D, V> &results, const Results<D, V> &others) {
    for (int i = 0; i < D; i++) {
        results.joint[i] = where(good, results.joint[i], others.joint[i]);
        results.end[i] = where(good, results.end[i], others.end[i]);
    }
    results.status = where(good, results.status, others.status);
}

// Solve limbs of floats as doubles. Returns which lanes are easy as doubles.
template <int D, class V>
INLINE Mask<V> easy_as_doubles(const Setting<V> &s, const V *p, int policy, Results<D, V> &results) {
    using W = Lane<double>;
    constexpr int N = Lanes<V>::count, STEP = Lanes<W>::count;
    float given[2 * D + 3][N], found[2 * D + 2][N];
    const V *pole = s.pole;
    for (int i = 0; i < D; i++) store(given[i], p[i]);
    store(given[D], s.r1);
    store(given[D + 1], s.r2);
    store(given[D + 2], s.side);
    for (int i = 0; D == 3 && i < D; i++) store(given[D + 3 + i], pole[i]);
    for (int lane = 0; lane < N; lane += STEP) {
        W wide[2 * D + 3];
        for (int i = 0; i < (D == 3 ? 9 : 5); i++) wide[i] = load<W>(given[i] + lane);
        const Setting<W> setting = prepare<D, W, Wide>(wide[D], wide[D + 1], wide[D + 2], wide + D + 3);
        Results<D, W> solved;
        const Mask<W> good = easy<false, true, D, W, Wide>(setting, wide, policy, solved);
        for (int i = 0; i < D; i++) {
            store(found[i] + lane, solved.joint[i]);
            store(found[D + i] + lane, solved.end[i]);
        }
        store(found[2 * D] + lane, solved.status);
        store(found[2 * D + 1] + lane, where(good, real<W>(1), real<W>(0)));
    }
    for (int i = 0; i < D; i++) {
        results.joint[i] = load<V>(found[i]);
        results.end[i] = load<V>(found[D + i]);
    }
    results.status = load<V>(found[2 * D]);
    return greater(load<V>(found[2 * D + 1]), real<V>(0));
}

// Solve any limbs: easy ones by `easy`, those of floats that are easy as doubles by `easy` too, and the others by
// `answer_any`.
template <int D, class V>
NOINLINE void careful(const Setting<V> &s, const V *p, int policy, Results<D, V> &results) {
    Mask<V> good = greater(real<V>(0), real<V>(0));
    if (s.good) good = easy<false, true, D>(s, p, policy, results);
    if (bits(good) == ALL<V>) return;
    if constexpr (sizeof(Number<V>) == sizeof(float)) {
        Results<D, V> others;
        const Mask<V> wide = easy_as_doubles<D>(s, p, policy, others);
        keep<D>(good, results, others);
        good = good | wide;
        if (bits(good) == ALL<V>) return;
    }
    Given<D, V> given;
    for (int i = 0; i < D; i++) given.p[i] = p[i];
    for (int i = 0; D == 3 && i < 3; i++) given.pole[i] = s.pole[i];
    given.r1 = s.r1;
    given.r2 = s.r2;
    given.side = s.side;
    Results<D, V> others;
    answer_any(given, policy, others);
    keep<D>(good, results, others);
}

// Solve any limbs, fast if all of them are easy. Without `WHOLE`, only the joint is sure to be set.
template <bool WHOLE, int D, class V>
INLINE void solve_any(const Setting<V> &s, const V *p, int policy, Results<D, V> &results) {
    if (s.good != ALL<V> || bits(easy<true, WHOLE, D>(s, p, policy, results)) != ALL<V>)
        careful<D>(s, p, policy, results);
}

// Solve limbs in the plane whose targets are on the x axis, at the distance `d`.
template <class V> INLINE Results<2, V> solve_on_axis(V d, V r1, V r2, int policy) {
    const V p[2] = {d, d * real<V>(0)}, *no_pole = nullptr;
    Results<2, V> results;
    solve_any<true>(prepare<2>(r1, r2, real<V>(1), no_pole), p, policy, results);
    return results;
}

}  // namespace
