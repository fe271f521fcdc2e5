//! What a mesh is asked to be.

use super::loss::{SCHEMES, Scheme, UNCORRECTED};
use thiserror::Error;

/// The parameters of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Nodes, all in reach of each other: 2 to 64.
    pub nodes: u32,
    /// Packets that each application makes, per second: 0.001 to 1,000,000.
    pub rate: f64,
    /// How fast nodes move, in metres per second: 0 to 1,000.
    pub speed: f64,
    /// The mean ratio of signal to noise of every link, in dB: -50 to 100.
    pub snr: f64,
    /// Bytes of a packet: 0 to 65,535.
    pub payload: u32,
    /// Mb/s of frames: 6, 12 or 24.
    pub megabits: u32,
    /// The carrier frequency, in GHz: 0.1 to 100.
    pub carrier: f64,
    /// Subcarriers: 1 to 48.
    pub subcarriers: u32,
    /// From a node to each other, in metres: 0 to 100,000.
    pub distance: f64,
    /// From the end of a frame to the begin of its answer, in microseconds: 0 to 1,000,000.
    pub turnaround: f64,
    /// How long the simulation is, in seconds: 0 to 1,000,000.
    pub seconds: f64,
}

impl Default for Mesh {
    /// The paper's mesh of 5 nodes at the lowest rate and speed. What the paper does not say: 1,024 bytes at 24 Mb/s, 20 dB, 48 subcarriers at 5.2 GHz, 30 m, answers after 16 us as in IEEE 802.11a,
    /// 60 s.
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

/// A mesh that cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum MeshError {
    /// A parameter out of its range.
    #[error("a mesh cannot have {parameter} {value}: it takes {least} to {greatest}")]
    OutOfRange {
        /// The parameter, by its name in [`Mesh`].
        parameter: &'static str,
        /// What was given.
        value: f64,
        /// The least.
        least: f64,
        /// The greatest.
        greatest: f64,
    },
    /// A rate whose code's error bound cannot be corrected.
    #[error(
        "frames at {megabits} Mb/s have a code whose error bound overestimates, and by how much is not known for it: take 6, 12 or 24 Mb/s"
    )]
    NoDivisors {
        /// What was given.
        megabits: u32,
    },
    /// A rate that there is not.
    #[error("there are no frames at {megabits} Mb/s: take 6, 12 or 24 Mb/s")]
    NoSuchRate {
        /// What was given.
        megabits: u32,
    },
}

impl Mesh {
    /// Whether there can be such a mesh.
    ///
    /// # Errors
    /// [`MeshError`] for the first parameter that is not possible.
    pub fn check(&self) -> Result<(), MeshError> {
        self.scheme().map(|_| ())
    }

    /// The scheme of its rate, if all of it is possible.
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
