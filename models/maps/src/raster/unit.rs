//! Units of coordinates.

/// Unit of the coordinates of a map.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Unit {
    /// A unit of length.
    Length {
        /// Length of the unit, in metres.
        metres: f64,
    },
    /// Degrees of longitude and latitude.
    Degree,
    /// Unknown.
    Unknown,
}

impl Unit {
    /// Metre.
    pub const METRE: Unit = Unit::Length { metres: 1.0 };

    /// Returns the length of the unit in metres, which is 1 for an unknown unit; `None` of degrees.
    #[must_use]
    pub fn metres(self) -> Option<f64> {
        match self {
            Unit::Length { metres } => Some(metres),
            Unit::Degree => None,
            Unit::Unknown => Some(1.0),
        }
    }
}
