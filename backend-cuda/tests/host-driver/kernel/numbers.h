// Intrinsics on numbers. Floats are IEEE's on the host too; modules are compiled without contraction.
#pragma once

namespace imminent_host {
template <typename To, typename From> static inline To bits(From from) {
    static_assert(sizeof(To) == sizeof(From), "bits of one size");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
}

static inline unsigned __float_as_uint(float x) { return imminent_host::bits<unsigned>(x); }
static inline int __float_as_int(float x) { return imminent_host::bits<int>(x); }
static inline float __uint_as_float(unsigned x) { return imminent_host::bits<float>(x); }
static inline float __int_as_float(int x) { return imminent_host::bits<float>(x); }
static inline long long __double_as_longlong(double x) { return imminent_host::bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return imminent_host::bits<double>(x); }

static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }

static inline unsigned __brev(unsigned x) {
    x = ((x >> 1) & 0x55555555u) | ((x & 0x55555555u) << 1);
    x = ((x >> 2) & 0x33333333u) | ((x & 0x33333333u) << 2);
    x = ((x >> 4) & 0x0f0f0f0fu) | ((x & 0x0f0f0f0fu) << 4);
    return __builtin_bswap32(x);
}
static inline unsigned long long __brevll(unsigned long long x) {
    return ((unsigned long long)__brev((unsigned)x) << 32) | __brev((unsigned)(x >> 32));
}

static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
static inline int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
static inline long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
    shift &= 31u;
    return shift == 0u ? high : (high << shift) | (low >> (32u - shift));
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
    shift &= 31u;
    return shift == 0u ? low : (low >> shift) | (high << (32u - shift));
}

static inline float __fadd_rn(float a, float b) { return a + b; }
static inline float __fsub_rn(float a, float b) { return a - b; }
static inline float __fmul_rn(float a, float b) { return a * b; }
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double x) { return __builtin_sqrt(x); }

static inline float fmodf(float a, float b) { return __builtin_fmodf(a, b); }
static inline double fmod(double a, double b) { return __builtin_fmod(a, b); }
static inline float floorf(float x) { return __builtin_floorf(x); }
static inline double floor(double x) { return __builtin_floor(x); }
static inline float ceilf(float x) { return __builtin_ceilf(x); }
static inline double ceil(double x) { return __builtin_ceil(x); }
static inline float truncf(float x) { return __builtin_truncf(x); }
static inline double trunc(double x) { return __builtin_trunc(x); }
static inline float rintf(float x) { return __builtin_rintf(x); }
static inline double rint(double x) { return __builtin_rint(x); }
static inline float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
static inline float __fmaf_rn(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return __builtin_fma(a, b, c); }
