// What printed C++ uses of Python: lists, comprehensions, parts of sequences, integers.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace py {

using Int = std::int64_t;

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A list; unlike a vector of bool, it holds truth values one by one.
template <class T> using List = std::vector<std::conditional_t<std::is_same_v<T, bool>, char, T>>;

// A quotient rounded down, and the rest, whose sign is that of b.
inline Int floor_divided(Int a, Int b) { return a / b - (a % b != 0 && (a % b < 0) != (b < 0)); }
inline Int modulo(Int a, Int b) { return a % b != 0 && (a % b < 0) != (b < 0) ? a % b + b : a % b; }

// The whole number below or at a number. It must be below 2^63 in size, and not NaN: Python's integers have no end.
inline Int floor(double x) {
    if (!(std::fabs(x) < 9223372036854775808.0)) return 0;
    const Int near = Int(x);
    return near - (double(near) > x);
}

// The numbers from 0 on, `end` of them.
struct Count {
    struct Place {
        Int at;
        Int operator*() const { return at; }
        Place &operator++() {
            ++at;
            return *this;
        }
        bool operator!=(const Place &other) const { return at < other.at; }
    };
    Int last;
    Place begin() const { return {0}; }
    Place end() const { return {last}; }
    std::size_t size() const { return last > 0 ? std::size_t(last) : 0; }
};

// The results of a function of the items of one or two sequences of one length.
template <class First, class Function> auto map(const First &first, const Function &function) {
    List<std::decay_t<decltype(function(*first.begin()))>> found;
    found.reserve(first.size());
    for (const auto &each : first) found.push_back(function(each));
    return found;
}
template <class First, class Second, class Function>
auto map(const First &first, const Second &second, const Function &function) {
    List<std::decay_t<decltype(function(first[0], second[0]))>> found;
    found.reserve(first.size());
    for (std::size_t i = 0; i < first.size(); i++) found.push_back(function(first[i], second[i]));
    return found;
}

// Whether a condition holds for all items of one or two sequences, or for any.
template <class First, class Function> bool all(const First &first, const Function &holds) {
    for (const auto &each : first) {
        if (!holds(each)) return false;
    }
    return true;
}
template <class First, class Second, class Function>
bool all(const First &first, const Second &second, const Function &holds) {
    for (std::size_t i = 0; i < first.size(); i++) {
        if (!holds(first[i], second[i])) return false;
    }
    return true;
}
template <class First, class Function> bool any(const First &first, const Function &holds) {
    for (const auto &each : first) {
        if (holds(each)) return true;
    }
    return false;
}
template <class First, class Second, class Function>
bool any(const First &first, const Second &second, const Function &holds) {
    for (std::size_t i = 0; i < first.size(); i++) {
        if (holds(first[i], second[i])) return true;
    }
    return false;
}

// Items from `start` on, up to `end`; Python's rule for an end beyond that of the sequence.
template <class Items> auto part(const Items &items, Int start, Int end = std::numeric_limits<Int>::max()) {
    List<typename Items::value_type> found;
    for (Int i = start; i < Int(items.size()) && i < end; i++) found.push_back(items[std::size_t(i)]);
    return found;
}

template <class T, class Items> void extend(std::vector<T> &list, const Items &items) {
    list.insert(list.end(), items.begin(), items.end());
}

template <class First, class... Rest> auto joined(const First &first, const Rest &...rest) {
    List<typename First::value_type> found(first.begin(), first.end());
    (extend(found, rest), ...);
    return found;
}

} // namespace py
