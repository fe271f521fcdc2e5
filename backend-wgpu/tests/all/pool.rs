//! The device's pool of memory: released buffers are reused, and tables have buffers of their own.

use crate::common::device;
use imminent_testkit::device::pool;

#[test]
fn what_is_held_is_what_was_asked_for() {
    pool::small_tables_take_at_most(&device(""), 50, 50 * 256);
}

#[test]
fn released_memory_is_used_again() {
    pool::released_memory_is_used_again(&device(""));
}
