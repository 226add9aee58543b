// Loads and stores: convert rows of components (x, y, z) in memory to one register per component, and back.
//
// Contiguous rows are rearranged with shuffles between registers. Limbs may be assigned to lanes in any
// order, if it is the same for all components and for the store.
#pragma once

#include "loops.hpp"
#include "exact.hpp"

namespace {

#if defined(TWOBONE_VECTORS)
template <class V> struct FloatLanes {  // as many floats as V has lanes
    typedef float Raw __attribute__((vector_size(Lanes<V>::count * sizeof(float))));
};
#endif

// Read lanes; floats may be read as doubles.
template <class V, class F> INLINE V load(const F *from) {
    if constexpr (std::is_same_v<F, Number<V>>) {
        V v;
        std::memcpy(&v, from, sizeof v);
        return v;
    } else {
#if defined(TWOBONE_VECTORS)
        typename FloatLanes<V>::Raw lanes;
        std::memcpy(&lanes, from, sizeof lanes);
        return V(__builtin_convertvector(lanes, typename V::Raw));
#else
        return V(*from);
#endif
    }
}

// Write lanes; doubles may be written as floats.
template <class V, class F> INLINE void store(F *to, V v) {
    if constexpr (std::is_same_v<F, Number<V>>) {
        std::memcpy(to, &v, sizeof v);
    } else {
#if defined(TWOBONE_VECTORS)
        const auto lanes = __builtin_convertvector(v.v, typename FloatLanes<V>::Raw);
        std::memcpy(to, &lanes, sizeof lanes);
#else
        *to = static_cast<F>(v);
#endif
    }
}

// Store without going through the caches, where the data would replace what is read again; `to` must be aligned.
template <class V> INLINE void stream(Number<V> *to, V v) {
#if defined(__AVX512F__)
    if constexpr (sizeof(V) == 64) return _mm512_stream_si512(reinterpret_cast<__m512i *>(to), (__m512i)v.v);
#endif
#if defined(TWOBONE_FMA)
    if constexpr (sizeof(V) == 32) return _mm256_stream_si256(reinterpret_cast<__m256i *>(to), (__m256i)v.v);
#endif
#if defined(TWOBONE_VECTORS)
    if constexpr (sizeof(V) == 16) return _mm_stream_si128(reinterpret_cast<__m128i *>(to), (__m128i)v.v);
#endif
    store(to, v);
}

INLINE void end_streams() {
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#if defined(TWOBONE_VECTORS)

// Shuffle the lanes of two registers: lane i of the result is lane I[i] of `a`, or lane I[i] - N of `b`.
template <int... I, class T, int N> INLINE Vec<T, N> shuffle(Vec<T, N> a, Vec<T, N> b) {
#if defined(__clang__)
    return Vec<T, N>(__builtin_shufflevector(a.v, b.v, I...));
#else
    using Indices = typename Register<std::conditional_t<sizeof(T) == 8, long long, int>, N>::Raw;
    return Vec<T, N>(__builtin_shuffle(a.v, b.v, Indices{I...}));
#endif
}

template <class T, int N, std::size_t... I>
INLINE void deal_pairs(Vec<T, N> a, Vec<T, N> b, Vec<T, N> *p, std::index_sequence<I...>) {
    constexpr int W = 16 / sizeof(T);  // within 128 bits, where shuffles are cheaper
    p[0] = shuffle<(int(I) / W * W + int(I) % W * 2 % W + (int(I) % W * 2 >= W ? N : 0))...>(a, b);
    p[1] = shuffle<(int(I) / W * W + int(I) % W * 2 % W + 1 + (int(I) % W * 2 >= W ? N : 0))...>(a, b);
}

template <class T, int N, std::size_t... I>
INLINE void join_pairs(const Vec<T, N> *p, Vec<T, N> &a, Vec<T, N> &b, std::index_sequence<I...>) {
    constexpr int W = 16 / sizeof(T);
    a = shuffle<(int(I) / W * W + int(I) % W / 2 + (int(I) % 2 ? N : 0))...>(p[0], p[1]);
    b = shuffle<(int(I) / W * W + W / 2 + int(I) % W / 2 + (int(I) % 2 ? N : 0))...>(p[0], p[1]);
}

// Component C of rows of three: the lanes of each register that hold it, rotated so that the rows agree.
template <int C, class T, int N, std::size_t... I>
INLINE Vec<T, N> deal_part(Vec<T, N> a, Vec<T, N> b, Vec<T, N> c, std::index_sequence<I...>) {
    const Vec<T, N> ab = shuffle<(int(I) % 3 == C ? int(I) : int(I) + N)...>(a, b);
    const Vec<T, N> abc = shuffle<((int(I) + 2 * N) % 3 == C ? int(I) + N : int(I))...>(ab, c);
    return shuffle<((int(I) + C) % N)...>(abc, abc);
}

template <int J, class T, int N, std::size_t... I>
INLINE Vec<T, N> join_register(Vec<T, N> x, Vec<T, N> y, Vec<T, N> z, std::index_sequence<I...>) {
    const Vec<T, N> xy = shuffle<((int(I) + J * N) % 3 == 0 ? int(I) : int(I) + N)...>(x, y);
    return shuffle<((int(I) + J * N) % 3 == 2 ? int(I) + N : int(I))...>(xy, z);
}

template <int BY, class T, int N, std::size_t... I> INLINE Vec<T, N> turn(Vec<T, N> v, std::index_sequence<I...>) {
    return shuffle<((int(I) + N - BY) % N)...>(v, v);
}

template <int D, class F, class T, int N> INLINE void read_rows(const F *from, Vec<T, N> *p) {
    using V = Vec<T, N>;
    constexpr std::make_index_sequence<N> lanes{};
    const V a = load<V>(from), b = load<V>(from + N);
    if constexpr (D == 2) {
        deal_pairs(a, b, p, lanes);
    } else {
        const V c = load<V>(from + 2 * N);
        p[0] = deal_part<0>(a, b, c, lanes);
        p[1] = deal_part<1>(a, b, c, lanes);
        p[2] = deal_part<2>(a, b, c, lanes);
    }
}

// Interleave the lanes of two registers.
template <class T, int N, std::size_t... I>
INLINE void zip(Vec<T, N> a, Vec<T, N> b, Vec<T, N> *both, std::index_sequence<I...>) {
    both[0] = shuffle<(int(I) / 2 + (I % 2 ? N : 0))...>(a, b);
    both[1] = shuffle<(int(I + N) / 2 + (I % 2 ? N : 0))...>(a, b);
}

template <bool STREAM, int D, class F, class T, int N> INLINE void write_rows(F *to, const Vec<T, N> *p) {
    using V = Vec<T, N>;
    constexpr std::make_index_sequence<N> lanes{};
    V rows[D];
    if constexpr (D == 2) {
        join_pairs(p, rows[0], rows[1], lanes);
    } else if constexpr (D == 4) {
        V xz[2], yw[2];
        zip(p[0], p[2], xz, lanes);
        zip(p[1], p[3], yw, lanes);
        for (int i = 0; i < 2; i++) zip(xz[i], yw[i], rows + 2 * i, lanes);
    } else {
        const V y = turn<1>(p[1], lanes), z = turn<2>(p[2], lanes);
        rows[0] = join_register<0>(p[0], y, z, lanes);
        rows[1] = join_register<1>(p[0], y, z, lanes);
        rows[2] = join_register<2>(p[0], y, z, lanes);
    }
    for (int i = 0; i < D; i++) {
        if constexpr (STREAM) stream(to + i * N, rows[i]);
        else store(to + i * N, rows[i]);
    }
}

// The same with limb i in lane i, which costs more shuffles: needed where other columns hold one number per limb.
template <int D, int C, class T, int N, std::size_t... I>
INLINE Vec<T, N> ordered_part(const Vec<T, N> *rows, std::index_sequence<I...>) {
    const Vec<T, N> two = shuffle<(int(I) * D + C < 2 * N ? int(I) * D + C : 0)...>(rows[0], rows[1]);
    if constexpr (D == 2) return two;
    else return shuffle<(int(I) * D + C < 2 * N ? int(I) : int(I) * D + C - N)...>(two, rows[D - 1]);
}

template <int D, int R, class T, int N, std::size_t... I>
INLINE Vec<T, N> ordered_row(const Vec<T, N> *p, std::index_sequence<I...>) {
    const Vec<T, N> two = shuffle<((R * N + int(I)) / D + ((R * N + int(I)) % D == 1 ? N : 0))...>(p[0], p[1]);
    if constexpr (D == 2) return two;
    else return shuffle<((R * N + int(I)) % D == 2 ? (R * N + int(I)) / D + N : int(I))...>(two, p[D - 1]);
}

template <int D, class F, class T, int N> INLINE void read_ordered(const F *from, Vec<T, N> *p) {
    constexpr std::make_index_sequence<N> lanes{};
    Vec<T, N> rows[D];
    for (int i = 0; i < D; i++) rows[i] = load<Vec<T, N>>(from + i * N);
    p[0] = ordered_part<D, 0>(rows, lanes);
    p[1] = ordered_part<D, 1>(rows, lanes);
    if constexpr (D == 3) p[2] = ordered_part<D, 2>(rows, lanes);
}

template <int D, class F, class T, int N> INLINE void write_ordered(F *to, const Vec<T, N> *p) {
    constexpr std::make_index_sequence<N> lanes{};
    store(to, ordered_row<D, 0>(p, lanes));
    store(to + N, ordered_row<D, 1>(p, lanes));
    if constexpr (D == 3) store(to + 2 * N, ordered_row<D, 2>(p, lanes));
}

// Exchange the lanes of `a` whose index has the bit STEP with those of `b` whose index has not.
template <int STEP, class T, int N, std::size_t... I>
INLINE void exchange(Vec<T, N> &a, Vec<T, N> &b, std::index_sequence<I...>) {
    const Vec<T, N> first = shuffle<(I & STEP ? int(I) - STEP + N : int(I))...>(a, b);
    b = shuffle<(I & STEP ? int(I) + N : int(I) + STEP)...>(a, b);
    a = first;
}

// Transpose N registers of N lanes: lane j of register i becomes lane i of register j.
template <int STEP = 1, class T, int N> INLINE void transpose(Vec<T, N> *rows) {
    for (int i = 0; i < N; i++)
        if (!(i & STEP)) exchange<STEP>(rows[i], rows[i + STEP], std::make_index_sequence<N>{});
    if constexpr (2 * STEP < N) transpose<2 * STEP>(rows);
}

#endif

template <class T, class = std::enable_if_t<std::is_floating_point_v<T>>> INLINE void transpose(T *) {}

template <int D, class F, class T, class = std::enable_if_t<std::is_floating_point_v<T>>>
INLINE void read_rows(const F *from, T *p) {
    for (int i = 0; i < D; i++) p[i] = from[i];
}

template <bool STREAM, int D, class F, class T, class = std::enable_if_t<std::is_floating_point_v<T>>>
INLINE void write_rows(F *to, const T *p) {
    for (int i = 0; i < D; i++) to[i] = F(p[i]);
}

template <int D, class F, class T, class = std::enable_if_t<std::is_floating_point_v<T>>>
INLINE void read_ordered(const F *from, T *p) {
    read_rows<D>(from, p);
}

template <int D, class F, class T, class = std::enable_if_t<std::is_floating_point_v<T>>>
INLINE void write_ordered(F *to, const T *p) {
    write_rows<false, D>(to, p);
}

// --- strided numbers ------------------------------------------------------------------------

// Numbers in memory are of the type T; floats may be read as doubles and doubles written as floats.
template <class V, class T = Number<V>>
INLINE V gather(const twobone::Column &column, int part, std::ptrdiff_t row, int rows) {
    constexpr int N = Lanes<V>::count;
    const char *from = column.data + row * column.step + part * column.part;
    if (column.step == sizeof(T) && rows == N) return load<V>(reinterpret_cast<const T *>(from));
    T lanes[N];
    if (column.step == 0) {
        std::memcpy(lanes, from, sizeof(T));
        return V(Number<V>(lanes[0]));
    }
    for (int i = 0; i < N; i++) {  // lanes without a limb repeat the last limb
        std::memcpy(lanes + i, from, sizeof(T));
        if (i + 1 < rows) from += column.step;
    }
    return load<V>(lanes);
}

template <class T>
INLINE void scatter(const T *lanes, const twobone::Column &column, int part, std::ptrdiff_t row, int rows) {
    char *to = column.data + row * column.step + part * column.part;
    if (column.step == sizeof(T)) {
        std::memcpy(to, lanes, rows * sizeof(T));
        return;
    }
    for (int i = 0; i < rows; i++) std::memcpy(to + i * column.step, lanes + i, sizeof(T));
}

// Vectors of D components, limb i in lane i.
template <int D, class T> bool is_packed(const twobone::Column &column) {
    return column.step == D * std::ptrdiff_t(sizeof(T)) && column.part == std::ptrdiff_t(sizeof(T));
}

template <int D, class V, class T = Number<V>>
INLINE void gather_vectors(const twobone::Column &column, std::ptrdiff_t row, int rows, V *p) {
    if (rows == Lanes<V>::count && is_packed<D, T>(column))
        return read_ordered<D>(reinterpret_cast<const T *>(column.data + row * column.step), p);
    for (int i = 0; i < D; i++) p[i] = gather<V, T>(column, i, row, rows);
}

template <int D, class V, class T = Number<V>>
INLINE void scatter_vectors(const V *p, const twobone::Column &column, std::ptrdiff_t row, int rows) {
    if (rows == Lanes<V>::count && is_packed<D, T>(column))
        return write_ordered<D>(reinterpret_cast<T *>(column.data + row * column.step), p);
    T lanes[Lanes<V>::count];
    for (int i = 0; i < D; i++) {
        store(lanes, p[i]);
        scatter(lanes, column, i, row, rows);
    }
}

}  // namespace
