// Corrections of a limb given as matrices: the C++ version of pose/bending.py and pose/corrections.py.
//
// It performs the same operations in the same order, so the bits are the same. `look` computes what is
// needed to solve the triangle, `correct` the rotations once it is solved.
#pragma once

#include "general.hpp"
#include "rotations.hpp"

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
    Vector<V> axis, first, across;
    V offset;
    Mask<V> is_skew;
    V r1, r2, joint_angle[2];
};

template <class V> struct Triangle {
    V x, y, end;
};

// Everything that is computed before the triangle is solved.
template <class V> struct Seen {
    Space<V> space, mid_space;
    Hinge<V> hinge;
    Mask<V> ellipse;  // the end moves on an ellipse, not on a circle
    Vector<V> goal, mid_axis;
    V far, d;
    Mask<V> lags, too_near;
};

template <class V> struct Corrections {
    Rotation<V> start, mid;
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

template <class V> INLINE Vector<V> map_direction(const V *matrix, Vector<V> v) {
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
    return {
        {across, cross(c, a), cross(a, b)}, sign_of(volume), equal(size, zero), Mask<V>(flat), unit / nonzero(volume)};
}

// Return whether the end moves on an ellipse, not on a circle, as the joint rotates.
template <class V>
INLINE Mask<V> ellipse_holds(const V *mid, Vector<V> mid_axis, const Space<V> &space, const Space<V> &mid_space,
                             Vector<V> span, Vector<V> axis) {
    using R = Real<Number<V>>;
    Vector<V> bone = {mid_space.inverse * dot(mid_space.rows[0], span),
                      mid_space.inverse * dot(mid_space.rows[1], span),
                      mid_space.inverse * dot(mid_space.rows[2], span)};
    bone = perpendicular_to(bone, mid_axis);
    const Vector<V> along = into(space, map_direction(mid, bone));
    const Vector<V> across = into(space, map_direction(mid, cross(mid_axis, bone)));
    const Vector<V> circle = perpendicular_to(into(space, span), axis);
    const Vector<V> off_along = minus(along, circle), off_across = minus(across, cross(axis, circle));
    const V off = dot(off_along, off_along) + dot(off_across, off_across);
    constexpr double tolerance = 64.0 * R::eps > 0x1p-20 ? 64.0 * R::eps : 0x1p-20;
    return greater(off, real<V>(tolerance * tolerance) * dot(circle, circle));
}

// --- in the hinge's plane -------------------------------------------------------------------

template <class V> INLINE Hinge<V> measure(Vector<V> joint, Vector<V> end, Vector<V> axis) {
    using R = Real<Number<V>>;
    Vector<V> first = perpendicular_to(joint, axis);
    const Vector<V> second = perpendicular_to(minus(end, joint), axis);
    const V r1 = length(first), r2 = length(second);
    const auto some = is_positive(r1);
    first = times(real<V>(1) / positive(where(some, r1, r2)), choose(some, first, second));
    const Vector<V> across = cross(axis, first);
    const V back = real<V>(-1) / positive(r2), offset = dot(end, axis);
    const auto is_skew = greater(size_of(offset), real<V>(8 * R::eps) * (r1 + r2));
    const V cosine = back * dot(second, first), sine = back * dot(second, across);
    return {axis, first, across, offset, is_skew, r1, r2, {cosine, sine}};
}

// Set the distance from root to end within the plane of the hinge.
template <class V> INLINE void distance_in_plane(Seen<V> &seen) {
    const V zero = real<V>(0), offset = seen.hinge.offset;
    const V rest = (seen.far - offset) * (seen.far + offset);
    const auto nearer = is_negative(rest);
    const V root = where(is_positive(rest), sqrt_of(positive(rest)), where(nearer, zero, rest));
    seen.d = where(seen.hinge.is_skew, root, seen.far);
    seen.too_near = seen.hinge.is_skew & nearer;
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

template <class V> INLINE Half<V> joint_rotation(const Hinge<V> &hinge, const Triangle<V> &triangle) {
    const V x = triangle.x, y = triangle.y, beyond = triangle.end - x;
    const V size = positive(hinge.r1 * hinge.r2);
    const V cos = (y * y - x * beyond) / size, sin = (x * y + y * beyond) / size;
    const V c = hinge.joint_angle[0], s = hinge.joint_angle[1];
    return half_of(cos * c + sin * s, sin * c - cos * s);
}

template <class V> INLINE Vector<V> direction_of_end(const Hinge<V> &hinge, const Triangle<V> &triangle) {
    V x = triangle.x, y = triangle.y;
    const V r1 = length(x, y), safe = positive(r1);
    x = where(is_positive(r1), x / safe, real<V>(1)), y = y / safe;
    const Vector<V> direction = minus(times(x, hinge.first), times(y, hinge.across));
    const auto says = hinge.is_skew | greater(triangle.end, real<V>(0x1p-20) * (hinge.r1 + hinge.r2));
    const Vector<V> lifted = plus(times(triangle.end, direction), times(hinge.offset, hinge.axis));
    return choose(says, unit(lifted), direction);
}

// --- in space -------------------------------------------------------------------------------

template <class V> INLINE Vector<V> default_direction(Vector<V> end_direction, Vector<V> normal, Vector<V> pole) {
    const Vector<V> perpendicular = perpendicular_to(end_direction, pole);
    const Vector<V> across = times(-dot(end_direction, pole), cross(normal, end_direction));
    return unit(choose(at_least(real<V>(0x1p-20), dot(perpendicular, perpendicular)), across, perpendicular));
}

// The influence of a pole: 1 if the sine of its angle to the target direction is at least `fade`, 0 if it is 0.
template <class V> INLINE V pole_influence(V sine, V fade) {
    const V influence = least(sine / fade, real<V>(1));
    return influence * influence * (real<V>(3) - real<V>(2) * influence);
}

// The normal of the bending plane: that of the pole, blended with `own` near the target direction.
template <class V> INLINE Vector<V> bending_normal(Vector<V> direction, Vector<V> pole, Vector<V> own, V &sine) {
    const Vector<V> across = cross(direction, pole);
    sine = length(across);
    const V influence = pole_influence(sine, real<V>(FADE));
    const Vector<V> normal = times(influence / positive(sine), across);
    return plus(normal, times(real<V>(1) - influence, own));
}

template <class V>
INLINE Rotation<V> rotate_first_bone(const Given<V> &given, int options, const Seen<V> &seen, Vector<V> end_direction,
                                     V &sine) {
    const bool has_pole = options & twobone::pole_bit;
    const Vector<V> normal = axis_perpendicular_to(end_direction, seen.hinge.axis);
    Vector<V> pole, begin = end_direction;
    if (has_pole) {
        pole = unit(into(seen.space, given.pole));
        begin = default_direction(end_direction, normal, pole);
    }
    Vector<V> direction = times(real<V>(1) / positive(seen.far), seen.goal);
    direction = choose(equal(seen.far, real<V>(0)), begin, direction);
    Rotation<V> start = shortest_arc_of_units(end_direction, direction, normal);
    const Vector<V> own = rotate(start, normal);
    sine = seen.far * real<V>(0) + real<V>(1);
    const Vector<V> plane = has_pole ? bending_normal(direction, pole, own, sine) : own;
    const Half<V> roll = half_of(dot(own, plane), dot(cross(direction, own), plane));
    start = multiply(about(direction, roll), start);
    if (options & twobone::twist_bit) start = multiply(about(direction, given.twist), start);
    return start;
}

// --- before and after the triangle ----------------------------------------------------------

template <class V> INLINE Seen<V> look(const Given<V> &given, int options) {
    Seen<V> seen;
    const Space<V> space = seen.space = space_of(given.start), mid_space = seen.mid_space = space_of(given.mid);
    const Vector<V> root = column(given.start, 3), knee = column(given.mid, 3), tip = column(given.end, 3);
    const Vector<V> joint = into(space, minus(knee, root)), end = into(space, minus(tip, root));
    seen.goal = into(space, minus(given.target, root));
    // A matrix that mirrors reverses the sense of rotation about an axis.
    const Vector<V> outside = map_direction(given.mid, given.mid_axis);
    const Vector<V> axis = unit(into(space, times(mid_space.sign * space.sign, outside)));
    seen.mid_axis = unit(given.mid_axis);
    seen.ellipse = ellipse_holds(given.mid, seen.mid_axis, space, mid_space, minus(tip, knee), axis);
    seen.hinge = measure(joint, end, axis);
    seen.far = length(seen.goal);
    distance_in_plane(seen);
    if (options & twobone::soften_bit) soften(seen, real<V>(1) - between_0_and_1(given.soften));
    return seen;
}

// The squared distance of the last row of a matrix from 0, 0, 0, 1; NaN stays NaN.
template <class V> INLINE V off_last_row(const V *matrix) {
    const V x = matrix[12], y = matrix[13], z = matrix[14], w = matrix[15] - real<V>(1);
    return x * x + y * y + z * z + w * w;
}

// The code of an invalid argument, or 0; NaN is not reported.
template <class V> INLINE V fault_of(const Given<V> &given, const Space<V> &space, const Space<V> &mid_space) {
    const V size = dot(given.mid_axis, given.mid_axis), zero = real<V>(0);
    const auto finite = greater(V(std::numeric_limits<Number<V>>::infinity()), size);
    const auto wrong = greater(real<V>(0.996), size) | (greater(size, real<V>(1.004)) & finite);
    V fault = where(wrong, real<V>(1), zero);
    fault = where(mid_space.flat, real<V>(3), where(space.flat, real<V>(2), fault));
    int number = 4;
    for (const V *matrix : {given.start, given.mid, given.end}) {
        const V off = off_last_row(matrix);
        fault = where(is_positive(off) & equal(off - off, zero), real<V>(number++), fault);
    }
    return fault;
}

template <class V> INLINE Rotation<V> filled(V v) { return {v, v, v, v}; }

template <class V>
INLINE Corrections<V> correct(const Given<V> &given, int options, const Seen<V> &seen, const Triangle<V> &triangle,
                              V status) {
    using R = Real<Number<V>>;
    const V zero = real<V>(0), half = real<V>(0.5), nan = V(std::numeric_limits<Number<V>>::quiet_NaN());
    status = where(seen.too_near, real<V>(too_near), status);
    const Half<V> opened = joint_rotation(seen.hinge, triangle);
    const Vector<V> end_direction = direction_of_end(seen.hinge, triangle);
    V sine;
    Rotation<V> start = rotate_first_bone(given, options, seen, end_direction, sine);
    const auto vague = at_least(real<V>(4 * R::eps), sine) & is_positive(triangle.y) & equal(status, zero);
    status = where(vague, real<V>(ambiguous), status);
    if (options & twobone::soften_bit) {
        const auto met = equal(status, zero) | equal(status, real<V>(ambiguous));
        status = where(seen.lags & met, real<V>(too_far), status);
    }
    start = upright(start);
    Rotation<V> mid = about(seen.mid_axis, opened);
    if (options & twobone::weight_bit) {
        const V weight = between_0_and_1(given.weight);
        start = blend(weight, start), mid = blend(weight, mid);
    }
    const V fault = fault_of(given, seen.space, seen.mid_space);
    const auto empty = seen.space.empty | seen.mid_space.empty | equal(seen.hinge.r1 + seen.hinge.r2, zero);
    const auto whole = greater(dot(start, start), half) & greater(dot(mid, mid), half) & equal(fault, zero);
    const V wrong = real<V>(invalid), none = status * zero;
    auto good = whole & differs(status, wrong);
    for (const V *matrix : {given.start, given.mid, given.end}) good = good & equal(off_last_row(matrix), zero);
    const Rotation<V> still = {none, none, none, none + real<V>(1)}, lost = filled(nan);
    start = choose(empty, still, choose(good, start, lost));
    mid = choose(empty, still, choose(good, mid, lost));
    status = where(empty, wrong, where(good, status, wrong));
    if ((options & twobone::policy_bits) == twobone::nan_) {
        const auto missed = equal(status, real<V>(too_far)) | equal(status, real<V>(too_near));
        start = choose(missed, lost, start), mid = choose(missed, lost, mid);
    }
    status = where(seen.ellipse, real<V>(ellipse_code), status);
    return {start, mid, status, fault};
}

}  // namespace pose
}  // namespace
