//! Waiting for other threads.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Number of polls of another thread's progress before this thread yields the processor, and before it sleeps.
const LOOKS: [u32; 2] = [256, 512];

/// Duration of the sleep.
const NAP: Duration = Duration::from_micros(50);

/// Locks a mutex, also after a panic of a thread that held it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for another thread of this work, which already runs and seldom takes long.
pub(super) fn wait_until(done: impl Fn() -> bool) {
    let mut looks = 0;
    while !done() {
        looks += 1;
        match looks {
            looks if looks < LOOKS[0] => std::hint::spin_loop(),
            looks if looks < LOOKS[1] => std::thread::yield_now(),
            _ => std::thread::sleep(NAP),
        }
    }
}
