//! Fuel of a kind of vegetation.

use std::borrow::Cow;
use thiserror::Error;

/// Classes of fuel particles: dead of 1 h, 10 h and 100 h, live herbs, live wood.
pub const CLASSES: usize = 5;

/// Greatest number of a fuel model, as in FARSITE and FlamMap.
pub const MAX_FUEL: u16 = 256;

/// Numbers of ground that does not burn: urban, snow, agriculture, water, bare ground, and reserved ones.
pub const UNBURNABLE: std::ops::RangeInclusive<u16> = 90..=99;

/// Density of dry fuel, lb/ft3.
pub(super) const DENSITY: f64 = 32.0;

/// Greatest share of a fuel bed's volume that fuel fills.
const MAX_PACKING: f64 = 0.5;

/// Fuel of a kind of vegetation.
#[derive(Clone, Debug, PartialEq)]
pub struct FuelModel {
    /// Number in the published tables, or that of a custom model.
    pub number: u16,
    /// Code in the published tables, or that of a custom model.
    pub code: Cow<'static, str>,
    /// Depth of the fuel bed, ft.
    pub depth: f64,
    /// Moisture of extinction of dead fuel, a fraction.
    pub extinction: f64,
    /// Heat contents of dead and of live fuel, Btu/lb.
    pub heat: [f64; 2],
    /// Loads of the classes, lb/ft2.
    pub loads: [f64; CLASSES],
    /// Surface-to-volume ratios of the classes, 1/ft.
    pub ratios: [f64; CLASSES],
    /// `true` if live herbs cure: part of their load counts as dead, as they dry.
    pub dynamic: bool,
}

/// Reasons why a custom fuel model cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum FuelModelError {
    /// The number stands for something else.
    #[error("fuel model {number} is {taken}: give a number from 14 to 89, or up to {MAX_FUEL} of no published model")]
    Number {
        /// Number asked for.
        number: u16,
        /// Meaning of the number.
        taken: &'static str,
    },
    /// Two models have one number.
    #[error("fuel model {number} is given twice: leave one out")]
    Twice {
        /// Number of both.
        number: u16,
    },
    /// A value is impossible.
    #[error("fuel model {number} has a {what} of {value}: values are {least} to {most}")]
    Value {
        /// Number of the model.
        number: u16,
        /// Value that is meant, with its unit.
        what: &'static str,
        /// The value.
        value: f64,
        /// Least value that can be.
        least: f64,
        /// Greatest value that can be.
        most: f64,
    },
}

impl FuelModel {
    /// Fails unless Rothermel's equations have finite values for the fuel.
    pub(super) fn check(&self) -> Result<(), FuelModelError> {
        let [h1, h10, h100, herb, wood] = self.loads;
        let [ratio, _, _, of_herb, of_wood] = self.ratios;
        let (dead, live) = (h1 + h10 + h100, herb + wood);
        // A class without load may have any ratio, and live fuel that is not there any heat.
        let least = |load: f64| if load > 0.0 { 1.0 } else { 0.0 };
        let [of_dead, of_live] = self.heat;
        let heat = |is_there: bool| if is_there { 4000.0 } else { 0.0 };
        for (what, value, least, most) in [
            ("load of dead fuel of 1 h in lb/ft2", h1, 0.0, 20.0),
            ("load of dead fuel of 10 h in lb/ft2", h10, 0.0, 20.0),
            ("load of dead fuel of 100 h in lb/ft2", h100, 0.0, 20.0),
            ("load of live herbs in lb/ft2", herb, 0.0, 20.0),
            ("load of live wood in lb/ft2", wood, 0.0, 20.0),
            ("load of all dead fuel in lb/ft2", dead, 1e-6, 60.0),
            ("surface-to-volume ratio of dead fuel of 1 h in 1/ft", ratio, least(h1), 4000.0),
            ("surface-to-volume ratio of live herbs in 1/ft", of_herb, least(herb), 4000.0),
            ("surface-to-volume ratio of live wood in 1/ft", of_wood, least(wood), 4000.0),
            ("depth in ft", self.depth, 0.01, 100.0),
            ("moisture of extinction, a fraction,", self.extinction, 0.01, 3.0),
            ("heat content of dead fuel in Btu/lb", of_dead, heat(true), 20_000.0),
            ("heat content of live fuel in Btu/lb", of_live, heat(live > 0.0), 20_000.0),
            ("share of the bed's volume", (dead + live) / self.depth / DENSITY, 0.0, MAX_PACKING),
        ] {
            if !(least..=most).contains(&value) {
                return Err(FuelModelError::Value { number: self.number, what, value, least, most });
            }
        }
        Ok(())
    }
}
