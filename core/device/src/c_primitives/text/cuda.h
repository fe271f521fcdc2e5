// The words of CUDA C++ for what the two dialects say differently.
typedef unsigned int u32;
typedef int i32;
typedef unsigned long long u64;
typedef long long i64;
#define CUDA 1
#define U64(constant) constant##ull
#define DEVICE static __device__ __forceinline__
#define GLOBAL
#define LOCAL __shared__
#define LOCAL_POINTER
#define LOCAL_ID threadIdx.x
#define GROUP_ID blockIdx.x
#define GROUPS gridDim.x
#define BARRIER() __syncthreads()
// Orders what a thread wrote before what it does next, for every block.
#define FENCE() __threadfence()
// Makes what a thread wrote to memory visible to its group.
#define GROUP_FENCE() __syncthreads()
#define ATOMIC_ADD(place, value) atomicAdd(place, value)
#define ATOMIC_EXCHANGE(place, value) atomicExch(place, value)
#define LOCAL_ADD(place, value) atomicAdd(place, value)
#define WARP_ALL 0xffffffffu
#define AS_F32(bits) __uint_as_float(bits)
#define F32_BITS(value) __float_as_uint(value)
#define AS_F64(bits) __longlong_as_double((i64)(bits))
#define F64_BITS(value) ((u64)__double_as_longlong(value))
struct imminent_launch { u32 w[32]; };
typedef uint4 Vector32;
typedef ulonglong2 Vector64;
// A column is known by its address.
#define COLUMN(type, pointer, position) ((type *)WORD64(8 + 2 * (position)))
