//! The paper's study of the mesh.

use super::handlers::mesh;
use super::setting_up::Setup;
use super::settings::{Mesh, MeshError};
use crate::Start;

/// Every rate at every speed, each with so many seeds.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshStudy {
    /// What is the same everywhere.
    pub mesh: Mesh,
    /// Rates, in packets per second.
    pub rates: Vec<f64>,
    /// Speeds, in metres per second.
    pub speeds: Vec<f64>,
    /// Simulations of each combination.
    pub seeds: u64,
}

impl Default for MeshStudy {
    /// The paper's 270 simulations.
    fn default() -> Self {
        MeshStudy { mesh: Mesh::default(), rates: vec![1.0, 5.0, 10.0], speeds: vec![1.0, 5.0, 10.0], seeds: 30 }
    }
}

impl MeshStudy {
    /// The simulations, as they start: all combinations with the first seed, then all with the second.
    ///
    /// # Errors
    /// [`MeshError`] for a mesh that cannot be.
    pub fn starts(&self) -> Result<Vec<Start<mesh::step>>, MeshError> {
        let combinations = self.rates.iter().flat_map(|rate| self.speeds.iter().map(move |speed| (*rate, *speed)));
        let setups: Vec<Setup> = combinations
            .map(|(rate, speed)| Mesh { rate, speed, ..self.mesh.clone() }.set_up())
            .collect::<Result<_, _>>()?;
        Ok((0..self.seeds).flat_map(|seed| setups.iter().map(move |setup| setup.start(seed))).collect())
    }
}
