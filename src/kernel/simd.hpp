// SIMD types: `Vec<T, N>`, and the same operations for a plain float or double.
//
// `greater`, `at_least`, `equal`, `where`, `sqrt_of`, `multiply_subtract`, ... have the same meaning for all
// types. A comparison returns a mask, and `bits(mask)` has one bit per lane. The compiler flags of the
// translation unit select the instruction set: AVX-512, AVX2 with FMA, or vectors of 16 bytes.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#if defined(__GNUC__)
#if defined(__SANITIZE_ADDRESS__)
#define INLINE inline  // with the checks of a sanitizer, large inlined functions take minutes to compile
#else
#define INLINE inline __attribute__((always_inline))
#endif
#define NOINLINE __attribute__((noinline))
#define PREFETCH(address) __builtin_prefetch(address, 0, 3)
#define TWOBONE_VECTORS 1
static_assert(__FLT_EVAL_METHOD__ == 0, "numbers must be rounded to their own type, each time");
#else
#define INLINE __forceinline
#define NOINLINE __declspec(noinline)
#define PREFETCH(address) static_cast<void>(address)
#pragma fp_contract(off)
#endif
#if defined(__clang__)
#pragma clang fp contract(off)
#endif
#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define TWOBONE_FMA 1
#elif defined(__SSE2__)
#include <immintrin.h>
#endif

