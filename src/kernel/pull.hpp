// Derivatives of a loss by the arguments of a limb, given its derivatives by joint and end.
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
//     dx = rest dd + (r1 dr1 - r2 dr2) / d        y dy = r1 dr1 - x dx
//
// `easy_pull` is that for easy limbs: doubles with the double words of `triangle`, where differences of nearly equal
// numbers are divided by, floats as doubles. `slopes.hpp` differentiates all others.
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
};

// A number of the type T: one too large for it becomes the largest. (Slopes may be, and bars are multiplied with them.)
template <class T, class V> INLINE V within(V v) {
    const V most = V(Number<V>(Real<T>::largest));
    return where(greater(v, most), most, where(greater(-most, v), -most, v));
}

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
    }
    return known;
}

// Of limbs of floats: in doubles, where a and b keep digits enough. Next to an edge they do not, nor is it certain on
// which side of it the target is; the edge of "nan" is 8 eps beyond.
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

// `REST`: not only the derivatives of the joint by the target, but those of the end and by all arguments.
template <class T, bool REST, int D, class V>
INLINE Mask<V> easy_pull(const Setting<V> &s, const V *p, int policy, const Bars<D, V> &bars, Pulled<D, V> &pulled) {
    const V zero = real<V>(0), one = real<V>(1), half = real<V>(0.5), two = real<V>(2);
    Known<D, V> known;
    if constexpr (sizeof(T) == sizeof(double)) known = know_doubles<D>(s, p);
    else known = know_floats<D>(s, p, policy);
    const Mask<V> inside = known.inside;
    const V to_h = one / known.h, d = sqrt_of(known.h), to_d = d * to_h, f = known.f;
    // The triangle.
    V x = half * (known.b + two * (s.r1 * f)) * to_d;
    const V rest = half * (known.b - two * (s.r2 * f)) * to_h;
    const V y = half * sqrt_of(where(inside, known.area * to_h, one)), to_y = one / y;
    // Its derivatives: of x, y and the distance z of the end, each by d, r1 and r2.
    V by_x[3] = {rest, s.r1 * to_d, -(s.r2 * to_d)};
    V turned = -(x * to_y);  // dy / dx
    const bool gives = policy == twobone::stretch;
    const V inwards = where(greater(zero, f), -one, one), straight = where(known.extended, one, inwards);
    if (!gives) {
        x = where(inside, x, straight * s.r1);
        by_x[0] = where(inside, by_x[0], zero);
        by_x[1] = where(inside, by_x[1], straight);
        by_x[2] = where(inside, by_x[2], zero);
    }
    turned = where(inside, turned, zero);
    const V seen_y = where(inside, y, zero), by_y1 = where(inside, s.r1 * to_y, zero);
    // The directions.
    V e[D], u[D], n[3];
    for (int i = 0; i < D; i++) e[i] = p[i] * to_d;
    V to_length = zero;
    if constexpr (D == 2) {
        u[0] = -(s.side * e[1]);
        u[1] = s.side * e[0];
    } else {
        to_length = s.side / sqrt_of(dot(known.m, known.m, 3));
        for (int i = 0; i < 3; i++) u[i] = known.m[i] * to_length;
        for (int i = 0; i < 3; i++) n[i] = e[(i + 1) % 3] * u[(i + 2) % 3] - e[(i + 2) % 3] * u[(i + 1) % 3];
    }
    // The loss by each part of these.
    const V along = dot(bars.joint, e, D), across = dot(bars.joint, u, D);
    const V by_axis = along + across * turned;
    V by_d = by_axis * by_x[0], by_u = (across * x - along * seen_y) * to_d;
    V by_r1 = by_axis * by_x[1] + across * by_y1, by_r2 = by_axis * by_x[2];
    V by_n = zero, by_pole = zero;
    if constexpr (D == 3) {
        const V beside = dot(bars.joint, n, 3), turn = beside * seen_y * to_length;  // times h: u turns about e
        V along_pole = known.along_pole;
        if constexpr (sizeof(T) == sizeof(double)) along_pole = dot(p, s.pole, 3);
        by_n = (beside * x) * to_d - turn * along_pole;
        by_pole = turn * known.h;
    }
    if constexpr (REST) {
        const V end_along = dot(bars.end, e, D), end_across = dot(bars.end, u, D);
        const V edge = where(known.extended, s.r1 + s.r2, magnitude(f));
        const Mask<V> met = gives ? at_least(known.h, zero) : known.met;
        const V z_to_d = where(met, one, edge * to_d);
        by_d = by_d + where(met, end_along, zero);
        by_u = by_u + end_across * z_to_d;
        by_r1 = by_r1 + where(met, zero, end_along * straight);
        by_r2 = by_r2 + where(met, zero, end_along * where(known.extended, one, -straight));
        if constexpr (D == 3) by_n = by_n + dot(bars.end, n, 3) * z_to_d;
    }
    if (policy == twobone::nan_) {
        for (V *each : {&by_d, &by_u, &by_r1, &by_r2, &by_n, &by_pole}) *each = where(known.missed, zero, *each);
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
    return known.good;
}

// The same for any limb: the product with its Jacobian.
template <class T, bool REST, int D, class V>
NOINLINE void any_pull(const Given<D, V> &given, int policy, const twobone::Step<double> *steps, int count,
                       const Bars<D, V> &bars, Pulled<D, V> &pulled) {
    constexpr int LAST = REST ? COUNT<D> : D;
    Slopes<D, V> slopes;
    slopes_of_doubles<T>(given, policy, steps, count, (1u << LAST) - 1, slopes);
    V sums[COUNT<D>];
    for (int j = 0; j < LAST; j++) {
        sums[j] = real<V>(0);
        for (int i = 0; i < D; i++) sums[j] = within<T>(sums[j] + within<T>(bars.joint[i] * slopes.joint[i][j]));
        for (int i = 0; REST && i < D; i++)
            sums[j] = within<T>(sums[j] + within<T>(bars.end[i] * slopes.end[i][j]));
    }
    for (int i = 0; i < D; i++) pulled.target[i] = sums[i];
    if constexpr (REST) {
        pulled.r1 = sums[D];
        pulled.r2 = sums[D + 1];
        for (int i = 0; D == 3 && i < 3; i++) pulled.pole[i] = sums[D + 2 + i];
    }
}

}  // namespace
