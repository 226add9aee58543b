// Policies that are objects, for many targets of one pair of bones of moderate size; the bits are those of
// `answer_fitted`.
//
// Most targets are left where they are: `packed` solves these, since their distance tells. The others are collected,
// so that whole vectors of them go through stages like those of `easy`. Nothing is scaled: where all sizes are
// moderate, scaling by powers of two changes no bit.
#pragma once

#include "fitting.hpp"
#include "solvers.hpp"

namespace {

// What depends on bones, side, pole and policies alone.
template <class V> struct Plan {
    KeptSetting<V> setting;  // its bounds are those of targets that the policies leave where they are
    ReachableRange<V> reachable;
    Edges<V> edges;  // after all policies
    PreparedStep<V> prepared[twobone::MOST_STEPS];
    V size_least, size_most;                   // bounds of h for targets of moderate size
    V w_rest, least;                           // see `bend` and `apply`
    Pair<V> r1_square;
    Divisor<V> r1_square_doubled;
    const twobone::Step<Number<V>> *steps;
    int count;
    bool stretches;
};

// The range of moderate bones, the policies prepared for it, and the range of distances of the ends that none of them
// moves, with a margin for rounding. S as in `prepare_step`.
template <class V> struct StillRange {
    ReachableRange<V> reachable;
    Edges<V> edges;  // after all policies
    PreparedStep<V> prepared[twobone::MOST_STEPS];
    V least, most;  // squares of distances
};

template <class V, class S>
INLINE void still_range(const Setting<V> &s, const twobone::Step<S> *steps, int count, StillRange<V> &range) {
    const V zero = real<V>(0);
    auto &reachable = range.reachable;
    const Pair<V> outer = two_sum(s.r1, s.r2), difference = s.bones.difference;
    reachable.r1 = s.r1;
    reachable.r2 = s.r2;
    reachable.outer = outer.high;
    reachable.outer_low = outer.low;
    reachable.difference = difference.high;
    reachable.difference_low = difference.low;
    reachable.inner = magnitude(difference.high);
    reachable.inner_low = where(greater(zero, difference.high), -difference.low, difference.low);
    reachable.width = real<V>(2) * smaller(s.r1, s.r2);
    range.edges = edges_of(reachable);
    V nearest = zero, farthest = range.edges.outer;
    for (int i = 0; i < count; i++) {
        const auto &step = range.prepared[i] = prepare_step<false>(steps[i], reachable, real<V>(1), range.edges);
        if (step.kind != 0) continue;
        nearest = larger(nearest, step.inner + step.second);
        farthest = smaller(farthest, step.outer - step.first);
    }
    nearest = larger(nearest, range.edges.inner);
    farthest = larger(smaller(farthest, range.edges.outer), zero);
    range.least = nearest * nearest * real<V>(1 + 0x1p-14);
    range.most = farthest * farthest * real<V>(1 - 0x1p-14);
}

// Return whether bones, side and pole suit a plan, and store it.
template <int D, class V>
bool make_plan(const Setting<V> &s, const twobone::Step<Number<V>> *steps, int count, Plan<V> &plan) {
    using R = Real<Number<V>>;
    if (!make_fine<D>(s, twobone::clamp, plan.setting)) return false;
    const V zero = real<V>(0), one = real<V>(1);
    StillRange<V> range;
    still_range(s, steps, count, range);
    const auto &reachable = plan.reachable = range.reachable;
    plan.edges = range.edges;
    plan.steps = steps;
    plan.count = count;
    plan.stretches = false;
    for (int i = 0; i < count; i++) {
        const auto &step = plan.prepared[i] = range.prepared[i];
        plan.stretches = plan.stretches || step.kind == 1;
        if (step.kind != 0) continue;
        plan.prepared[i].first = where(greater(step.first, zero), step.first, -one);
        plan.prepared[i].second = where(greater(step.second, zero), step.second, -one);
    }
    plan.size_least = plan.setting.least;
    plan.size_most = plan.setting.most;
    plan.setting.least = larger(plan.size_least, range.least);
    plan.setting.most = smaller(plan.size_most, range.most);
    // If no rounding cancels another, the errors are at most 6.5 eps^2 h of b; 10 eps^2 4 r1 r2 h of S, in space 37 with
    // those of the division; and 11 eps^2 (1 + 2 r1 |r1 - r2| / h) of w / (2 h). The greatest found in 10^9 rows are
    // 2.7, 2.7, 5.8 and 2.
    const V square = V(R::eps * R::eps);
    plan.setting.gap_error = real<V>(8) * square;
    plan.setting.area_error = real<V>(D == 2 ? 16 : 48) * square * s.bones.four.high;
    plan.setting.along_error = real<V>(16) * square * (one + magnitude(s.bones.c.high) / plan.setting.least);
    plan.w_rest = real<V>(2) * (reachable.r1 * reachable.difference);
    plan.least = V(R::near) * power_of_two(larger(s.r1, s.r2));
    plan.r1_square = two_square<Fused>(s.r1);
    plan.r1_square_doubled = divisor(plan.r1_square.high + plan.r1_square.high);
    // Nothing underflows. Of a zone z, a target shows as little as eps z / 2, which is squared and then divided: by a
    // fused multiply-add if there is one, whose error must be whole. So z is at least 2^(-968 / 2 + 53) as a double,
    // and 2^(-126 / 2 + 25) as a float. `answer_fitted` squares z over the width. All other products are larger.
    const auto sizeable = [&](V v) { return bits(equal(v, zero) | at_least(v, V(R::fit_least))) == ALL<V>; };
    bool good = sizeable(plan.edges.inner) && bits(greater(plan.edges.width, V(R::fit_least))) == ALL<V>;
    for (int i = 0; i < count; i++) {
        const auto &step = plan.prepared[i];
        for (const V zone : {larger(step.first, zero), larger(step.second, zero)})
            good = good && (step.kind != 0 || (sizeable(zone) && sizeable(zone / step.width)));
        for (int j = 0; step.kind == 2 && j < 4; j++) good = good && sizeable(V(steps[i].numbers[j]));
    }
    return good;
}

// What each stage leaves to the next.
template <int D, class V> struct FitDraft {
    V p[D], m[D], h, h_low, length, across_length, to_p, d, along, across;  // `m` in space only
    Fit<V> fit;
    Mask<V> good;
};

// Stage 1: the distance, and the direction across.
template <int D, class V> INLINE void look(const Plan<V> &plan, FitDraft<D, V> &draft) {
    using R = Real<Number<V>>;
    const auto &s = plan.setting;
    V p[D];
    for (int i = 0; i < D; i++) p[i] = draft.p[i];
    Pair<V> squared[D];
    squares<Fused, D>(p, squared);
    const Pair<V> h = sum_of_pairs(squared, D);
    Mask<V> good = at_least(h.high, plan.size_least) & at_least(plan.size_most, h.high);
    for (int i = 0; i < D; i++) good = good & zero_or_at_least(p[i], 1 / R::part[D - 2]);
    draft.length = sqrt_of(h.high);
    draft.to_p = real<V>(1) / draft.length;
    if constexpr (D == 3) {
        V m[3];
        towards<Fused>(p, s.pole, h, m);
        const V mm = dot(m, m, 3);
        good = good & greater(mm, (h.high * h.high) * s.pole_least);
        for (int i = 0; i < 3; i++) draft.m[i] = m[i];
        draft.across_length = sqrt_of(mm);
    }
    draft.h = h.high;
    draft.h_low = h.low;
    draft.good = good;
}

// Stage 2: the distance of the end. Only moved ends are solved here.
template <int D, class V> INLINE void choose_distance(const Plan<V> &plan, FitDraft<D, V> &draft) {
    const V error = error_of_root<Fused>(Pair<V>{draft.h, draft.h_low}, draft.length);
    const V low = quotient(error, divisor(draft.length + draft.length, real<V>(0.5) * draft.to_p));
    Fit<V> fit = fit_at<true, V>({draft.length, low}, plan.reachable);
    for (int i = 0; i < plan.count; i++) apply<false>(plan.prepared[i], plan.least, fit);
    keep_within(fit, plan.edges.width);
    draft.good = draft.good & fit.moved;
    draft.fit = fit;
}

// Stage 3: along and across. A straight limb needs no selection, since a or b is 0 there.
template <int D, class V> INLINE void divide(const Plan<V> &plan, FitDraft<D, V> &draft) {
    const auto [a, b, w, d] = bend(draft.fit, plan.edges, plan.w_rest);
    const Divisor<V> two_d = divisor(d + d);
    draft.along = quotient(w, two_d);
    draft.across = quotient(sqrt_of(a) * sqrt_of(b), two_d);
    draft.d = d;
}

// Stage 4: the joint.
template <int D, class V> INLINE void place_moved(const Plan<V> &plan, const FitDraft<D, V> &draft, V *joint) {
    const V to_q = D == 2 ? draft.to_p : real<V>(1) / draft.across_length;
    // Applying the side to `across` changes no bit.
    const V along = draft.along * draft.to_p, across = plan.setting.side * (draft.across * to_q);
    if constexpr (D == 2) {
        joint[0] = along * draft.p[0] - across * draft.p[1];
        joint[1] = along * draft.p[1] + across * draft.p[0];
    } else {
        for (int i = 0; i < D; i++) joint[i] = along * draft.p[i] + across * draft.m[i];
    }
    correct_length<Fused, false, D>(joint, plan.r1_square, plan.r1_square_doubled);
    if (!plan.stretches) return;
    const V factor = where(draft.fit.met, draft.length / draft.d, real<V>(1));
    for (int i = 0; i < D; i++) joint[i] = joint[i] * factor * draft.fit.stretch;
}

// Rows that a policy may move; `TILE` vectors of them are solved together.
template <int D, class V, int BLOCK, int TILE> class MovedRows {
    using T = Number<V>;
    static constexpr int N = Lanes<V>::count, ROWS = TILE * N, GROUP = N < 4 ? N : 4;
    const Plan<V> *plan;
    const T *in;
    T *out;
    int count = 0;
#if defined(__AVX512F__)
    std::int32_t rows[ROWS + BLOCK * N + N], order[N];
#else
    std::uint16_t rows[ROWS + BLOCK * N + 4];
    // The rows of a group of lanes whose bits are set, one after the other, and how many these are.
    std::uint64_t set[N / GROUP][1 << GROUP];
    unsigned char sets[1 << GROUP];
#endif

  public:
    static constexpr int MOST_ROWS = 1 << 16;

    MovedRows() {
        T numbers[N * D];
        V lanes[D];
        for (int i = 0; i < N * D; i++) numbers[i] = T(i / D);
        read_rows<D>(numbers, lanes);  // which row is in which lane
        store(numbers, lanes[0]);
#if defined(__AVX512F__)
        for (int i = 0; i < N; i++) order[i] = std::int32_t(numbers[i]);
#else
        for (int group = 0; group < N / GROUP; group++)
            for (int bits = 0; bits < 1 << GROUP; bits++) {
                std::uint16_t found[4] = {};
                int many = 0;
                for (int i = 0; i < GROUP; i++)
                    if (bits >> i & 1) found[many++] = std::uint16_t(numbers[group * GROUP + i]);
                std::memcpy(&set[group][bits], found, sizeof found);
                sets[bits] = static_cast<unsigned char>(many);
            }
#endif
    }

    void start(const Plan<V> *plan_, const T *in_, T *out_) {
        plan = plan_;
        in = in_;
        out = out_;
    }

    // Add the limbs of a block that are not `good`; `first` is its first row. They are solved later, since the block
    // is not written yet.
    INLINE void add(int first, const unsigned *good) {
        if (count >= ROWS) solve();
        int many = count;
#if defined(__AVX512F__)
        for (int k = 0; k < BLOCK; k++) {
            const unsigned others = ~good[k] & ALL<V>;
            if constexpr (N == 16) {
                const __m512i all = _mm512_add_epi32(_mm512_loadu_si512(order), _mm512_set1_epi32(first + k * N));
                _mm512_storeu_si512(rows + many, _mm512_maskz_compress_epi32(__mmask16(others), all));
            } else {
                const __m256i lanes = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(order));
                const __m256i all = _mm256_add_epi32(lanes, _mm256_set1_epi32(first + k * N));
                const __m256i kept = _mm256_maskz_compress_epi32(__mmask8(others), all);
                _mm256_storeu_si256(reinterpret_cast<__m256i *>(rows + many), kept);
            }
            many += __builtin_popcount(others);
        }
#else
        for (int k = 0; k < BLOCK; k++)
            for (int group = 0; group < N / GROUP; group++) {
                const unsigned others = ~good[k] >> group * GROUP & ((1 << GROUP) - 1);
                const std::uint64_t added = set[group][others] + std::uint64_t(first + k * N) * 0x0001000100010001;
                std::memcpy(rows + many, &added, sizeof added);
                many += sets[others];
            }
#endif
        count = many;
    }