namespace {

// --- scalars ------------------------------------------------------------------------------

template <class T> INLINE unsigned greater(T a, T b) { return a > b; }
template <class T> INLINE unsigned at_least(T a, T b) { return a >= b; }
template <class T> INLINE unsigned equal(T a, T b) { return a == b; }
template <class T> INLINE unsigned differs(T a, T b) { return !(a == b); }
INLINE double where(unsigned mask, double a, double b) { return mask ? a : b; }
INLINE float where(unsigned mask, float a, float b) { return mask ? a : b; }
INLINE double sqrt_of(double v) { return std::sqrt(v); }
INLINE float sqrt_of(float v) { return std::sqrt(v); }
INLINE double larger(double a, double b) { return a > b ? a : b; }
INLINE float larger(float a, float b) { return a > b ? a : b; }
INLINE double smaller(double a, double b) { return a < b ? a : b; }
INLINE float smaller(float a, float b) { return a < b ? a : b; }
INLINE double magnitude(double v) { return std::fabs(v); }
INLINE float magnitude(float v) { return std::fabs(v); }
INLINE unsigned bits(unsigned mask) { return mask; }
#if defined(TWOBONE_FMA)
INLINE double multiply_subtract(double a, double b, double c) { return __builtin_fma(a, b, -c); }
INLINE float multiply_subtract(float a, float b, float c) { return __builtin_fmaf(a, b, -c); }
INLINE double multiply_add(double a, double b, double c) { return __builtin_fma(a, b, c); }
INLINE float multiply_add(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
INLINE double subtract_product(double c, double a, double b) { return __builtin_fma(-a, b, c); }
INLINE float subtract_product(float c, float a, float b) { return __builtin_fmaf(-a, b, c); }
#endif

// The scalar type and the number of lanes of a type.
template <class V> struct Lanes {
    using T = V;
    static constexpr int count = 1;
};

#if defined(TWOBONE_VECTORS)

// --- vectors ------------------------------------------------------------------------------

template <class T, int N> struct Register;
#define REGISTER(T, N)                                                                                                 \
    template <> struct Register<T, N> {                                                                                \
        typedef T Raw __attribute__((vector_size((N) * sizeof(T))));                                                   \
    };
REGISTER(double, 2)
REGISTER(double, 4)
REGISTER(double, 8)
REGISTER(float, 4)
REGISTER(float, 8)
REGISTER(float, 16)
REGISTER(long long, 2)
REGISTER(long long, 4)
REGISTER(long long, 8)
REGISTER(int, 4)
REGISTER(int, 8)
REGISTER(int, 16)
#undef REGISTER

template <class T, int N> struct Vec {
    using Raw = typename Register<T, N>::Raw;
    Raw v;
    Vec() = default;
    INLINE Vec(Raw raw) : v(raw) {}
    INLINE explicit Vec(T same) : v(same - Raw{}) {}
};
template <class Number, int N> struct Lanes<Vec<Number, N>> {
    using T = Number;
    static constexpr int count = N;
};

#define OPERATOR(op)                                                                                                   \
    template <class T, int N>                                                                                          \
    INLINE Vec<T, N> operator op(Vec<T, N> a, Vec<T, N> b) {                                                           \
        return Vec<T, N>(a.v op b.v);                                                                                  \
    }
OPERATOR(+)
OPERATOR(-)
OPERATOR(*)
OPERATOR(/)
#undef OPERATOR
template <class T, int N> INLINE Vec<T, N> operator-(Vec<T, N> a) { return Vec<T, N>(-a.v); }

// Intrinsics by name: `put` is the prefix with the width of the register, `type` the suffix (pd or ps).
#define WORDS(F, put, type)                                                                                            \
    INLINE F larger(F a, F b) { return F(put##max_##type(a.v, b.v)); }                                                 \
    INLINE F smaller(F a, F b) { return F(put##min_##type(a.v, b.v)); }                                                \
    INLINE F sqrt_of(F a) { return F(put##sqrt_##type(a.v)); }
#define FUSED(F, put, type)                                                                                            \
    INLINE F multiply_subtract(F a, F b, F c) { return F(put##fmsub_##type(a.v, b.v, c.v)); }                          \
    INLINE F multiply_add(F a, F b, F c) { return F(put##fmadd_##type(a.v, b.v, c.v)); }                               \
    INLINE F subtract_product(F c, F a, F b) { return F(put##fnmadd_##type(a.v, b.v, c.v)); }

#if defined(__AVX512F__)

using Doubles = Vec<double, 8>;
using Floats = Vec<float, 16>;
#define MASKS(F, type, Mask)                                                                                           \
    INLINE Mask greater(F a, F b) { return _mm512_cmp_##type##_mask(a.v, b.v, _CMP_GT_OQ); }                           \
    INLINE Mask at_least(F a, F b) { return _mm512_cmp_##type##_mask(a.v, b.v, _CMP_GE_OQ); }                          \
    INLINE Mask equal(F a, F b) { return _mm512_cmp_##type##_mask(a.v, b.v, _CMP_EQ_OQ); }                             \
    INLINE Mask differs(F a, F b) { return _mm512_cmp_##type##_mask(a.v, b.v, _CMP_NEQ_UQ); }                          \
    INLINE F where(Mask mask, F a, F b) { return F(_mm512_mask_blend_##type(mask, b.v, a.v)); }                        \
    INLINE F magnitude(F a) { return F(_mm512_abs_##type(a.v)); }                                                      \
    INLINE F larger_in_size(F a, F b) { return F(_mm512_range_##type(a.v, b.v, 7)); }                                  \
    INLINE F smaller_in_size(F a, F b) { return F(_mm512_range_##type(a.v, b.v, 6)); }
MASKS(Doubles, pd, __mmask8)
MASKS(Floats, ps, __mmask16)
WORDS(Doubles, _mm512_, pd)
WORDS(Floats, _mm512_, ps)
FUSED(Doubles, _mm512_, pd)
FUSED(Floats, _mm512_, ps)
#define TWOBONE_SIZES 1

// True where v is 0 or |v| >= least. Compares as unsigned integers: 0 - 1 wraps to the largest one.
INLINE __mmask8 zero_or_beyond(Doubles v, double least) {
    long long bits;
    std::memcpy(&bits, &least, sizeof bits);
    const __m512i twice = _mm512_add_epi64((__m512i)v.v, (__m512i)v.v);
    return _mm512_cmpge_epu64_mask(_mm512_sub_epi64(twice, _mm512_set1_epi64(1)), _mm512_set1_epi64(2 * bits - 1));
}
INLINE __mmask16 zero_or_beyond(Floats v, float least) {
    int bits;
    std::memcpy(&bits, &least, sizeof bits);
    const __m512i twice = _mm512_add_epi32((__m512i)v.v, (__m512i)v.v);
    return _mm512_cmpge_epu32_mask(_mm512_sub_epi32(twice, _mm512_set1_epi32(1)), _mm512_set1_epi32(2 * bits - 1));
}

#else

#define MASKS(F, put, type)                                                                                            \
    INLINE F operator&(F a, F b) { return F(put##and_##type(a.v, b.v)); }                                              \
    INLINE F operator|(F a, F b) { return F(put##or_##type(a.v, b.v)); }                                               \
    INLINE unsigned bits(F mask) { return put##movemask_##type(mask.v); }                                              \
    INLINE F magnitude(F a) { return F(put##andnot_##type(F(-0.0f * Lanes<F>::T(1)).v, a.v)); }

#if defined(TWOBONE_FMA)

using Doubles = Vec<double, 4>;
using Floats = Vec<float, 8>;
#define COMPARE(F, type)                                                                                               \
    INLINE F greater(F a, F b) { return F(_mm256_cmp_##type(a.v, b.v, _CMP_GT_OQ)); }                                  \
    INLINE F at_least(F a, F b) { return F(_mm256_cmp_##type(a.v, b.v, _CMP_GE_OQ)); }                                 \
    INLINE F equal(F a, F b) { return F(_mm256_cmp_##type(a.v, b.v, _CMP_EQ_OQ)); }                                    \
    INLINE F differs(F a, F b) { return F(_mm256_cmp_##type(a.v, b.v, _CMP_NEQ_UQ)); }                                 \
    INLINE F where(F mask, F a, F b) { return F(_mm256_blendv_##type(b.v, a.v, mask.v)); }
COMPARE(Doubles, pd)
COMPARE(Floats, ps)
MASKS(Doubles, _mm256_, pd)
MASKS(Floats, _mm256_, ps)
WORDS(Doubles, _mm256_, pd)
WORDS(Floats, _mm256_, ps)
FUSED(Doubles, _mm256_, pd)
FUSED(Floats, _mm256_, ps)

#elif defined(__SSE2__)

using Doubles = Vec<double, 2>;
using Floats = Vec<float, 4>;
#define COMPARE(F, type)                                                                                               \
    INLINE F greater(F a, F b) { return F(_mm_cmpgt_##type(a.v, b.v)); }                                               \
    INLINE F at_least(F a, F b) { return F(_mm_cmpge_##type(a.v, b.v)); }                                              \
    INLINE F equal(F a, F b) { return F(_mm_cmpeq_##type(a.v, b.v)); }                                                 \
    INLINE F differs(F a, F b) { return F(_mm_cmpneq_##type(a.v, b.v)); }                                              \
    INLINE F where(F mask, F a, F b) {                                                                                 \
        return F(_mm_or_##type(_mm_and_##type(mask.v, a.v), _mm_andnot_##type(mask.v, b.v)));                          \
    }
COMPARE(Doubles, pd)
COMPARE(Floats, ps)
MASKS(Doubles, _mm_, pd)
MASKS(Floats, _mm_, ps)
WORDS(Doubles, _mm_, pd)
WORDS(Floats, _mm_, ps)

#else
#undef TWOBONE_VECTORS
#endif
#undef COMPARE
#endif
#undef MASKS
#undef WORDS
#undef FUSED
#endif

}  // namespace
