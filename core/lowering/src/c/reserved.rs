//! Words that mean something in C, CUDA C++ or OpenCL C before the first line of a text.
//!
//! Variables and fields avoid a part of them only: a variable may hide a function that is not called where it is seen,
//! but macros know no scope.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Returns `true` if no variable or field may have this name. It is a keyword, a type, a macro, or a name that
/// generated functions use.
pub(super) fn is_word(name: &str) -> bool {
    WORDS.contains(name) || has_reserved_prefix(name) || is_vector(name)
}

/// Returns `true` if no function, type or constant may have this name, because either dialect has a meaning for it.
pub(super) fn is_reserved(name: &str) -> bool {
    is_word(name) || FUNCTIONS.contains(name) || name.strip_suffix(['f', 'l']).is_some_and(is_mathematics)
}

/// Returns `true` if the languages reserve all names with the prefix of this name.
pub(super) fn has_reserved_prefix(name: &str) -> bool {
    PREFIXES.split_whitespace().any(|prefix| name.starts_with(prefix))
}

/// `uint4`, `double2`, `as_int4`: a scalar's name with a width.
fn is_vector(name: &str) -> bool {
    let name = name.strip_prefix("as_").unwrap_or(name);
    let base = name.trim_end_matches(|c: char| c.is_ascii_digit());
    matches!(name.strip_prefix(base), Some("" | "1" | "2" | "3" | "4" | "8" | "16"))
        && SCALARS.split_whitespace().any(|scalar| scalar == base)
}

/// `sin`, which CUDA also has as `sinf` and C as `sinl`.
fn is_mathematics(name: &str) -> bool {
    MATHEMATICS.split_whitespace().any(|function| function == name)
}

static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| [OWN, KEYWORDS, MACROS, USED].into_iter().flat_map(str::split_whitespace).collect());

static FUNCTIONS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| [BUILT_IN, MATHEMATICS].into_iter().flat_map(str::split_whitespace).collect());

/// Types and macros of the generated texts themselves.
const OWN: &str = "
    u32 i32 u64 i64 f32 f64 DEVICE GLOBAL GRID_CONSTANT STAGE generated
";

/// Prefixes of names that the languages, their extensions and the generated texts reserve.
const PREFIXES: &str = "
    imminent_ convert_ vload vstore native_ half_ atomic_ atom_ async_work_group_ read_image write_image
    get_image_ sub_group_ work_group_ CL_ CLK_ FLT_ DBL_ HALF_ CUDA_ CUDART_ cuda cl_ intel_ __
";

/// Scalars of which OpenCL or CUDA make vectors.
const SCALARS: &str = "
    bool char uchar short ushort int uint long ulong longlong ulonglong half float double quad size_t dim
";

/// Keywords and types of C, C++ and OpenCL C.
const KEYWORDS: &str = "
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class
    co_await co_return co_yield compl complex concept const const_cast consteval constexpr constinit continue
    decltype default delete do double dynamic_cast else enum explicit export extern false final float for friend
    goto if import inline int long module mutable namespace new noexcept not not_eq nullptr operator or or_eq
    override private protected public register reinterpret_cast requires restrict return short signed sizeof
    static static_assert static_cast struct switch template this thread_local throw true try typedef typeid
    typename typeof union unsigned using virtual void volatile wchar_t while xor xor_eq _Bool _Complex
    _Imaginary _Generic _Alignas _Alignof _Atomic _Noreturn _Static_assert _Thread_local kernel global local
    constant generic pipe read_only write_only read_write imaginary image1d_t image1d_array_t image1d_buffer_t
    image2d_t image2d_array_t image2d_depth_t image3d_t sampler_t event_t clk_event_t queue_t ndrange_t
    reserve_id_t intptr_t uintptr_t ptrdiff_t size_t uniform vec_step block
";

