// What printed C++ uses of Python: lists, comprehensions, parts of sequences.
#pragma once
#include <array>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

// A list; unlike a vector of bool, it holds truth values one by one.
template <class T> using List = std::vector<std::conditional_t<std::is_same_v<T, bool>, char, T>>;

// Numbers from 0 on.
inline List<int> counted(int count) {
    List<int> found;
    for (int i = 0; i < count; i++) found.push_back(i);
    return found;
}

// The results of a function of the items of one or more sequences of one length.
template <class First, class Function> auto map(const First &first, const Function &function) {
    List<std::decay_t<decltype(function(first[0]))>> found;
    for (const auto &each : first) found.push_back(function(each));
    return found;
}
template <class First, class Second, class Function>
auto map(const First &first, const Second &second, const Function &function) {
    List<std::decay_t<decltype(function(first[0], second[0]))>> found;
    for (std::size_t i = 0; i < first.size(); i++) found.push_back(function(first[i], second[i]));
    return found;
}

// Whether a condition holds for all items, or for any.
template <class First, class... Rest> bool all(const First &first, const Rest &...rest) {
    for (bool each : map(first, rest...)) {
        if (!each) return false;
    }
    return true;
}
template <class First, class... Rest> bool any(const First &first, const Rest &...rest) {
    for (bool each : map(first, rest...)) {
        if (each) return true;
    }
    return false;
}

// Items from `start` on, up to `end`; Python's rule for an end beyond that of the sequence.
template <class Items> auto part(const Items &items, std::size_t start, std::size_t end = std::size_t(-1)) {
    List<typename Items::value_type> found;
    for (std::size_t i = start; i < items.size() && i < end; i++) found.push_back(items[i]);
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
