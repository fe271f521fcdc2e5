//! Mesh study of the paper.

use super::handlers::mesh;
use super::setting_up::Setup;
use super::settings::{Mesh, MeshError};
use crate::Start;

/// Study of every combination of rate and speed, each with `seeds` seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshStudy {
    /// Parameters that all simulations share.
    pub mesh: Mesh,
    /// Rates in packets per second.
    pub rates: Vec<f64>,
    /// Speeds in metres per second.
    pub speeds: Vec<f64>,
    /// Number of simulations of each combination.
    pub seeds: u64,
}

impl Default for MeshStudy {
    /// Returns the paper's 270 simulations.
    fn default() -> Self {
        MeshStudy { mesh: Mesh::default(), rates: vec![1.0, 5.0, 10.0], speeds: vec![1.0, 5.0, 10.0], seeds: 30 }
    }
}

impl MeshStudy {
    /// Returns the simulations before their first event: all combinations with the first seed, then all with the
    /// second.
    ///
    /// # Errors
    /// [`MeshError`] for parameters out of range.
    pub fn starts(&self) -> Result<Vec<Start<mesh::step>>, MeshError> {
        let combinations = self.rates.iter().flat_map(|rate| self.speeds.iter().map(move |speed| (*rate, *speed)));
        let setups: Vec<Setup> = combinations
            .map(|(rate, speed)| Mesh { rate, speed, ..self.mesh.clone() }.set_up())
            .collect::<Result<_, _>>()?;
        Ok((0..self.seeds).flat_map(|seed| setups.iter().map(move |setup| setup.start(seed))).collect())
    }
}
