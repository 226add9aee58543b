// Derivatives of limbs: of a loss by the arguments, given those by joint and end (pull), and of joint and end, given those
// of the arguments in one direction (push).
//
// With e along the target p, u across it towards the joint, n = e x u and d = |p|, the joint is x e + y u and the end
// z e, where x, y and z are the solution of the triangle (d, r1, r2). A turn of p about the root turns e and u; in space,
// u also turns about e, by side (n.dk) / L - side (k.e / L) (n.dp) / d for a pole k whose part across e has the length L:
//
//     d joint = e dx + u dy + (x u - y e) (u.dp) / d + n (x (n.dp) / d + y turn)
//     d end = e dz + (z / d) (u (u.dp) + n (n.dp))
//
// Within reach 2 d x = w, y^2 = r1^2 - x^2 and z = d, so with rest = dx/dd = 1 - x / d
//
//     dx = rest dd + (r1 dr1 - r2 dr2) / d        y dy = r1 rest dr1 - x (rest dd - r2 dr2 / d)
//
// `differentiate_easy` finds these factors for easy limbs: doubles with the double words of `triangle`, where differences
// of nearly equal numbers are divided by, floats as doubles. `easy_pull` and `easy_push` multiply by them. `slopes.hpp`
// differentiates all other limbs.
#pragma once

#include "slopes.hpp"
#include "solvers.hpp"

