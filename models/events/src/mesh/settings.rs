//! Parameters of a mesh.

use super::loss::{SCHEMES, Scheme, UNCORRECTED};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Parameters of a mesh. In studies it has at most 16 nodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Mesh {
    /// Number of nodes, all within range of each other: 2 to 64.
    #[schemars(range(min = 2, max = 16))]
    pub nodes: u32,
    /// Packets that each application generates, per second: 0.001 to 1,000,000.
    #[schemars(range(min = 1e-3, max = 1e6), extend("unit" = "packets/s"))]
    pub rate: f64,
    /// Speed of nodes, in metres per second: 0 to 1,000.
    #[schemars(range(min = 0.0, max = 1e3), extend("unit" = "m/s"))]
    pub speed: f64,
    /// Mean signal-to-noise ratio of every link, in dB: -50 to 100.
    #[schemars(range(min = -50.0, max = 100.0), extend("unit" = "dB"))]
    pub snr: f64,
    /// Size of a packet, in bytes: 0 to 65,535.
    #[schemars(range(max = 65_535), extend("unit" = "bytes"))]
    pub payload: u32,
    /// Rate of frames, in Mb/s: 6, 12 or 24.
    #[serde(rename = "bandwidth")]
    #[schemars(range(min = 1, max = 54), extend("unit" = "Mb/s"))]
    pub megabits: u32,
    /// Carrier frequency, in GHz: 0.1 to 100.
    #[schemars(range(min = 0.1, max = 100.0), extend("unit" = "GHz"))]
    pub carrier: f64,
    /// Number of subcarriers: 1 to 48.
    #[schemars(range(min = 1, max = 48))]
    pub subcarriers: u32,
    /// Distance between nodes, in metres: 0 to 100,000.
    #[schemars(range(min = 0.0, max = 1e5), extend("unit" = "m"))]
    pub distance: f64,
    /// Time from the end of a data frame to the start of its control frame, in microseconds: 0 to 1,000,000.
    #[schemars(range(min = 0.0, max = 1e6), extend("unit" = "us"))]
    pub turnaround: f64,
    /// Length of the simulation, in seconds: 0 to 1,000,000.
    #[serde(rename = "end")]
    #[schemars(range(min = 0.0, max = 1e6), extend("unit" = "s"))]
    pub seconds: f64,
}

impl Default for Mesh {
    /// Returns the paper's mesh of 5 nodes at the lowest rate and speed. Values that the paper does not give: 1,024
    /// bytes at 24 Mb/s, 20 dB, 48 subcarriers at 5.2 GHz, 30 m, control frames after 16 us as in IEEE 802.11a, 60 s.
    fn default() -> Self {
        Mesh {
            nodes: 5,
            rate: 1.0,
            speed: 1.0,
            snr: 20.0,
            payload: 1024,
            megabits: 24,
            carrier: 5.2,
            subcarriers: 48,
            distance: 30.0,
            turnaround: 16.0,
            seconds: 60.0,
        }
    }
}

/// Error of invalid mesh parameters.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// A parameter is out of range.
    #[error("`{parameter}` of the mesh is {value}: give {least} to {greatest}")]
    OutOfRange {
        /// The parameter, by its name in [`Mesh`].
        parameter: &'static str,
        /// Value of the parameter.
        value: f64,
        /// Smallest allowed value.
        least: f64,
        /// Largest allowed value.
        greatest: f64,
    },
    /// The error bound of this rate's code cannot be corrected.
    #[error(
        "frames at {megabits} Mb/s cannot be simulated, since the error bound of their code has no known correction: give 6, 12 or 24 Mb/s"
    )]
    NoDivisors {
        /// Rate in Mb/s.
        megabits: u32,
    },
    /// The rate does not exist.
    #[error("there are no frames at {megabits} Mb/s: give 6, 12 or 24 Mb/s")]
    NoSuchRate {
        /// Rate in Mb/s.
        megabits: u32,
    },
}

impl Mesh {
    /// Checks that all parameters are in range.
    ///
    /// # Errors
    /// [`MeshError`] for the first parameter out of range.
    pub fn check(&self) -> Result<(), MeshError> {
        self.scheme().map(|_| ())
    }

    /// Returns the scheme of the rate, if all parameters are in range.
    pub(super) fn scheme(&self) -> Result<Scheme, MeshError> {
        let ranges = [
            ("nodes", f64::from(self.nodes), 2.0, 64.0),
            ("rate", self.rate, 1e-3, 1e6),
            ("speed", self.speed, 0.0, 1e3),
            ("snr", self.snr, -50.0, 100.0),
            ("payload", f64::from(self.payload), 0.0, 65_535.0),
            ("carrier", self.carrier, 0.1, 100.0),
            ("subcarriers", f64::from(self.subcarriers), 1.0, 48.0),
            ("distance", self.distance, 0.0, 1e5),
            ("turnaround", self.turnaround, 0.0, 1e6),
            ("seconds", self.seconds, 0.0, 1e6),
        ];
        for (parameter, value, least, greatest) in ranges {
            if !(least..=greatest).contains(&value) {
                return Err(MeshError::OutOfRange { parameter, value, least, greatest });
            }
        }
        let megabits = self.megabits;
        SCHEMES.into_iter().find(|scheme| scheme.megabits == megabits).ok_or(if UNCORRECTED.contains(&megabits) {
            MeshError::NoDivisors { megabits }
        } else {
            MeshError::NoSuchRate { megabits }
        })
    }
}
