//! End of a process that has no memory left, with a message and an exit status instead of an abort.
//!
//! Commands estimate their memory before they allocate, and large tables are allocated by calls that can fail. What is
//! left are small allocations at the very limit: the standard library ends the process there.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering};

/// `true` once an allocation has failed.
static EXHAUSTED: AtomicBool = AtomicBool::new(false);

/// The system's allocator, which remembers that an allocation has failed.
#[derive(Debug)]
pub struct Allocator;

/// Notes a failed allocation.
fn seen(memory: *mut u8) -> *mut u8 {
    if memory.is_null() {
        EXHAUSTED.store(true, Ordering::Relaxed);
    }
    memory
}

// SAFETY: all methods are those of the system's allocator, with the arguments of the caller.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of this method, which is that of the called one.
        seen(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        seen(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        seen(unsafe { System.realloc(memory, layout, size) })
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Ends the process with exit status 1 and a message when it aborts after an allocation has failed. An abort for
/// another reason, such as an error of a driver, stays one.
pub fn watch_for_aborts() {
    #[cfg(unix)]
    {
        let handler: extern "C" fn(libc::c_int) = aborted;
        // SAFETY: the handler calls nothing but what POSIX allows in handlers of signals: it reads a flag, writes and
        // ends the process.
        unsafe { libc::signal(libc::SIGABRT, handler as *const () as libc::sighandler_t) };
    }
}

#[cfg(unix)]
extern "C" fn aborted(_: libc::c_int) {
    const TEXT: &[u8] = b"imminent: no memory is left: give the process more, or the model smaller sizes\n";
    if EXHAUSTED.load(Ordering::Relaxed) {
        // SAFETY: the text is a constant of that length. Nothing can be done if it cannot be written.
        unsafe {
            libc::write(2, TEXT.as_ptr().cast(), TEXT.len());
            libc::_exit(1)
        }
    }
    // After the return of the handler, `abort` ends the process as usual.
}
