//! A launch through Imminent compared with an identical launch by hand with `ocl::core`: one process, one device,
//! alternating.
//!
//! `cargo bench -p imminent-opencl --bench by_hand [-- --json] [--device K]`. Kernel and table are small, so the time
//! is that of the machinery around a kernel. Both set the rows again at each launch, enqueue the kernel, and wait after
//! a number of launches. By hand nothing is checked, no fault can be raised and nothing is freed too late.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use imminent_core::{Device, Table};
use imminent_opencl::{OpenClBackend, Options};
use imminent_testkit::device::machines::machines::{self, Number};
use imminent_testkit::pairs;
use ocl::core;
use std::ffi::CString;

const ROWS: usize = 256;

/// The kernel as a C programmer would write it.
const SOURCE: &str = "
__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void twice(__global uint *value, uint rows) {
    const uint row = get_global_id(0);
    if (row < rows) {
        value[row] = 2 * value[row] + row;
    }
}
";

struct ByHand {
    queue: core::CommandQueue,
    kernel: core::Kernel,
    buffer: core::Mem,
}

impl ByHand {
    /// Prepares the launch on the first device of this name, in Imminent's order.
    fn new(name: &str) -> ByHand {
        let platforms = core::get_platform_ids().unwrap();
        let devices =
            platforms.iter().flat_map(|platform| core::get_device_ids(platform, None, None).unwrap_or_default());
        let device = devices
            .into_iter()
            .find(|device| core::get_device_info(device, core::DeviceInfo::Name).is_ok_and(|n| n.to_string() == name))
            .unwrap();
        let context = core::create_context(None, &[device], None, None).unwrap();
        let queue = core::create_command_queue(&context, device, None).unwrap();
        let program = core::create_program_with_source(&context, &[CString::new(SOURCE).unwrap()]).unwrap();
        core::build_program(&program, Some(&[device]), &CString::default(), None, None).unwrap();
        let kernel = core::create_kernel(&program, "twice").unwrap();
        // SAFETY: memory of the device itself, of the size that the kernel is given; its contents do not matter.
        let buffer = unsafe { core::create_buffer::<_, u32>(&context, core::MemFlags::new().read_write(), ROWS, None) };
        ByHand { queue, kernel, buffer: buffer.unwrap() }
    }

    fn launch(&self) {
        core::set_kernel_arg(&self.kernel, 0, core::ArgVal::mem(&self.buffer)).unwrap();
        core::set_kernel_arg(&self.kernel, 1, core::ArgVal::scalar(&(ROWS as u32))).unwrap();
        let (global, local) = ([ROWS, 1, 1], Some([256, 1, 1]));
        // SAFETY: both arguments are set, and the kernel stays below `rows`.
        unsafe {
            core::enqueue_kernel(&self.queue, &self.kernel, 1, None, &global, local, None::<()>, None::<()>).unwrap();
        }
    }

    fn wait(&self) {
        core::finish(&self.queue).unwrap();
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let index = arguments.iter().position(|argument| argument == "--device");
    let index = index.and_then(|at| arguments.get(at + 1)).map_or(0, |index| index.parse().expect("a device's number"));
    let device = Device::open(OpenClBackend::open(index, &Options::default()).unwrap()).unwrap();
    let mut table = Table::from_rows(&device, &vec![Number { value: 1 }; ROWS]).unwrap();
    let queue = device.queue();
    let hand = ByHand::new(&device.info().name);
    for count in [1, 1000] {
        let what = format!("opencl, {}, {count} launches and a wait", device.info().name);
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
        pairs::measure(&what, if count == 1 { 2001 } else { 61 }, count, ours, theirs).print();
    }
}
