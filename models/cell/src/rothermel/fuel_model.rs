//! Fuel of a kind of vegetation.

/// Classes of fuel particles: dead of 1 h, 10 h and 100 h, live herbs, live wood.
pub const CLASSES: usize = 5;

/// Fuel of a kind of vegetation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FuelModel {
    /// Number in the published tables.
    pub number: u16,
    /// Code in the published tables.
    pub code: &'static str,
    /// Depth of the fuel bed, ft.
    pub depth: f64,
    /// Moisture of extinction of dead fuel, a fraction.
    pub extinction: f64,
    /// Heat content, Btu/lb.
    pub heat: f64,
    /// Loads of the classes, lb/ft2.
    pub loads: [f64; CLASSES],
    /// Surface-to-volume ratios of the classes, 1/ft.
    pub ratios: [f64; CLASSES],
    /// `true` if live herbs cure: part of their load counts as dead, as they dry.
    pub dynamic: bool,
}
