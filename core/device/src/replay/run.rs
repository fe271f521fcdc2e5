//! Execution of a loop: chunks of passes, two in progress at a time, until the device reports that it has halted.

use super::head::{Head, Reason};
use super::pace::Pace;
use super::plan::LoopPlan;
use imminent_core::backend::{Progress, Stop};
use imminent_core::clock::Instant;
use imminent_core::{Error, Result};
use std::collections::VecDeque;
use std::ops::ControlFlow;

/// The operations of one loop, prepared by a backend.
pub trait Steps {
    /// Operations that were started, and the future head when they are done.
    type Pending;

    /// Returns `true` if the device repeats passes, and the steps of inner loops, by itself. A chunk then takes no
    /// memory for each of its passes, and every inner loop runs to its end in the pass in which it was entered.
    fn repeats_by_itself(&self) -> bool {
        false
    }

    /// Puts `passes` passes on the queue, each with `repeats[i]` steps of inner loop `i` ([`LoopPlan::for_each`]),
    /// followed by a copy of the head. If the device repeats by itself, `repeats` is ignored.
    ///
    /// # Errors
    /// Errors of the driver.
    fn start(&mut self, plan: &LoopPlan, passes: u64, repeats: &[u32]) -> Result<Self::Pending>;

    /// Waits until started operations are done.
    ///
    /// # Errors
    /// Errors of the driver.
    fn wait(&mut self, pending: Self::Pending) -> Result<Head>;

    /// Puts a write of 1 to word [`STOP`](super::STOP) of the head on the queue: the loop halts at the end of its step.
    ///
    /// # Errors
    /// Errors of the driver.
    fn stop(&mut self) -> Result<()>;

    /// Returns the fault that halted the loop.
    ///
    /// # Errors
    /// Errors of the driver.
    fn fault(&mut self) -> Result<Error>;

    /// Returns the error for a loop that ended in an impossible way.
    fn broken(&self, message: String) -> Error;
}

/// End of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended {
    /// Number of steps done.
    pub steps: u64,
    /// Reason for the end.
    pub stop: Stop,
}

/// Number of chunks in progress: while one runs, the next is already queued.
const UNDER_WAY: usize = 2;

/// Runs a loop to its end. The head of its state is zero at the start.
///
/// # Errors
/// The fault that halted the loop, and errors of the driver.
pub(super) fn run<S: Steps>(
    steps: &mut S,
    plan: &LoopPlan,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Ended> {
    if plan.max_steps() == 0 {
        return Ok(Ended { steps: 0, stop: Stop::StepLimit });
    }
    let mut inner = Repeats::new(plan);
    let by_itself = steps.repeats_by_itself();
    let mut pace = Pace::new(plan.operations_of_a_pass(&inner.repeats), by_itself);
    let mut left = plan.passes_for(plan.max_steps());
    let mut under_way = VecDeque::new();
    let (mut cancelled, mut last, mut clock) = (false, Head::default(), Instant::now());
    loop {
        while under_way.len() < UNDER_WAY && left != Some(0) && last.reason == Reason::Running {
            let passes = pace.next(left.unwrap_or(u64::MAX));
            under_way.push_back((passes, steps.start(plan, passes, &inner.repeats)?));
            left = left.map(|left| left - passes);
        }
        let Some((passes, pending)) = under_way.pop_front() else { break };
        let head = steps.wait(pending)?;
        pace.took(passes, clock.elapsed());
        clock = Instant::now();
        if !by_itself && inner.adapt(&last, &head) {
            pace = Pace::new(plan.operations_of_a_pass(&inner.repeats), false);
        }
        last = head;
        if last.reason != Reason::Running {
            // The chunks still in progress change nothing any more.
            break;
        }
        if !cancelled && progress(Progress { steps: last.steps }).is_break() {
            // Between two chunks an inner loop may be unfinished: the device finishes the step and halts.
            cancelled = true;
            steps.stop()?;
        }
    }
    for (_, pending) in under_way {
        let _ = steps.wait(pending)?;
    }
    let stop = match last.reason {
        Reason::Fault => return Err(steps.fault()?),
        Reason::Test(test) => Stop::Condition(test),
        Reason::Limit => Stop::StepLimit,
        Reason::Stopped => Stop::Cancelled,
        other => {
            return Err(steps.broken(format!("a loop ended after {} steps without a reason ({other:?})", last.steps)));
        }
    };
    Ok(Ended { steps: last.steps, stop })
}

/// Number of steps of each inner loop in a pass.
#[derive(Debug)]
struct Repeats {
    repeats: Vec<u32>,
}

/// Number of repeats of the first chunk.
const FIRST_REPEATS: u32 = 4;

/// Largest number of repeats: more would too often be handed over in vain.
const MAX_REPEATS: u32 = 64;

impl Repeats {
    /// Begins with all steps of a loop in groups, which few conditions end earlier, and with few of another.
    fn new(plan: &LoopPlan) -> Repeats {
        let first = |most: Option<u64>| most.map_or(FIRST_REPEATS, |most| most.min(MAX_REPEATS.into()) as u32);
        Repeats { repeats: plan.most_steps_in_groups().into_iter().map(first).collect() }
    }

    /// Adapts to the last chunk: as many repeats as a step needed, rounded up to a power of two. Returns `true` if
    /// anything changed.
    fn adapt(&mut self, before: &Head, after: &Head) -> bool {
        let steps = after.steps.saturating_sub(before.steps);
        let mut changed = false;
        for (slot, repeats) in self.repeats.iter_mut().enumerate() {
            let total = |head: &Head| head.inner.get(slot).copied().unwrap_or(0);
            let done = u64::from(total(after).wrapping_sub(total(before)));
            let needed = if steps == 0 { u64::from(MAX_REPEATS) } else { done.div_ceil(steps) };
            let wanted = (needed.clamp(1, u64::from(MAX_REPEATS)) as u32).next_power_of_two();
            if wanted > *repeats || wanted < *repeats / 2 {
                *repeats = wanted;
                changed = true;
            }
        }
        changed
    }
}