    void finish() {
        while (count) solve();
    }

    template <class Copy> INLINE void copy_rows(int now, const Copy &copy) const {
        if (now == ROWS)
            for (int j = 0; j < ROWS; j++) copy(j, std::size_t(rows[j]));
        else
            for (int j = 0; j < now; j++) copy(j, std::size_t(rows[j]));
    }

    // Solve up to `ROWS` of the rows.
    NOINLINE void solve() {
        const T *const in = this->in;
        T *const out = this->out;
        const int now = count < ROWS ? count : ROWS, vectors = (now + N - 1) / N;
        T p[ROWS * D];
        copy_rows(now, [&](int j, std::size_t row) { std::memcpy(p + j * D, in + row * D, D * sizeof(T)); });
        for (int j = now; j < vectors * N; j++)  // lanes without a limb repeat the last limb
            std::memcpy(p + j * D, p + (now - 1) * D, D * sizeof(T));
        FitDraft<D, V> drafts[TILE];
        for (int k = 0; k < vectors; k++) {
            read_rows<D>(p + k * N * D, drafts[k].p);
            look(*plan, drafts[k]);
        }
        for (int k = 0; k < vectors; k++) choose_distance(*plan, drafts[k]);
        for (int k = 0; k < vectors; k++) divide(*plan, drafts[k]);
        for (int k = 0; k < vectors; k++) {
            Results<D, V> results;
            place_moved(*plan, drafts[k], results.joint);
            if (bits(drafts[k].good) != ALL<V>) {
                Given<D, V> given;
                for (int i = 0; i < D; i++) given.p[i] = drafts[k].p[i];
                for (int i = 0; D == 3 && i < 3; i++) given.pole[i] = plan->setting.pole[i];
                given.r1 = plan->setting.r1;
                given.r2 = plan->setting.r2;
                given.side = plan->setting.side;
                answer_fitted(given, plan->steps, plan->count, results);
            }
            write_rows<false, D>(p + k * N * D, results.joint);
        }
        copy_rows(now, [&](int j, std::size_t row) { std::memcpy(out + row * D, p + j * D, D * sizeof(T)); });
        count -= now;
        for (int j = 0; j < count; j++) rows[j] = rows[now + j];
    }
};

}  // namespace
