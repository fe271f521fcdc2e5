//! Probe of a driver's 64-bit integers.
//!
//! NVIDIA's driver 580 offers them and compiles some sums wrongly: the high word is wrong in a sum that is compared
//! with one of its operands. `int64=auto` therefore relies on them only after this probe.

use super::Probe;

/// Rows of one run; the shader's workgroup.
const ROWS: u64 = 64;

/// Second operands: one run each.
const SECOND: [u64; 4] = [11, 5_366_306, 1 << 40, 0x0000_0100_0000_000f];

/// Runs the probe; returns `false` if a result is wrong or missing.
pub(in crate::device) fn native_int64_is_right(device: &wgpu::Device, queue: &wgpu::Queue) -> bool {
    let Some(probe) = Probe::new("int64 probe", device, queue, wgpu::include_wgsl!("int64.wgsl")) else {
        return false;
    };
    SECOND.into_iter().all(|b| {
        let operands: Vec<u8> = std::iter::once(b).chain((0..ROWS).map(first)).flat_map(u64::to_le_bytes).collect();
        probe.run(&operands, ROWS * 32) == Some(expected(b))
    })
}

fn first(row: u64) -> u64 {
    row.wrapping_mul(12_345_678_901).wrapping_add(7)
}

fn next_multiple(a: u64, b: u64) -> u64 {
    if b <= 1 || a.is_multiple_of(b) { a } else { (a / b * b).saturating_add(b) }
}

fn expected(b: u64) -> Vec<u8> {
    let of_row = |row| {
        let a = first(row);
        [a.saturating_add(b), (a / b * b).saturating_add(b), next_multiple(a, b), next_multiple(b, a)]
    };
    (0..ROWS).flat_map(of_row).flat_map(u64::to_le_bytes).collect()
}
