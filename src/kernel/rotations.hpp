// Vectors and quaternions: the C++ version of core/vectors.py and rotations/quaternions.py.
//
// It performs the same operations in the same order, so the bits are the same. `Rotation` is a quaternion.
#pragma once

#include "general.hpp"

namespace {
namespace pose {

template <class V> struct Vector {
    V x, y, z;
};
template <class V> struct Rotation {
    V x, y, z, w;
};

// Cosine and sine of half an angle.
template <class V> struct Half {
    V cos, sin;
};

// --- scalar functions -----------------------------------------------------------------------

template <class V> INLINE auto is_positive(V v) { return greater(v, real<V>(0)); }
template <class V> INLINE auto is_negative(V v) { return greater(real<V>(0), v); }
template <class V> INLINE V positive(V v) { return where(is_positive(v), v, real<V>(1)); }
template <class V> INLINE V least(V u, V v) { return where(greater(v, u), u, v); }
template <class V> INLINE V greatest(V u, V v) { return where(greater(u, v), u, v); }

// The magnitude as in Python, where that of -0 is -0.
template <class V> INLINE V size_of(V v) { return where(is_negative(v), -v, v); }

// --- vectors --------------------------------------------------------------------------------

template <class V> INLINE V dot(Vector<V> u, Vector<V> v) { return u.x * v.x + u.y * v.y + u.z * v.z; }
template <class V> INLINE Vector<V> plus(Vector<V> u, Vector<V> v) { return {u.x + v.x, u.y + v.y, u.z + v.z}; }
template <class V> INLINE Vector<V> minus(Vector<V> u, Vector<V> v) { return {u.x - v.x, u.y - v.y, u.z - v.z}; }
template <class V> INLINE Vector<V> times(V s, Vector<V> v) { return {s * v.x, s * v.y, s * v.z}; }

template <class V> INLINE Vector<V> choose(Mask<V> mask, Vector<V> u, Vector<V> v) {
    return {where(mask, u.x, v.x), where(mask, u.y, v.y), where(mask, u.z, v.z)};
}

template <class V> INLINE Vector<V> cross(Vector<V> u, Vector<V> v) {
    return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

template <class V> INLINE V length_of_square(V square) {
    return where(is_positive(square), sqrt_of(positive(square)), square);
}
template <class V> INLINE V length(Vector<V> v) { return length_of_square(dot(v, v)); }
template <class V> INLINE V length(V x, V y) { return length_of_square(x * x + y * y); }
template <class V> INLINE Vector<V> unit(Vector<V> v) { return times(real<V>(1) / positive(length(v)), v); }
template <class V> INLINE Vector<V> perpendicular_to(Vector<V> v, Vector<V> axis) {
    return minus(v, times(dot(v, axis), axis));
}

// --- quaternions ----------------------------------------------------------------------------

template <class V> INLINE Vector<V> vector_of(Rotation<V> q) { return {q.x, q.y, q.z}; }
template <class V> INLINE V dot(Rotation<V> p, Rotation<V> q) { return p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w; }
template <class V> INLINE Rotation<V> times(V s, Rotation<V> q) { return {s * q.x, s * q.y, s * q.z, s * q.w}; }

template <class V> INLINE Rotation<V> choose(Mask<V> mask, Rotation<V> p, Rotation<V> q) {
    return {where(mask, p.x, q.x), where(mask, p.y, q.y), where(mask, p.z, q.z), where(mask, p.w, q.w)};
}

// Rotate by `q` first, then by `p`.
template <class V> INLINE Rotation<V> multiply(Rotation<V> p, Rotation<V> q) {
    return {p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y + p.y * q.w + p.z * q.x - p.x * q.z,
            p.w * q.z + p.z * q.w + p.x * q.y - p.y * q.x, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z};
}

template <class V> INLINE Vector<V> rotate(Rotation<V> q, Vector<V> v) {
    const Vector<V> axis = vector_of(q), twice = times(real<V>(2), cross(axis, v));
    return plus(plus(v, times(q.w, twice)), cross(axis, twice));
}

template <class V> INLINE Rotation<V> upright(Rotation<V> q) {
    return choose(is_negative(q.w), times(real<V>(-1), q), q);
}

// Interpolate linearly from the identity to `q`, and normalise.
template <class V> INLINE Rotation<V> blend(V weight, Rotation<V> q) {
    q = upright(q);
    q = {weight * q.x, weight * q.y, weight * q.z, (real<V>(1) - weight) + weight * q.w};
    return times(real<V>(1) / sqrt_of(positive(dot(q, q))), q);
}

// --- rotations from vectors -----------------------------------------------------------------

// The shortest arc between unit vectors; `axis` is the axis of rotation where they are opposite.
template <class V> INLINE Rotation<V> shortest_arc_of_units(Vector<V> a, Vector<V> b, Vector<V> axis) {
    const Vector<V> c = cross(a, b), perpendicular = perpendicular_to(c, a);
    const V d = dot(a, b), left = dot(perpendicular, perpendicular);
    const V large = sqrt_of(real<V>(0.5) + real<V>(0.5) * size_of(d)), small = real<V>(0.5) / large;
    const auto none = at_least(real<V>(0x1p-20) * dot(c, c), left), beyond = is_negative(d);
    const V m = sqrt_of(positive(left));
    Vector<V> about = choose(none, axis, times(large / m, perpendicular));
    about = choose(beyond, about, times(small, c));
    return {about.x, about.y, about.z, where(beyond, where(none, real<V>(0) * left, m * small), large)};
}

template <class V> INLINE Vector<V> cross_least_axis(Vector<V> v) {
    const V parts[3] = {v.x, v.y, v.z};
    V across[3];
    ::cross_least_axis(parts, across);
    return {across[0], across[1], across[2]};
}

// A unit vector perpendicular to `a`, in the plane of `a` and `axis` unless these are parallel.
template <class V> INLINE Vector<V> axis_perpendicular_to(Vector<V> a, Vector<V> axis) {
    const V aa = positive(dot(a, a));
    const Vector<V> given = minus(axis, times(dot(axis, a) / aa, a));
    const auto some = greater(dot(given, given), real<V>(1e-12) * dot(axis, axis));
    return unit(choose(some, given, cross_least_axis(a)));
}

// Half an angle in (-180, 180] degrees; `c` and `s` are its cosine and sine times any positive factor.
template <class V> INLINE Half<V> half_of(V c, V s) {
    const V zero = real<V>(0), one = real<V>(1), half = real<V>(0.5);
    const V square = c * c + s * s, n = sqrt_of(positive(square));
    const auto none = equal(square, zero), beyond = is_negative(c);
    const V large = sqrt_of(half + half * (size_of(c) / n)), small = size_of(s) / (n * (large + large));
    const V sign = where(is_negative(s), s * zero - one, s * zero + one);
    const V cos = where(beyond, small, large), sin = where(beyond, large, small);
    return {where(none, one, cos), where(none, zero, sign * sin)};
}

template <class V> INLINE Rotation<V> about(Vector<V> axis, Half<V> half) {
    return {half.sin * axis.x, half.sin * axis.y, half.sin * axis.z, half.cos};
}

}  // namespace pose
}  // namespace
