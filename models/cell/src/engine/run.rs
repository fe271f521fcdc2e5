//! Runs on a device whose rule may fail.

use super::contract::CellKernels;
use super::task::{Ended, Failure, Task};
use super::{device, host};
use crate::outcome::Engine;
use crate::runner::Runner;
use imminent_core::ir::FaultKind;
use imminent_core::{Device, Error};

/// Runs a model by tables. Gives its end, the number of rounds, and the engine that took most of them.
///
/// A fault on a device names a row, which may be a lane of a group, and no time; an overfull queue is found after
/// several rounds. The host therefore repeats the run, with the same result up to the error, and names the cell and the
/// time.
pub(crate) fn by_tables<M: CellKernels>(
    device: &Device,
    task: &Task<'_, M>,
    engine: Engine,
    runner: &mut Runner<'_>,
) -> Result<Ended<M::Value>, Failure> {
    let failure = match device::by_rounds(device, task, engine, runner) {
        Ok(Some(done)) => return Ok(done),
        Ok(None) => {
            let (end, times) = host::by_windows(task, runner, &mut |_| ())?;
            return Ok((end, times, Engine::Window));
        }
        Err(failure) => failure,
    };
    if let Failure::Device(Error::Fault(fault)) = &failure
        && fault.kind != FaultKind::LoopCut
        && let Err(located @ (Failure::Rule(_) | Failure::Cancelled(_))) = host::by_windows(task, runner, &mut |_| ())
    {
        return Err(located);
    }
    Err(failure)
}
