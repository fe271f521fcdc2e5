//! Reasons why fires on a landscape cannot be.

use super::weather::WeatherError;
use crate::outcome::Cancelled;
use thiserror::Error;

/// Reasons why fires on a landscape cannot be run.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum WildfireError {
    /// The weather cannot be used.
    #[error(transparent)]
    Weather(#[from] WeatherError),
    /// An ignition lies outside the landscape.
    #[error("ignition {row},{column} is outside the landscape of {rows} rows and {columns} columns: both count from 0")]
    Outside {
        /// Row asked for.
        row: u32,
        /// Column asked for.
        column: u32,
        /// Rows that there are.
        rows: u32,
        /// Columns that there are.
        columns: u32,
    },
    /// An ignition lies where nothing burns.
    #[error("ignition {row},{column} is on fuel {fuel}, or a barrier, which does not burn: light a cell that has fuel")]
    Unburnable {
        /// Row asked for.
        row: u32,
        /// Column asked for.
        column: u32,
        /// Fuel of the cell.
        fuel: u16,
    },
    /// No cell of the landscape burns, so none can be drawn.
    #[error("no cell of the landscape burns: check the layer of fuels")]
    NothingBurns,
    /// A fire names a scenario that is not there.
    #[error("fire {fire} has weather scenario {scenario}, and there are {scenarios}: scenarios count from 0")]
    Scenario {
        /// Number of the fire, from 0.
        fire: usize,
        /// Scenario asked for.
        scenario: u32,
        /// Scenarios that there are.
        scenarios: u32,
    },
    /// The simulated time is not a number of hours that fits.
    #[error("a fire can burn for 0 to {most} hours, not {hours}", most = (u32::MAX - 2) / 3_600_000)]
    Hours {
        /// Hours asked for.
        hours: f64,
    },
    /// There are more fires than can be counted.
    #[error("{fires} fires are more than the {most} that an ensemble can have", most = u32::MAX / 2)]
    Fires {
        /// Fires asked for.
        fires: usize,
    },
    /// Delays do not fit into memory.
    #[error(
        "delays of all cells in all states of the weather take {bytes} bytes, and {free} are free: use longer bands or fewer scenarios"
    )]
    Memory {
        /// Bytes that they take.
        bytes: u64,
        /// Bytes that are free.
        free: u64,
    },
    /// Delays do not fit onto the device.
    #[error(
        "delays of all cells in all states of the weather take {bytes} bytes, and a table of the device has {most}: use longer bands or fewer scenarios"
    )]
    TooLarge {
        /// Bytes that they take.
        bytes: u64,
        /// Bytes of the largest table.
        most: u64,
    },
    /// The device failed.
    #[error(transparent)]
    Device(#[from] imminent_core::Error),
    /// The run was cancelled by its progress function.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}
