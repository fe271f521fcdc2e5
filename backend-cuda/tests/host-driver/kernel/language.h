// CUDA C++ as g++ reads it: what NVRTC's language has beyond C++, as far as generated kernels use it. One thread at a
// time runs, and goes on until it waits for others; so what CUDA calls memory order is that of the program here.
#pragma once
#include "abi.h"

namespace imminent_host {
static imminent_place place;
static const imminent_runtime *runtime;
}

#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __restrict__ __restrict
#define __grid_constant__
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// Shared memory of the one block that runs. The driver fills it with garbage before each block.
#define __shared__ static __attribute__((section("imminent_shared")))

#define threadIdx (imminent_host::place.thread)
#define blockIdx (imminent_host::place.block)
#define blockDim (imminent_host::place.block_size)
#define gridDim (imminent_host::place.grid_size)
static constexpr int warpSize = 32;

struct uint2 {
    unsigned x, y;
};
struct __align__(16) uint4 {
    unsigned x, y, z, w;
};
struct __align__(16) ulonglong2 {
    unsigned long long x, y;
};
static inline uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
static inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
static inline ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }

#include "numbers.h"
#include "threads.h"
#include "atomics.h"
