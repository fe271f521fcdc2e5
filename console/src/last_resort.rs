//! End of a process that has no memory left, with a message and an exit status instead of an abort.
//!
//! Commands estimate their memory before they allocate, and large tables are allocated by calls that can fail. What is
//! left are small allocations at the very limit, and those of drivers: a library ends the process there, or panics.

use super::name::program;
use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
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

/// Lets all threads share one area of the C library's allocator where addresses of the process are limited. It reserves
/// 64 MiB of them for each thread otherwise.
fn share_addresses() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if imminent_core::host_memory::available_to_process().is_some() {
        // SAFETY: the call sets a number in the allocator, and no other thread has been started yet.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

/// Ends the process with exit status 1 and a message when it aborts, or panics, for lack of memory. An abort for
/// another reason, such as an error of a driver, stays one.
///
/// Drivers may replace the handler of aborts when they are loaded, as LLVM does; then `watch_for_aborts` puts it back.
pub fn watch_for_exhaustion() {
    share_addresses();
    // The name is known before memory is exhausted.
    let name = program();
    watch_for_aborts();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if is_exhausted() {
            // The standard error is not buffered.
            let _ = writeln!(std::io::stderr(), "{name}: {}", panic.payload_as_str().unwrap_or_default());
            end();
        }
        usual(panic);
    }));
}

/// Sets the handler of aborts.
pub fn watch_for_aborts() {
    #[cfg(unix)]
    {
        let handler: extern "C" fn(libc::c_int) = aborted;
        // SAFETY: the handler calls nothing but what is safe in handlers of signals: it reads a flag, asks the system
        // for memory, writes and ends the process.
        unsafe { libc::signal(libc::SIGABRT, handler as *const () as libc::sighandler_t) };
    }
}

#[cfg(unix)]
extern "C" fn aborted(_: libc::c_int) {
    if is_exhausted() {
        end();
    }
    // After the return of the handler, `abort` ends the process as usual.
}

/// Returns `true` if an allocation of this program has failed, or the system has no room for the stack of a thread.
/// Libraries of drivers allocate on their own.
fn is_exhausted() -> bool {
    EXHAUSTED.load(Ordering::Relaxed) || !has_room()
}

/// Returns `true` if the system still maps memory of a few megabytes.
#[cfg(unix)]
fn has_room() -> bool {
    /// Twice the usual size of a thread's stack.
    const ROOM: usize = 16 << 20;
    let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
    // SAFETY: new pages at an address of the system's choice, which nothing uses before they are returned.
    unsafe {
        let pages = libc::mmap(std::ptr::null_mut(), ROOM, access, kind, -1, 0);
        pages != libc::MAP_FAILED && libc::munmap(pages, ROOM) == 0
    }
}

#[cfg(not(unix))]
fn has_room() -> bool {
    true
}

/// Ends the process with the message, without an allocation.
fn end() -> ! {
    const TEXT: &[u8] = b": no memory is left: give the process more, or the model smaller sizes\n";
    for text in [program().as_bytes(), TEXT] {
        #[cfg(unix)]
        // SAFETY: the text has that length. Nothing can be done if it cannot be written.
        unsafe {
            libc::write(2, text.as_ptr().cast(), text.len());
        }
        #[cfg(not(unix))]
        let _ = std::io::stderr().write_all(text);
    }
    #[cfg(unix)]
    // SAFETY: the call ends the process, and runs no code of it.
    unsafe {
        libc::_exit(1)
    }
    #[cfg(not(unix))]
    std::process::exit(1)
}
