//! Free units of resources that tokens hold over several stations.

use crate::network::Network;

/// Free units of the resources of a network.
#[derive(Debug)]
pub(super) struct Resources {
    pub(super) free: Vec<u64>,
    /// Stations that seize each resource.
    pub(super) seizers: Vec<Vec<u32>>,
}

impl Resources {
    pub(super) fn of(network: &Network) -> Self {
        let free = network.resources().iter().map(|resource| u64::from(resource.units)).collect();
        let seizers = |number: usize| {
            let nodes = 0..network.len() as u32;
            nodes.filter(|node| network.seized_and_released(*node).0 >> number & 1 == 1).collect()
        };
        Self { free, seizers: (0..network.resources().len()).map(seizers).collect() }
    }

    /// Returns `true` if a unit of each resource of a set is free.
    pub(super) fn has(&self, set: u64) -> bool {
        (0..).zip(&self.free).all(|(number, free)| set >> number & 1 == 0 || *free > 0)
    }

    /// Takes a unit of each resource of a set.
    pub(super) fn take(&mut self, set: u64) {
        let taken = (0..).zip(&mut self.free).filter(|(number, _)| set >> number & 1 == 1);
        taken.for_each(|(_, free)| *free -= 1);
    }
}
