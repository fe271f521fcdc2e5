//! Bits of floats, in words of either width.

/// Bits of `f32`.
pub(super) mod narrow {
    pub(in super::super) const INFINITY: u32 = 0x7f80_0000;
    pub(in super::super) const NAN: u32 = 0x7fc0_0000;
}

/// Bits of `f64`.
pub(super) mod wide {
    pub(in super::super) const INFINITY: u64 = 0x7ff0_0000_0000_0000;
    pub(in super::super) const NAN: u64 = 0x7ff8_0000_0000_0000;
}
