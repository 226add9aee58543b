// Derivatives of any limb with any policy that the kernel knows: the solver of fitting.hpp on dual numbers.
//
// The solver runs once for each number that a limb depends on. In the plane, a limb takes 5 times as long as by
// `answer_fitted`, in space 15 times.
#pragma once

#include "dual.hpp"
#include "fitting.hpp"
#include "solvers.hpp"

namespace {

// How many numbers a limb depends on: target, r1, r2 and, in space, the pole.
template <int D> constexpr int COUNT = D == 2 ? 4 : 8;

// A bit for each of them, in the order target, r1, r2, pole.
template <int D> constexpr unsigned ALL_NUMBERS = (1u << COUNT<D>)-1;

// Derivatives of joint and end with respect to these numbers.
template <int D, class V> struct Slopes {
    V joint[D][COUNT<D>], end[D][COUNT<D>];
};

// The power of two that is a step of an argument. Its derivatives are computed per step: they neither overflow nor
// underflow for limbs of any size. The bounds leave room for the derivatives: a joint moves by up to 2^960 times the
// longer bone for a step of the size of a target (see `Real::near`), and numbers have 53 digits.
template <class V> INLINE V step_for(V size) {
    return smaller(larger(power_of_two(positive_or_one(size)), V(0x1p-1014)), V(0x1p900));
}

// The numbers of a limb as one list.
template <int D, class V> INLINE void list_numbers(const Given<D, V> &given, V *numbers) {
    for (int i = 0; i < D; i++) numbers[i] = given.p[i];
    numbers[D] = given.r1;
    numbers[D + 1] = given.r2;
    for (int i = 0; D == 3 && i < 3; i++) numbers[D + 2 + i] = given.pole[i];
}

template <int D, class V> INLINE Given<D, V> from_list(const V *numbers, V side) {
    Given<D, V> given;
    for (int i = 0; i < D; i++) given.p[i] = numbers[i];
    given.r1 = numbers[D];
    given.r2 = numbers[D + 1];
    given.side = side;
    for (int i = 0; D == 3 && i < 3; i++) given.pole[i] = numbers[D + 2 + i];
    return given;
}

// The sizes that steps of these numbers should have.
template <int D, class V> INLINE void list_sizes(const Given<D, V> &given, const V *numbers, V *sizes) {
    const V target = largest_part<D>(given.p), longer = larger(given.r1, given.r2), zero = real<V>(0);
    for (int i = 0; i < D; i++) sizes[i] = target;
    for (int i = D; i < D + 2; i++) sizes[i] = where(greater(numbers[i], zero), numbers[i], longer);
    for (int i = D + 2; i < COUNT<D>; i++) sizes[i] = largest_part<3>(given.pole);
}

// A derivative of a limb that came as T: one too large for the type becomes the largest number.
template <class T, class V> INLINE V within(V v) {
    const V most = V(Number<V>(Real<T>::largest));
    return where(greater(v, most), most, where(greater(-most, v), -most, v));
}

// Differentiate limbs of doubles, which came as T, with respect to the numbers in `wanted`. `solve` solves limbs of dual
// numbers.
template <class T, int D, class V, class Solve>
INLINE void differentiate(const Given<D, V> &given, const Solve &solve, unsigned wanted, Slopes<D, V> &slopes) {
    V numbers[COUNT<D>], sizes[COUNT<D>];
    const V zero = real<V>(0);
    list_numbers(given, numbers);
    list_sizes(given, numbers, sizes);
    for (int along = 0; along < COUNT<D>; along++) {
        if (!(wanted >> along & 1)) continue;
        const V step = step_for(sizes[along]);
        Dual<V> moved[COUNT<D>];
        for (int i = 0; i < COUNT<D>; i++) moved[i] = {numbers[i], i == along ? step : zero};
        Results<D, Dual<V>> results;
        solve(from_list<D, Dual<V>>(moved, {given.side, zero}), results);
        for (int i = 0; i < D; i++) {
            slopes.joint[i][along] = within<T>(results.joint[i].slope / step);
            slopes.end[i][along] = within<T>(results.end[i].slope / step);
        }
    }
}

// Solve any limbs of dual numbers with any policy; `count` is 0 for a named one.
template <int D, class V, class S>
NOINLINE void answer_dual(const Given<D, Dual<V>> &given, int policy, const twobone::Step<S> *steps, int count,
                          Number<V> eps, Results<D, Dual<V>> &results) {
    answer(given, policy, steps, count, eps, results);
}

template <class T, int D, class V, class S>
void slopes_of_doubles(const Given<D, V> &given, int policy, const twobone::Step<S> *steps, int count, unsigned wanted,
                       Slopes<D, V> &slopes) {
    auto solve = [&](const Given<D, Dual<V>> &limb, Results<D, Dual<V>> &results) {
        answer_dual(limb, policy, steps, count, double(Real<T>::eps), results);
    };
    differentiate<T>(given, solve, wanted, slopes);
}

// How many numbers of a policy are not fixed: they can be differentiated by.
INLINE int numbers_of(int kind) { return kind == 2 ? 4 : 1; }

// Policies with numbers of their own for each limb, as dual numbers whose derivatives are zero.
template <class V> INLINE void lift_steps(const twobone::Step<V> *steps, int count, twobone::Step<Dual<V>> *lifted) {
    for (int i = 0; i < count; i++) {
        lifted[i].kind = steps[i].kind;
        for (int j = 0; j < 4; j++) lifted[i].numbers[j] = {steps[i].numbers[j], real<V>(0)};
    }
}

template <class T> void widen_steps(const twobone::Step<T> *steps, int count, twobone::Step<double> *wide) {
    for (int i = 0; i < count; i++) {
        wide[i].kind = steps[i].kind;
        for (int j = 0; j < 4; j++) wide[i].numbers[j] = steps[i].numbers[j];
    }
}

// The derivatives of any limbs with respect to the numbers in `wanted`; the others are not set. Those of floats are
// computed in doubles.
template <int D, class V>
NOINLINE void slopes_of(const Given<D, V> &given, int policy, const twobone::Step<Number<V>> *steps, int count,
                        Slopes<D, V> &slopes, unsigned wanted = ALL_NUMBERS<D>) {
    using T = Number<V>;
    if constexpr (sizeof(T) == sizeof(double)) {
        slopes_of_doubles<T>(given, policy, steps, count, wanted, slopes);
    } else {
        using W = Lane<double>;
        constexpr int N = Lanes<V>::count, STEP = Lanes<W>::count;
        twobone::Step<double> wide_steps[twobone::MOST_STEPS];
        widen_steps(steps, count, wide_steps);
        V numbers[COUNT<D>];
        list_numbers(given, numbers);
        T in[COUNT<D> + 1][N], out[2 * D * COUNT<D>][N];
        for (int i = 0; i < COUNT<D>; i++) store(in[i], numbers[i]);
        store(in[COUNT<D>], given.side);
        for (int lane = 0; lane < N; lane += STEP) {
            W wide[COUNT<D>];
            for (int i = 0; i < COUNT<D>; i++) wide[i] = load<W>(in[i] + lane);
            Slopes<D, W> found;
            const W side = load<W>(in[COUNT<D>] + lane);
            slopes_of_doubles<T>(from_list<D, W>(wide, side), policy, wide_steps, count, wanted, found);
            for (int i = 0; i < D * COUNT<D>; i++) {
                if (!(wanted >> i % COUNT<D> & 1)) continue;
                store(out[i] + lane, found.joint[i / COUNT<D>][i % COUNT<D>]);
                store(out[D * COUNT<D> + i] + lane, found.end[i / COUNT<D>][i % COUNT<D>]);
            }
        }
        for (int i = 0; i < D * COUNT<D>; i++) {
            if (!(wanted >> i % COUNT<D> & 1)) continue;
            slopes.joint[i / COUNT<D>][i % COUNT<D>] = load<V>(out[i]);
            slopes.end[i / COUNT<D>][i % COUNT<D>] = load<V>(out[D * COUNT<D> + i]);
        }
    }
}

// --- triangles --------------------------------------------------------------------------------

// Derivatives of x and y of the joint and of the end, each with respect to d, r1 and r2, in the plane of a limb whose
// target is at the distance d on the x axis.
template <class V> struct AxisSlopes {
    V x[3], y[3], end[3];
};

// The closed form for easy limbs with a named policy; returns which lanes are easy. Of a triangle,
// x = w / (2 d) and y y' = r1 r1' - x x', and `rest` is the derivative of x with respect to d.
template <class T, class V>
INLINE Mask<V> easy_axis_slopes(V d, V r1, V r2, int policy, AxisSlopes<V> &slopes) {
    using R = OtherReal<T>;
    // Derivatives of floats must not overflow: they are at most (r1 / d)^2.
    constexpr double size = sizeof(T) == sizeof(double) ? R::size[0] : 0x1p30;
    const V zero = real<V>(0), one = real<V>(1), two = real<V>(2);
    const Bones<V> both = bones<Fused>(r1, r2);
    const Pair<V> squared = two_square<Fused>(d);
    Pair<V> h;
    const Pair<V> b = gap<false, 1>(&squared, both.square, h);
    const auto found = triangle<false, Fused, V, R>(h, b, both);
    const V f = both.difference.high, to_d = one / d, half = real<V>(0.5) * to_d;
    const V root = sqrt_of(where(found.inside, found.area + found.area_low, one));
    const V x = found.w * half, rest = (b.high - two * r2 * f) * half * to_d, to_y = (d + d) / root;
    slopes = {{rest, r1 * to_d, -(r2 * to_d)},
              {-(x * rest * to_y), r1 * rest * to_y, x * r2 * to_d * to_y},
              {one, zero, zero}};
    const V along = straight(found, both), outward = where(greater(zero, f), -one, one);
    const V reach[3] = {zero, where(found.extended, one, outward), where(found.extended, one, -outward)};
    const Mask<V> missed = found.too_far | found.too_near;
    for (int i = 0; i < 3; i++) {
        slopes.y[i] = where(found.inside, slopes.y[i], zero);
        if (policy == twobone::stretch) continue;
        slopes.x[i] = where(found.inside, slopes.x[i], i == 1 ? along : zero);
        slopes.end[i] = where(found.met, slopes.end[i], reach[i]);
        if (policy != twobone::nan_) continue;
        slopes.x[i] = where(missed, zero, slopes.x[i]);
        slopes.end[i] = where(missed, zero, slopes.end[i]);
    }
    // `b` has an error of 2^-104 h. One rounding of d from an edge, b is 2^-51 h r1 / r2, so that it keeps 47 digits.
    constexpr double thick = sizeof(T) == sizeof(double) ? 64 : R::thick;
    return at_least(V(thick) * r1, r2) & are_moderate_bones(r1, r2, one, size) & at_least(d, V(1 / size)) &
           at_least(V(size), d);
}

constexpr unsigned ON_AXIS = ALL_NUMBERS<2> - 2;  // without the second component of the target

template <class V> INLINE AxisSlopes<V> on_axis(const Slopes<2, V> &found) {
    AxisSlopes<V> slopes;
    for (int i = 0; i < 3; i++) {
        const int along = i ? i + 1 : 0;
        slopes.x[i] = found.joint[0][along];
        slopes.y[i] = found.joint[1][along];
        slopes.end[i] = found.end[0][along];
    }
    return slopes;
}

template <class V> INLINE Given<2, V> limb_on_axis(V d, V r1, V r2) {
    Given<2, V> given;
    given.p[0] = d;
    given.p[1] = d * real<V>(0);
    given.r1 = r1;
    given.r2 = r2;
    given.side = real<V>(1);
    return given;
}

// The same for any limb, by dual numbers.
template <class T, class V>
NOINLINE AxisSlopes<V> any_axis_slopes(V d, V r1, V r2, int policy, const twobone::Step<double> *steps, int count) {
    Slopes<2, V> found;
    slopes_of_doubles<T>(limb_on_axis(d, r1, r2), policy, steps, count, ON_AXIS, found);
    return on_axis(found);
}

// Solve the limbs on the x axis that a chain of policies moves: they need no triangle. Returns which limbs these are.
template <class V>
NOINLINE Mask<V> answer_moved(const Given<2, V> &given, const twobone::Step<Number<V>> *steps, int count,
                              Results<2, V> &results) {
    const V zero = real<V>(0);
    const Mask<V> good = is_valid(given) & greater(given.p[0], zero);
    const Given<2, V> safe = without_invalid(given, good);
    AnyLimb<2, V> limb;
    const V target = power_of_two(safe.p[0]);
    limb.p[0] = limb.solution.q[1] = safe.p[0] / target;
    limb.p[1] = limb.solution.q[0] = zero;
    scale(target, greater(zero, zero), safe.r1, safe.r2, limb.units, limb.reachable);
    Edges<V> edges;
    const Fit<V> fit = fit_with(limb, steps, count, edges);
    limb_at(limb, safe.side, fit, edges, results.joint, results.end);
    results.end[0] = where(fit.met, safe.p[0], results.end[0]);
    return good & fit.moved;
}

// The same for the limbs that a chain of policies moves; returns which these are.
template <class T, class V>
NOINLINE Mask<V> moved_axis_slopes(V d, V r1, V r2, const twobone::Step<double> *steps, int count,
                                   AxisSlopes<V> &slopes) {
    Slopes<2, V> found;
    Mask<V> moved;
    auto solve = [&](const Given<2, Dual<V>> &limb, Results<2, Dual<V>> &results) {
        moved = answer_moved(limb, steps, count, results);
    };
    differentiate<T>(limb_on_axis(d, r1, r2), solve, ON_AXIS, found);
    slopes = on_axis(found);
    return moved;
}

template <class V> INLINE void choose(Mask<V> good, AxisSlopes<V> &slopes, const AxisSlopes<V> &others) {
    for (int i = 0; i < 3; i++) {
        slopes.x[i] = where(good, slopes.x[i], others.x[i]);
        slopes.y[i] = where(good, slopes.y[i], others.y[i]);
        slopes.end[i] = where(good, slopes.end[i], others.end[i]);
    }
}

// The same for any limb with any policy.
template <class T, class V>
INLINE void slopes_on_axis(V d, V r1, V r2, int policy, const twobone::Step<double> *steps, int count,
                           AxisSlopes<V> &slopes) {
    Mask<V> good = easy_axis_slopes<T>(d, r1, r2, policy, slopes);
    if (count) {
        AxisSlopes<V> others;
        const Mask<V> moved = moved_axis_slopes<T>(d, r1, r2, steps, count, others);
        choose(moved, others, slopes);
        slopes = others;
        good = good | moved;
    }
    if (bits(good) != ALL<V>) choose(good, slopes, any_axis_slopes<T>(d, r1, r2, policy, steps, count));
}

}  // namespace
