//! One launch of one compiled kernel, and how the driver is told of it.

use crate::driver::{MOST_POINTERS, Primary};
use crate::module::{Function, Kernel};
use cudarc::driver::sys;
use imminent_core::Result;
use std::ffi::c_void;
use std::sync::Arc;

/// A launch that only wants its fault slots.
#[derive(Debug)]
pub(crate) struct Work<'w> {
    pub(crate) function: &'w Arc<Function>,
    /// Blocks.
    pub(crate) blocks: u32,
    /// Threads of a block.
    pub(crate) threads: u32,
    /// The launch block, passed by value. Word 1 is the first fault slot.
    pub(crate) block: &'w mut [u32],
    /// The addresses that follow the launch block among the parameters.
    pub(crate) pointers: &'w [u64],
    /// The kernel whose faults the launch can raise.
    pub(crate) faulting: Option<&'w Arc<Kernel>>,
}

/// Parameters as the driver wants them: the address of each value. They live as long as the values.
pub(crate) struct Parameters {
    addresses: [*mut c_void; MOST_POINTERS + 2],
}

impl Parameters {
    /// The state buffer, the launch block, and the addresses that follow.
    #[inline]
    pub(crate) fn new(state: &u64, block: &[u32], pointers: &[u64]) -> Parameters {
        let mut addresses = [std::ptr::null_mut(); MOST_POINTERS + 2];
        addresses[0] = std::ptr::from_ref(state).cast_mut().cast();
        addresses[1] = block.as_ptr().cast_mut().cast();
        for (address, pointer) in addresses[2..].iter_mut().zip(pointers) {
            *address = std::ptr::from_ref(pointer).cast_mut().cast();
        }
        Parameters { addresses }
    }

    pub(crate) fn as_mut_ptr(&mut self) -> *mut *mut c_void {
        self.addresses.as_mut_ptr()
    }
}

/// Puts a launch on a stream.
///
/// # Safety
/// The values are those of the function's parameters: its launch block has no more words than `block`, `pointers` are as
/// many as its other pointers and name device memory that lives until the launch is done and is as large as the block says.
#[inline]
pub(crate) unsafe fn start(
    primary: &Primary,
    function: &Function,
    (blocks, threads): (u32, u32),
    mut parameters: Parameters,
    stream: sys::CUstream,
) -> Result<()> {
    // SAFETY: the caller answers for the parameters; the driver copies their values before it returns.
    let code = unsafe {
        sys::cuLaunchKernel(
            function.raw(),
            blocks,
            1,
            1,
            threads,
            1,
            1,
            0,
            stream,
            parameters.as_mut_ptr(),
            std::ptr::null_mut(),
        )
    };
    primary.check("launching a kernel", code)
}
