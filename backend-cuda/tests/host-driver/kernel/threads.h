// Barriers, votes, shuffles and reductions. Every call is a place of its own (`__COUNTER__`), by which the driver sees
// threads that meet where they must not.
#pragma once

namespace imminent_host {
static inline unsigned long long meet(
    imminent_meeting meeting, unsigned site, unsigned mask, unsigned long long value = 0, unsigned argument = 0) {
    __asm__ volatile("" ::: "memory");
    const unsigned long long result = runtime->meet(meeting, site, mask, value, argument);
    __asm__ volatile("" ::: "memory");
    return result;
}

static inline unsigned lane() {
    const uint3 t = place.thread, n = place.block_size;
    return (t.x + n.x * (t.y + n.y * t.z)) & 31u;
}

template <typename T> static inline unsigned long long widened(T value) {
    static_assert(sizeof(T) <= 8, "values of at most 64 bits");
    unsigned long long wide = 0;
    __builtin_memcpy(&wide, &value, sizeof value);
    return wide;
}

template <typename T> static inline T shuffled(unsigned site, unsigned mask, T value, unsigned lane) {
    const unsigned long long wide = meet(IMMINENT_SHUFFLE, site, mask, widened(value), lane);
    T result;
    __builtin_memcpy(&result, &wide, sizeof result);
    return result;
}

template <typename T> static inline T from_lane(unsigned site, unsigned mask, T value, int from, int width = 32) {
    return shuffled(site, mask, value, (lane() & ~(unsigned)(width - 1)) | ((unsigned)from & (unsigned)(width - 1)));
}
template <typename T> static inline T from_below(unsigned site, unsigned mask, T value, unsigned delta, int width = 32) {
    const unsigned within = lane() & (unsigned)(width - 1);
    return shuffled(site, mask, value, within >= delta ? lane() - delta : lane());
}
template <typename T> static inline T from_above(unsigned site, unsigned mask, T value, unsigned delta, int width = 32) {
    const unsigned within = lane() & (unsigned)(width - 1);
    return shuffled(site, mask, value, within + delta < (unsigned)width ? lane() + delta : lane());
}
template <typename T> static inline T from_xor(unsigned site, unsigned mask, T value, int with, int width = 32) {
    const unsigned other = lane() ^ (unsigned)with;
    const bool inside = (other & ~(unsigned)(width - 1)) <= (lane() & ~(unsigned)(width - 1));
    return shuffled(site, mask, value, inside ? other : lane());
}

static inline unsigned least(unsigned site, unsigned mask, unsigned v) { return (unsigned)meet(IMMINENT_MIN, site, mask, v); }
static inline unsigned most(unsigned site, unsigned mask, unsigned v) { return (unsigned)meet(IMMINENT_MAX, site, mask, v); }
static inline int least(unsigned site, unsigned mask, int v) {
    return (int)meet(IMMINENT_MIN_SIGNED, site, mask, (unsigned long long)(long long)v);
}
static inline int most(unsigned site, unsigned mask, int v) {
    return (int)meet(IMMINENT_MAX_SIGNED, site, mask, (unsigned long long)(long long)v);
}
template <typename T> static inline T reduced(imminent_meeting how, unsigned site, unsigned mask, T v) {
    static_assert(sizeof(T) == 4, "reductions of a warp take 32 bits");
    return (T)(unsigned)meet(how, site, mask, (unsigned)v);
}
}

#define __syncthreads() ((void)imminent_host::meet(IMMINENT_BARRIER, __COUNTER__, 0u))
#define __syncthreads_count(p) ((int)imminent_host::meet(IMMINENT_BARRIER_COUNT, __COUNTER__, 0u, (p) != 0))
#define __syncthreads_and(p) ((int)imminent_host::meet(IMMINENT_BARRIER_AND, __COUNTER__, 0u, (p) != 0))
#define __syncthreads_or(p) ((int)imminent_host::meet(IMMINENT_BARRIER_OR, __COUNTER__, 0u, (p) != 0))

// `__syncwarp()` means the whole warp.
#define __syncwarp(...) ((void)imminent_host::meet(IMMINENT_WARP, __COUNTER__, imminent_host::whole(__VA_ARGS__)))
namespace imminent_host {
static constexpr unsigned whole(unsigned mask = 0xffffffffu) { return mask; }
}

#define __any_sync(mask, p) ((int)imminent_host::meet(IMMINENT_ANY, __COUNTER__, mask, (p) != 0))
#define __all_sync(mask, p) ((int)imminent_host::meet(IMMINENT_ALL, __COUNTER__, mask, (p) != 0))
#define __uni_sync(mask, p) ((int)imminent_host::meet(IMMINENT_UNIFORM, __COUNTER__, mask, (p) != 0))
#define __ballot_sync(mask, p) ((unsigned)imminent_host::meet(IMMINENT_BALLOT, __COUNTER__, mask, (p) != 0))
#define __match_any_sync(mask, v) \
    ((unsigned)imminent_host::meet(IMMINENT_MATCH_ANY, __COUNTER__, mask, imminent_host::widened(v)))
#define __activemask() (imminent_host::runtime->active())

#define __shfl_sync(mask, ...) (imminent_host::from_lane(__COUNTER__, mask, __VA_ARGS__))
#define __shfl_up_sync(mask, ...) (imminent_host::from_below(__COUNTER__, mask, __VA_ARGS__))
#define __shfl_down_sync(mask, ...) (imminent_host::from_above(__COUNTER__, mask, __VA_ARGS__))
#define __shfl_xor_sync(mask, ...) (imminent_host::from_xor(__COUNTER__, mask, __VA_ARGS__))

#define __reduce_add_sync(mask, v) (imminent_host::reduced(IMMINENT_ADD, __COUNTER__, mask, v))
#define __reduce_min_sync(mask, v) (imminent_host::least(__COUNTER__, mask, v))
#define __reduce_max_sync(mask, v) (imminent_host::most(__COUNTER__, mask, v))
#define __reduce_and_sync(mask, v) (imminent_host::reduced(IMMINENT_AND, __COUNTER__, mask, v))
#define __reduce_or_sync(mask, v) (imminent_host::reduced(IMMINENT_OR, __COUNTER__, mask, v))
#define __reduce_xor_sync(mask, v) (imminent_host::reduced(IMMINENT_XOR, __COUNTER__, mask, v))

static inline void __threadfence_block() { __asm__ volatile("" ::: "memory"); }
static inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void __nanosleep(unsigned) {}
static inline void __trap() { imminent_host::runtime->trap("__trap was called"); }
