//! Timing of a run of a study.

use crate::mesh::{Mesh, MeshError, MeshStudy, mesh};
use crate::{
    Coprocessor, Engine, Events, Execution, Mapping, MappingChoice, Outcome, Speculation, Start, Trouble, sequential,
};
use imminent_core::Device;
use imminent_core::clock::Instant;
use imminent_study::laboratory::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Place of the lists of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lists {
    /// Device.
    Device,
    /// Host, which uploads events and downloads the events that they schedule (the paper's co-processor).
    Host,
}

/// Strategy by which simulations run on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strategy {
    /// Lists of events on the device, or on threads of the host.
    Lists {
        execution: Execution,
        /// Mapping of modules to threads.
        mapping: MappingChoice,
        /// Largest number of events at a module in a step; `None` for the default.
        per_step: Option<u32>,
        /// Length of speculative time windows in ticks; `None` for conservative steps.
        window: Option<u64>,
    },
    /// Lists of events on the host, in several parts.
    Streams {
        /// Number of parts into which the modules are divided.
        parts: u32,
        /// `true` if states are copied to the device and back in every round.
        copies: bool,
    },
}

/// A timed run: on a device, or without one sequentially on one core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timed<'d> {
    pub(crate) device: Option<&'d Device>,
    pub(crate) strategy: Strategy,
}

/// Result of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TimedRun {
    /// Wall time in seconds, without making tables and compiling.
    pub(crate) seconds: f64,
    pub(crate) events: u64,
    /// Number of steps, for lists on a device.
    pub(crate) steps: u64,
    /// Mapping in use at the end, if there was one.
    pub(crate) mapping: Option<Mapping>,
    /// Work of speculative time windows, if there were any.
    pub(crate) speculation: Option<Speculation>,
}

impl Timed<'_> {
    /// Runs simulations whose handlers schedule at most `most` events each.
    pub(crate) fn run<E: Events>(self, starts: &[Start<E>], most: u32) -> Result<TimedRun, Fault> {
        let Some(device) = self.device else { return one_after_the_other(starts, most) };
        match self.strategy {
            Strategy::Lists { execution, mapping, per_step, window } => {
                let mut engine = Engine::on(execution, device, starts.to_vec(), BTreeMap::new(), most)?;
                if let Some(events) = per_step {
                    engine.set_events_per_step(events);
                }
                engine.set_mapping(mapping);
                engine.set_window(window)?;
                engine.compile()?;
                device.queue().wait()?;
                let begin = Instant::now();
                let ends = engine.run()?;
                let seconds = begin.elapsed().as_secs_f64();
                let (steps, mapping) = (engine.steps(), engine.mapping());
                let speculation = engine.speculation()?;
                Ok(TimedRun { seconds, events: events_of::<E>(ends)?, steps, mapping, speculation })
            }
            Strategy::Streams { parts, copies } => {
                let mut engine = Coprocessor::new(device, starts, most, parts as usize)?;
                engine.set_copying(copies);
                device.queue().wait()?;
                let begin = Instant::now();
                let ends = engine.run()?;
                let seconds = begin.elapsed().as_secs_f64();
                Ok(TimedRun { seconds, events: events_of::<E>(ends)?, steps: 0, mapping: None, speculation: None })
            }
        }
    }
}

fn one_after_the_other<E: Events>(starts: &[Start<E>], most: u32) -> Result<TimedRun, Fault> {
    let begin = Instant::now();
    let ends = starts.iter().enumerate().map(|(number, start)| sequential(start, most, number));
    let ends = ends.collect::<Result<Vec<_>, _>>()?;
    let seconds = begin.elapsed().as_secs_f64();
    Ok(TimedRun { seconds, events: events_of::<E>(ends)?, steps: 0, mapping: None, speculation: None })
}

/// Returns the number of events.
fn events_of<E: Events>(ends: Vec<Outcome<E>>) -> Result<u64, Trouble> {
    ends.into_iter().map(|end| Ok(end?.handled)).sum()
}

/// Simulations of meshes, and the largest number of events that a handler schedules.
pub(crate) type Meshes = (Vec<Start<mesh::step>>, u32);

/// Returns the first `simulations` of the paper's simulations of a mesh of `nodes` nodes: all points with one seed,
/// then with the next.
pub(crate) fn meshes(simulations: u32, nodes: u32, seconds: f64) -> Result<Meshes, MeshError> {
    let mesh = Mesh { nodes, seconds, ..Mesh::default() };
    let most = mesh.set_up()?.most();
    let mut study = MeshStudy { mesh, ..MeshStudy::default() };
    study.seeds = u64::from(simulations).div_ceil((study.rates.len() * study.speeds.len()) as u64);
    let mut starts = study.starts()?;
    starts.truncate(simulations as usize);
    Ok((starts, most))
}
