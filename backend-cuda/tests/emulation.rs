//! The emulation of CUDA on which this backend's tests run detects faulty kernels and calls, and accepts correct ones.
//!
//! A driver lives as long as its process, and a lost device stays lost, so each test runs itself again in a separate
//! process.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod emulation_support;
mod needs;

use cudarc::driver::sys::{self, CUresult};
use emulation_support::shipped::shipped_kernels_need_no_compiler;
use emulation_support::{Device, compile, folder, good, stream};
use imminent_testkit::process::{inside, texts_inside};
use imminent_testkit::tests_that_need;
use std::ptr::null_mut;

macro_rules! tests {
    ($($(#[doc = $about:literal])* $test:ident: $run:expr;)+) => {
        tests_that_need! { needs::emulation: shipped_kernels_need_no_compiler, $($test),+; }
        $(
            $(#[doc = $about])*
            fn $test() {
                if inside() {
                    let run: fn() = $run;
                    return run();
                }
                let folder = folder();
                let environment = [("LD_LIBRARY_PATH", folder.as_os_str()), ("IMMINENT_CUDA_HOST_STRICT", "0".as_ref())];
                texts_inside(stringify!($test), &environment);
            }
        )+
    };
}

/// Returns the error through which a kernel on one block of 64 threads over 64 words loses the device.
fn loses(text: &str) -> CUresult {
    let device = Device::open();
    let data = device.words(64);
    // SAFETY: the memory holds 64 words.
    unsafe { good(sys::cuMemsetD32Async(data, 0, 64, device.stream)) };
    device.launch(text, 64, data, 64);
    let code = device.wait();
    // The error stays.
    // SAFETY: the stream lives.
    assert_eq!(unsafe { sys::cuMemsetD32Async(data, 0, 64, device.stream) }, code);
    code
}

/// Returns the words that such a kernel leaves.
fn leaves(text: &str) -> Vec<u32> {
    let device = Device::open();
    let data = device.words(64);
    device.launch(text, 64, data, 64);
    device.read(data, 64).unwrap()
}

/// Runs a graph whose WHILE node counts to 5, if its kernel is given the node's `own` handle and not another. Returns
/// the count, and the result of the stream.
fn repeated(device: &Device, own: bool) -> (Option<u32>, CUresult) {
    const TEXT: &str = "void kernel(u32 *data, u32 count, u64 handle) {
        if (threadIdx.x == 0u && ++data[0] == count) { cudaGraphSetConditional(handle, 0u); } }";
    let function = device
        .function(&format!("void cudaGraphSetConditional(u64 handle, u32 value); extern \"C\" __global__ {TEXT}"));
    let (data, count) = (device.words(1), 5_u32);
    let (mut graph, mut executable, mut node) = (null_mut(), null_mut(), null_mut());
    let (mut handle, mut other) = (0, 0);
    // SAFETY: every call writes only to the places that it is given; the kernel takes an address, a word and a handle.
    unsafe {
        good(sys::cuMemsetD32Async(data, 0, 1, device.stream));
        good(sys::cuGraphCreate(&mut graph, 0));
        for one in [&mut handle, &mut other] {
            good(sys::cuGraphConditionalHandleCreate(one, graph, device.context, 1, 1));
        }
        let mut asked: sys::CUgraphNodeParams = std::mem::zeroed();
        asked.type_ = sys::CUgraphNodeType::CU_GRAPH_NODE_TYPE_CONDITIONAL;
        asked.__bindgen_anon_1.conditional = sys::CUDA_CONDITIONAL_NODE_PARAMS {
            handle,
            type_: sys::CUgraphConditionalNodeType::CU_GRAPH_COND_TYPE_WHILE,
            size: 1,
            phGraph_out: null_mut(),
            ctx: device.context,
        };
        good(sys::cuGraphAddNode_v2(&mut node, graph, null_mut(), null_mut(), 0, &mut asked));
        // One handle, one node.
        let again = sys::cuGraphAddNode_v2(&mut node, graph, null_mut(), null_mut(), 0, &mut asked);
        assert_eq!(again, CUresult::CUDA_ERROR_INVALID_VALUE);
        let passed = if own { handle } else { other };
        let mut parameters = [
            (&raw const data).cast_mut().cast(),
            (&raw const count).cast_mut().cast(),
            (&raw const passed).cast_mut().cast(),
        ];
        let mut launch: sys::CUDA_KERNEL_NODE_PARAMS = std::mem::zeroed();
        launch.func = function;
        (launch.gridDimX, launch.gridDimY, launch.gridDimZ) = (1, 1, 1);
        (launch.blockDimX, launch.blockDimY, launch.blockDimZ) = (32, 1, 1);
        launch.kernelParams = parameters.as_mut_ptr();
        let body = *asked.__bindgen_anon_1.conditional.phGraph_out;
        good(sys::cuGraphAddKernelNode_v2(&mut node, body, null_mut(), 0, &launch));
        good(sys::cuGraphInstantiateWithFlags(&mut executable, graph, 0));
        good(sys::cuGraphDestroy(graph));
        assert_eq!(
            sys::cuGraphAddKernelNode_v2(&mut node, body, null_mut(), 0, &launch),
            CUresult::CUDA_ERROR_INVALID_HANDLE
        );
        good(sys::cuGraphLaunch(executable, device.stream));
        let code = sys::cuStreamSynchronize(device.stream);
        let count = (code == CUresult::CUDA_SUCCESS).then(|| device.read(data, 1).unwrap()[0]);
        (count, code)
    }
}

const ILLEGAL: CUresult = CUresult::CUDA_ERROR_ILLEGAL_ADDRESS;
const FAILED: CUresult = CUresult::CUDA_ERROR_LAUNCH_FAILED;

tests! {
    a_store_past_the_end_loses_the_device: || {
        assert_eq!(loses("void kernel(u32 *data, u32 count) { data[threadIdx.x + 1u] = count; }"), ILLEGAL);
    };
    a_load_before_the_start_loses_the_device: || {
        assert_eq!(loses("void kernel(u32 *data, u32 count) { data[count - 1u] = data[-5000]; }"), ILLEGAL);
    };
    /// A piece that does not fill its last 256 bytes is followed by bytes that are checked when it is released.
    a_store_just_past_the_end_is_found_when_memory_is_released: || {
        let device = Device::open();
        let data = device.words(10);
        device.launch("void kernel(u32 *data, u32 count) { data[count] = 1u; }", 1, data, 10);
        assert_eq!(device.wait(), CUresult::CUDA_SUCCESS);
        // SAFETY: memory of this context.
        unsafe { good(sys::cuMemFreeAsync(data, device.stream)) };
        assert_eq!(device.wait(), ILLEGAL);
    };
    barriers_that_some_threads_pass_by_are_found: || {
        let text = "void kernel(u32 *data, u32 count) { if (threadIdx.x < 9u) { __syncthreads(); data[0] = 1u; } else { __syncthreads(); } }";
        assert_eq!(loses(text), FAILED);
    };
    lanes_that_never_come_are_found: || {
        let text = "void kernel(u32 *data, u32 count) { if (threadIdx.x < 9u) { __syncwarp(); } else { __syncthreads(); } }";
        assert_eq!(loses(text), FAILED);
    };
    a_mask_without_the_thread_itself_is_found: || {
        assert_eq!(loses("void kernel(u32 *data, u32 count) { data[0] = __any_sync(0xfffeu, 1); }"), FAILED);
    };
    /// Code behind a barrier of the whole block sees all earlier writes; so do votes and shuffles among lanes.
    threads_meet: || {
        let text = "void kernel(u32 *data, u32 count) {
            __shared__ u32 all[64];
            const u32 at = threadIdx.x;
            all[at] = at * at;
            __syncthreads();
            u32 sum = all[63u - at] * 1000000u;
            sum += (u32)__syncthreads_count(at < 40u) * 10000u;
            sum += __shfl_down_sync(0xffffffffu, at, 1) * 100u;
            if ((at & 31u) >= 16u) {
                sum += __reduce_add_sync(0xffff0000u, 1u) + (u32)__popc(__ballot_sync(0xffff0000u, at & 1u));
            }
            data[at] = sum;
        }";
        let expected: Vec<u32> = (0..64u32)
            .map(|at| {
                let below = if at % 32 == 31 { at } else { at + 1 };
                let half = if at % 32 >= 16 { 16 + 8 } else { 0 };
                ((63 - at) * (63 - at)).wrapping_mul(1_000_000).wrapping_add(40 * 10_000 + below * 100 + half)
            })
            .collect();
        assert_eq!(leaves(text), expected);
    };
    memory_comes_full_of_garbage: || {
        assert_eq!(leaves("void kernel(u32 *data, u32 count) { __shared__ u32 own[64]; data[threadIdx.x] += own[threadIdx.x]; }"),
            [0xa5a5_a5a5_u32.wrapping_mul(2); 64]);
    };
    /// Streams run independently: work that does not wait comes too early.
    memory_of_another_stream_is_not_there_without_waiting: || {
        let device = Device::open();
        let busy = device.words(1);
        device.launch("void kernel(u32 *data, u32 count) {
            for (u32 i = 0u; i < 300000000u; i++) { __asm__ volatile(\"\"); } data[0] = count; }", 1, busy, 1);
        let (data, other) = (device.words(64), stream());
        // SAFETY: the memory is promised, to the other stream.
        unsafe {
            good(sys::cuMemsetD32Async(data, 0, 64, other));
            assert_eq!(sys::cuStreamSynchronize(other), ILLEGAL);
        }
    };
    an_event_makes_another_stream_wait: || {
        let device = Device::open();
        let busy = device.words(1);
        device.launch("void kernel(u32 *data, u32 count) {
            for (u32 i = 0u; i < 30000000u; i++) { __asm__ volatile(\"\"); } data[0] = count; }", 1, busy, 1);
        let (data, other) = (device.words(64), stream());
        let mut event = std::ptr::null_mut();
        // SAFETY: the other stream waits until the memory is there.
        unsafe {
            good(sys::cuEventCreate(&mut event, 2));
            good(sys::cuEventRecord(event, device.stream));
            assert_eq!(sys::cuEventQuery(event), CUresult::CUDA_ERROR_NOT_READY);
            good(sys::cuStreamWaitEvent(other, event, 0));
            good(sys::cuMemsetD32Async(data, 7, 64, other));
            good(sys::cuStreamSynchronize(other));
            good(sys::cuEventQuery(event));
        }
        assert_eq!(device.read(data, 64).unwrap(), [7; 64]);
    };
    a_while_node_runs_its_body_until_a_kernel_of_it_says_so: || {
        let device = Device::open();
        assert_eq!(repeated(&device, true), (Some(5), CUresult::CUDA_SUCCESS));
    };
    a_handle_that_no_node_of_the_graph_has_loses_the_device: || {
        let device = Device::open();
        assert_eq!(repeated(&device, false), (None, FAILED));
    };
    wrong_calls_are_refused: || {
        let device = Device::open();
        let data = device.words(64);
        let mut own = [0_u32; 4];
        // SAFETY: the calls are wrong, and the emulation must detect that; it touches nothing.
        unsafe {
            let to = device.stream;
            assert_eq!(sys::cuMemsetD32Async(data + 4, 0, 64, to), CUresult::CUDA_ERROR_INVALID_VALUE);
            assert_eq!(sys::cuMemcpyDtoHAsync_v2(own.as_mut_ptr().cast(), data, 16, to), CUresult::CUDA_ERROR_INVALID_VALUE);
            good(sys::cuMemFreeAsync(data, to));
            assert_eq!(sys::cuMemFreeAsync(data, to), CUresult::CUDA_ERROR_INVALID_VALUE);
            assert_eq!(sys::cuMemsetD32Async(data, 0, 64, to), CUresult::CUDA_ERROR_INVALID_VALUE);
            good(sys::cuStreamDestroy_v2(to));
            assert_eq!(sys::cuStreamSynchronize(to), CUresult::CUDA_ERROR_INVALID_HANDLE);
        }
    };
    a_compile_error_is_a_log_with_its_line: || {
        let (code, log) = compile("\nextern \"C\" __global__ void kernel(int *a) { *a = b; }", &["--gpu-architecture=sm_90"]).unwrap_err();
        assert!(code == 6 && log.contains("test.cu:2") && log.contains('b'), "{code}: {log}");
        let (code, log) = compile("extern \"C\" __global__ void kernel() {}", &["--use_fast_math"]).unwrap_err();
        assert!(code == 5 && log.contains("--use_fast_math"), "{code}: {log}");
    };
}
