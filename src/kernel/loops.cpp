// Loops over limbs, compiled once for each instruction set.
#include "loops.hpp"

#include "fitted.hpp"
#include "poses.hpp"
#include "programs.hpp"
#include "pull.hpp"
#include "slopes.hpp"
#include "solvers.hpp"
#include "waves.hpp"

namespace {

using twobone::Column;
using twobone::Limbs;

constexpr std::ptrdiff_t STREAM_BYTES = 1 << 22;  // larger results bypass the caches
constexpr int AHEAD_BYTES = 2048;
constexpr int BLOCK = 4, TILE = 16;  // vectors that `packed` and `MovedRows` take through the stages together

constexpr int ANY_POLICY = -1;  // a template's parameter for a policy that is not known when compiling: fewer instances

// When `packed` stops before the end: at a block without an easy limb, or at one that has a limb with an easy target.
enum Until { the_end, none_easy, any_easy };

// Solve contiguous rows of numbers F with a constant setting; `hard` solves the limbs that are not easy.
// Returns how many rows were solved, a multiple of the lanes. Not inlined, so that the compiler allocates registers for
// each instance separately.
template <bool STREAM, int POLICY, int D, class V, class R, class S, class F, class Hard>
NOINLINE std::ptrdiff_t packed(const S &setting, const F *in, F *out, std::ptrdiff_t count, int policy, Until until,
                               const Hard &hard) {
    constexpr int N = Lanes<V>::count;
    constexpr bool may_signal = POLICY == twobone::nan_ || POLICY == ANY_POLICY;
    if constexpr (POLICY != ANY_POLICY) policy = POLICY;
    const bool gives = policy == twobone::stretch;
    const S s = setting;
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
            if constexpr (may_signal) signals[k] = now;
        }
        if constexpr (!std::is_same_v<R, Real<F>> || (S::FINE && !S::KEPT)) {
            unsigned easy = 0;
            for (int k = 0; until == any_easy && k < BLOCK; k++)
                easy |= bits(is_easy_vector<D>(drafts[k].p, Real<F>::size[D - 2], Real<F>::part[D - 2]));
            if (easy) break;
        }
        if constexpr (D == 3)
            for (int k = 0; k < BLOCK; k++) good[k] &= bits(aim<true, V, R>(s, drafts[k]));
        for (int k = 0; k < BLOCK; k++) {
            const Mask<V> kept = take_root(s, drafts[k]);
            if constexpr (S::KEPT && D == 3) good[k] &= bits(kept);
        }
        auto place = [&](int k, V *joint) {
            const Mask<V> kept = place_joint(s, gives, drafts[k], joint);
            if constexpr (S::KEPT) good[k] &= bits(kept);
            if constexpr (may_signal)
                if (policy == twobone::nan_) signal<D>(signals[k], joint);
        };
        unsigned all = ALL<V>;
        for (int k = 0; k < BLOCK; k++) all &= good[k];
        if (S::KEPT || all == ALL<V>) {
            for (int k = 0; k < BLOCK; k++) {
                V joint[D];
                place(k, joint);
                write_rows<STREAM, D>(out + k * N * D, joint);
            }
            if constexpr (S::KEPT) hard(row, drafts, good, nullptr);
        } else {
            unsigned any = 0;
            for (int k = 0; k < BLOCK; k++) any |= good[k];
            if (!any && until == none_easy) break;
            Results<D, V> results[BLOCK];
            for (int k = 0; k < BLOCK; k++) place(k, results[k].joint);
            hard(row, drafts, good, results);
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

// Read everything about some rows.
template <int D, class V> INLINE Given<D, V> read_limbs(const Limbs &limbs, std::ptrdiff_t row, int rows) {
    Given<D, V> given;
    gather_vectors<D>(limbs.target, row, rows, given.p);
    if constexpr (D == 3) gather_vectors<3>(limbs.pole, row, rows, given.pole);
    given.r1 = gather<V>(limbs.r1, 0, row, rows);
    given.r2 = gather<V>(limbs.r2, 0, row, rows);
    given.side = gather<V>(limbs.side, 0, row, rows);
    return given;
}

// Read the policies that are objects.
template <class T> void read_policies(const Limbs &limbs, twobone::Step<T> *steps) {
    auto number = [&](int i) {
        T value;
        std::memcpy(&value, limbs.steps.data + i * limbs.steps.part, sizeof value);
        return value;
    };
    read_steps(number, limbs.step_count, steps);
}

// Read the policies of some rows that have numbers of their own; `read(part)` reads one of them.
template <class V, class T, class Read>
INLINE void read_policies_of_rows(const Limbs &limbs, const Read &read, twobone::Step<V> *steps) {
    for (int k = 0; k < limbs.step_count; k++) {
        T kind;
        std::memcpy(&kind, limbs.steps.data + k * twobone::STEP_NUMBERS * limbs.steps.part, sizeof kind);
        steps[k].kind = kind == 0 ? 0 : kind == 1 ? 1 : 2;
        for (int j = 0; j < 4; j++) steps[k].numbers[j] = read(k * twobone::STEP_NUMBERS + 1 + j);
    }
}

// Solve rows each of which has policies of its own.
template <class T, int D> void run_fitted_by_row(const Limbs &limbs) {
    using V = Lane<T>;
    constexpr int N = Lanes<V>::count;
    for (std::ptrdiff_t row = 0; row < limbs.count; row += N) {
        const int rows = limbs.count - row < N ? int(limbs.count - row) : N;
        const Given<D, V> given = read_limbs<D, V>(limbs, row, rows);
        twobone::Step<V> steps[twobone::MOST_STEPS];
        read_policies_of_rows<V, T>(limbs, [&](int part) { return gather<V>(limbs.steps, part, row, rows); }, steps);
        Results<D, V> results;
        answer_fitted(given, steps, limbs.step_count, results);
        scatter_vectors<D>(results.joint, limbs.joint, row, rows);
        if (limbs.end.data) write_ends(limbs, results, row, rows);
    }
}

// Solve a range of rows with policies that are objects.
template <class T, int D>
void run_fitted_rows(const Limbs &limbs, const twobone::Step<T> *steps, std::ptrdiff_t row, std::ptrdiff_t end_row) {
    using V = Lane<T>;
    constexpr int N = Lanes<V>::count;
    for (; row < end_row; row += N) {
        const int rows = end_row - row < N ? int(end_row - row) : N;
        const Given<D, V> given = read_limbs<D, V>(limbs, row, rows);
        Results<D, V> results;
        answer_fitted(given, steps, limbs.step_count, results);
        scatter_vectors<D>(results.joint, limbs.joint, row, rows);
        if (limbs.end.data) write_ends(limbs, results, row, rows);
    }
}

template <int D, class T> bool runs_on(const Column &column) {
    return is_packed<D, T>(column) && reinterpret_cast<std::uintptr_t>(column.data) % sizeof(T) == 0;
}

// Solve contiguous rows with policies that are objects. Returns how many were solved.
template <int D, class V, class T>
std::ptrdiff_t fitted_rows(const Plan<V> &plan, const T *in, T *out, std::ptrdiff_t count) {
    constexpr int FEW = 1024;
    T copy[FEW * D];
    const bool in_place = in == out;
    MovedRows<D, V, BLOCK, TILE> moved;
    auto hard = [&](std::ptrdiff_t first, const Draft<D, V> *, const unsigned *good, Results<D, V> *) {
        moved.add(int(first), good);
    };
    std::ptrdiff_t row = 0, solved = 1;
    for (; solved; row += solved) {
        const std::ptrdiff_t most = in_place ? FEW : moved.MOST_ROWS;
        const int rows = int(count - row < most ? count - row : most);
        const T *from = in + row * D;
        if (in_place) from = static_cast<const T *>(std::memcpy(copy, from, rows * D * sizeof(T)));
        moved.start(&plan, from, out + row * D);
        solved = packed<false, twobone::clamp, D, V, Real<T>>(plan.setting, from, out + row * D, rows, twobone::clamp,
                                                              the_end, hard);
        moved.finish();
    }
    return row;
}

template <class T, int D> void run_fitted(const Limbs &limbs) {
    using V = Lane<T>;
    if (limbs.count <= 0) return;
    if (limbs.steps.step) return run_fitted_by_row<T, D>(limbs);
    twobone::Step<T> steps[twobone::MOST_STEPS];
    read_policies(limbs, steps);
    std::ptrdiff_t row = 0;
    const bool still = !limbs.r1.step && !limbs.r2.step && !limbs.side.step && !limbs.pole.step;
    Plan<V> plan;
    if (still && limbs.count >= BLOCK * Lanes<V>::count && !limbs.end.data && runs_on<D, T>(limbs.target) &&
        runs_on<D, T>(limbs.joint) && make_plan<D>(setting_of<D, V>(limbs, 0, 1), steps, limbs.step_count, plan)) {
        row = fitted_rows<D>(plan, reinterpret_cast<const T *>(limbs.target.data),
                             reinterpret_cast<T *>(limbs.joint.data), limbs.count);
    }
    run_fitted_rows<T, D>(limbs, steps, row, limbs.count);
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

// Solve the limbs of a block that are not easy: floats as doubles, doubles with more digits, the rest by `careful`.
// `other` is the setting for that, R its constants.
template <int D, class R, class V, class S>
NOINLINE void solve_hard(const Setting<V> &s, const S &other, int policy, const Draft<D, V> *given,
                         const unsigned *good, Results<D, V> *results) {
    using T = Number<V>;
    using W = Lane<double>;
    constexpr int N = Lanes<V>::count, STEP = Lanes<W>::count, PARTS = N / STEP;
    constexpr bool fast = std::is_same_v<V, W>;
    const bool gives = policy == twobone::stretch;
    constexpr T size = Real<T>::size[D - 2], part = Real<T>::part[D - 2];
    int hard[BLOCK], count = 0;
    for (int k = 0; k < BLOCK; k++)
        if (good[k] != ALL<V>) hard[count++] = k;
    Draft<D, W> drafts[BLOCK * PARTS];
    Signals<W> signals[BLOCK * PARTS];
    Mask<W> holds[BLOCK * PARTS];
    T lanes[D + 1][N];
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < D; i++) store(lanes[i], given[hard[k]].p[i]);
        for (int j = 0; j < PARTS; j++)
            for (int i = 0; i < D; i++) drafts[k * PARTS + j].p[i] = load<W>(lanes[i] + j * STEP);
    }
    count *= PARTS;
    for (int k = 0; k < count; k++) holds[k] = measure<fast, false, D, W, R>(other, gives, drafts[k], signals[k]);
    if constexpr (D == 3)
        for (int k = 0; k < count; k++) holds[k] = holds[k] & aim<fast, W, R>(other, drafts[k]);
    for (int k = 0; k < count; k++) take_root(other, drafts[k]);
    for (int k = 0; k < count; k += PARTS) {
        const int at = hard[k / PARTS];
        for (int j = 0; j < PARTS; j++) {
            W joint[D];
            place_joint(other, gives, drafts[k + j], joint);
            if (policy == twobone::nan_) signal<D>(signals[k + j], joint);
            for (int i = 0; i < D; i++) store(lanes[i] + j * STEP, joint[i]);
            store(lanes[D] + j * STEP, where(holds[k + j], real<W>(1), real<W>(0)));
        }
        const Mask<V> as_other = greater(load<V>(lanes[D]), real<V>(0));
        Mask<V> easy = is_easy_vector<D>(given[at].p, size, part);
        if constexpr (D == 3)
            easy = easy &
                   greater(dot(given[at].m, given[at].m, 3), least_apart<V>({given[at].h, given[at].h_low}, s.pole));
        if (bits(easy | as_other) == ALL<V>)
            for (int i = 0; i < D; i++) results[at].joint[i] = where(easy, results[at].joint[i], load<V>(lanes[i]));
        else careful<D>(s, given[at].p, policy, results[at]);
    }
}

// Return the setting for `solve_hard`, and whether it suits these bones.
template <int D, class V> INLINE auto setting_for_hard(const Setting<V> &s, int policy) {
    if constexpr (std::is_same_v<V, Lane<double>>) {
        FineSetting<V> fine;
        const bool suits = make_fine<D>(s, policy, fine);
        return std::pair{fine, suits};
    } else {
        const Setting<Lane<double>> wide = as_doubles<D>(s);
        return std::pair{wide, wide.good == ALL<Lane<double>>};
    }
}

// Solve contiguous rows with the setting of `solve_hard`. Returns how many were solved.
template <int D, class R, class V, class S>
std::ptrdiff_t packed_others(const Setting<V> &setting, const S &other, const Number<V> *in, Number<V> *out,
                             std::ptrdiff_t count, int policy, Until until) {
    using T = Number<V>;
    using W = Lane<double>;
    auto hard = [&](std::ptrdiff_t, const Draft<D, W> *drafts, const unsigned *good, Results<D, W> *results) {
        for (int k = 0; k < BLOCK; k++) {
            if (good[k] == ALL<W>) continue;
            T lanes[D][Lanes<V>::count];
            V p[D];
            for (int i = 0; i < D; i++) {
                for (int lane = 0; lane < Lanes<V>::count; lane += Lanes<W>::count)
                    store(lanes[i] + lane, drafts[k].p[i]);
                p[i] = load<V>(lanes[i]);
            }
            Results<D, V> found;
            careful<D>(setting, p, policy, found);
            for (int i = 0; i < D; i++) {
                store(lanes[i], found.joint[i]);
                results[k].joint[i] = load<W>(lanes[i]);
            }
        }
    };
    if (policy == twobone::clamp)
        return packed<false, twobone::clamp, D, W, R>(other, in, out, count, policy, until, hard);
    return packed<false, ANY_POLICY, D, W, R>(other, in, out, count, policy, until, hard);
}

// Solve contiguous rows with easy bones.
template <int POLICY, int D, class V>
void packed_rows(const Limbs &limbs, const Setting<V> &setting) {
    using T = Number<V>;
    using R = OtherReal<T>;
    constexpr std::ptrdiff_t ROWS = BLOCK * Lanes<V>::count;
    const T *in = reinterpret_cast<const T *>(limbs.target.data);
    T *out = reinterpret_cast<T *>(limbs.joint.data);
    const auto other = setting_for_hard<D>(setting, POLICY).first;
    auto hard = [&](std::ptrdiff_t, const Draft<D, V> *drafts, const unsigned *good, Results<D, V> *results) {
        solve_hard<D, R>(setting, other, POLICY, drafts, good, results);
    };
    std::ptrdiff_t row = 0;
    bool streams = false;
    if (limbs.count * limbs.joint.step >= STREAM_BYTES) {
        while (reinterpret_cast<std::uintptr_t>(out + row * D) % 64 && row < 64) row++;
        streams = row < 64;
        strided<false, D, V>(limbs, 0, row, &setting);
    }
    while (limbs.count - row >= ROWS) {
        const T *from = in + row * D;
        T *to = out + row * D;
        const std::ptrdiff_t left = limbs.count - row;
        std::ptrdiff_t solved;
        if (streams) solved = packed<true, POLICY, D, V, Real<T>>(setting, from, to, left, POLICY, none_easy, hard);
        else solved = packed<false, POLICY, D, V, Real<T>>(setting, from, to, left, POLICY, none_easy, hard);
        row += solved;
        if (limbs.count - row < ROWS) break;
        solved = packed_others<D, R>(setting, other, in + row * D, out + row * D, limbs.count - row, POLICY, any_easy);
        if (!solved) strided<false, D, V>(limbs, row, row + ROWS, &setting);
        row += solved ? solved : ROWS;
    }
    strided<false, D, V>(limbs, row, limbs.count, &setting);
}

// Solve contiguous rows with bones that are easy for `solve_hard` only.
template <int D, class V, class S>
void packed_hard_rows(const Limbs &limbs, const Setting<V> &setting, const S &other) {
    using T = Number<V>;
    const T *in = reinterpret_cast<const T *>(limbs.target.data);
    T *out = reinterpret_cast<T *>(limbs.joint.data);
    const auto row = packed_others<D, OtherReal<T>>(setting, other, in, out, limbs.count, limbs.policy, the_end);
    strided<false, D, V>(limbs, row, limbs.count, &setting);
}

template <class T, int D> void run(const Limbs &limbs) {
    using V = Lane<T>;
    if (limbs.steps.data) return run_fitted<T, D>(limbs);
    const auto any_rows = limbs.end.data ? strided<true, D, V> : strided<false, D, V>;
    const bool still = !limbs.r1.step && !limbs.r2.step && !limbs.side.step && !limbs.pole.step;
    if (!still || limbs.count <= 0) return any_rows(limbs, 0, limbs.count, nullptr);
    const Setting<V> setting = setting_of<D, V>(limbs, 0, 1);
    if (limbs.end.data || !runs_on<D, T>(limbs.target) || !runs_on<D, T>(limbs.joint))
        return any_rows(limbs, 0, limbs.count, &setting);
    if (setting.good != ALL<V>) {
        const auto [other, suits] = setting_for_hard<D>(setting, limbs.policy);
        if (!suits) return any_rows(limbs, 0, limbs.count, &setting);
        return packed_hard_rows<D>(limbs, setting, other);
    }
    if (limbs.policy == twobone::clamp) return packed_rows<twobone::clamp, D, V>(limbs, setting);
    if (limbs.policy == twobone::stretch) return packed_rows<twobone::stretch, D, V>(limbs, setting);
    packed_rows<twobone::nan_, D, V>(limbs, setting);
}

template <int D, class V>
void write_slopes(const V (&slopes)[D][COUNT<D>], const twobone::Matrices &to, std::ptrdiff_t row, int rows) {
    Number<V> lanes[Lanes<V>::count];
    for (int i = 0; i < D; i++)
        for (int j = 0; j < COUNT<D>; j++) {
            store(lanes, slopes[i][j]);
            scatter(lanes, Column{to.data + i * to.row, to.step, to.part}, j, row, rows);
        }
}

// Differentiate limbs.
template <class T, int D> void run_slopes(const twobone::LimbSlopes &given) {
    using V = Lane<T>;
    constexpr int N = Lanes<V>::count;
    const Limbs &limbs = given.limbs;
    twobone::Step<T> steps[twobone::MOST_STEPS];
    read_policies(limbs, steps);
    for (std::ptrdiff_t row = 0; row < limbs.count; row += N) {
        const int rows = limbs.count - row < N ? int(limbs.count - row) : N;
        Slopes<D, V> slopes;
        slopes_of(read_limbs<D, V>(limbs, row, rows), limbs.policy, steps, limbs.step_count, slopes);
        write_slopes<D>(slopes.joint, given.joint, row, rows);
        write_slopes<D>(slopes.end, given.end, row, rows);
    }
}

// Read lanes from rows that need not be neighbours; lanes without a row repeat the last one.
template <class V, class T> V pick(const Column &column, int part, const std::ptrdiff_t *rows, int count) {
    constexpr int N = Lanes<V>::count;
    T lanes[N];
    for (int i = 0; i < N; i++) {
        const std::ptrdiff_t row = rows[i < count ? i : count - 1];
        std::memcpy(lanes + i, column.data + row * column.step + part * column.part, sizeof(T));
    }
    return load<V>(lanes);
}

template <class T, bool REST, int D, class V> INLINE void within_type(Pulled<D, V> &pulled) {
    if constexpr (sizeof(T) == sizeof(Number<V>)) return;  // easy limbs have no such derivatives
    for (V &each : pulled.target) each = within<T>(each);
    if constexpr (!REST) return;
    for (V *each : {&pulled.r1, &pulled.r2}) *each = within<T>(*each);
    for (int i = 0; D == 3 && i < 3; i++) pulled.pole[i] = within<T>(pulled.pole[i]);
}

template <class V, class T> void put_back(V v, const Column &column, int part, const std::ptrdiff_t *rows, int count) {
    T lanes[Lanes<V>::count];
    store(lanes, v);
    for (int i = 0; i < count; i++)
        std::memcpy(column.data + rows[i] * column.step + part * column.part, lanes + i, sizeof(T));
}

// Limbs to differentiate in doubles. Those that are not easy are collected, so that whole vectors of them are
// differentiated together.
template <class T, int D> struct Differentiated {
    using V = Lane<double>;
    using R = OtherReal<T>;
    static constexpr int N = Lanes<V>::count;
    static constexpr double size = R::size[D - 2], part = R::part[D - 2];
    const Limbs &limbs;
    twobone::Step<double> steps[twobone::MOST_STEPS];
    std::ptrdiff_t hard[2 * N];
    int hard_count = 0;
    const bool by_row;  // whether each row has policies of its own

    explicit Differentiated(const Limbs &limbs_, bool by_row_ = false)
        : limbs(limbs_), by_row(by_row_ || (limbs_.step_count && limbs_.steps.step)) {
        if (limbs.count <= 0) return;
        twobone::Step<T> own[twobone::MOST_STEPS];
        if (limbs.step_count) read_policies(limbs, own);
        widen_steps(own, limbs.step_count, steps);
    }

    // Read what does not depend on the target, and return where it is easy.
    INLINE Mask<V> prepare_rows(std::ptrdiff_t row, int rows, Setting<V> &s) const {
        V pole[3];
        if constexpr (D == 3) gather_vectors<3, V, T>(limbs.pole, row, rows, pole);
        s = prepare<D, V, R>(gather<V, T>(limbs.r1, 0, row, rows), gather<V, T>(limbs.r2, 0, row, rows),
                             gather<V, T>(limbs.side, 0, row, rows), pole);
        Mask<V> easy = are_easy_bones<V, R>(s.r1, s.r2, s.side, size);
        if constexpr (D == 3) easy = easy & is_easy_vector<3>(s.pole, size, part);
        return easy;
    }

    // Call `product.easy(setting, target, row, rows)`, which returns which limbs are easy, then `product.any(limbs, steps,
    // rows, count)` for the others.
    template <class Product> INLINE void run(const Product &product) {
        const Mask<V> none = greater(real<V>(0), real<V>(0));
        const bool still = !limbs.r1.step && !limbs.r2.step && !limbs.side.step && !limbs.pole.step;
        Setting<V> s;
        Mask<V> easy = none;
        // Where policies that are objects leave the end at the target, by the square of its distance.
        V least = real<V>(0), most = real<V>(std::numeric_limits<T>::infinity());
        if (still && limbs.count > 0) easy = prepare_rows(0, 1, s);
        if (limbs.step_count) {
            Plan<V> plan;
            if (still && !by_row && limbs.count > 0 && make_plan<D>(s, steps, limbs.step_count, plan)) {
                least = plan.setting.least;
                most = plan.setting.most;
            } else {
                most = real<V>(0);
            }
        }
        for (std::ptrdiff_t row = 0; row < limbs.count; row += N) {
            const int rows = limbs.count - row < N ? int(limbs.count - row) : N;
            if (!still) easy = prepare_rows(row, rows, s);
            if (by_row) find_still(row, rows, s, least, most);
            V p[D];
            gather_vectors<D, V, T>(limbs.target, row, rows, p);
            const V h = dot(p, p, D);
            const Mask<V> good = easy & product.easy(s, p, row, rows) & at_least(h, least) & at_least(most, h);
            const unsigned others = ~bits(good) & ALL<V>;
            if (!others) continue;
            for (int i = 0; i < rows; i++)
                if (others >> i & 1) hard[hard_count++] = row + i;
            while (hard_count >= N) run_hard(product);
        }
        while (hard_count) run_hard(product);
    }

    // Find where the policies of some rows leave ends at their targets.
    NOINLINE void find_still(std::ptrdiff_t row, int rows, const Setting<V> &s, V &least, V &most) const {
        twobone::Step<V> own[twobone::MOST_STEPS];
        read_policies_of_rows<V, T>(limbs, [&](int part) { return gather<V, T>(limbs.steps, part, row, rows); }, own);
        StillRange<V> range;
        still_range(s, own, limbs.step_count, range);
        least = range.least;
        most = range.most;
    }

    // Differentiate the last of the collected limbs.
    template <class Product> NOINLINE void run_hard(const Product &product) {
        const int now = hard_count < N ? hard_count : N;
        const std::ptrdiff_t *rows = hard + (hard_count -= now);
        Given<D, V> limb;
        for (int i = 0; i < D; i++) {
            limb.p[i] = pick<V, T>(limbs.target, i, rows, now);
            if constexpr (D == 3) limb.pole[i] = pick<V, T>(limbs.pole, i, rows, now);
        }
        limb.r1 = pick<V, T>(limbs.r1, 0, rows, now);
        limb.r2 = pick<V, T>(limbs.r2, 0, rows, now);
        limb.side = pick<V, T>(limbs.side, 0, rows, now);
        if (!by_row) return product.any(limb, steps, rows, now);
        twobone::Step<V> own[twobone::MOST_STEPS];
        read_policies_of_rows<V, T>(limbs, [&](int part) { return pick<V, T>(limbs.steps, part, rows, now); }, own);
        product.any(limb, own, rows, now);
    }
};

// The derivatives of a loss by the arguments of limbs.
template <class T, bool REST, int D> struct Puller {
    using V = Lane<double>;
    static constexpr int N = Lanes<V>::count;
    const twobone::Pulls &given;

    INLINE Mask<V> easy(const Setting<V> &s, const V *p, std::ptrdiff_t row, int rows) const {
        Bars<D, V> bars;
        gather_vectors<D, V, T>(given.joint, row, rows, bars.joint);
        for (int i = 0; i < D; i++) bars.end[i] = real<V>(0);
        if (REST && given.end.data) gather_vectors<D, V, T>(given.end, row, rows, bars.end);
        Pulled<D, V> pulled;
        const Mask<V> good = easy_pull<T, REST, D>(s, p, given.limbs.policy, bars, pulled);
        within_type<T, REST>(pulled);
        scatter_vectors<D, V, T>(pulled.target, given.by_target, row, rows);
        if (REST && given.by_r1.data) {
            T lanes[N];
            store(lanes, pulled.r1);
            scatter(lanes, given.by_r1, 0, row, rows);
            store(lanes, pulled.r2);
            scatter(lanes, given.by_r2, 0, row, rows);
            if constexpr (D == 3) scatter_vectors<3, V, T>(pulled.pole, given.by_pole, row, rows);
        }
        return good;
    }

    template <class S>
    void any(const Given<D, V> &limb, const twobone::Step<S> *steps, const std::ptrdiff_t *rows, int now) const {
        Bars<D, V> bars;
        for (int i = 0; i < D; i++) {
            bars.joint[i] = pick<V, T>(given.joint, i, rows, now);
            bars.end[i] = REST && given.end.data ? pick<V, T>(given.end, i, rows, now) : real<V>(0);
        }
        Pulled<D, V> pulled;
        const int count = given.limbs.step_count;
        any_pull<T, REST, D>(limb, given.limbs.policy, steps, count, bars, given.by_steps.data, pulled);
        within_type<T, REST>(pulled);
        if (REST && given.by_steps.data)
            for (int k = 0; k < count; k++)
                for (int j = 0; j < 5; j++) {
                    const V slope = j ? pulled.steps[k][j - 1] : real<V>(0);
                    put_back<V, T>(slope, given.by_steps, k * twobone::STEP_NUMBERS + j, rows, now);
                }
        for (int i = 0; i < D; i++) put_back<V, T>(pulled.target[i], given.by_target, i, rows, now);
        if (REST && given.by_r1.data) {
            put_back<V, T>(pulled.r1, given.by_r1, 0, rows, now);
            put_back<V, T>(pulled.r2, given.by_r2, 0, rows, now);
            for (int i = 0; D == 3 && i < 3; i++) put_back<V, T>(pulled.pole[i], given.by_pole, i, rows, now);
        }
    }
};

template <class T, int D> void run_pull(const twobone::Pulls &given) {
    Differentiated<T, D> limbs(given.limbs, given.by_steps.data);
    if (given.by_steps.data) {  // where no end is moved, they stay 0
        const T zero = 0;
        for (std::ptrdiff_t row = 0; row < given.limbs.count; row++)
            for (int i = 0; i < given.limbs.step_count * twobone::STEP_NUMBERS; i++)
                std::memcpy(given.by_steps.data + row * given.by_steps.step + i * given.by_steps.part, &zero,
                            sizeof zero);
    }
    if (given.by_r1.data || given.end.data) limbs.run(Puller<T, true, D>{given});
    else limbs.run(Puller<T, false, D>{given});
}

// The derivatives of joint and end in the direction of tangents.
template <class T, bool WHOLE, int D> struct Pusher {
    using V = Lane<double>;
    const twobone::Pushes &given;
    unsigned moving = 0;  // a bit for each number that has a tangent

    explicit Pusher(const twobone::Pushes &pushes) : given(pushes) {
        if (given.along_target.data) moving |= (1u << D) - 1;
        if (given.along_r1.data) moving |= 1u << D;
        if (given.along_r2.data) moving |= 2u << D;
        if (D == 3 && given.along_pole.data) moving |= 7u << (D + 2);
    }

    // Read tangents by `read(column, component)`; those that are not given are zero.
    template <class Read> INLINE Tangents<D, V> read_tangents(const Read &read) const {
        auto component = [&](const Column &column, int i) { return column.data ? read(column, i) : real<V>(0); };
        Tangents<D, V> tangents;
        for (int i = 0; i < D; i++) tangents.target[i] = component(given.along_target, i);
        tangents.r1 = component(given.along_r1, 0);
        tangents.r2 = component(given.along_r2, 0);
        for (int i = 0; D == 3 && i < 3; i++) tangents.pole[i] = component(given.along_pole, i);
        return tangents;
    }

    INLINE Mask<V> easy(const Setting<V> &s, const V *p, std::ptrdiff_t row, int rows) const {
        const Tangents<D, V> tangents =
            read_tangents([&](const Column &column, int i) { return gather<V, T>(column, i, row, rows); });
        Pushed<D, V> pushed;
        const Mask<V> good = easy_push<T, WHOLE, D>(s, p, given.limbs.policy, tangents, pushed);
        within_type(pushed);
        scatter_vectors<D, V, T>(pushed.joint, given.joint, row, rows);
        if constexpr (WHOLE) scatter_vectors<D, V, T>(pushed.end, given.end, row, rows);
        return good;
    }

    template <class S>
    void any(const Given<D, V> &limb, const twobone::Step<S> *steps, const std::ptrdiff_t *rows, int now) const {
        const Tangents<D, V> tangents =
            read_tangents([&](const Column &column, int i) { return pick<V, T>(column, i, rows, now); });
        Pushed<D, V> pushed;
        any_push<T, WHOLE, D>(limb, given.limbs.policy, steps, given.limbs.step_count, moving, tangents, pushed);
        within_type(pushed);
        for (int i = 0; i < D; i++) {
            put_back<V, T>(pushed.joint[i], given.joint, i, rows, now);
            if constexpr (WHOLE) put_back<V, T>(pushed.end[i], given.end, i, rows, now);
        }
    }

  private:
    static INLINE void within_type(Pushed<D, V> &pushed) {
        for (int i = 0; i < D; i++) {
            pushed.joint[i] = within<T>(pushed.joint[i]);
            if constexpr (WHOLE) pushed.end[i] = within<T>(pushed.end[i]);
        }
    }
};

template <class T, int D> void run_push(const twobone::Pushes &given) {
    Differentiated<T, D> limbs(given.limbs);
    if (given.end.data) limbs.run(Pusher<T, true, D>{given});
    else limbs.run(Pusher<T, false, D>{given});
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
const Loops TWOBONE_LOOPS = {TEXT_OF(TWOBONE_LOOPS),
                             {run<float, 2>, run<double, 2>},
                             {run<float, 3>, run<double, 3>},
                             {run_slopes<float, 2>, run_slopes<double, 2>},
                             {run_slopes<float, 3>, run_slopes<double, 3>},
                             {run_pull<float, 2>, run_pull<double, 2>},
                             {run_pull<float, 3>, run_pull<double, 3>},
                             {run_push<float, 2>, run_push<double, 2>},
                             {run_push<float, 3>, run_push<double, 3>},
                             {pose::run<float>, pose::run<double>},
                             {program::run<float>, program::run<double>},
                             waves::height_at,
                             one_in_plane,
                             one_in_space};
}
