//! Tables of a torus of equal servers, made on the device from the numbers of its rows.

use super::EngineError;
use super::placement::Placement;
use super::tables::{Tables, stations};
use crate::kernels::relaxation::{Far, Reach, SIZE};
use crate::kernels::torus::{EDGES, FARS, SIDE, Torus, lead, look_around, set_up};
use crate::scenario::Scenario;
use imminent_core::{Device, Table};

/// Tables of a torus: those that all engines share, and the in-neighbours of its rows.
pub(super) struct OfTorus {
    pub(super) tables: Tables,
    pub(super) reaches: Table<Reach>,
    pub(super) fars: Table<Far>,
}

/// Returns the torus of a scenario with the same number of tokens at each node; `None` for other networks, and for a
/// torus whose sides are no multiples of a tile's, or no longer.
pub(super) fn tiled(scenario: &Scenario<'_>) -> Option<Torus> {
    let (network, tokens) = (scenario.network(), scenario.tokens());
    let is_tiled = |side: u32| side > SIDE && side.is_multiple_of(SIDE);
    let (width, height) = network.as_torus().filter(|(width, height)| is_tiled(*width) && is_tiled(*height))?;
    let each = tokens.first().copied().filter(|first| tokens.iter().all(|tokens| tokens == first))?;
    Some(Torus { width, height, mean: network.mean_service(0), tokens: each, key: scenario.key().number() })
}

impl OfTorus {
    /// Makes the tables for the [torus](tiled) of a scenario. Lines get room for `arrivals` more tokens than they hold.
    pub(super) fn new(
        device: &Device,
        scenario: &Scenario<'_>,
        torus: &Torus,
        arrivals: u64,
    ) -> Result<Self, EngineError> {
        let (rows, queue) = (scenario.network().len(), device.queue());
        let mut stations = stations(device, scenario, arrivals)?;
        let mut reaches = Table::zeroed(device, rows)?;
        queue.launch::<set_up>((&mut stations, &mut reaches, torus))?;
        let mut targets = Table::zeroed(device, rows * EDGES as usize)?;
        queue.launch::<lead>((&mut targets, torus))?;
        let mut fars = Table::zeroed(device, rows / SIZE as usize * FARS as usize)?;
        queue.launch::<look_around>((&mut fars, torus))?;
        let placement = Placement::in_tiles((torus.width, torus.height), SIDE);
        let tables = Tables::of_stations(scenario, 0, (stations, targets), placement)?;
        Ok(Self { tables, reaches, fars })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::engine::reach::reaches;
    use crate::kernels::station::{Station, Target, TargetColumns as _};
    use crate::{Network, Start};
    use imminent_cpu::{CpuBackend, Options};

    fn device() -> Device {
        CpuBackend::open(&Options::default()).and_then(Device::open).unwrap()
    }

    /// The tables that the host makes from the lists of the network are the ones expected.
    #[test]
    fn tables_from_numbers_are_those_from_lists() {
        let device = device();
        for (width, height, tokens) in [(32, 32, 1), (48, 32, 0), (32, 80, 3)] {
            let network = Network::torus(width, height, 10 << 20, tokens).unwrap();
            let scenario = Scenario::new(&network, Start::One, 1, 7, 2).unwrap();
            let found = OfTorus::new(&device, &scenario, &tiled(&scenario).unwrap(), 12).unwrap();
            let placement = Placement::in_groups(&network, SIZE);
            let listed = Tables::placed(&device, &scenario, 0, 12, placement.clone()).unwrap();
            let (near, far) = reaches(&network, &placement).unwrap();
            assert_eq!(found.tables.stations.capacity(), listed.stations.capacity());
            let nodes = |table: &Table<Target>| table.node().read().unwrap();
            assert_eq!(nodes(&found.tables.targets), nodes(&listed.targets));
            let (stations, expected) = (found.tables.stations.read().unwrap(), listed.stations.read().unwrap());
            for (station, expected) in stations.iter().zip(&expected) {
                let of = |station: &Station| {
                    let rng = (station.rng.state, station.rng.increment);
                    (rng, station.next_service, station.mean, station.waiting, station.first_target, station.targets)
                };
                assert_eq!(of(station), of(expected));
            }
            let (reaches, fars) = (found.reaches.read().unwrap(), found.fars.read().unwrap());
            for (row, (reach, expected)) in (0..).zip(reaches.iter().zip(&near)) {
                let from = |reach: &Reach, fars: &[Far]| {
                    let near = (0..reach.near).map(|k| row - row % SIZE + reach.place(k));
                    let far = (reach.first_far..reach.first_far + reach.far).map(|far| fars[far as usize].node);
                    let mut from: Vec<u32> = near.chain(far).collect();
                    from.sort_unstable();
                    (reach.near, from)
                };
                assert_eq!(from(reach, &fars), from(expected, &far), "row {row}");
                assert!((reach.near..4).all(|k| reach.place(k) == reach.place(0)));
            }
        }
    }

    #[test]
    fn other_networks_are_made_from_lists() {
        let is_made = |network: &Network, start| tiled(&Scenario::new(network, start, 1, 7, 2).unwrap()).is_some();
        let torus = |width, height| Network::torus(width, height, 10, 1).unwrap();
        assert!(is_made(&torus(64, 32), Start::One) && !is_made(&torus(64, 32), Start::Stationary));
        for (width, height) in [(16, 64), (64, 16), (40, 32), (32, 33), (1, 1)] {
            assert!(!is_made(&torus(width, height), Start::One), "{width} x {height}");
        }
    }
}
