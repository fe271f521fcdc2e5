// CUDA C++'s words that generated kernels use, for HIP and AMD's GPUs: by builtins of clang, without ROCm's headers.
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(threads) __attribute__((launch_bounds(threads)))
// A kernel's arguments lie in constant memory.
#define __grid_constant__

struct Dimension { unsigned x, y = 1, z = 1; };
#define threadIdx (Dimension{__builtin_amdgcn_workitem_id_x()})
#define blockIdx (Dimension{__builtin_amdgcn_workgroup_id_x()})
#define blockDim (Dimension{__builtin_amdgcn_workgroup_size_x()})
#define gridDim (Dimension{__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x()})

#define HIP static __device__ __forceinline__
HIP void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
HIP void __syncthreads() {
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
// Lanes of a wave go together.
HIP void __syncwarp() { __builtin_amdgcn_wave_barrier(); }
HIP int __syncthreads_count(int is_true) {
    __shared__ int votes;
    __syncthreads();
    if (threadIdx.x == 0) { votes = 0; }
    __syncthreads();
    if (is_true) { __hip_atomic_fetch_add(&votes, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP); }
    __syncthreads();
    return votes;
}
HIP int __syncthreads_or(int is_true) { return __syncthreads_count(is_true) != 0; }
HIP int __syncthreads_and(int is_true) { return __syncthreads_count(!is_true) == 0; }

#define HIP_ATOMIC(name, builtin)                                                                                      \
    template <typename T> HIP T name(T *place, T value) {                                                              \
        return builtin(place, value, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);                                      \
    }
HIP_ATOMIC(atomicAdd, __hip_atomic_fetch_add)
HIP_ATOMIC(atomicMin, __hip_atomic_fetch_min)
HIP_ATOMIC(atomicMax, __hip_atomic_fetch_max)
HIP_ATOMIC(atomicOr, __hip_atomic_fetch_or)
HIP_ATOMIC(atomicAnd, __hip_atomic_fetch_and)
HIP_ATOMIC(atomicExch, __hip_atomic_exchange)

HIP unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
HIP float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
HIP long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
HIP double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
HIP int __popc(unsigned x) { return __builtin_popcount(x); }
HIP int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
HIP int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
HIP int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
HIP unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
HIP unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
HIP unsigned __umulhi(unsigned a, unsigned b) { return (unsigned long long)a * b >> 32; }
HIP unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned __int128)a * b >> 64; }
HIP float __fdiv_rn(float a, float b) { return a / b; }
HIP double __ddiv_rn(double a, double b) { return a / b; }
HIP float __fsqrt_rn(float x) { return __builtin_sqrtf(x); }
HIP double __dsqrt_rn(double x) { return __builtin_sqrt(x); }
// The exact remainders are those of ROCm's device library, which is not linked here.
extern "C" __device__ float __ocml_fmod_f32(float, float);
extern "C" __device__ double __ocml_fmod_f64(double, double);
#define fmodf __ocml_fmod_f32
#define fmod __ocml_fmod_f64
#define floorf __builtin_floorf
#define floor __builtin_floor
#define ceilf __builtin_ceilf
#define ceil __builtin_ceil
#define truncf __builtin_truncf
#define trunc __builtin_trunc
#define rintf __builtin_rintf
#define rint __builtin_rint