/// Names that are macros somewhere.
const MACROS: &str = "
    NULL NAN INFINITY MAXFLOAT HUGE_VAL HUGE_VALF CHAR_BIT CHAR_MAX CHAR_MIN INT_MAX INT_MIN LONG_MAX LONG_MIN
    SCHAR_MAX SCHAR_MIN SHRT_MAX SHRT_MIN UCHAR_MAX USHRT_MAX UINT_MAX ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX
    M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2 M_E_F
    M_LOG2E_F M_LOG10E_F M_LN2_F M_LN10_F M_PI_F M_PI_2_F M_PI_4_F M_1_PI_F M_2_PI_F M_2_SQRTPI_F M_SQRT2_F
    M_SQRT1_2_F FP_ILOGB0 FP_ILOGBNAN ATOMIC_FLAG_INIT ATOMIC_VAR_INIT RAND_MAX EOF linux unix i386 assert
    offsetof errno signbit isnan isinf isfinite isnormal
";

/// Names that the functions lowered from Rust call or use themselves.
const USED: &str = "
    atomicAdd atomicMin atomicMax atomicOr atomicAnd blockIdx threadIdx get_group_id get_local_id barrier
";

/// Functions and variables of the languages and of what they are linked with, other than mathematics.
const BUILT_IN: &str = "
    get_work_dim get_global_size get_global_id get_local_size get_enqueued_local_size get_local_id
    get_num_groups get_group_id get_global_offset get_global_linear_id get_local_linear_id barrier mem_fence
    read_mem_fence write_mem_fence prefetch wait_group_events printf shuffle shuffle2 abs abs_diff add_sat hadd
    rhadd clamp clz ctz mad_hi mad_sat mad24 mul24 max min mul_hi rotate sub_sat upsample popcount degrees
    radians mix step smoothstep sign cross dot distance length normalize fast_distance fast_length
    fast_normalize isequal isnotequal isgreater isgreaterequal isless islessequal islessgreater isordered
    isunordered any all bitselect select dot_acc_sat kernel_exec to_global to_local to_private get_fence
    enqueue_kernel nan threadIdx blockIdx blockDim gridDim warpSize dim3 atomicAdd atomicSub atomicExch
    atomicMin atomicMax atomicInc atomicDec atomicCAS atomicAnd atomicOr atomicXor clock clock64 malloc free
    memcpy memset memmove vprintf std nv exit abort trap labs llabs umin umax llmin llmax ullmin ullmax div ldiv
    lldiv strlen main raise signal time index rindex read write open close wait pause sleep alloca
";

/// C's mathematical functions, of which both dialects have most.
const MATHEMATICS: &str = "
    acos acosh acospi asin asinh asinpi atan atan2 atanh atanpi atan2pi cbrt ceil copysign cos cosh cospi
    cyl_bessel_i0 cyl_bessel_i1 erf erfc erfcinv erfcx erfinv exp exp10 exp2 expm1 fabs fdim fdivide floor fma
    fmax fmin fmod fract frexp gamma hypot ilogb j0 j1 jn ldexp lgamma lgamma_r llrint llround log log10 log1p
    log2 logb lrint lround mad maxmag minmag modf nearbyint nextafter norm norm3d norm4d normcdf normcdfinv pow
    pown powi powr rcbrt remainder remquo rhypot rint rnorm rnorm3d rnorm4d rootn round rsqrt scalb scalbln
    scalbn significand sin sincos sincospi sinh sinpi sqrt tan tanh tanpi tgamma trunc y0 y1 yn drem pow10
    finite
";

/// Every listed word.
#[cfg(test)]
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    let all = [OWN, PREFIXES, SCALARS, KEYWORDS, MACROS, USED, BUILT_IN, MATHEMATICS];
    all.into_iter().flat_map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compilers_know_is_reserved() {
        for name in [
            "kernel",
            "float4",
            "uint",
            "double16",
            "as_uint",
            "as_int4",
            "sinf",
            "fmodl",
            "min",
            "M_PI",
            "CLK_LOCAL",
            "convert_uint_sat",
            "threadIdx",
            "u32",
            "__half",
            "step",
            "template",
            "and",
            "imminent_launch",
            "y1",
        ] {
            assert!(is_reserved(name), "{name}");
        }
        for name in ["me", "facility", "float5", "rate", "uint32", "as_kind", "half", "minimum", "Pcg32_next_u32"] {
            assert_eq!(is_reserved(name), name == "half", "{name}");
        }
        for name in ["all", "step", "min", "main", "distance", "index", "y1"] {
            assert!(is_reserved(name) && !is_word(name), "{name}");
        }
    }
}
