//! Words that mean something in WGSL before the first line of a text. The tests of the WebGPU backend compare them with
//! naga's.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Returns `true` if WGSL, or a shader compiler's extension of it, has a meaning for a name.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    WORDS.contains(name)
}

static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| [KEYWORDS, RESERVED, PREDECLARED].into_iter().flat_map(str::split_whitespace).collect());

/// Keywords.
const KEYWORDS: &str = "
    alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if
    let loop override requires return struct switch true var while
";

/// Words that WGSL keeps for later.
const RESERVED: &str = "
    NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch
    class co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast
    consteval constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum
    explicit export extends extern external fallthrough filter final finally friend from fxgroup get goto
    groupshared highp impl implements import inline instanceof interface layout lowp macro macro_rules match
    mediump meta mod module move mut mutable namespace new nil noexcept noinline nointerpolation non_coherent
    noncoherent noperspective null nullptr of operator package packoffset partition pass patch pixelfragment
    precise precision premerge priv protected pub public readonly ref regardless register reinterpret_cast require
    resource restrict self set shared sizeof smooth snorm static static_assert static_cast std subroutine super
    target template this thread_local throw trait try type typedef typeid typename typeof union unless unorm
    unsafe unsized use using varying virtual volatile wgsl where with writeonly yield
";

/// Predeclared types, enumerants and functions, and what naga adds to them.
const PREDECLARED: &str = "
    abs acos acosh all any array arrayLength asin asinh atan atan2 atanh atomic atomicAdd atomicAnd
    atomicCompareExchangeWeak atomicExchange atomicLoad atomicMax atomicMin atomicOr atomicStore atomicSub
    atomicXor bgra8unorm bitcast bool ceil clamp cos cosh countLeadingZeros countOneBits countTrailingZeros cross
    degrees determinant distance dot dot4I8Packed dot4U8Packed dpdx dpdxCoarse dpdxFine dpdy dpdyCoarse dpdyFine
    exp exp2 extractBits f16 f32 f64 faceForward firstLeadingBit firstTrailingBit floor fma fract frexp function
    fwidth fwidthCoarse fwidthFine i32 i64 insertBits inverseSqrt ldexp length log log2 mat2x2 mat2x3 mat2x4
    mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 max min mix modf normalize pack2x16float pack2x16snorm pack2x16unorm
    pack4x8snorm pack4x8unorm pack4xI8 pack4xI8Clamp pack4xU8 pack4xU8Clamp pow private ptr push_constant
    quadBroadcast quadSwapDiagonal quadSwapX quadSwapY quantizeToF16 r16float r16sint r16snorm r16uint r16unorm
    r32float r32sint r32uint r64uint r8sint r8snorm r8uint r8unorm radians read read_write reflect refract
    reverseBits rg11b10ufloat rg16float rg16sint rg16snorm rg16uint rg16unorm rg32float rg32sint rg32uint rg8sint
    rg8snorm rg8uint rg8unorm rgb10a2uint rgb10a2unorm rgba16float rgba16sint rgba16snorm rgba16uint rgba16unorm
    rgba32float rgba32sint rgba32uint rgba8sint rgba8snorm rgba8uint rgba8unorm round sampler sampler_comparison
    saturate select sign sin sinh smoothstep sqrt step storage storageBarrier subgroupAdd subgroupAll subgroupAnd
    subgroupAny subgroupBallot subgroupBroadcast subgroupBroadcastFirst subgroupElect subgroupExclusiveAdd
    subgroupExclusiveMul subgroupInclusiveAdd subgroupInclusiveMul subgroupMax subgroupMin subgroupMul subgroupOr
    subgroupShuffle subgroupShuffleDown subgroupShuffleUp subgroupShuffleXor subgroupXor tan tanh textureBarrier
    textureDimensions textureGather textureGatherCompare textureLoad textureNumLayers textureNumLevels
    textureNumSamples textureSample textureSampleBaseClampToEdge textureSampleBias textureSampleCompare
    textureSampleCompareLevel textureSampleGrad textureSampleLevel textureStore texture_1d texture_2d
    texture_2d_array texture_3d texture_cube texture_cube_array texture_depth_2d texture_depth_2d_array
    texture_depth_cube texture_depth_cube_array texture_depth_multisampled_2d texture_external
    texture_multisampled_2d texture_storage_1d texture_storage_2d texture_storage_2d_array texture_storage_3d
    transpose trunc u32 u64 uniform unpack2x16float unpack2x16snorm unpack2x16unorm unpack4x8snorm unpack4x8unorm
    unpack4xI8 unpack4xU8 vec2 vec3 vec4 workgroup workgroupBarrier workgroupUniformLoad write
";
