// Loops over limbs, compiled once for each instruction set.
#include "loops.hpp"

#include "poses.hpp"
#include "ways.hpp"

namespace {

using twobone::Column;
using twobone::Limbs;

#if defined(__AVX512F__)
template <class V> using Woven = Twin<V>;
#else
template <class V> using Woven = V;
#endif

constexpr std::ptrdiff_t STREAM_BYTES = 1 << 22;  // larger results bypass the caches
constexpr int AHEAD_BYTES = 2048;
constexpr int PATIENCE = 16;  // how many steps use `careful` after one needed it

// The same setting for a pair of registers.
template <class V> INLINE const Setting<V> &woven(const Setting<V> &s, const Setting<V> *) { return s; }
#if defined(__AVX512F__)
template <class V> INLINE Setting<Twin<V>> woven(const Setting<V> &s, const Setting<Twin<V>> *) {
    auto both = [](V v) { return Twin<V>(v, v); };
    auto pair = [&](Pair<V> p) { return Pair<Twin<V>>{both(p.high), both(p.low)}; };
    const Bones<V> &b = s.bones;
    return {{both(b.r1), pair(b.difference), pair(b.square), pair(b.four), pair(b.c),
             both(b.maximum_reach), both(b.minimum_reach), both(b.rr)},
            both(s.r1), both(s.r2), both(s.side), {both(s.pole[0]), both(s.pole[1]), both(s.pole[2])},
            both(s.speck), both(s.pole_least), s.good | s.good << Lanes<V>::count};
}
#endif

// Solve contiguous rows with a constant setting. Returns how many rows were solved, a multiple of the lanes.
// Not inlined, so that the compiler allocates registers for each instance separately.
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

// Solve a range of rows with any strides; `same` is the setting if it is constant, else null.
template <int D, class V>
void strided(const Limbs &limbs, std::ptrdiff_t row, std::ptrdiff_t end_row, const Setting<V> *same) {
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
                             {pose::run<float>, pose::run<double>}, one_in_plane, one_in_space};
}
