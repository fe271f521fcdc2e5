//! Sizes of rasters.

/// Largest number of cells of a raster: 2^28, of which the values take 2 GiB.
pub const MAX_CELLS: u64 = 1 << 28;
