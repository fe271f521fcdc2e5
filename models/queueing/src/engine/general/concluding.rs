//! Results of an ensemble, computed on its device.

use super::device::OnDevice;
use crate::engine::EngineError;
use crate::kernels::general::conclusion::{FacilityEnd, NodesArgs, PRINT_SLOTS, conclude};
use crate::outcome::{Ended, NodeStatistics, Parts, VisitSums};
use imminent_core::{Program, Table, TallyTable};
use rayon::prelude::*;

impl OnDevice {
    /// Returns the results up to the limits of the last run.
    pub(super) fn results(&self, limits: &[u64]) -> Result<Vec<Ended>, EngineError> {
        let device = self.facilities.device();
        let prints = TallyTable::new(device, &vec![0; (limits.len() * PRINT_SLOTS as usize).max(1)])?;
        let mut ends = Table::<FacilityEnd>::zeroed(device, self.facilities.len())?;
        device.queue().launch::<conclude>((&mut ends, self.nodes_at_end(), &prints))?;
        let (prints, ends) = (prints.read()?, ends.read()?);
        let of_network = |(network, (print, &horizon)): (usize, (&[u64], &u64))| {
            let rows = self.layout.rows_of(network as u32).filter_map(|row| ends.get(row as usize));
            let nodes: Vec<NodeStatistics> = rows.map(NodeStatistics::from).collect();
            let (parts, events) = match print {
                &[first, second, events] => (Parts { first, second }, events),
                _ => (Parts::default(), 0),
            };
            Ended { horizon, events, digest: parts.digest(nodes.len(), horizon), nodes: nodes.into() }
        };
        let networks = prints.par_chunks_exact(PRINT_SLOTS as usize).zip(limits).enumerate();
        Ok(networks.map(of_network).collect())
    }

    fn nodes_at_end(&self) -> NodesArgs<'_> {
        NodesArgs {
            facilities: &self.facilities,
            lines: &self.lines,
            servers: &self.servers,
            departures: &self.departures,
            reaches: &self.reaches,
            fars: &self.fars,
            sent: &self.sent[1],
            visits: &self.visits,
            routes: &self.routes,
        }
    }

    /// Builds a program of what follows the last step, to compile it.
    pub(super) fn conclusion(&self) -> Result<Program, EngineError> {
        let device = self.facilities.device();
        let prints = TallyTable::new(device, &[0])?;
        let mut ends = Table::<FacilityEnd>::zeroed(device, 1)?;
        Ok(Program::record(device, |program| {
            program.launch::<conclude>((&mut ends, self.nodes_at_end(), &prints))?;
            Ok(())
        })?)
    }
}

impl From<&FacilityEnd> for NodeStatistics {
    fn from(end: &FacilityEnd) -> Self {
        // A service lasts a tick at least. Sources have no sums over their services.
        let visits = if end.started_sojourn > 0 { end.served } else { 0 };
        Self {
            served: end.served,
            completed: end.completed,
            busy: end.busy,
            sojourn_sum: end.sojourn,
            waiting_sum: end.waiting,
            number_integral: end.present,
            arrivals: end.arrivals,
            lost: end.lost,
            most_waiting: Some(end.most_waiting),
            started: VisitSums { visits, waiting: end.started_waiting, sojourn: end.started_sojourn },
            ..Self::default()
        }
    }
}
