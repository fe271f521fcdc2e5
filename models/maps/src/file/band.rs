//! Bands of raster files.

use crate::Raster;

/// A band of a raster file.
#[derive(Debug, Clone, PartialEq)]
pub struct Band {
    /// Values and place.
    pub raster: Raster,
    /// Name of the band, if the file tells it.
    pub name: Option<String>,
    /// Name of the unit of the values, if the file tells it.
    pub unit: Option<String>,
}
