// Atomics, for exactly the types that CUDA has them for: another type is a compile error here as there. Kernels of
// several streams run at the same time, so they are the host's atomics.
#pragma once

#define IMMINENT_FETCH(name, type, operation) \
    static inline type name(type *at, type value) { return operation(at, value, __ATOMIC_RELAXED); }
#define IMMINENT_CHOOSE(name, type, better) \
    static inline type name(type *at, type value) { \
        type old = __atomic_load_n(at, __ATOMIC_RELAXED); \
        while ((value better old) && \
               !__atomic_compare_exchange_n(at, &old, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) { \
        } \
        return old; \
    }
#define IMMINENT_FLOAT_ADD(type, word) \
    static inline type atomicAdd(type *at, type value) { \
        word old = __atomic_load_n((word *)at, __ATOMIC_RELAXED); \
        while (!__atomic_compare_exchange_n( \
            (word *)at, &old, imminent_host::bits<word>(imminent_host::bits<type>(old) + value), true, __ATOMIC_RELAXED, \
            __ATOMIC_RELAXED)) { \
        } \
        return imminent_host::bits<type>(old); \
    }

IMMINENT_FETCH(atomicAdd, int, __atomic_fetch_add)
IMMINENT_FETCH(atomicAdd, unsigned, __atomic_fetch_add)
IMMINENT_FETCH(atomicAdd, unsigned long long, __atomic_fetch_add)
IMMINENT_FLOAT_ADD(float, unsigned)
IMMINENT_FLOAT_ADD(double, unsigned long long)
IMMINENT_FETCH(atomicSub, int, __atomic_fetch_sub)
IMMINENT_FETCH(atomicSub, unsigned, __atomic_fetch_sub)
IMMINENT_FETCH(atomicAnd, int, __atomic_fetch_and)
IMMINENT_FETCH(atomicAnd, unsigned, __atomic_fetch_and)
IMMINENT_FETCH(atomicAnd, unsigned long long, __atomic_fetch_and)
IMMINENT_FETCH(atomicOr, int, __atomic_fetch_or)
IMMINENT_FETCH(atomicOr, unsigned, __atomic_fetch_or)
IMMINENT_FETCH(atomicOr, unsigned long long, __atomic_fetch_or)
IMMINENT_FETCH(atomicXor, int, __atomic_fetch_xor)
IMMINENT_FETCH(atomicXor, unsigned, __atomic_fetch_xor)
IMMINENT_FETCH(atomicXor, unsigned long long, __atomic_fetch_xor)
IMMINENT_FETCH(atomicExch, int, __atomic_exchange_n)
IMMINENT_FETCH(atomicExch, unsigned, __atomic_exchange_n)
IMMINENT_FETCH(atomicExch, unsigned long long, __atomic_exchange_n)
IMMINENT_CHOOSE(atomicMin, int, <)
IMMINENT_CHOOSE(atomicMin, unsigned, <)
IMMINENT_CHOOSE(atomicMin, long long, <)
IMMINENT_CHOOSE(atomicMin, unsigned long long, <)
IMMINENT_CHOOSE(atomicMax, int, >)
IMMINENT_CHOOSE(atomicMax, unsigned, >)
IMMINENT_CHOOSE(atomicMax, long long, >)
IMMINENT_CHOOSE(atomicMax, unsigned long long, >)

#define IMMINENT_CAS(type) \
    static inline type atomicCAS(type *at, type expected, type value) { \
        __atomic_compare_exchange_n(at, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
        return expected; \
    }
IMMINENT_CAS(int)
IMMINENT_CAS(unsigned)
IMMINENT_CAS(unsigned long long)

#undef IMMINENT_FETCH
#undef IMMINENT_CHOOSE
#undef IMMINENT_FLOAT_ADD
#undef IMMINENT_CAS
