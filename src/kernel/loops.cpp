// Loops over limbs, compiled once for each instruction set.
#include "loops.hpp"

#include "fitting.hpp"
#include "poses.hpp"
#include "ways.hpp"

namespace {

using twobone::Column;
using twobone::Limbs;

constexpr std::ptrdiff_t STREAM_BYTES = 1 << 22;  // larger results bypass the caches
constexpr int AHEAD_BYTES = 2048;
constexpr int BLOCK = 4;  // vectors that `packed` takes through the stages together

// Solve contiguous rows with a constant setting. Returns how many rows were solved, a multiple of the lanes.
// Not inlined, so that the compiler allocates registers for each instance separately.
template <bool STREAM, int POLICY, int D, class V>
NOINLINE std::ptrdiff_t packed(const Setting<V> &setting, const Number<V> *in, Number<V> *out, std::ptrdiff_t count) {
    constexpr int N = Lanes<V>::count;
    constexpr bool gives = POLICY == twobone::stretch;
    const Setting<V> s = setting;
    std::ptrdiff_t row = 0;
    for (; row + N * BLOCK <= count; row += N * BLOCK, in += N * BLOCK * D, out += N * BLOCK * D) {
        if constexpr (STREAM)
            for (int byte = 0; byte < int(BLOCK * N * D * sizeof(*in)); byte += 64)
                PREFETCH(reinterpret_cast<const char *>(in) + AHEAD_BYTES + byte);
        Draft<D, V> drafts[BLOCK];
        Signals<V> signals[BLOCK];
        unsigned good[BLOCK];
        for (int k = 0; k < BLOCK; k++) {
            read_rows<D>(in + k * N * D, drafts[k].p);
            Signals<V> now;
            good[k] = bits(measure<true, POLICY == twobone::clamp>(s, gives, drafts[k], now));
            if constexpr (POLICY == twobone::nan_) signals[k] = now;
        }
        if constexpr (D == 3)
            for (int k = 0; k < BLOCK; k++) good[k] &= bits(aim<true>(s, drafts[k]));
        for (int k = 0; k < BLOCK; k++) take_root(drafts[k]);
        for (int k = 0; k < BLOCK; k++) {
            Results<D, V> results;
            place_joint(s, gives, drafts[k], results.joint);
            if constexpr (POLICY == twobone::nan_) signal<D>(signals[k], results.joint);
            if (good[k] != ALL<V>) careful<D>(s, drafts[k].p, POLICY, results);
            write_rows<STREAM, D>(out + k * N * D, results.joint);
        }
    }
    if constexpr (STREAM) end_streams();
    return row;
}

template <int D, class V>
INLINE void write_ends(const Limbs &limbs, const Results<D, V> &results, std::ptrdiff_t row, int rows) {
    constexpr int N = Lanes<V>::count;
    scatter_vectors<D>(results.end, limbs.end, row, rows);
    Number<V> lanes[N];
    store(lanes, results.status);
    signed char codes[N];
    for (int i = 0; i < N; i++) codes[i] = static_cast<signed char>(lanes[i]);
    scatter(codes, limbs.status, 0, row, rows);
}

// Solve a range of rows with any strides; `same` is the setting if it is constant, else null.
template <bool WHOLE, int D, class V>
void strided(const Limbs &limbs, std::ptrdiff_t row, std::ptrdiff_t end_row, const Setting<V> *same) {
    constexpr int N = Lanes<V>::count;
    Setting<V> s;
    if (same) s = *same;
    for (; row < end_row; row += N) {
        const int rows = end_row - row < N ? int(end_row - row) : N;
        V p[D];
        Results<D, V> results;
        gather_vectors<D>(limbs.target, row, rows, p);
        if (!same) {
            V pole[3];
            if constexpr (D == 3) gather_vectors<3>(limbs.pole, row, rows, pole);
            s = prepare<D>(gather<V>(limbs.r1, 0, row, rows), gather<V>(limbs.r2, 0, row, rows),
                           gather<V>(limbs.side, 0, row, rows), pole);
        }
        if ((bits(easy<true, WHOLE, D>(s, p, limbs.policy, results)) & s.good) != ALL<V>)
            careful<D>(s, p, limbs.policy, results);
        scatter_vectors<D>(results.joint, limbs.joint, row, rows);
        if constexpr (WHOLE) write_ends(limbs, results, row, rows);
    }
}

// Solve a range of rows with policies that are objects.
template <class T, int D> void run_fitted(const Limbs &limbs) {
    using V = Lane<T>;
    constexpr int N = Lanes<V>::count;
    twobone::Step<T> steps[twobone::MOST_STEPS];
    auto number = [&](int i) {
        T value;
        std::memcpy(&value, limbs.steps.data + i * limbs.steps.part, sizeof value);
        return value;
    };
    for (int i = 0; i < limbs.step_count; i++) {
        const int at = i * twobone::STEP_NUMBERS;
        steps[i] = {int(number(at)), {number(at + 1), number(at + 2), number(at + 3), number(at + 4)}};
    }
    for (std::ptrdiff_t row = 0; row < limbs.count; row += N) {
        const int rows = limbs.count - row < N ? int(limbs.count - row) : N;
        Given<D, V> given;
        gather_vectors<D>(limbs.target, row, rows, given.p);
        if constexpr (D == 3) gather_vectors<3>(limbs.pole, row, rows, given.pole);
        given.r1 = gather<V>(limbs.r1, 0, row, rows);
        given.r2 = gather<V>(limbs.r2, 0, row, rows);
        given.side = gather<V>(limbs.side, 0, row, rows);
        Results<D, V> results;
        answer_fitted(given, steps, limbs.step_count, results);
        scatter_vectors<D>(results.joint, limbs.joint, row, rows);
        if (limbs.end.data) write_ends(limbs, results, row, rows);
    }
}

template <int POLICY, int D, class V>
void packed_rows(const Limbs &limbs, const Setting<V> &setting) {
    using T = Number<V>;
    const T *in = reinterpret_cast<const T *>(limbs.target.data);
    T *out = reinterpret_cast<T *>(limbs.joint.data);
    std::ptrdiff_t row = 0;
    if (limbs.count * limbs.joint.step >= STREAM_BYTES) {
        while (reinterpret_cast<std::uintptr_t>(out + row * D) % 64 && row < 64) row++;
        const bool aligned = row < 64;
        strided<false, D, V>(limbs, 0, row, &setting);
        if (aligned) row += packed<true, POLICY, D, V>(setting, in + row * D, out + row * D, limbs.count - row);
    }
    row += packed<false, POLICY, D, V>(setting, in + row * D, out + row * D, limbs.count - row);
    strided<false, D, V>(limbs, row, limbs.count, &setting);
}

template <class T, int D> void run(const Limbs &limbs) {
    using V = Lane<T>;
    const auto any_rows = limbs.end.data ? strided<true, D, V> : strided<false, D, V>;
    const bool still = !limbs.r1.step && !limbs.r2.step && !limbs.side.step && !limbs.pole.step;
    if (!still || limbs.count <= 0) return any_rows(limbs, 0, limbs.count, nullptr);
    V pole[3];
    for (int i = 0; D == 3 && i < 3; i++) pole[i] = gather<V>(limbs.pole, i, 0, 1);
    const Setting<V> setting = prepare<D>(gather<V>(limbs.r1, 0, 0, 1), gather<V>(limbs.r2, 0, 0, 1),
                                          gather<V>(limbs.side, 0, 0, 1), pole);
    auto runs_on = [](const Column &column) {
        return is_packed<D, T>(column) && reinterpret_cast<std::uintptr_t>(column.data) % sizeof(T) == 0;
    };
    if (limbs.end.data || setting.good != ALL<V> || !runs_on(limbs.target) || !runs_on(limbs.joint))
        return any_rows(limbs, 0, limbs.count, &setting);
    if (limbs.policy == twobone::clamp) return packed_rows<twobone::clamp, D, V>(limbs, setting);
    if (limbs.policy == twobone::stretch) return packed_rows<twobone::stretch, D, V>(limbs, setting);
    packed_rows<twobone::nan_, D, V>(limbs, setting);
}

template <int D> void one(const double *p, double r1, double r2, double side, const double *pole, double *joint) {
    const Setting<double> s = prepare<D>(r1, r2, side, pole);
    Results<D, double> results;
    if (!(bits(easy<true, false, D>(s, p, twobone::clamp, results)) & s.good)) careful<D>(s, p, twobone::clamp, results);
    for (int i = 0; i < D; i++) joint[i] = results.joint[i];
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
                             {run_fitted<float, 2>, run_fitted<double, 2>}, {run_fitted<float, 3>, run_fitted<double, 3>},
                             {pose::run<float>, pose::run<double>}, one_in_plane, one_in_space};
}
