//! Launches of small kernels, whose time is that of the runtime.

use super::timing::{Timing, time};
use imminent::models::study::benchmark::Line;
use imminent::{Device, Program, Result, Table};
use kernels::Counter;
use serde::Serialize;
use std::time::Duration;

#[imminent::kernels]
mod kernels {
    #[derive(Row)]
    pub struct Counter {
        pub value: u64,
    }

    /// Increments a row: one of the smallest possible kernels.
    #[kernel]
    pub fn count(me: &mut Counter) {
        me.value += 1;
    }

    /// Increments a row and returns a result.
    #[kernel(reduce = max)]
    pub fn count_and_tell(me: &mut Counter) -> u64 {
        me.value += 1;
        me.value
    }
}

/// Number of rows of the table: one group.
const ROWS: usize = 256;

/// Cost of one operation.
#[derive(Debug, Serialize)]
pub(super) struct Cost {
    what: &'static str,
    /// Number of operations before the host waited.
    count: u64,
    #[serde(flatten)]
    each: Timing,
}

impl Line for Cost {
    const HEAD: &'static [&'static str] = &["what", "before a wait", "us each, median", "half of the runs", "runs"];

    fn cells(&self) -> Vec<String> {
        let runs = self.each.runs.to_string();
        vec![self.what.to_owned(), self.count.to_string(), self.each.median(), self.each.spread(), runs]
    }
}

/// Measures launches one by one and in batches, results read by the host, and steps of a loop that the device ends.
pub(super) fn measure(device: &Device, budget: Duration) -> Result<Vec<Cost>> {
    let queue = device.queue();
    let mut table = Table::<Counter>::zeroed(device, ROWS)?;
    let mut costs = Vec::new();
    for count in [1, 100, 10_000] {
        let timing = time(budget, || {
            for _ in 0..count {
                queue.launch::<kernels::count>((&mut table,))?;
            }
            queue.wait()
        })?;
        costs.push(Cost { what: "launch", count, each: timing.each(count) });
    }
    for count in [1, 100] {
        let timing = time(budget, || {
            for _ in 0..count {
                queue.launch::<kernels::count_and_tell>((&mut table,))?;
            }
            queue.wait()
        })?;
        costs.push(Cost { what: "launch with a reduction", count, each: timing.each(count) });
    }
    let timing = time(budget, || queue.launch::<kernels::count_and_tell>((&mut table,))?.read().map(drop))?;
    costs.push(Cost { what: "launch with a result that the host reads", count: 1, each: timing });
    for steps in [100, 10_000] {
        // Only the overhead of a step of a loop: counting, the test, and the branch.
        let mut program = Program::record(device, |program| {
            let greatest = program.launch::<kernels::count_and_tell>((&mut table,))?;
            program.loop_until(steps, |_| Ok(vec![greatest.equals(0)]))
        })?;
        let timing = time(budget, || program.run().map(drop))?;
        costs.push(Cost { what: "empty step of a loop that the device ends", count: steps, each: timing.each(steps) });
        let mut program = Program::record(device, |program| {
            program.loop_until(steps, |step| {
                let greatest = step.launch::<kernels::count_and_tell>((&mut table,))?;
                Ok(vec![greatest.equals(0)])
            })
        })?;
        let timing = time(budget, || program.run().map(drop))?;
        costs.push(Cost { what: "step of one launch in such a loop", count: steps, each: timing.each(steps) });
    }
    Ok(costs)
}
