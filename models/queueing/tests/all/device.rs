//! Devices on which engines run in tests, and experiments on them.

use imminent_core::{Device, Progress};
use imminent_cpu::{CpuBackend, Options};
use imminent_queueing::Scenario;
use imminent_queueing::analysis::{Findings, Watch};
use imminent_queueing::engine::{EngineError, Watching, watched};
use imminent_queueing::experiment::{Experiment, ExperimentError};
use std::ops::ControlFlow;

/// Opens the host with its usual number of threads.
pub(crate) fn host() -> Device {
    CpuBackend::open(&Options::default()).and_then(Device::open).unwrap()
}

/// Opens the host with a number of threads.
pub(crate) fn device(threads: usize) -> Device {
    CpuBackend::open(&Options { threads: Some(threads), ..Options::default() }).and_then(Device::open).unwrap()
}

/// Progress function that never stops a run.
pub(crate) fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Runs the replications of an experiment, `together` at a time.
pub(crate) fn run(
    device: &Device,
    experiment: &Experiment,
    together: u64,
    how: Watching,
) -> Result<Findings, Box<ExperimentError<EngineError>>> {
    let engine =
        |scenarios: &[Scenario<'_>], watches: &mut [Watch<'_>]| watched(device, scenarios, watches, how, &mut go_on);
    Ok(experiment.run_together(together, engine, drop)?)
}