namespace {

// Derivatives of a loss by joint and end, and by the arguments.
template <int D, class V> struct Bars {
    V joint[D], end[D];
};
template <int D, class V> struct Pulled {
    V target[D], r1, r2, pole[3];
    V steps[twobone::MOST_STEPS][4];  // by the numbers of policies, where each limb has its own
};

// Derivatives of the arguments in one direction, and those of joint and end.
template <int D, class V> using Tangents = Pulled<D, V>;
template <int D, class V> using Pushed = Bars<D, V>;

// What is known of easy limbs: squares and differences of squares, as in `triangle`, and the direction across.
template <int D, class V> struct Known {
    V h, b, f, area, m[3], along_pole;  // m and p.pole in space only
    Mask<V> inside, met, extended, missed, good;
};

// Of limbs of doubles: in double words.
template <int D, class V> INLINE Known<D, V> know_doubles(const Setting<V> &s, const V *p) {
    using R = Real<double>;
    constexpr double size = R::size[D - 2], part = R::part[D - 2];
    Known<D, V> known;
    Pair<V> squared[D], h;
    squares<Fused, D>(p, squared);
    const Pair<V> b = gap<false, D>(squared, s.bones.square, h);
    const auto found = triangle<false, Fused, V, R>(h, b, s.bones);
    known.h = h.high;
    known.b = b.high;
    known.f = s.bones.difference.high;
    known.area = found.area + found.area_low;
    known.inside = found.inside;
    known.met = found.met;
    known.extended = found.extended;
    known.missed = found.too_far | found.too_near;
    known.good = is_easy_vector<D>(p, size, part);
    if constexpr (D == 3) {
        towards<Fused>(p, s.pole, h, known.m);
        known.good = known.good & greater(dot(known.m, known.m, 3), least_apart(h, s.pole));
        known.along_pole = dot(p, s.pole, 3);
    }
    return known;
}

// Of limbs of floats: in doubles, where a and b keep digits enough. Next to an edge they do not, nor is it certain on
// which side of it the target is; the edge of "nan" is 8 eps beyond. At 2^-26 of h, half of the digits are left.
template <int D, class V> INLINE Known<D, V> know_floats(const Setting<V> &s, const V *p, int policy) {
    constexpr double size = Wide::size[D - 2], part = Wide::part[D - 2];
    const V zero = real<V>(0);
    Known<D, V> known;
    const V f = s.r1 - s.r2, four = real<V>(4) * s.r1 * s.r2;
    known.h = dot(p, p, D);
    known.f = f;
    known.b = known.h - f * f;
    const V a = four - known.b, least = V(policy == twobone::nan_ ? 16 * Wide::eps : 0x1p-26);
    known.area = a * known.b;
    known.inside = greater(a, zero) & greater(known.b, zero);
    known.met = known.inside;
    known.extended = greater(zero, a);
    known.missed = greater(zero, a) | greater(zero, known.b);
    known.good = is_easy_vector<D>(p, size, part) & greater(magnitude(a), least * larger(four, known.h)) &
                 greater(magnitude(known.b), least * known.h);
    if constexpr (D == 3) {
        known.along_pole = dot(p, s.pole, 3);
        for (int i = 0; i < 3; i++) known.m[i] = known.h * s.pole[i] - known.along_pole * p[i];
        // Twice the bound below which another direction takes the place of the pole: rounding errors of m are far less.
        const V least_m = real<V>(2) * least_apart(Pair<V>{known.h, zero}, s.pole, Wide::eps);
        known.good = known.good & greater(dot(known.m, known.m, 3), least_m);
    }
    return known;
}

// The factors of the derivatives of an easy limb. Those of x, and of the distance of the end where it is not that of the
// target, are by d, r1 and r2; `turned` is dy / dx, but by r1, where both terms of r1 - x r1 / d nearly cancel for a thin
// second bone, it is `y_by_r1`. In space, n turns by `n_by_target` (n.dp) + `n_by_pole` (n.dk).
template <int D, class V> struct Factors {
    V e[D], u[D], n[3];
    V by_x[3], turned, y_by_r1;
    V x_to_d, y_to_d, z_to_d, z_by_r1, z_by_r2, n_by_target, n_by_pole;
    Mask<V> met, missed;
};

// Returns which limbs are easy.
template <class T, int D, class V>
INLINE Mask<V> differentiate_easy(const Setting<V> &s, const V *p, int policy, Factors<D, V> &factors) {
    const V zero = real<V>(0), one = real<V>(1), half = real<V>(0.5), two = real<V>(2);
    Known<D, V> known;
    if constexpr (sizeof(T) == sizeof(double)) known = know_doubles<D>(s, p);
    else known = know_floats<D>(s, p, policy);
    const Mask<V> inside = known.inside;
    const V to_h = one / known.h, d = sqrt_of(known.h), to_d = d * to_h, f = known.f;
    // The triangle and its derivatives.
    V x = half * (known.b + two * (s.r1 * f)) * to_d;
    const V rest = half * (known.b - two * (s.r2 * f)) * to_h;
    const V y = half * sqrt_of(where(inside, known.area * to_h, one)), to_y = one / y;
    V by_x[3] = {rest, s.r1 * to_d, -(s.r2 * to_d)};
    const V turned = -(x * to_y);
    const bool gives = policy == twobone::stretch;
    const V inwards = where(greater(zero, f), -one, one), straight = where(known.extended, one, inwards);
    if (!gives) {
        x = where(inside, x, straight * s.r1);
        by_x[0] = where(inside, by_x[0], zero);
        by_x[1] = where(inside, by_x[1], straight);
        by_x[2] = where(inside, by_x[2], zero);
    }
    for (int i = 0; i < 3; i++) factors.by_x[i] = by_x[i];
    factors.turned = where(inside, turned, zero);
    factors.y_by_r1 = where(inside, s.r1 * rest * to_y, zero);
    const V seen_y = where(inside, y, zero);
    factors.x_to_d = x * to_d;
    factors.y_to_d = seen_y * to_d;
    const V edge = where(known.extended, s.r1 + s.r2, magnitude(f));
    factors.met = gives ? at_least(known.h, zero) : known.met;
    factors.missed = known.missed;
    factors.z_to_d = where(factors.met, one, edge * to_d);
    factors.z_by_r1 = where(factors.met, zero, straight);
    factors.z_by_r2 = where(factors.met, zero, where(known.extended, one, -straight));
    // The directions.
    V *const e = factors.e, *const u = factors.u, *const n = factors.n;
    for (int i = 0; i < D; i++) e[i] = p[i] * to_d;
    if constexpr (D == 2) {
        u[0] = -(s.side * e[1]);
        u[1] = s.side * e[0];
    } else {
        const V to_length = s.side / sqrt_of(dot(known.m, known.m, 3)),
                turn = seen_y * to_length;  // turns by h times this
        for (int i = 0; i < 3; i++) u[i] = known.m[i] * to_length;
        for (int i = 0; i < 3; i++) n[i] = e[(i + 1) % 3] * u[(i + 2) % 3] - e[(i + 2) % 3] * u[(i + 1) % 3];
        factors.n_by_target = factors.x_to_d - turn * known.along_pole;
        factors.n_by_pole = turn * known.h;
    }
    return known.good;
}

// Multiply derivatives of a loss by the factors. `REST`: not only the derivatives of the joint by the target, but those
// of the end and by all arguments.
template <class T, bool REST, int D, class V>
INLINE Mask<V> easy_pull(const Setting<V> &s, const V *p, int policy, const Bars<D, V> &bars, Pulled<D, V> &pulled) {
    Factors<D, V> factors;
    const Mask<V> good = differentiate_easy<T, D>(s, p, policy, factors);
    const V *const e = factors.e, *const u = factors.u, *const n = factors.n, zero = real<V>(0);
    const V along = dot(bars.joint, e, D), across = dot(bars.joint, u, D);
    const V by_axis = along + across * factors.turned;
    V by_d = by_axis * factors.by_x[0], by_u = across * factors.x_to_d - along * factors.y_to_d;
    V by_r1 = along * factors.by_x[1] + across * factors.y_by_r1, by_r2 = by_axis * factors.by_x[2];
    V by_n = zero, by_pole = zero;
    if constexpr (D == 3) {
        const V beside = dot(bars.joint, n, 3);
        by_n = beside * factors.n_by_target;
        by_pole = beside * factors.n_by_pole;
    }
    if constexpr (REST) {
        const V end_along = dot(bars.end, e, D), end_across = dot(bars.end, u, D);
        by_d = by_d + where(factors.met, end_along, zero);
        by_u = by_u + end_across * factors.z_to_d;
        by_r1 = by_r1 + end_along * factors.z_by_r1;
        by_r2 = by_r2 + end_along * factors.z_by_r2;
        if constexpr (D == 3) by_n = by_n + dot(bars.end, n, 3) * factors.z_to_d;
    }
    if (policy == twobone::nan_) {
        for (V *each : {&by_d, &by_u, &by_r1, &by_r2, &by_n, &by_pole}) *each = where(factors.missed, zero, *each);
    }
    for (int i = 0; i < D; i++) {
        pulled.target[i] = by_d * e[i] + by_u * u[i];
        if constexpr (D == 3) pulled.target[i] = pulled.target[i] + by_n * n[i];
    }
    if constexpr (REST) {
        pulled.r1 = by_r1;
        pulled.r2 = by_r2;
        for (int i = 0; D == 3 && i < 3; i++) pulled.pole[i] = by_pole * n[i];
    }
    return good;
}

// Multiply the factors by derivatives of the arguments. `WHOLE`: those of the end, too.
template <class T, bool WHOLE, int D, class V>
INLINE Mask<V> easy_push(const Setting<V> &s, const V *p, int policy, const Tangents<D, V> &tangents,
                         Pushed<D, V> &pushed) {
    Factors<D, V> factors;
    const Mask<V> good = differentiate_easy<T, D>(s, p, policy, factors);
    const V *const e = factors.e, *const u = factors.u, *const n = factors.n, zero = real<V>(0);
    const V along = dot(tangents.target, e, D), across = dot(tangents.target, u, D);
    const V dx = factors.by_x[0] * along + factors.by_x[2] * tangents.r2;
    V joint[3] = {dx + factors.by_x[1] * tangents.r1 - factors.y_to_d * across,
                  factors.turned * dx + factors.y_by_r1 * tangents.r1 + factors.x_to_d * across, zero};
    V end[3] = {where(factors.met, along, factors.z_by_r1 * tangents.r1 + factors.z_by_r2 * tangents.r2),
                factors.z_to_d * across, zero};
    if constexpr (D == 3) {
        const V beside = dot(tangents.target, n, 3);
        joint[2] = factors.n_by_target * beside + factors.n_by_pole * dot(tangents.pole, n, 3);
        end[2] = factors.z_to_d * beside;
    }
    if (policy == twobone::nan_) {
        for (V *each : {joint, joint + 1, joint + 2, end, end + 1, end + 2}) *each = where(factors.missed, zero, *each);
    }
    for (int i = 0; i < D; i++) {
        pushed.joint[i] = joint[0] * e[i] + joint[1] * u[i];
        if constexpr (D == 3) pushed.joint[i] = pushed.joint[i] + joint[2] * n[i];
        if constexpr (!WHOLE) continue;
        pushed.end[i] = end[0] * e[i] + end[1] * u[i];
        if constexpr (D == 3) pushed.end[i] = pushed.end[i] + end[2] * n[i];
    }
    return good;
}

// Policies that are the same for all limbs remain so as dual numbers.
template <class V> INLINE const twobone::Step<double> *as_duals(const twobone::Step<double> *steps, int,
                                                                twobone::Step<Dual<V>> *) {
    return steps;
}
template <class V, class S, class = std::enable_if_t<!std::is_same_v<S, double>>>
INLINE const twobone::Step<Dual<V>> *as_duals(const twobone::Step<S> *steps, int count,
                                              twobone::Step<Dual<V>> *lifted) {
    lift_steps(steps, count, lifted);
    return lifted;
}

// The same by the numbers of the policies of any limbs.
template <class T, int D, class V>
NOINLINE void pull_steps(const Given<D, V> &given, twobone::Step<Dual<V>> *steps, int count, const Bars<D, V> &bars,
                         Pulled<D, V> &pulled) {
    V numbers[COUNT<D>];
    list_numbers(given, numbers);
    Dual<V> still[COUNT<D>];
    for (int i = 0; i < COUNT<D>; i++) still[i] = {numbers[i], real<V>(0)};
    const Given<D, Dual<V>> limb = from_list<D, Dual<V>>(still, {given.side, real<V>(0)});
    for (int k = 0; k < count; k++)
        for (int j = 0; j < 4; j++) {
            V &sum = pulled.steps[k][j] = real<V>(0);
            if (j >= numbers_of(steps[k].kind)) continue;
            steps[k].numbers[j].slope = real<V>(1);
            Results<D, Dual<V>> results;
            answer_dual(limb, twobone::clamp, steps, count, double(Real<T>::eps), results);
            steps[k].numbers[j].slope = real<V>(0);
            // In invalid rows slopes are 0 and derivatives of a loss may be NaN, which must not reach parameters that other
            // rows share.
            auto add = [&](V bar, V slope) {
                const V product = where(equal(slope, real<V>(0)), real<V>(0), bar * within<T>(slope));
                sum = within<T>(sum + within<T>(product));
            };
            for (int i = 0; i < D; i++) {
                add(bars.joint[i], results.joint[i].slope);
                add(bars.end[i], results.end[i].slope);
            }
        }
}

// The same for any limb: products with its Jacobian.
template <class T, bool REST, int D, class V, class S>
NOINLINE void any_pull(const Given<D, V> &given, int policy, const twobone::Step<S> *steps, int count,
                       const Bars<D, V> &bars, bool by_steps, Pulled<D, V> &pulled) {
    constexpr int LAST = REST ? COUNT<D> : D;
    twobone::Step<Dual<V>> lifted[twobone::MOST_STEPS];
    const auto *duals = as_duals<V>(steps, count, lifted);
    Slopes<D, V> slopes;
    slopes_of_doubles<T>(given, policy, duals, count, (1u << LAST) - 1, slopes);
    if constexpr (REST && !std::is_same_v<S, double>)
        if (by_steps) pull_steps<T>(given, lifted, count, bars, pulled);
    V sums[COUNT<D>];
    for (int j = 0; j < LAST; j++) {
        sums[j] = real<V>(0);
        for (int i = 0; i < D; i++) sums[j] = within<T>(sums[j] + within<T>(bars.joint[i] * slopes.joint[i][j]));
        for (int i = 0; REST && i < D; i++) sums[j] = within<T>(sums[j] + within<T>(bars.end[i] * slopes.end[i][j]));
    }
    for (int i = 0; i < D; i++) pulled.target[i] = sums[i];
    if constexpr (REST) {
        pulled.r1 = sums[D];
        pulled.r2 = sums[D + 1];
        for (int i = 0; D == 3 && i < 3; i++) pulled.pole[i] = sums[D + 2 + i];
    }
}

// `given_tangents` has a bit for each argument whose tangent is not zero.
template <class T, bool WHOLE, int D, class V, class S>
NOINLINE void any_push(const Given<D, V> &given, int policy, const twobone::Step<S> *steps, int count,
                       unsigned given_tangents, const Tangents<D, V> &tangents, Pushed<D, V> &pushed) {
    Slopes<D, V> slopes;
    twobone::Step<Dual<V>> lifted[twobone::MOST_STEPS];
    slopes_of_doubles<T>(given, policy, as_duals<V>(steps, count, lifted), count, given_tangents, slopes);
    V along[COUNT<D>];
    for (int i = 0; i < D; i++) along[i] = tangents.target[i];
    along[D] = tangents.r1;
    along[D + 1] = tangents.r2;
    for (int i = 0; D == 3 && i < 3; i++) along[D + 2 + i] = tangents.pole[i];
    for (int i = 0; i < D; i++) {
        pushed.joint[i] = pushed.end[i] = real<V>(0);
        for (int j = 0; j < COUNT<D>; j++) {
            if (!(given_tangents >> j & 1)) continue;
            pushed.joint[i] = within<T>(pushed.joint[i] + within<T>(slopes.joint[i][j] * along[j]));
            if constexpr (WHOLE) pushed.end[i] = within<T>(pushed.end[i] + within<T>(slopes.end[i][j] * along[j]));
        }
    }
}

}  // namespace
