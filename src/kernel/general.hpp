// The scalar solver for any limb: the C++ version of core/scaling.py and core/answer.py, with the same bits.
//
// It solves the rows that are not easy: invalid values, sizes far from 1, thin first bones, a pole along
// the target direction. These are rare, so the code is not vectorised.
#pragma once

#include <limits>

#include "loops.hpp"
#include "two_bone.hpp"

namespace {

enum Status { reached, too_far, too_near, ambiguous, invalid };

template <class T, int D> struct Answer {
    T joint[D], end[D];
    int status;
};

template <class T> struct Units {
    T target, longer, first, distance, near, thin;
    bool at_root, wild;
    T extreme_scale;
};

template <class T, int D> bool is_valid(const T *p, T r1, T r2, T side, const T *pole) {
    const T most = Real<T>::largest;
    bool good = r1 >= 0 && r1 <= most && r2 >= 0 && r2 <= most && side * side == 1;
    for (int i = 0; i < D; i++) good = good && magnitude(p[i]) <= most;
    for (int i = 0; D == 3 && i < 3; i++) good = good && magnitude(pole[i]) <= most;
    return good;
}

template <class T, int D> T largest_part(const T *v) {
    T largest = magnitude(v[0]);
    for (int i = 1; i < D; i++) largest = larger(largest, magnitude(v[i]));
    return largest;
}

template <class T> int least_axis(const T *v) {
    const T x = magnitude(v[0]), y = magnitude(v[1]), z = magnitude(v[2]);
    return x <= y && x <= z ? 0 : y <= z ? 1 : 2;
}

// Scale a pole by a power of two, so that its largest component is in [1, 2), or 0.
template <class T> void in_units_of_its_own(T *pole) {
    const T size = largest_part<T, 3>(pole);
    const T unit = power_of_two(size > 0 ? size : T(1));
    for (int i = 0; i < 3; i++) {
        pole[i] = pole[i] / unit;
        if (magnitude(pole[i]) < Real<T>::flush) pole[i] = 0;
    }
}

// The direction taken for a target at the root: +x, or perpendicular to the pole.
template <class T, int D> void start(const T *pole, T *p) {
    for (int i = 0; i < D; i++) p[i] = i == 0;
    if (D == 2 || largest_part<T, 3>(pole) == 0) return;
    // The cross product of the pole with the coordinate axis of its smallest component.
    const int axis = least_axis(pole), next = (axis + 1) % 3, last = (axis + 2) % 3;
    p[axis] = pole[0] * 0;
    p[next] = pole[last];
    p[last] = -pole[next];
}

// Return `b` with an error of 2^-158 h, as a thin first bone requires; `h` is an output.
template <int D, class T> Pair<T> fine_gap(const Pair<T> *squared, Pair<T> difference, Pair<T> &h) {
    const auto [ff, ff_low] = two_square<Halved>(difference.high);
    const auto [fe, fe_low] = two_product<Halved>(T(2) * difference.high, difference.low);
    h = sum_of_pairs(squared, D);
    T b = squared[0].high, words[2 * D + 2];
    int count = 0;
    words[count++] = squared[0].low;
    for (int i = 1; i < D; i++) {
        const Pair<T> sum = two_sum(b, squared[i].high);
        b = sum.high;
        words[count++] = squared[i].low;
        words[count++] = sum.low;
    }
    const Pair<T> sum = two_sum(b, -ff);
    b = sum.high;
    words[count++] = sum.low;
    words[count++] = -ff_low;
    words[count++] = -fe;
    T tail = -(fe_low + difference.low * difference.low), high = words[0];
    for (int i = 1; i < count; i++) {
        const Pair<T> next = two_sum(high, words[i]);
        high = next.high;
        tail = tail + next.low;
    }
    const Pair<T> both = two_sum(b, high);
    return two_sum(both.high, both.low + tail);
}

// The bend if target, longer bone and first bone have their own units.
template <class T> Bend<T, unsigned> scaled_bend(Pair<T> h, Pair<T> b, const Bones<T> &bones, T near, T thin) {
    const T slack = -8 * Real<T>::eps, f = bones.difference.high;
    Bend<T, unsigned> bend;
    bend.h = h.high;
    bend.h_low = h.low;
    bend.too_near = b.high < slack * (f * f);
    b = {thin * b.high, thin * b.low};
    const T square = near * near;
    const Pair<T> left = two_sum(bones.four.high, -(square * b.high));
    const Pair<T> a = fast_two_sum(left.high, left.low + (bones.four.low - square * b.low));
    bend.too_far = a.high < slack * (bones.maximum_reach * bones.maximum_reach) * thin;
    bend.w = bones.c.high + near * b.high;
    bend.w_low = near * b.low + bones.c.low;
    bend.extended = a.high <= 0;
    bend.met = a.high >= 0 && b.high >= 0;
    if (!bend.met) b = {1, 0};
    const Pair<T> area = product_of_pairs<Halved>(a, b);
    bend.area = area.high;
    bend.area_low = area.low;
    bend.inside = bend.met && bend.area > Real<T>::speck * (h.high * bones.rr);
    return bend;
}

// Solve any limb with a named policy.
template <class T, int D> Answer<T, D>
answer_any(const T *target, T r1, T r2, T side, const T *given_pole, int policy) {
    using R = Real<T>;
    constexpr T nan = std::numeric_limits<T>::quiet_NaN();
    Answer<T, D> answer;
    if (!is_valid<T, D>(target, r1, r2, side, given_pole)) {
        for (int i = 0; i < D; i++) answer.joint[i] = answer.end[i] = nan;
        answer.status = invalid;
        return answer;
    }
    T pole[3] = {};
    for (int i = 0; D == 3 && i < 3; i++) pole[i] = given_pole[i];
    if (D == 3) in_units_of_its_own(pole);
    T p[D];
    for (int i = 0; i < D; i++) p[i] = target[i];
    Units<T> units;
    units.at_root = largest_part<T, D>(p) == 0;
    if (units.at_root) start<T, D>(pole, p);
    units.target = power_of_two(largest_part<T, D>(p));
    for (int i = 0; i < D; i++) p[i] = p[i] / units.target;

    // Choose powers of two as units, and compute the reachable range in units of the longer bone.
    const T longer_bone = larger(r1, r2) > 0 ? larger(r1, r2) : T(1);
    units.longer = power_of_two(longer_bone);
    units.first = power_of_two(r1 > 0 ? r1 : longer_bone);
    units.thin = smaller(units.longer / units.first, R::thin);
    units.distance = larger(smaller(units.target / units.longer, 1 / R::near), R::near);
    if (units.at_root) units.distance = R::near;
    units.near = smaller(units.distance, T(8));
    const T first = r1 / units.first / units.thin;
    T second = r2 / units.longer;
    if (second < R::flush) second = 0;
    const Pair<T> outer = two_sum(first, second), difference = two_sum(first, -second);

    Pair<T> near_difference = {difference.high / units.near, difference.low / units.near};
    if (!(magnitude(near_difference.high) < 8)) near_difference = {near_difference.high < 0 ? T(-8) : T(8), 0};
    Bones<T> prepared = bones<Halved>(r1 / units.first, second);
    prepared.difference = near_difference;
    const auto [c, c_low] = two_product<Halved>(T(2) * prepared.r1, near_difference.high);
    prepared.c = {c, c_low + T(2) * (prepared.r1 * near_difference.low)};
    prepared.maximum_reach = outer.high;
    prepared.minimum_reach = magnitude(difference.high);

    T seen[D];
    for (int i = 0; i < D; i++) seen[i] = magnitude(p[i]) < R::faint ? T(0) : p[i];
    Pair<T> squared[D], h;
    squares<Halved, D>(seen, squared);
    const Pair<T> b = fine_gap<D>(squared, near_difference, h);
    Bend<T, unsigned> bent = scaled_bend(h, b, prepared, units.near, units.thin);
    // A target at the root is never too far, and the joint is exactly perpendicular to the direction taken.
    if (units.at_root) {
        bent.too_far = 0;
        if (bent.inside) bent.w = bent.w_low = 0;
    }
    Solution<T> solution;
    bool along = false;
    if constexpr (D == 2) {
        solution = bend_in_plane<Halved>(p, bent, side);
    } else {
        T m[3];
        towards<Halved>(p, pole, h, m);
        along = dot(m, m, 3) <= least_apart(h, pole);
        if (along) {
            T axis[3] = {};
            axis[least_axis(p)] = 1;
            towards<Halved>(p, axis, h, m);
        }
        solution = bend_in_space<Halved>(m, bent, side);
    }
    units.wild = units.distance > 4 || magnitude(near_difference.high) > 4;
    const T ratio = (difference.high / units.distance) * (outer.high / units.distance) / dot(p, p, D);
    units.extreme_scale = T(0.5) + T(0.5) * ratio;

    const T w = 2 * straight(bent, prepared) * prepared.r1 * solution.root;
    const Pair<T> found = {bent.w, bent.w_low}, clamped = bent.inside ? found : Pair<T>{w, 0};
    const bool gives = policy == twobone::stretch;
    T joint[D];
    place<Halved, D>(p, bent, solution, gives ? found : clamped, joint);
    // Where the bones stretch, the unit of the first bone no longer applies.
    T unit = units.first;
    if (gives && !bent.inside) unit = units.longer / units.thin;
    for (int i = 0; i < D; i++) answer.joint[i] = joint[i] * unit;
    if (gives && units.wild) {
        if (units.at_root) {
            place<Halved, D>(p, bent, solution, clamped, joint);
            for (int i = 0; i < D; i++) answer.joint[i] = joint[i] * units.first;
        } else {
            for (int i = 0; i < D; i++) answer.joint[i] = units.extreme_scale * p[i] * units.target;
        }
    }
    const T edge = (bent.extended ? prepared.maximum_reach : prepared.minimum_reach) * solution.root / bent.h;
    for (int i = 0; i < D; i++)
        answer.end[i] = gives || bent.met ? target[i] : edge * p[i] * units.longer;
    answer.status = bent.too_far                                     ? too_far
                    : bent.too_near                                  ? too_near
                    : bent.inside && (units.at_root || along)        ? ambiguous
                                                                     : reached;
    if (policy == twobone::nan_ && (answer.status == too_far || answer.status == too_near))
        for (int i = 0; i < D; i++) answer.joint[i] = answer.end[i] = nan;
    return answer;
}

}  // namespace
