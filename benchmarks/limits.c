/* Copies of bytes, each as fast as one thread can: what no solver that reads and writes as much can beat.
   `ahead` bytes are fetched beforehand (0: none). `to` may lie anywhere; a stream begins where it is aligned. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>

#define COPY(name, set, vector, load, store, streams)                                          \
    __attribute__((target(set))) void name(char *to, const char *from, size_t count, size_t ahead) { \
        size_t head = (64 - (uintptr_t)to % 64) % 64;                                             \
        head = head < count ? head : count;                                                       \
        memcpy(to, from, head);                                                                   \
        size_t i = head;                                                                          \
        for (; i + 64 <= count; i += 64) {                                                        \
            if (ahead) _mm_prefetch(from + i + ahead, _MM_HINT_T0);                               \
            for (size_t k = 0; k < 64; k += sizeof(vector))                                       \
                store((vector *)(to + i + k), load((const vector *)(from + i + k)));              \
        }                                                                                         \
        if (streams) _mm_sfence();                                                                \
        memcpy(to + i, from + i, count - i);                                                      \
    }

COPY(ordinary_avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_store_si256, 0)
COPY(ordinary_avx512, "avx512f", __m512i, _mm512_loadu_si512, _mm512_store_si512, 0)
COPY(stream_avx2, "avx2", __m256i, _mm256_loadu_si256, _mm256_stream_si256, 1)
COPY(stream_avx512, "avx512f", __m512i, _mm512_loadu_si512, _mm512_stream_si512, 1)

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
