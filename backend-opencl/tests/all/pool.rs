//! The device's pool of memory: small tables share buffers, and released memory is reused.

use crate::common::device;
use imminent_testkit::device::pool;

#[test]
fn small_tables_share_buffers() {
    // A device whose buffers begin at multiples of 4096 bytes needs as many for each.
    pool::small_tables_take_at_most(&device(""), 500, 500 * 4096 + (64 << 12));
}

#[test]
fn released_memory_is_used_again() {
    pool::released_memory_is_used_again(&device(""));
}
