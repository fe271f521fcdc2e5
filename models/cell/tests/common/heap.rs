//! Bytes of the heap that a piece of a test takes in its own thread.

#![allow(dead_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<i64> = const { Cell::new(0) };
    static PEAK: Cell<i64> = const { Cell::new(0) };
    static ALL: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, which counts the bytes of each thread.
pub(crate) struct Counting;

fn count(bytes: i64) {
    // A thread that ends has no counter any more.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: both methods are those of the system's allocator, with the arguments of the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        let _ = ALL.try_with(|all| all.set(all.get() + layout.size() as u64));
        // SAFETY: the caller keeps the contract of this method, which is that of the called one.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        // SAFETY: as above.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// Returns the most bytes that were in use at once while `run` ran, beyond those before it. All of it runs in one
/// thread.
pub(crate) fn peak<T: Send>(run: impl FnOnce() -> T + Send) -> (T, u64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let before = NOW.get();
        PEAK.set(before);
        let result = run();
        (result, (PEAK.get() - before) as u64)
    })
}

/// Returns the bytes that were allocated while `run` ran in this thread, those included that were freed again.
pub(crate) fn allocated<T>(run: impl FnOnce() -> T) -> u64 {
    let before = ALL.get();
    drop(run());
    ALL.get() - before
}
