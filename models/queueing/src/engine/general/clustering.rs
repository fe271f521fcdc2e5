//! Clustered-time engine over the rows of the general engine.

use super::device::OnDevice;
use super::results::InFlight;
use crate::engine::error::EngineError;
use crate::engine::simulated::Simulated;
use crate::interval::{check, first_time_beyond};
use crate::kernels::general::clustering::{Clusters, Onward, depart, minimum, reschedule, update};
use crate::kernels::general::facility::{EntranceArgs, NetworkArgs, NodeArgs};
use crate::kernels::general::steps::MessagesArgs;
use crate::scenario::Scenario;
use crate::spent::Spent;
use imminent_core::clock::Instant;
use imminent_core::{Device, Program, Progress, Stop, Table};
use std::ops::ControlFlow;

/// Simulates one replication of a network of single servers and sources.
pub(in crate::engine) fn clustered(
    device: &Device,
    scenario: &Scenario<'_>,
    interval: u64,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Simulated, EngineError> {
    check(scenario.network())?;
    let scenarios = std::slice::from_ref(scenario);
    let mut rows = OnDevice::open(device, scenarios)?;
    rows.set_up()?;
    let mut onward = Table::<Onward>::zeroed(device, rows.facilities.len())?;
    let run = Clusters { horizon: scenario.horizon(), interval };
    let began = Instant::now();
    let mut steps = 0;
    if run.horizon > 0 {
        // The step at time 0: the tokens of the start enter, and servers begin.
        rows.enter(device)?;
        rows.begin_services(device, &mut onward, &run)?;
        steps = 1;
        loop {
            if rows.is_too_full()? {
                rows.grow()?;
            }
            let mut program = rows.cluster(device, &mut onward, &run)?;
            let outcome = program.run_with(|now| progress(Progress { steps: steps + now.steps }))?;
            steps += outcome.steps;
            match outcome.stop {
                Stop::Condition(0) => {
                    // The last step found nothing to do.
                    steps -= 1;
                    break;
                }
                Stop::Cancelled => return Err(EngineError::Cancelled { steps }),
                _ => {}
            }
        }
    }
    let reading = Spent::since(began);
    let (onward, servers) = (onward.read()?, rows.servers.read()?);
    let in_service = onward.iter().zip(&servers).filter(|(_, servers)| servers.busy > 0);
    let sent = in_service.filter_map(|(onward, servers)| {
        Some(InFlight { row: onward.to.checked_sub(1)?, time: servers.first_end(), class: onward.class })
    });
    let sent = rows.by_networks(1, sent);
    let outcome = rows.outcomes_with(scenarios, &[run.horizon], &sent)?.pop();
    let outcome = outcome.ok_or(EngineError::TooLarge { what: "nodes" })?;
    Ok(Simulated { outcome, spent: reading.end(), steps })
}

impl OnDevice {
    fn enter(&mut self, device: &Device) -> Result<(), EngineError> {
        let Self { facilities, reaches, lines, servers, sent: [_, sent], fars, visits, .. } = self;
        let messages = MessagesArgs { sent, fars };
        let entrance = EntranceArgs { visits, classes: &self.classes };
        device.queue().launch::<update>((facilities, &*reaches, lines, servers, messages, entrance, &self.too_full))?;
        Ok(())
    }

    fn begin_services(
        &mut self,
        device: &Device,
        onward: &mut Table<Onward>,
        run: &Clusters,
    ) -> Result<(), EngineError> {
        let Self {
            facilities, lookaheads, lines, servers, departures, visits, routes, laws, quantiles, clocks, ..
        } = self;
        let ([clock, _], times, classes) = (clocks, &self.times, &self.classes);
        let node = NodeArgs { me: facilities, lookahead: lookaheads, line: lines, servers, departures };
        let net = NetworkArgs { visits, routes, laws, quantiles, times, classes };
        device.queue().launch::<reschedule>((node, onward, net, &*clock, run))?;
        Ok(())
    }

    /// Builds the program of one step. It repeats until the step lies at the horizon or later (condition 0) or a line
    /// might overflow (condition 1).
    fn cluster(&mut self, device: &Device, onward: &mut Table<Onward>, run: &Clusters) -> Result<Program, EngineError> {
        let Self { facilities, lookaheads, lines, servers, departures, visits, routes, laws, quantiles, .. } = self;
        let [_, sent] = &mut self.sent;
        let ([clock, _], reaches, fars) = (&mut self.clocks, &self.reaches, &self.fars);
        let (too_full, times, classes) = (&self.too_full, &self.times, &self.classes);
        let net = NetworkArgs { visits, routes, laws, quantiles, times, classes };
        let stops = too_full.above(0, 0);
        let beyond = first_time_beyond(run.horizon, run.interval);
        let program = Program::record(device, |program| {
            program.loop_until(u64::MAX, |step| {
                let next = step.launch_into::<minimum, _>((&*servers,), clock)?;
                step.launch::<depart>((&*facilities, &mut *servers, &*onward, &mut *sent, &*clock, run))?;
                let (messages, entrance) = (MessagesArgs { sent, fars }, EntranceArgs { visits, classes });
                step.launch::<update>((
                    &mut *facilities,
                    reaches,
                    &mut *lines,
                    &mut *servers,
                    messages,
                    entrance,
                    too_full,
                ))?;
                let node = NodeArgs { me: facilities, lookahead: lookaheads, line: lines, servers, departures };
                step.launch::<reschedule>((node, &mut *onward, net, &*clock, run))?;
                Ok(vec![next.at_least(beyond), stops.clone()])
            })
        })?;
        Ok(program)
    }
}
