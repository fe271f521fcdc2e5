//! Trees of a cell.

/// Trees of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stand {
    /// Cover, a fraction.
    pub cover: f64,
    /// Height of the trees, in metres.
    pub height: f64,
    /// Height at which the crowns begin, in metres.
    pub base_height: f64,
    /// Mass of fine fuel in the volume of the crowns, in kg/m3.
    pub bulk_density: f64,
}
