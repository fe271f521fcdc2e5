//! One run of a study, timed.

use clap::ValueEnum;
use imminent::models::events::mesh::{Mesh, MeshError, MeshStudy, mesh};
use imminent::models::events::{
    Coprocessor, Engine, EngineError, Events, Mapping, MappingChoice, Outcome, Start, sequential,
};
use imminent::{Device, Error, Result};
use std::time::Instant;

/// Where the lists of events are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Lists {
    /// On the device.
    Device,
    /// On the host, which uploads events and downloads what they schedule (the paper's co-processor).
    Host,
}

/// How simulations are run on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// With their lists there.
    Lists {
        /// Which modules are side by side.
        mapping: MappingChoice,
        /// The most events that happen at a module in a step, if not the usual number.
        per_step: Option<u32>,
    },
    /// With their lists on the host, in so many parts.
    Streams {
        /// How many.
        parts: u32,
        /// Whether states go to the device and back in every round.
        copies: bool,
    },
}

/// A run that is timed: on a device, or without one, one simulation after the other on one core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timed<'d> {
    pub(crate) device: Option<&'d Device>,
    pub(crate) way: Way,
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ran {
    /// Wall time, without what it takes to make tables and to compile.
    pub(crate) seconds: f64,
    pub(crate) events: u64,
    /// Those of lists on a device.
    pub(crate) steps: u64,
    /// The mapping in use at the end, where there was one.
    pub(crate) mapping: Option<Mapping>,
}

impl Timed<'_> {
    /// Runs simulations whose handlers schedule at most `most` events each.
    pub(crate) fn run<E: Events>(self, starts: &[Start<E>], most: u32) -> Result<Ran> {
        let Some(device) = self.device else { return one_after_the_other(starts, most) };
        match self.way {
            Way::Lists { mapping, per_step } => {
                let mut engine = Engine::new(device, starts, most).map_err(device_error)?;
                if let Some(events) = per_step {
                    engine.set_events_per_step(events);
                }
                engine.set_mapping(mapping);
                engine.compile().map_err(device_error)?;
                device.queue().wait()?;
                let begin = Instant::now();
                let ends = engine.run().map_err(device_error)?;
                let seconds = begin.elapsed().as_secs_f64();
                Ok(Ran { seconds, events: events_of::<E>(ends)?, steps: engine.steps(), mapping: engine.mapping() })
            }
            Way::Streams { parts, copies } => {
                let mut engine = Coprocessor::new(device, starts, most, parts as usize).map_err(device_error)?;
                engine.set_copying(copies);
                device.queue().wait()?;
                let begin = Instant::now();
                let ends = engine.run().map_err(device_error)?;
                let seconds = begin.elapsed().as_secs_f64();
                Ok(Ran { seconds, events: events_of::<E>(ends)?, steps: 0, mapping: None })
            }
        }
    }
}

fn one_after_the_other<E: Events>(starts: &[Start<E>], most: u32) -> Result<Ran> {
    let begin = Instant::now();
    let ends: std::result::Result<Vec<_>, _> =
        starts.iter().enumerate().map(|(number, start)| sequential(start, most, number)).collect();
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Ran { seconds, events: events_of::<E>(ends.map_err(device_error)?)?, steps: 0, mapping: None })
}

/// How many events happened.
fn events_of<E: Events>(ends: Vec<Outcome<E>>) -> Result<u64> {
    let mut events = 0;
    for end in ends {
        events += end.map_err(|trouble| Error::invalid("study", trouble.to_string()))?.handled;
    }
    Ok(events)
}

/// An engine's error as one of a device.
pub(super) fn device_error(error: EngineError) -> Error {
    match error {
        EngineError::Device(error) => error,
        other => Error::invalid("study", other.to_string()),
    }
}

/// Simulations of meshes, and how many events a handler schedules at most.
pub(crate) type Meshes = (Vec<Start<mesh::step>>, u32);

/// The paper's simulations of a mesh of so many nodes: all points with one seed, then with the next, the first so many of them.
pub(crate) fn meshes(simulations: u32, nodes: u32, seconds: f64) -> Result<Meshes> {
    of_points(simulations, nodes, seconds).map_err(|error| Error::invalid("study", error.to_string()))
}

fn of_points(simulations: u32, nodes: u32, seconds: f64) -> std::result::Result<Meshes, MeshError> {
    let mesh = Mesh { nodes, seconds, ..Mesh::default() };
    let most = mesh.set_up()?.most();
    let mut study = MeshStudy { mesh, ..MeshStudy::default() };
    study.seeds = u64::from(simulations).div_ceil((study.rates.len() * study.speeds.len()) as u64);
    let mut starts = study.starts()?;
    starts.truncate(simulations as usize);
    Ok((starts, most))
}
