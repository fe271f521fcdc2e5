//! Keys as unsigned integers.

use bytemuck::NoUninit;

/// An unsigned integer whose order is that of the keys.
pub(super) trait Radix: Copy + Ord + Send + Sync + Default + NoUninit {
    const ZERO: Self;
    const LAST: Self;
    fn of(key: u64) -> Self;
    fn bits(self) -> u64;
}

impl Radix for u32 {
    const ZERO: u32 = 0;
    const LAST: u32 = u32::MAX;
    #[inline(always)]
    fn of(key: u64) -> Self {
        key as u32
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.into()
    }
}

impl Radix for u64 {
    const ZERO: u64 = 0;
    const LAST: u64 = u64::MAX;
    #[inline(always)]
    fn of(key: u64) -> Self {
        key
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self
    }
}
