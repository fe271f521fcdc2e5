//! Reading the tables of a device when a run has reached its limits.

use super::device::OnDevice;
use super::results::{self, InFlight, by_class, outcome, times};
use crate::engine::EngineError;
use crate::kernels::general::departures::Departures;
use crate::kernels::general::facility::{BUCKETS, Facility};
use crate::kernels::general::line::Line;
use crate::kernels::general::servers::Servers;
use crate::outcome::{NodeStatistics, Outcome};
use crate::scenario::Scenario;
use crate::trace::Times;

/// The rows of all nodes, read back.
struct Rows {
    facilities: Vec<Facility>,
    lines: Vec<Line>,
    servers: Vec<Servers>,
    departures: Vec<Departures>,
}

impl Rows {
    fn get(&self, row: u32) -> Option<results::Rows<'_>> {
        let row = row as usize;
        Some(results::Rows {
            facility: self.facilities.get(row)?,
            line: self.lines.get(row)?,
            servers: self.servers.get(row)?,
            departures: self.departures.get(row)?,
        })
    }
}

impl OnDevice {
    fn rows(&self) -> Result<Rows, EngineError> {
        Ok(Rows {
            facilities: self.facilities.read()?,
            lines: self.lines.read()?,
            servers: self.servers.read()?,
            departures: self.departures.read()?,
        })
    }

    /// Returns the statistics by class up to the limits of the last run: network by network, by node and class.
    pub(super) fn by_class(&self, limits: &[u64]) -> Result<Vec<Vec<NodeStatistics>>, EngineError> {
        let (rows, sums) = (self.rows()?, self.classes.read()?);
        let row = |row: u32| rows.get(row);
        let sent = self.in_flight(limits.len())?;
        let networks = (0..).zip(limits).zip(&sent);
        Ok(networks.map(|((network, &limit), sent)| by_class(network, limit, &self.layout, row, sent, &sums)).collect())
    }

    /// Takes the times of the visits that ended in the last run, network by network.
    pub(super) fn take_times(&mut self) -> Result<Vec<Times>, EngineError> {
        let (facilities, counts) = (self.facilities.read()?, self.times.read()?);
        self.times.fill(0)?;
        let networks = (0..).zip(counts.chunks_exact(2 * BUCKETS as usize));
        let facilities = |network| self.layout.rows_of(network).filter_map(|row| facilities.get(row as usize));
        Ok(networks.map(|(network, counts)| times(counts, facilities(network))).collect())
    }

    /// Returns the outcomes up to the limits of the last run.
    pub(super) fn outcomes(&self, scenarios: &[Scenario<'_>], limits: &[u64]) -> Result<Vec<Outcome>, EngineError> {
        self.outcomes_with(scenarios, limits, &self.in_flight(scenarios.len())?)
    }

    /// Returns the tokens that the last step sent and no node has received yet, by networks.
    fn in_flight(&self, networks: usize) -> Result<Vec<Vec<InFlight>>, EngineError> {
        let [_, sent] = &self.sent;
        let sent = sent.read()?;
        let sent = sent.iter().filter_map(|message| {
            Some(InFlight { row: message.to.checked_sub(1)?, time: message.time, class: message.class })
        });
        Ok(self.by_networks(networks, sent))
    }

    /// Groups tokens in flight by their networks.
    pub(super) fn by_networks(&self, networks: usize, sent: impl Iterator<Item = InFlight>) -> Vec<Vec<InFlight>> {
        let mut in_flight: Vec<Vec<InFlight>> = (0..networks).map(|_| Vec::new()).collect();
        for token in sent {
            let home = self.layout.home(token.row);
            if let Some(tokens) = home.and_then(|home| in_flight.get_mut(home.network as usize)) {
                tokens.push(token);
            }
        }
        in_flight
    }

    /// Returns the outcomes with given tokens in flight.
    pub(super) fn outcomes_with(
        &self,
        scenarios: &[Scenario<'_>],
        limits: &[u64],
        sent: &[Vec<InFlight>],
    ) -> Result<Vec<Outcome>, EngineError> {
        let rows = self.rows()?;
        let row = |row: u32| rows.get(row);
        let networks = (0..).zip(scenarios).zip(limits).zip(sent);
        Ok(networks
            .map(|(((network, scenario), &limit), tokens)| outcome(scenario, network, limit, &self.layout, row, tokens))
            .collect())
    }
}
