// Loops over limbs, compiled once for each instruction set.
#include "loops.hpp"

#include "fitting.hpp"
#include "poses.hpp"
#include "programs.hpp"
#include "solvers.hpp"

namespace {

using twobone::Column;
using twobone::Limbs;

constexpr std::ptrdiff_t STREAM_BYTES = 1 << 22;  // larger results bypass the caches
constexpr int AHEAD_BYTES = 2048;
constexpr int BLOCK = 4;  // vectors that `packed` takes through the stages together

// Solve contiguous rows of numbers F with a constant setting; `hard` solves the limbs that are not easy.
// Returns how many rows were solved, a multiple of the lanes. Not inlined, so that the compiler allocates registers for
// each instance separately.
template <bool STREAM, int POLICY, int D, class V, class R, class F, class Hard>
NOINLINE std::ptrdiff_t packed(const Setting<V> &setting, const F *in, F *out, std::ptrdiff_t count, const Hard &hard) {
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
            good[k] = bits(measure<true, POLICY == twobone::clamp, D, V, R>(s, gives, drafts[k], now));
            if constexpr (POLICY == twobone::nan_) signals[k] = now;
        }
        if constexpr (D == 3)
            for (int k = 0; k < BLOCK; k++) good[k] &= bits(aim<true, V, R>(s, drafts[k]));
        for (int k = 0; k < BLOCK; k++) take_root(drafts[k]);
        auto place = [&](int k, V *joint) {
            place_joint(s, gives, drafts[k], joint);
            if constexpr (POLICY == twobone::nan_) signal<D>(signals[k], joint);
        };
        unsigned all = ALL<V>;
        for (int k = 0; k < BLOCK; k++) all &= good[k];
        if (all == ALL<V>) {
            for (int k = 0; k < BLOCK; k++) {
                V joint[D];
                place(k, joint);
                write_rows<STREAM, D>(out + k * N * D, joint);
            }
        } else {
            Results<D, V> results[BLOCK];
            for (int k = 0; k < BLOCK; k++) place(k, results[k].joint);
            hard(drafts, good, results);
            for (int k = 0; k < BLOCK; k++) write_rows<STREAM, D>(out + k * N * D, results[k].joint);
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

// Read everything except the targets of some rows. (Reading into a struct first took a tenth longer.)
template <int D, class V> INLINE Setting<V> setting_of(const Limbs &limbs, std::ptrdiff_t row, int rows) {
    V pole[3];
    if constexpr (D == 3) gather_vectors<3>(limbs.pole, row, rows, pole);
    return prepare<D>(gather<V>(limbs.r1, 0, row, rows), gather<V>(limbs.r2, 0, row, rows),
                      gather<V>(limbs.side, 0, row, rows), pole);
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
        if (!same) s = setting_of<D, V>(limbs, row, rows);
        solve_any<WHOLE, D>(s, p, limbs.policy, results);
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
    read_steps(number, limbs.step_count, steps);
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

// The constant numbers of a setting of floats, as doubles.
template <int D, class V> INLINE Setting<Lane<double>> as_doubles(const Setting<V> &s) {
    using W = Lane<double>;
    auto first = [](V v) {
        float lanes[Lanes<V>::count];
        store(lanes, v);
        return W(double(lanes[0]));
    };
    W pole[3];
    for (int i = 0; D == 3 && i < D; i++) pole[i] = first(s.pole[i]);
    return prepare<D, W, Wide>(first(s.r1), first(s.r2), first(s.side), pole);
}

// Solve the limbs of a block of floats that are not easy: as doubles, and the rest by `careful`.
template <int POLICY, int D, class V>
NOINLINE void solve_hard_floats(const Setting<V> &s, const Draft<D, V> *given, const unsigned *good, Results<D, V> *results) {
    using W = Lane<double>;
    constexpr int N = Lanes<V>::count, STEP = Lanes<W>::count, PARTS = N / STEP;
    constexpr bool gives = POLICY == twobone::stretch;
    constexpr float size = Real<float>::size[D - 2], part = Real<float>::part[D - 2];
    const Setting<W> wide = as_doubles<D>(s);
    int hard[BLOCK], count = 0;
    for (int k = 0; k < BLOCK; k++)
        if (good[k] != ALL<V>) hard[count++] = k;
    Draft<D, W> drafts[BLOCK * PARTS];
    Signals<W> signals[BLOCK * PARTS];
    Mask<W> holds[BLOCK * PARTS];
    float lanes[D + 1][N];
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < D; i++) store(lanes[i], given[hard[k]].p[i]);
        for (int j = 0; j < PARTS; j++)
            for (int i = 0; i < D; i++) drafts[k * PARTS + j].p[i] = load<W>(lanes[i] + j * STEP);
    }
    count *= PARTS;
    for (int k = 0; k < count; k++) holds[k] = measure<false, false, D, W, Wide>(wide, gives, drafts[k], signals[k]);
    if constexpr (D == 3)
        for (int k = 0; k < count; k++) holds[k] = holds[k] & aim<false, W, Wide>(wide, drafts[k]);
    for (int k = 0; k < count; k++) take_root(drafts[k]);
    for (int k = 0; k < count; k += PARTS) {
        const int at = hard[k / PARTS];
        for (int j = 0; j < PARTS; j++) {
            W joint[D];
            place_joint(wide, gives, drafts[k + j], joint);
            if constexpr (POLICY == twobone::nan_) signal<D>(signals[k + j], joint);
            for (int i = 0; i < D; i++) store(lanes[i] + j * STEP, joint[i]);
            store(lanes[D] + j * STEP, where(holds[k + j], real<W>(1), real<W>(0)));
        }
        const Mask<V> as_doubles = greater(load<V>(lanes[D]), real<V>(0));
        Mask<V> easy = is_easy_vector<D>(given[at].p, size, part);
        if constexpr (D == 3)
            easy = easy & greater(dot(given[at].m, given[at].m, 3), least_apart<V>({given[at].h, given[at].h_low}, s.pole));
        if (bits(easy | as_doubles) == ALL<V>)
            for (int i = 0; i < D; i++) results[at].joint[i] = where(easy, results[at].joint[i], load<V>(lanes[i]));
        else
            careful<D>(s, given[at].p, POLICY, results[at]);
    }
}

template <int POLICY, int D, class V>
void packed_rows(const Limbs &limbs, const Setting<V> &setting) {
    using T = Number<V>;
    const T *in = reinterpret_cast<const T *>(limbs.target.data);
    T *out = reinterpret_cast<T *>(limbs.joint.data);
    auto hard = [&](const Draft<D, V> *drafts, const unsigned *good, Results<D, V> *results) {
        if constexpr (sizeof(T) == sizeof(float)) return solve_hard_floats<POLICY>(setting, drafts, good, results);
        for (int k = 0; k < BLOCK; k++)
            if (good[k] != ALL<V>) careful<D>(setting, drafts[k].p, POLICY, results[k]);
    };
    std::ptrdiff_t row = 0;
    if (limbs.count * limbs.joint.step >= STREAM_BYTES) {
        while (reinterpret_cast<std::uintptr_t>(out + row * D) % 64 && row < 64) row++;
        const bool aligned = row < 64;
        strided<false, D, V>(limbs, 0, row, &setting);
        if (aligned)
            row += packed<true, POLICY, D, V, Real<T>>(setting, in + row * D, out + row * D, limbs.count - row, hard);
    }
    row += packed<false, POLICY, D, V, Real<T>>(setting, in + row * D, out + row * D, limbs.count - row, hard);
    strided<false, D, V>(limbs, row, limbs.count, &setting);
}

// Solve contiguous rows of floats whose bones are easy as doubles only.
template <int POLICY, int D>
void packed_floats(const Limbs &limbs, const Setting<Lane<double>> &wide, const Setting<Lane<float>> &setting) {
    using V = Lane<float>;
    using W = Lane<double>;
    const float *in = reinterpret_cast<const float *>(limbs.target.data);
    float *out = reinterpret_cast<float *>(limbs.joint.data);
    auto hard = [&](const Draft<D, W> *drafts, const unsigned *good, Results<D, W> *results) {
        for (int k = 0; k < BLOCK; k++) {
            if (good[k] == ALL<W>) continue;
            float lanes[D][Lanes<V>::count];
            V p[D];
            for (int i = 0; i < D; i++) {
                for (int lane = 0; lane < Lanes<V>::count; lane += Lanes<W>::count) store(lanes[i] + lane, drafts[k].p[i]);
                p[i] = load<V>(lanes[i]);
            }
            Results<D, V> found;
            careful<D>(setting, p, POLICY, found);
            for (int i = 0; i < D; i++) {
                store(lanes[i], found.joint[i]);
                results[k].joint[i] = load<W>(lanes[i]);
            }
        }
    };
    const auto row = packed<false, POLICY, D, W, Wide>(wide, in, out, limbs.count, hard);
    strided<false, D, V>(limbs, row, limbs.count, &setting);
}

template <class T, int D> void run(const Limbs &limbs) {
    using V = Lane<T>;
    if (limbs.steps.data) return run_fitted<T, D>(limbs);
    const auto any_rows = limbs.end.data ? strided<true, D, V> : strided<false, D, V>;
    const bool still = !limbs.r1.step && !limbs.r2.step && !limbs.side.step && !limbs.pole.step;
    if (!still || limbs.count <= 0) return any_rows(limbs, 0, limbs.count, nullptr);
    const Setting<V> setting = setting_of<D, V>(limbs, 0, 1);
    auto runs_on = [](const Column &column) {
        return is_packed<D, T>(column) && reinterpret_cast<std::uintptr_t>(column.data) % sizeof(T) == 0;
    };
    if (limbs.end.data || !runs_on(limbs.target) || !runs_on(limbs.joint))
        return any_rows(limbs, 0, limbs.count, &setting);
    if (setting.good != ALL<V>) {
        if constexpr (sizeof(T) == sizeof(float)) {
            const Setting<Lane<double>> wide = as_doubles<D>(setting);
            if (wide.good == ALL<Lane<double>>) {
                if (limbs.policy == twobone::clamp) return packed_floats<twobone::clamp, D>(limbs, wide, setting);
                if (limbs.policy == twobone::stretch) return packed_floats<twobone::stretch, D>(limbs, wide, setting);
                return packed_floats<twobone::nan_, D>(limbs, wide, setting);
            }
        }
        return any_rows(limbs, 0, limbs.count, &setting);
    }
    if (limbs.policy == twobone::clamp) return packed_rows<twobone::clamp, D, V>(limbs, setting);
    if (limbs.policy == twobone::stretch) return packed_rows<twobone::stretch, D, V>(limbs, setting);
    packed_rows<twobone::nan_, D, V>(limbs, setting);
}

template <int D> void one(const double *p, double r1, double r2, double side, const double *pole, double *joint) {
    const Setting<double> s = prepare<D>(r1, r2, side, pole);
    Results<D, double> results;
    solve_any<false, D>(s, p, twobone::clamp, results);
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
                             {pose::run<float>, pose::run<double>},
                             {program::run<float>, program::run<double>}, one_in_plane, one_in_space};
}
