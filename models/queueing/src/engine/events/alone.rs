//! Single-threaded processing of events in order.

use super::reporter::Reporter;
use super::servers::{Log, Over};
use crate::calendar::{Arrivals, Windows};
use crate::engine::EngineError;
use crate::kernels::server::Server;
use crate::network::Simple;
use crate::scenario::Scenario;
use crate::spent::Spent;
use imminent_core::Progress;
use imminent_core::clock::Instant;
use std::ops::ControlFlow;

/// Simulates a scenario with its stations, which are in their state at time 0, in `servers`.
pub(super) fn simulate(
    scenario: &Scenario<'_>,
    network: Simple<'_>,
    servers: &mut [Server],
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Over, EngineError> {
    let horizon = scenario.horizon();
    let began = Instant::now();
    let mut events =
        Events { horizon, servers, targets: network.targets(), log: Log::default(), reporter: Reporter::new(progress) };
    if Windows::of(scenario).run(scenario.tokens(), &mut events).is_break() {
        return Err(EngineError::Cancelled { steps: events.log.events });
    }
    Ok(Over { logs: vec![events.log], reading: Spent::since(began) })
}

struct Events<'a> {
    horizon: u64,
    servers: &'a mut [Server],
    /// Targets of the edges.
    targets: &'a [u32],
    log: Log,
    reporter: Reporter<'a>,
}

impl Arrivals for Events<'_> {
    #[inline(always)]
    fn look_ahead(&self, node: u32) -> u32 {
        let server = self.servers.get(node as usize);
        server.and_then(|server| self.targets.get(server.first_target as usize)).copied().unwrap_or(0)
    }

    #[inline(always)]
    fn arrive(&mut self, node: u32, arrival: u64) -> Option<(u64, u32)> {
        let server = self.servers.get_mut(node as usize)?;
        self.log.serve(server, arrival, self.horizon, self.targets)
    }

    fn window_ended(&mut self) -> ControlFlow<()> {
        self.reporter.report(self.log.events)
    }
}
