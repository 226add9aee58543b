// Three solvers, from fast to slow, with the same bits. `bent`: vectorised, for easy limbs with a triangle.
// `easy`: vectorised, for all easy limbs. `mend`: scalar, for any limb.
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

// What depends on bones, side and pole only: constant for all targets of a call, or computed in each step.
template <class V> struct Setting {
    Bones<V> bones;
    V r1, r2, side, pole[3];
    V speck;  // bound of area / h, with a margin of a factor 2
    V pole_least;
    unsigned good;  // one bit per lane: suitable for `bent`
};

template <class V> constexpr unsigned ALL = (1u << (Lanes<V>::count - 1) << 1) - 1u;

template <int D, class V> INLINE Setting<V> prepare(V r1, V r2, V side, const V *pole) {
    using T = Number<V>;
    constexpr T size = Real<T>::size[D - 2], part = Real<T>::part[D - 2];
    Setting<V> s;
    s.bones = bones<Fused>(r1, r2);
    s.r1 = r1;
    s.r2 = r2;
    s.side = side;
    s.speck = V(2 * Real<T>::speck) * s.bones.rr;
    // A reachable target is at most at the distance r1 + r2, so the bones bound it.
    s.good = bits(are_easy_bones(r1, r2, side, size / 4));
    if constexpr (D == 3) {
        for (int i = 0; i < 3; i++) s.pole[i] = pole[i];
        s.good &= bits(is_easy_vector<3>(pole, size, part));
        s.pole_least = V(32 * Real<T>::eps * Real<T>::eps) * dot(pole, pole, 3);
    }
    return s;
}

// Solve easy limbs with a triangle. Returns one bit for each lane; lanes with 0 must be solved otherwise.
template <int D, class V> INLINE unsigned bent(const Setting<V> &s, const V *p, V *joint) {
    using T = Number<V>;
    constexpr T size = Real<T>::size[D - 2], part = Real<T>::part[D - 2];
    Pair<V> squared[D], h;
    squares<Fused, D>(p, squared);
    const Pair<V> b = gap<D>(squared, s.bones.square, h);
    const auto bend_ = bend<true, Fused>(h, b, s.bones);
    auto good = greater(bend_.area.high, s.speck * h.high) & at_least(h.high, V(4 / (size * size)));
    for (int i = 0; i < D; i++) good = good & zero_or_at_least(p[i], 1 / part);
    Solution<V> solution;
    if constexpr (D == 2) {
        solution = bend_in_plane<true, Fused>(p, bend_, s.side);
    } else {
        V m[3];
        towards<Fused>(p, s.pole, h, m);
        good = good & greater(dot(m, m, 3), (h.high * h.high) * s.pole_least);
        solution = bend_in_space<true, Fused>(m, bend_, s.side);
    }
    place<true, Fused, D>(p, bend_, solution, bend_.w, joint);
    return bits(good) & s.good;
}

// Solve easy limbs. Returns one bit for each lane that is easy; `status` holds floating-point numbers.
template <int D, class V>
INLINE unsigned easy(const Setting<V> &s, const V *p, int policy, V *joint, V *end, V &status) {
    using T = Number<V>;
    constexpr T size = Real<T>::size[D - 2], part = Real<T>::part[D - 2];
    const V zero = V(T(0)), nan = V(std::numeric_limits<T>::quiet_NaN());
    Pair<V> squared[D], h;
    squares<Fused, D>(p, squared);
    const Pair<V> b = gap<D>(squared, s.bones.square, h);
    const auto bend_ = bend<false, Fused>(h, b, s.bones);
    auto good = are_easy_bones(s.r1, s.r2, s.side, size) & is_easy_vector<D>(p, size, part);
    Solution<V> solution;
    if constexpr (D == 2) {
        solution = bend_in_plane<false, Fused>(p, bend_, s.side);
    } else {
        V m[3];
        towards<Fused>(p, s.pole, h, m);
        good = good & is_easy_vector<3>(s.pole, size, part) & greater(dot(m, m, 3), least_apart(h, s.pole));
        solution = bend_in_space<false, Fused>(m, bend_, s.side);
    }
    Pair<V> w = bend_.w;
    if (policy != twobone::stretch) {
        const V line = V(T(2)) * straight(bend_, s.bones) * s.bones.r1 * solution.root;
        w = {where(bend_.inside, w.high, line), where(bend_.inside, w.low, zero)};
    }
    place<false, Fused, D>(p, bend_, solution, w, joint);
    const V edge = where(bend_.extended, s.bones.maximum_reach, s.bones.minimum_reach) * solution.root / h.high;
    for (int i = 0; i < D; i++)
        end[i] = policy == twobone::stretch ? p[i] : where(bend_.met, p[i], edge * p[i]);
    status = where(bend_.too_far, V(T(too_far)), where(bend_.too_near, V(T(too_near)), zero));
    if (policy == twobone::nan_) {
        const auto missed = greater(status, zero);
        for (int i = 0; i < D; i++) {
            joint[i] = where(missed, nan, joint[i]);
            end[i] = where(missed, nan, end[i]);
        }
    }
    return bits(good);
}

template <int D, class V> INLINE void read_lanes(const V *v, Number<V> (*lanes)[Lanes<V>::count]) {
    for (int i = 0; i < D; i++) store(lanes[i], v[i]);
}

// Solve the lanes in `wrong` one by one, and replace the results of `easy`.
template <int D, class V>
NOINLINE void mend(const Setting<V> &s, const V *p, int policy, unsigned wrong, V *joint, V *end, V &status) {
    using T = Number<V>;
    constexpr int N = Lanes<V>::count;
    T in[D][N], pole[3][N], r1[N], r2[N], side[N], to[D][N], at[D][N], code[N];
    read_lanes<D>(p, in);
    if constexpr (D == 3) read_lanes<3>(s.pole, pole);
    store(r1, s.r1);
    store(r2, s.r2);
    store(side, s.side);
    read_lanes<D>(joint, to);
    read_lanes<D>(end, at);
    store(code, status);
    for (int k = 0; k < N; k++) {
        if (!(wrong >> k & 1)) continue;
        T target[D], pole_vector[3] = {};
        for (int i = 0; i < D; i++) target[i] = in[i][k];
        for (int i = 0; D == 3 && i < 3; i++) pole_vector[i] = pole[i][k];
        const Answer<T, D> answer = answer_any<T, D>(target, r1[k], r2[k], side[k], pole_vector, policy);
        for (int i = 0; i < D; i++) {
            to[i][k] = answer.joint[i];
            at[i][k] = answer.end[i];
        }
        code[k] = T(answer.status);
    }
    for (int i = 0; i < D; i++) {
        joint[i] = load<V>(to[i]);
        end[i] = load<V>(at[i]);
    }
    status = load<V>(code);
}

template <int D, class V>
NOINLINE void careful(const Setting<V> &s, const V *p, int policy, V *joint, V *end, V &status) {
    const unsigned good = easy<D>(s, p, policy, joint, end, status);
    if (good != ALL<V>) mend<D>(s, p, policy, ALL<V> & ~good, joint, end, status);
}

}  // namespace
