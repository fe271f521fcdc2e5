//! A launch through Imminent compared with an identical launch by hand with `cudarc`: one process, one device,
//! alternating.
//!
//! `cargo bench -p imminent-cuda --bench by_hand [-- --json] [--device K]`. Kernel and table are small, so the time is
//! that of the machinery around a kernel. Both enqueue it on a stream, and wait after a number of launches. By hand
//! nothing is checked, no fault can be raised and nothing is freed too late.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use cudarc::driver::{result, sys};
use imminent_core::{Device, Table};
use imminent_cuda::{CudaBackend, Options};
use imminent_testkit::device::machines::machines::{self, Number};
use imminent_testkit::pairs;
use std::ffi::{CStr, c_void};

const ROWS: u32 = 256;

/// Compiled form of a CUDA programmer's `if (row < rows) value[row] = 2 * value[row] + row;`, as text for any driver.
const PTX: &CStr = c"
.version 7.0
.target sm_75
.address_size 64
.visible .entry twice(.param .u64 value, .param .u32 rows)
.maxntid 256, 1, 1
{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [value];
    ld.param.u32 %r2, [rows];
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r3, %r4, %r5;
    setp.ge.u32 %p1, %r1, %r2;
    @%p1 bra DONE;
    cvta.to.global.u64 %rd2, %rd1;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd2, %rd3;
    ld.global.u32 %r6, [%rd4];
    shl.b32 %r7, %r6, 1;
    add.s32 %r8, %r7, %r1;
    st.global.u32 [%rd4], %r8;
DONE:
    ret;
}
";

struct ByHand {
    function: sys::CUfunction,
    stream: sys::CUstream,
    value: u64,
}

impl ByHand {
    /// Prepares the launch on a device that is already open.
    fn new(index: i32) -> ByHand {
        // SAFETY: the driver was started when the device was opened, and the context is made current before it is used.
        // The text ends with 0. The memory has room for the rows.
        unsafe {
            let device = result::device::get(index).unwrap();
            result::ctx::set_current(result::primary_ctx::retain(device).unwrap()).unwrap();
            let module = result::module::load_data(PTX.as_ptr().cast()).unwrap();
            let function = result::module::get_function(module, c"twice".to_owned()).unwrap();
            let stream = result::stream::create(result::stream::StreamKind::NonBlocking).unwrap();
            let value = result::malloc_sync(ROWS as usize * 4).unwrap();
            result::memset_d8_sync(value, 0, ROWS as usize * 4).unwrap();
            ByHand { function, stream, value }
        }
    }

    fn launch(&self) {
        let (mut value, mut rows) = (self.value, ROWS);
        let mut parameters: [*mut c_void; 2] = [(&raw mut value).cast(), (&raw mut rows).cast()];
        let groups = (ROWS.div_ceil(256), 1, 1);
        // SAFETY: these are the kernel's parameters, and it stays below `rows`.
        unsafe {
            result::launch_kernel(self.function, groups, (256, 1, 1), 0, self.stream, &mut parameters).unwrap();
        }
    }

    fn wait(&self) {
        // SAFETY: the stream lives.
        unsafe { result::stream::synchronize(self.stream) }.unwrap();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let index = arguments.iter().position(|argument| argument == "--device");
    let index = index.and_then(|at| arguments.get(at + 1)).map_or(0, |index| index.parse().expect("a device's number"));
    let device = Device::open(CudaBackend::open(index, &Options::default()).unwrap()).unwrap();
    let mut table = Table::from_rows(&device, &vec![Number { value: 1 }; ROWS as usize]).unwrap();
    let queue = device.queue();
    let hand = ByHand::new(i32::try_from(index).unwrap());
    for count in [1, 1000] {
        let what = format!("cuda, {}, {count} launches and a wait", device.info().name);
        let ours = || {
            for _ in 0..count {
                queue.launch::<machines::double>((&mut table,)).unwrap();
            }
            queue.wait().unwrap();
        };
        let theirs = || {
            (0..count).for_each(|_| hand.launch());
            hand.wait();
        };
        pairs::measure(&what, if count == 1 { 2001 } else { 101 }, count, ours, theirs).print();
    }
}
