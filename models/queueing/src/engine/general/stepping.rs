//! Programs of the general engine on a device.

use super::device::OnDevice;
use crate::engine::EngineError;
use crate::engine::limits::UNCHECKED_LAUNCHES;
use crate::kernels::general::enclosed;
use crate::kernels::general::facility::{NetworkArgs, NodeArgs};
use crate::kernels::general::steps::{
    MessagesArgs, NodesArgs, PaceArgs, ReceiversArgs, begin, serve, serve_again, serve_again_behind,
};
use crate::kernels::relaxation::relax;
use imminent_core::Program;

impl OnDevice {
    /// Builds the program of one step. It repeats until no service can start before its limit (condition 0) or a line
    /// might overflow (condition 1).
    pub(super) fn step(&mut self) -> Result<Program, EngineError> {
        if self.is_enclosed { self.step_of_enclosed() } else { self.step_of_all() }
    }

    /// Builds a step of two launches, each of which advances every network by many rounds.
    fn step_of_enclosed(&mut self) -> Result<Program, EngineError> {
        let device = self.facilities.device().clone();
        let Self { facilities, lookaheads, lines, servers, departures, reaches, fars, visits, routes, .. } = self;
        let Self { laws, quantiles, times, classes, throttle, too_full, flags, .. } = self;
        let [first, second] = flags.each_ref();
        let net = NetworkArgs { visits, routes, laws, quantiles, times, classes };
        let stops = too_full.above(0, 0);
        let program = Program::record(&device, |program| {
            program.loop_until(u64::MAX, |step| {
                // Each launch clears the flag of the next one. A launch that cleared its own could not tell whether its
                // other groups had raised it already.
                for (working, next) in [(first, second), (second, first)] {
                    let rows = NodesArgs { facilities, lookaheads, lines, servers, departures, reaches };
                    step.launch::<enclosed::advance>((rows, &*fars, net, working, next, &*too_full, &*throttle))?;
                }
                Ok(vec![second.equals(0, 0), stops.clone()])
            })
        })?;
        Ok(program)
    }

    /// Builds a step of all nodes at once: they receive tokens, relax their bounds to the fixed point, and start
    /// services twice.
    fn step_of_all(&mut self) -> Result<Program, EngineError> {
        let device = self.facilities.device().clone();
        let Self { facilities, lookaheads, lines, servers, bounds: [bounds, others], sent: [sent, sent_last], .. } =
            self;
        let Self {
            departures, reaches, fars, visits, routes, laws, quantiles, too_full, times, classes, throttle, ..
        } = self;
        let Self { clocks: [before, now], flags, started, .. } = self;
        let net = NetworkArgs { visits, routes, laws, quantiles, times, classes };
        let is_throttled = throttle.window < u64::MAX;
        let stops = too_full.above(0, 0);
        let program = Program::record(&device, |program| {
            program.loop_until(u64::MAX, |step| {
                let (mut current, mut next) = (&mut *bounds, &mut *others);
                let [mut fell, mut falls] = flags.each_ref();
                if is_throttled {
                    // The last launch of the previous step has found the slowest node, from which this one measures.
                    step.swap(before, now)?;
                }
                let nodes = ReceiversArgs { lines, lookaheads, departures, reaches };
                let messages = MessagesArgs { sent: sent_last, fars };
                step.launch::<begin>((nodes, &mut *current, messages, &*too_full, &*started))?;
                for _ in 0..UNCHECKED_LAUNCHES {
                    step.launch::<relax>((&*lookaheads, &*reaches, &mut *next, &*current, &*fars, fell, falls))?;
                    (current, next, fell, falls) = (next, current, falls, fell);
                }
                step.loop_until(u64::MAX, |again| {
                    again.launch::<relax>((&*lookaheads, &*reaches, &mut *next, &*current, &*fars, fell, falls))?;
                    again.launch::<relax>((&*lookaheads, &*reaches, &mut *current, &*next, &*fars, falls, fell))?;
                    Ok(vec![falls.equals(0, 0)])
                })?;
                let pace = PaceArgs { clock: before, throttle };
                let nodes = NodesArgs { facilities, lookaheads, lines, servers, departures, reaches };
                step.launch::<serve>((nodes, &mut *sent, &*current, &*fars, net, pace, &*started))?;
                let node = NodeArgs { me: facilities, lookahead: lookaheads, line: lines, servers, departures };
                let messages = MessagesArgs { sent, fars };
                if !is_throttled {
                    // Without a limit nobody needs the least start, a reduction over all nodes: a flag is enough.
                    step.launch::<serve_again>((node, &mut *sent_last, messages, &*reaches, &*current, net))?;
                    return Ok(vec![started.equals(0, 0), stops.clone()]);
                }
                let next = step.launch_into::<serve_again_behind, _>(
                    (node, &mut *sent_last, messages, &*reaches, &*current, net, pace),
                    &mut *now,
                )?;
                Ok(vec![next.equals(u64::MAX), stops.clone()])
            })
        })?;
        Ok(program)
    }
}
