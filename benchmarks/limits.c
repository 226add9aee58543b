/* Limits of speed for one thread: copies of bytes, which no solver that reads and writes as much can beat, and
   the divider, which each limb needs for a square root and a division.

   Copies prefetch `ahead` bytes (0: none). `to` may lie anywhere; a stream begins where it is aligned. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define COPY(name, set, vector, load, store, streams)                                                                  \
    __attribute__((target(set))) void name(char *to, const char *from, size_t count, size_t ahead) {                   \
        size_t head = (64 - (uintptr_t)to % 64) % 64;                                                                  \
        head = head < count ? head : count;                                                                            \
        memcpy(to, from, head);                                                                                        \
        size_t i = head;                                                                                               \
        for (; i + 64 <= count; i += 64) {                                                                             \
            if (ahead) _mm_prefetch(from + i + ahead, _MM_HINT_T0);                                                    \
            for (size_t k = 0; k < 64; k += sizeof(vector))                                                            \
                store((vector *)(to + i + k), load((const vector *)(from + i + k)));                                   \
        }                                                                                                              \
        if (streams) _mm_sfence();                                                                                     \
        memcpy(to + i, from + i, count - i);                                                                           \
    }

COPY(ordinary_avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_store_si256, 0)
COPY(ordinary_avx512, "avx512f", __m512i, _mm512_loadu_si512, _mm512_store_si512, 0)
COPY(stream_avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_stream_si256, 1)
COPY(stream_avx512, "avx512f", __m512i, _mm512_loadu_si512, _mm512_stream_si512, 1)

/* Take a square root and a quotient of `count` numbers; `from` holds BLOCK of them, `to` twice as many. */
enum { BLOCK = 512 };

#define DIVIDER(name, set, scalar, vector, set1, load, store, root, divide)                                            \
    __attribute__((target(set))) void name(char *to, const char *from, size_t count, size_t ahead) {                   \
        const vector one = set1(1);                                                                                    \
        scalar *roots = (scalar *)to, *quotients = roots + BLOCK;                                                      \
        (void)ahead;                                                                                                   \
        for (size_t done = 0; done < count; done += BLOCK)                                                             \
            for (size_t i = 0; i < BLOCK; i += sizeof(vector) / sizeof(scalar)) {                                      \
                const vector v = load((const scalar *)from + i);                                                       \
                store(roots + i, root(v));                                                                             \
                store(quotients + i, divide(one, v));                                                                  \
            }                                                                                                          \
    }

DIVIDER(divider_float64_baseline, "sse2", double, __m128d, _mm_set1_pd, _mm_loadu_pd, _mm_storeu_pd, _mm_sqrt_pd,
        _mm_div_pd)
DIVIDER(divider_float32_baseline, "sse2", float, __m128, _mm_set1_ps, _mm_loadu_ps, _mm_storeu_ps, _mm_sqrt_ps,
        _mm_div_ps)
DIVIDER(divider_float64_avx2, "avx2", double, __m256d, _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd,
        _mm256_sqrt_pd, _mm256_div_pd)
DIVIDER(divider_float32_avx2, "avx2", float, __m256, _mm256_set1_ps, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_sqrt_ps,
        _mm256_div_ps)
DIVIDER(divider_float64_avx512, "avx512f", double, __m512d, _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd,
        _mm512_sqrt_pd, _mm512_div_pd)
DIVIDER(divider_float32_avx512, "avx512f", float, __m512, _mm512_set1_ps, _mm512_loadu_ps, _mm512_storeu_ps,
        _mm512_sqrt_ps, _mm512_div_ps)

int has_avx2(void) { return __builtin_cpu_supports("avx2") != 0; }
int has_avx512(void) { return __builtin_cpu_supports("avx512f") != 0; }
#else
int has_avx2(void) { return 0; }
int has_avx512(void) { return 0; }
#endif

void ordinary(char *to, const char *from, size_t count, size_t ahead) {
    (void)ahead;
    memcpy(to, from, count);
}
