// Three ways to solve a limb, from fast to slow, all with the same bits: limbs that are easy and
// bend, as many at once as there are lanes; easy limbs, bent or not; any limb, one by one.
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

// What is the same for all targets of a call, or for those of one step.
template <class V> struct Setting {
    Bones<V> bones;
    V r1, r2, side, pole[3];
    V speck;  // of the area over h, twice as much as asked
    V pole_least;
    unsigned good;  // bits: easy enough for the fast way
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
    // A target in the ring is not longer than both bones.
    s.good = bits(are_easy_bones(r1, r2, side, size / 4));
    if constexpr (D == 3) {
        for (int i = 0; i < 3; i++) s.pole[i] = pole[i];
        s.good &= bits(is_easy_vector<3>(pole, size, part));
        s.pole_least = V(32 * Real<T>::eps * Real<T>::eps) * dot(pole, pole, 3);
    }
    return s;
}

// The fast way. Returns one bit for each lane for which the joint is right.
template <int D, class V> INLINE unsigned bent(const Setting<V> &s, const V *p, V *joint) {
    using T = Number<V>;
    constexpr T size = Real<T>::size[D - 2], part = Real<T>::part[D - 2];
    Pair<V> squared[D], h;
    squares<Fused, D>(p, squared);
    const Pair<V> b = gap<D>(squared, s.bones.square, h);
    const auto bend_ = bend<true, Fused>(h, b, s.bones);
    auto good = greater(bend_.area.high, s.speck * h.high) & at_least(h.high, V(4 / (size * size)));
    for (int i = 0; i < D; i++) good = good & zero_or_at_least(p[i], 1 / part);
    Limb<V> limb;
    if constexpr (D == 2) {
        limb = bend_in_plane<true, Fused>(p, bend_, s.side);
    } else {
        V m[3];
        towards<Fused>(p, s.pole, h, m);
        good = good & greater(dot(m, m, 3), (h.high * h.high) * s.pole_least);
        limb = bend_in_space<true, Fused>(m, bend_, s.side);
    }
    place<true, Fused, D>(p, bend_, limb, bend_.w, joint);
    return bits(good) & s.good;
}

// The careful way. Returns one bit for each lane that was easy; `status` as numbers.
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
    Limb<V> limb;
    if constexpr (D == 2) {
        limb = bend_in_plane<false, Fused>(p, bend_, s.side);
    } else {
        V m[3];
        towards<Fused>(p, s.pole, h, m);
        good = good & is_easy_vector<3>(s.pole, size, part) & greater(dot(m, m, 3), least_apart(h, s.pole));
        limb = bend_in_space<false, Fused>(m, bend_, s.side);
    }
    Pair<V> w = bend_.w;
    if (policy != twobone::stretch) {
        const V line = V(T(2)) * straight(bend_, s.bones) * s.bones.r1 * limb.root;
        w = {where(bend_.inside, w.high, line), where(bend_.inside, w.low, zero)};
    }
    place<false, Fused, D>(p, bend_, limb, w, joint);
    const V edge = where(bend_.extended, s.bones.reach, s.bones.folded) * limb.root / h.high;
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

// Answer some lanes in the slow way, one by one, in place of what the careful way found.
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
        T target[D], way[3] = {};
        for (int i = 0; i < D; i++) target[i] = in[i][k];
        for (int i = 0; D == 3 && i < 3; i++) way[i] = pole[i][k];
        const Answer<T, D> answer = answer_any<T, D>(target, r1[k], r2[k], side[k], way, policy);
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
