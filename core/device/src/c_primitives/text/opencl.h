// The words of OpenCL C for what the two dialects say differently.
#pragma OPENCL FP_CONTRACT OFF
typedef uint u32;
typedef int i32;
typedef ulong u64;
typedef long i64;
#define CUDA 0
#define U64(constant) constant##ul
#define DEVICE static
#define GLOBAL __global
#define LOCAL __local
#define LOCAL_POINTER __local
#define LOCAL_ID ((u32)get_local_id(0))
#define GROUP_ID ((u32)get_group_id(0))
#define GROUPS ((u32)get_num_groups(0))
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define FENCE() mem_fence(CLK_GLOBAL_MEM_FENCE)
#define GROUP_FENCE() barrier(CLK_GLOBAL_MEM_FENCE)
#define ATOMIC_ADD(place, value) atomic_add(place, value)
#define ATOMIC_EXCHANGE(place, value) atomic_xchg(place, value)
#define LOCAL_ADD(place, value) atomic_add(place, value)
#define AS_F32(bits) as_float(bits)
#define F32_BITS(value) as_uint(value)
#define AS_F64(bits) as_double(bits)
#define F64_BITS(value) as_ulong(value)
typedef struct { u32 w[32]; } imminent_launch;
typedef uint4 Vector32;
typedef ulong2 Vector64;
// A column is known by its buffer and the word where it starts there.
#define COLUMN(type, pointer, position) ((__global type *)((pointer) + WORD64(8 + 2 * (position))))
