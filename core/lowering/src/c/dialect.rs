//! The words in which the two dialects differ.

use super::options::Dialect;

impl Dialect {
    /// Returns the opening of every text: the types by their Rust names, and the qualifiers.
    pub(super) const fn preamble(self) -> &'static str {
        match self {
            Dialect::Cuda => {
                "typedef unsigned int u32;\n\
                 typedef int i32;\n\
                 typedef unsigned long long u64;\n\
                 typedef long long i64;\n\
                 typedef float f32;\n\
                 typedef double f64;\n\
                 #define DEVICE static __device__ __forceinline__\n\
                 #define GLOBAL"
            }
            Dialect::OpenCl => {
                "#pragma OPENCL FP_CONTRACT OFF\n\
                 typedef uint u32;\n\
                 typedef int i32;\n\
                 typedef ulong u64;\n\
                 typedef long i64;\n\
                 typedef float f32;\n\
                 #define DEVICE static\n\
                 #define GLOBAL __global"
            }
        }
    }

    /// Before a constant scalar at the text's top level.
    pub(super) const fn constant_scalar(self) -> &'static str {
        match self {
            Dialect::Cuda => "static constexpr",
            Dialect::OpenCl => "__constant",
        }
    }

    /// Before a constant struct or array at the text's top level.
    pub(super) const fn constant_data(self) -> &'static str {
        match self {
            Dialect::Cuda => "static __device__ const",
            Dialect::OpenCl => "__constant",
        }
    }

    /// Before a function that had better not be copied into its callers.
    pub(super) const fn separate_function(self) -> &'static str {
        match self {
            Dialect::Cuda => "static __device__",
            Dialect::OpenCl => "static",
        }
    }

    /// Before an array that the workgroup shares.
    pub(super) const fn shared(self) -> &'static str {
        match self {
            Dialect::Cuda => "__shared__",
            Dialect::OpenCl => "__local",
        }
    }

    /// Before a pointer to memory that the workgroup shares.
    pub(super) const fn shared_pointer(self) -> &'static str {
        match self {
            Dialect::Cuda => "",
            Dialect::OpenCl => "__local ",
        }
    }

    /// Waits for the whole workgroup.
    pub(super) const fn barrier(self) -> &'static str {
        match self {
            Dialect::Cuda => "__syncthreads();",
            Dialect::OpenCl => "barrier(CLK_LOCAL_MEM_FENCE);",
        }
    }

    /// Waits for the whole workgroup. Loads from tables before it and stores to them after it keep their order, which
    /// OpenCL does not promise of [`barrier`](Self::barrier).
    pub(super) const fn barrier_of_tables(self) -> &'static str {
        match self {
            Dialect::Cuda => "__syncthreads();",
            Dialect::OpenCl => "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
        }
    }

    /// The number of the workgroup.
    pub(super) const fn group(self) -> &'static str {
        match self {
            Dialect::Cuda => "blockIdx.x",
            Dialect::OpenCl => "(u32)get_group_id(0)",
        }
    }

    /// Returns the expression for the number of workgroups of a launch.
    pub(super) const fn groups(self) -> &'static str {
        match self {
            Dialect::Cuda => "gridDim.x",
            Dialect::OpenCl => "(u32)get_num_groups(0)",
        }
    }

    /// The number of the invocation in its workgroup.
    pub(super) const fn invocation(self) -> &'static str {
        match self {
            Dialect::Cuda => "threadIdx.x",
            Dialect::OpenCl => "(u32)get_local_id(0)",
        }
    }

    /// The least of a word in memory and a value, atomically, left in memory.
    pub(super) const fn atomic_min(self) -> &'static str {
        match self {
            Dialect::Cuda => "atomicMin",
            Dialect::OpenCl => "atomic_min",
        }
    }

    /// Before a pointer parameter to words that nothing else points to.
    pub(super) const fn restrict(self) -> &'static str {
        match self {
            Dialect::Cuda => "__restrict__ ",
            Dialect::OpenCl => "restrict ",
        }
    }

    /// The text after a literal of a `u64`.
    pub(super) const fn u64_suffix(self) -> &'static str {
        match self {
            Dialect::Cuda => "ull",
            Dialect::OpenCl => "ul",
        }
    }

    /// The text after a literal of an `i64`.
    pub(super) const fn i64_suffix(self) -> &'static str {
        match self {
            Dialect::Cuda => "ll",
            Dialect::OpenCl => "l",
        }
    }

    /// An initializer that makes everything zero.
    pub(super) const fn zero_initializer(self) -> &'static str {
        match self {
            Dialect::Cuda => "{}",
            Dialect::OpenCl => "{0}",
        }
    }

    /// A value of a struct type, from the text within its braces.
    pub(super) fn composite(self, ty: &str, within: &str) -> String {
        match self {
            Dialect::Cuda => format!("{ty}{{{within}}}"),
            Dialect::OpenCl => format!("({ty}){{{within}}}"),
        }
    }
}
