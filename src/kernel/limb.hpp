// Corrections of a limb given as matrices: the C++ version of pose/bending.py and pose/corrections.py.
//
// It performs the same operations in the same order, so the bits are the same. `look` computes what is
// needed to solve the triangle, `correct` the rotations once it is solved.
#pragma once

#include "general.hpp"
#include "turns.hpp"

namespace {
namespace pose {

constexpr double FADE = 0.17364817766693033;  // sine of 10 degrees
constexpr int ellipse_code = -1;              // a status: Python must solve this limb

// The arguments for one limb; matrices are in row-major order.
template <class V> struct Given {
    V start[16], mid[16], end[16];
    Vector<V> target, pole, mid_axis;
    Half<V> twist;
    V soften, weight;
};

// The inverse of a matrix up to a factor: transforms vectors into its space.
template <class V> struct Space {
    Vector<V> rows[3];
    V sign;
    Mask<V> empty, flat;
    V inverse;
};

// A limb in the plane perpendicular to the axis of its joint.
template <class V> struct Hinge {
    Vector<V> axis, first, aside;
    V lift;
    Mask<V> skew;
    V r1, r2, opening[2];
};

template <class V> struct Triangle {
    V x, y, end;
};

// Everything that is computed before the triangle is solved.
template <class V> struct Seen {
    Space<V> space, hand;
    Hinge<V> hinge;
    Mask<V> ellipse;  // the end moves on an ellipse, not on a circle
    Vector<V> goal, mid_axis;
    V far, d;
    Mask<V> lags, too_near;
};

template <class V> struct Corrections {
    Turn<V> start, mid;
    V status, fault;
};

// --- scalar functions -----------------------------------------------------------------------

template <class V> INLINE V nonzero(V v) { return where(equal(v, real<V>(0)), real<V>(1), v); }

// -1 where `v` is negative, else 1.
template <class V> INLINE V sign_of(V v) {
    const V one = v * real<V>(0) + real<V>(1);
    return where(is_negative(v), -one, one);
}

// NaN stays NaN.
template <class V> INLINE V between_0_and_1(V v) { return least(real<V>(1), greatest(real<V>(0), v)); }

// --- matrices -------------------------------------------------------------------------------

template <class V> INLINE Vector<V> column(const V *matrix, int j) { return {matrix[j], matrix[4 + j], matrix[8 + j]}; }

template <class V> INLINE Vector<V> turned_by(const V *matrix, Vector<V> v) {
    auto row = [&](int i) { return Vector<V>{matrix[4 * i], matrix[4 * i + 1], matrix[4 * i + 2]}; };
    return {dot(row(0), v), dot(row(1), v), dot(row(2), v)};
}

template <class V> INLINE Vector<V> into(const Space<V> &space, Vector<V> v) {
    return {space.sign * dot(space.rows[0], v), space.sign * dot(space.rows[1], v), space.sign * dot(space.rows[2], v)};
}

template <class V> INLINE Space<V> space_of(const V *matrix) {
    using R = Real<Number<V>>;
    const V zero = real<V>(0), least = real<V>(64 * R::eps * R::eps);
    Vector<V> a = column(matrix, 0), b = column(matrix, 1), c = column(matrix, 2);
    const V aa = dot(a, a), bb = dot(b, b), cc = dot(c, c), size = aa + bb + cc;
    const V unit = real<V>(1) / power_of_two(sqrt_of(positive(size)));
    a = times(unit, a), b = times(unit, b), c = times(unit, c);
    const Vector<V> across = cross(b, c);
    const V volume = dot(a, across), square = unit * unit;
    const V most = (aa * square) * (bb * square) * (cc * square);
    const auto flat = at_least(least * most, volume * volume) & is_positive(size);
    return {{across, cross(c, a), cross(a, b)}, sign_of(volume), equal(size, zero), Mask<V>(flat), unit / nonzero(volume)};
}

// Return whether the end moves on an ellipse, not on a circle, as the joint rotates.
template <class V>
INLINE Mask<V> ellipse_holds(const V *mid, Vector<V> mid_axis, const Space<V> &space, const Space<V> &hand, Vector<V> span,
                             Vector<V> axis) {
    using R = Real<Number<V>>;
    Vector<V> bone = {hand.inverse * dot(hand.rows[0], span), hand.inverse * dot(hand.rows[1], span),
                      hand.inverse * dot(hand.rows[2], span)};
    bone = square_to(bone, mid_axis);
    const Vector<V> along = into(space, turned_by(mid, bone));
    const Vector<V> across = into(space, turned_by(mid, cross(mid_axis, bone)));
    const Vector<V> circle = square_to(into(space, span), axis);
    const Vector<V> off_along = minus(along, circle), off_across = minus(across, cross(axis, circle));
    const V off = dot(off_along, off_along) + dot(off_across, off_across);
    constexpr double tolerance = 64.0 * R::eps > 0x1p-20 ? 64.0 * R::eps : 0x1p-20;
    return greater(off, real<V>(tolerance * tolerance) * dot(circle, circle));
}

// --- in the hinge's plane -------------------------------------------------------------------

template <class V> INLINE Hinge<V> measure(Vector<V> joint, Vector<V> end, Vector<V> axis) {
    using R = Real<Number<V>>;
    Vector<V> first = square_to(joint, axis);
    const Vector<V> second = square_to(minus(end, joint), axis);
    const V r1 = length(first), r2 = length(second);
    const auto some = is_positive(r1);
    first = times(real<V>(1) / positive(where(some, r1, r2)), choose(some, first, second));
    const Vector<V> aside = cross(axis, first);
    const V back = real<V>(-1) / positive(r2), lift = dot(end, axis);
    const auto skew = greater(size_of(lift), real<V>(8 * R::eps) * (r1 + r2));
    return {axis, first, aside, lift, skew, r1, r2, {back * dot(second, first), back * dot(second, aside)}};
}

// Set the distance from root to end within the plane of the hinge.
template <class V> INLINE void distance(Seen<V> &seen) {
    const V zero = real<V>(0), lift = seen.hinge.lift;
    const V rest = (seen.far - lift) * (seen.far + lift);
    const auto nearer = is_negative(rest);
    const V root = where(is_positive(rest), sqrt_of(positive(rest)), where(nearer, zero, rest));
    seen.d = where(seen.hinge.skew, root, seen.far);
    seen.too_near = seen.hinge.skew & nearer;
}

template <class V> INLINE void soften(Seen<V> &seen, V softness) {
    const V reach = seen.hinge.r1 + seen.hinge.r2, zone = softness * reach;
    V left = reach + zone - seen.d;
    seen.lags = is_positive(zone) & greater(seen.d, reach - zone);
    left = where(seen.lags & is_positive(left), left, real<V>(0));
    const V soft = reach - left * left / (real<V>(4) * positive(zone));
    const V nan = V(std::numeric_limits<Number<V>>::quiet_NaN());
    seen.d = where(at_least(zone, real<V>(0)), where(seen.lags, soft, seen.d), nan);
}

template <class V> INLINE Half<V> open_joint(const Hinge<V> &hinge, const Triangle<V> &triangle) {
    const V x = triangle.x, y = triangle.y, beyond = triangle.end - x;
    const V size = positive(hinge.r1 * hinge.r2);
    const V cos = (y * y - x * beyond) / size, sin = (x * y + y * beyond) / size;
    const V c = hinge.opening[0], s = hinge.opening[1];
    return half_of(cos * c + sin * s, sin * c - cos * s);
}

template <class V> INLINE Vector<V> way_of(const Hinge<V> &hinge, const Triangle<V> &triangle) {
    V x = triangle.x, y = triangle.y;
    const V r1 = length(x, y), safe = positive(r1);
    x = where(is_positive(r1), x / safe, real<V>(1)), y = y / safe;
    const Vector<V> way = minus(times(x, hinge.first), times(y, hinge.aside));
    const auto says = hinge.skew | greater(triangle.end, real<V>(0x1p-20) * (hinge.r1 + hinge.r2));
    const Vector<V> lifted = plus(times(triangle.end, way), times(hinge.lift, hinge.axis));
    return choose(says, unit(lifted), way);
}

// --- in space -------------------------------------------------------------------------------

template <class V> INLINE Vector<V> start_of(Vector<V> came, Vector<V> normal, Vector<V> pole) {
    const Vector<V> aside = square_to(came, pole), across = times(-dot(came, pole), cross(normal, came));
    return unit(choose(at_least(real<V>(0x1p-20), dot(aside, aside)), across, aside));
}

// The influence of a pole: 1 if the sine of its angle to the target direction is at least `fade`, 0 if it is 0.
template <class V> INLINE V share_of(V sine, V fade) {
    const V share = least(sine / fade, real<V>(1));
    return share * share * (real<V>(3) - real<V>(2) * share);
}

// The normal of the bending plane: that of the pole, blended with `own` near the target direction.
template <class V> INLINE Vector<V> bend_towards(Vector<V> way, Vector<V> pole, Vector<V> own, V &sine) {
    const Vector<V> across = cross(way, pole);
    sine = length(across);
    const V share = share_of(sine, real<V>(FADE));
    const Vector<V> normal = times(share / positive(sine), across);
    return plus(normal, times(real<V>(1) - share, own));
}

template <class V>
INLINE Turn<V> turn_first_bone(const Given<V> &given, int wishes, const Seen<V> &seen, Vector<V> came, V &sine) {
    const bool has_pole = wishes & twobone::pole_bit;
    const Vector<V> normal = axis_square_to(came, seen.hinge.axis);
    Vector<V> pole, begin = came;
    if (has_pole) {
        pole = unit(into(seen.space, given.pole));
        begin = start_of(came, normal, pole);
    }
    Vector<V> way = times(real<V>(1) / positive(seen.far), seen.goal);
    way = choose(equal(seen.far, real<V>(0)), begin, way);
    Turn<V> start = turn_of_units(came, way, normal);
    const Vector<V> own = rotate(start, normal);
    sine = seen.far * real<V>(0) + real<V>(1);
    const Vector<V> plane = has_pole ? bend_towards(way, pole, own, sine) : own;
    const Half<V> roll = half_of(dot(own, plane), dot(cross(way, own), plane));
    start = multiply(about(way, roll), start);
    if (wishes & twobone::twist_bit) start = multiply(about(way, given.twist), start);
    return start;
}

// --- before and after the triangle ----------------------------------------------------------

template <class V> INLINE Seen<V> look(const Given<V> &given, int wishes) {
    Seen<V> seen;
    const Space<V> space = seen.space = space_of(given.start), hand = seen.hand = space_of(given.mid);
    const Vector<V> root = column(given.start, 3), knee = column(given.mid, 3), tip = column(given.end, 3);
    const Vector<V> joint = into(space, minus(knee, root)), end = into(space, minus(tip, root));
    seen.goal = into(space, minus(given.target, root));
    // A matrix that mirrors reverses the sense of rotation about an axis.
    const Vector<V> axis = unit(into(space, times(hand.sign * space.sign, turned_by(given.mid, given.mid_axis))));
    seen.mid_axis = unit(given.mid_axis);
    seen.ellipse = ellipse_holds(given.mid, seen.mid_axis, space, hand, minus(tip, knee), axis);
    seen.hinge = measure(joint, end, axis);
    seen.far = length(seen.goal);
    distance(seen);
    if (wishes & twobone::soften_bit) soften(seen, real<V>(1) - between_0_and_1(given.soften));
    return seen;
}

// The squared distance of the last row of a matrix from 0, 0, 0, 1; NaN stays NaN.
template <class V> INLINE V off_last_row(const V *matrix) {
    const V x = matrix[12], y = matrix[13], z = matrix[14], w = matrix[15] - real<V>(1);
    return x * x + y * y + z * z + w * w;
}

// The code of an invalid argument, or 0; NaN is not reported.
template <class V> INLINE V fault_of(const Given<V> &given, const Space<V> &space, const Space<V> &hand) {
    const V size = dot(given.mid_axis, given.mid_axis), zero = real<V>(0);
    const auto finite = greater(V(std::numeric_limits<Number<V>>::infinity()), size);
    const auto wrong = greater(real<V>(0.996), size) | (greater(size, real<V>(1.004)) & finite);
    V fault = where(wrong, real<V>(1), zero);
    fault = where(hand.flat, real<V>(3), where(space.flat, real<V>(2), fault));
    int number = 4;
    for (const V *matrix : {given.start, given.mid, given.end}) {
        const V off = off_last_row(matrix);
        fault = where(is_positive(off) & equal(off - off, zero), real<V>(number++), fault);
    }
    return fault;
}

template <class V> INLINE Turn<V> filled(V v) { return {v, v, v, v}; }

template <class V>
INLINE Corrections<V> correct(const Given<V> &given, int wishes, const Seen<V> &seen, const Triangle<V> &triangle, V status) {
    using R = Real<Number<V>>;
    const V zero = real<V>(0), half = real<V>(0.5), nan = V(std::numeric_limits<Number<V>>::quiet_NaN());
    status = where(seen.too_near, real<V>(too_near), status);
    const Half<V> opened = open_joint(seen.hinge, triangle);
    const Vector<V> came = way_of(seen.hinge, triangle);
    V sine;
    Turn<V> start = turn_first_bone(given, wishes, seen, came, sine);
    const auto vague = at_least(real<V>(4 * R::eps), sine) & is_positive(triangle.y) & equal(status, zero);
    status = where(vague, real<V>(ambiguous), status);
    if (wishes & twobone::soften_bit) {
        const auto met = equal(status, zero) | equal(status, real<V>(ambiguous));
        status = where(seen.lags & met, real<V>(too_far), status);
    }
    start = upright(start);
    Turn<V> mid = about(seen.mid_axis, opened);
    if (wishes & twobone::weight_bit) {
        const V weight = between_0_and_1(given.weight);
        start = blend(weight, start), mid = blend(weight, mid);
    }
    const V fault = fault_of(given, seen.space, seen.hand);
    const auto empty = seen.space.empty | seen.hand.empty | equal(seen.hinge.r1 + seen.hinge.r2, zero);
    const auto whole = greater(dot(start, start), half) & greater(dot(mid, mid), half) & equal(fault, zero);
    const V wrong = real<V>(invalid), none = status * zero;
    auto good = whole & differs(status, wrong);
    for (const V *matrix : {given.start, given.mid, given.end}) good = good & equal(off_last_row(matrix), zero);
    const Turn<V> still = {none, none, none, none + real<V>(1)}, lost = filled(nan);
    start = choose(empty, still, choose(good, start, lost));
    mid = choose(empty, still, choose(good, mid, lost));
    status = where(empty, wrong, where(good, status, wrong));
    if ((wishes & twobone::policy_bits) == twobone::nan_) {
        const auto missed = equal(status, real<V>(too_far)) | equal(status, real<V>(too_near));
        start = choose(missed, lost, start), mid = choose(missed, lost, mid);
    }
    status = where(seen.ellipse, real<V>(ellipse_code), status);
    return {start, mid, status, fault};
}

}  // namespace pose
}  // namespace
