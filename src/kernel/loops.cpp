// The loops over limbs, compiled once for each instruction set.
//
// Three ways, from fast to slow, all with the same bits: limbs that are easy and bend, as many at
// once as there are lanes; easy limbs, bent or not; any limb, one by one.
#include "loops.hpp"

#include "general.hpp"
#include "memory.hpp"
#include "two_bone.hpp"

namespace {

using twobone::Column;
using twobone::Limbs;

#if defined(TWOBONE_VECTORS)
template <class T> using Lane = std::conditional_t<sizeof(T) == 8, Doubles, Floats>;
#else
template <class T> using Lane = T;
#endif
#if defined(__AVX512F__)
template <class V> using Woven = Twin<V>;
#else
template <class V> using Woven = V;
#endif

constexpr std::ptrdiff_t STREAM_BYTES = 1 << 22;  // answers that no cache holds go past them
constexpr int AHEAD_BYTES = 2048;
constexpr int PATIENCE = 16;  // how often the careful way is taken once it was needed

// What is the same for all targets of a call, or for those of one step.
template <class V> struct Setting {
    Bones<V> bones;
    V r1, r2, side, pole[3];
    V speck;  // of the area over h, twice as much as asked
    V pole_least;
    unsigned good;  // bits: easy enough for the fast way
};

// The same setting for two registers at once.
template <class V> INLINE const Setting<V> &woven(const Setting<V> &s, const Setting<V> *) { return s; }
#if defined(__AVX512F__)
template <class V> INLINE Setting<Twin<V>> woven(const Setting<V> &s, const Setting<Twin<V>> *) {
    auto both = [](V v) { return Twin<V>(v, v); };
    auto pair = [&](Pair<V> p) { return Pair<Twin<V>>{both(p.high), both(p.low)}; };
    const Bones<V> &b = s.bones;
    return {{both(b.r1), pair(b.fold), pair(b.square), pair(b.four), pair(b.c), both(b.reach), both(b.folded), both(b.rr)},
            both(s.r1), both(s.r2), both(s.side), {both(s.pole[0]), both(s.pole[1]), both(s.pole[2])},
            both(s.speck), both(s.pole_least), s.good | s.good << Lanes<V>::count};
}
#endif

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

// Rows packed one after the other, in a setting that stays: returns how many it did, a multiple of the lanes.
// Each is a function of its own, so that the registers are dealt out for it alone.
template <bool STREAM, int D, class V>
NOINLINE std::ptrdiff_t packed(const Setting<V> &setting, const Number<V> *in, Number<V> *out, std::ptrdiff_t count,
                               int policy) {
    using W = Woven<V>;
    constexpr int N = Lanes<V>::count, STEP = Lanes<W>::count;
    const Setting<W> s = woven(setting, static_cast<Setting<W> *>(nullptr));
    int wait = 0;
    std::ptrdiff_t row = 0;
    for (; row + STEP <= count; row += STEP, in += STEP * D, out += STEP * D) {
        if constexpr (STREAM)
            for (int byte = 0; byte < int(STEP * D * sizeof(*in)); byte += 64)
                PREFETCH(reinterpret_cast<const char *>(in) + AHEAD_BYTES + byte);
        if (wait == 0) {
            W p[D], joint[D];
            read_rows<D>(in, p);
            if (bent<D>(s, p, joint) == ALL<W>) {
                write_rows<STREAM, D>(out, joint);
                continue;
            }
            wait = PATIENCE;
        }
        wait--;
        for (int i = 0; i < STEP; i += N) {
            V p[D], joint[D], end[D], status;
            read_rows<D>(in + i * D, p);
            careful<D>(setting, p, policy, joint, end, status);
            write_rows<STREAM, D>(out + i * D, joint);
        }
    }
    if constexpr (STREAM) end_streams();
    return row;
}

// Rows from one to another, wherever they lie.
template <int D, class V> void strided(const Limbs &limbs, std::ptrdiff_t row, std::ptrdiff_t end_row, const Setting<V> *same) {
    using T = Number<V>;
    constexpr int N = Lanes<V>::count;
    Setting<V> s;
    if (same) s = *same;
    for (; row < end_row; row += N) {
        const int rows = end_row - row < N ? int(end_row - row) : N;
        V p[D], joint[D], end[D], status = V(T(reached));
        for (int i = 0; i < D; i++) p[i] = gather<V>(limbs.target, i, row, rows);
        if (!same) {
            V pole[3];
            for (int i = 0; D == 3 && i < 3; i++) pole[i] = gather<V>(limbs.pole, i, row, rows);
            s = prepare<D>(gather<V>(limbs.r1, 0, row, rows), gather<V>(limbs.r2, 0, row, rows),
                           gather<V>(limbs.side, 0, row, rows), pole);
        }
        if (bent<D>(s, p, joint) == ALL<V>)
            for (int i = 0; i < D; i++) end[i] = p[i];
        else
            careful<D>(s, p, limbs.policy, joint, end, status);
        T lanes[N];
        for (int i = 0; i < D; i++) {
            store(lanes, joint[i]);
            scatter(lanes, limbs.joint, i, row, rows);
            if (!limbs.end.data) continue;
            store(lanes, end[i]);
            scatter(lanes, limbs.end, i, row, rows);
        }
        if (!limbs.status.data) continue;
        store(lanes, status);
        signed char codes[N];
        for (int i = 0; i < N; i++) codes[i] = static_cast<signed char>(lanes[i]);
        scatter(codes, limbs.status, 0, row, rows);
    }
}

template <class T, int D> void run(const Limbs &limbs) {
    using V = Lane<T>;
    const bool still = !limbs.r1.step && !limbs.r2.step && !limbs.side.step && !limbs.pole.step;
    if (!still || limbs.count <= 0) return strided<D, V>(limbs, 0, limbs.count, nullptr);
    V pole[3];
    for (int i = 0; D == 3 && i < 3; i++) pole[i] = gather<V>(limbs.pole, i, 0, 1);
    const Setting<V> setting = prepare<D>(gather<V>(limbs.r1, 0, 0, 1), gather<V>(limbs.r2, 0, 0, 1),
                                          gather<V>(limbs.side, 0, 0, 1), pole);
    auto is_packed = [](const Column &column) {
        return column.step == D * std::ptrdiff_t(sizeof(T)) && column.part == std::ptrdiff_t(sizeof(T)) &&
               reinterpret_cast<std::uintptr_t>(column.data) % sizeof(T) == 0;
    };
    if (limbs.end.data || !is_packed(limbs.target) || !is_packed(limbs.joint))
        return strided<D, V>(limbs, 0, limbs.count, &setting);
    const T *in = reinterpret_cast<const T *>(limbs.target.data);
    T *out = reinterpret_cast<T *>(limbs.joint.data);
    std::ptrdiff_t row = 0;
    if (limbs.count * limbs.joint.step >= STREAM_BYTES) {
        while (reinterpret_cast<std::uintptr_t>(out + row * D) % 64 && row < 64) row++;
        const bool aligned = row < 64;
        strided<D, V>(limbs, 0, row, &setting);
        if (aligned) row += packed<true, D, V>(setting, in + row * D, out + row * D, limbs.count - row, limbs.policy);
    }
    row += packed<false, D, V>(setting, in + row * D, out + row * D, limbs.count - row, limbs.policy);
    strided<D, V>(limbs, row, limbs.count, &setting);
}

template <int D> void one(const double *p, double r1, double r2, double side, const double *pole, double *joint) {
    const Setting<double> s = prepare<D>(r1, r2, side, pole);
    if (bent<D>(s, p, joint)) return;
    double end[D], status;
    careful<D>(s, p, twobone::clamp, joint, end, status);
}

void one_in_plane(const double *p, double r1, double r2, double side, double *joint) {
    one<2>(p, r1, r2, side, nullptr, joint);
}

void one_in_space(const double *p, double r1, double r2, double side, const double *pole, double *joint) {
    one<3>(p, r1, r2, side, pole, joint);
}

}  // namespace

#define TEXT(name) #name
#define TEXT_OF(name) TEXT(name)
namespace twobone {
const Loops TWOBONE_LOOPS = {TEXT_OF(TWOBONE_LOOPS), {run<float, 2>, run<double, 2>}, {run<float, 3>, run<double, 3>},
                             one_in_plane, one_in_space};
}
