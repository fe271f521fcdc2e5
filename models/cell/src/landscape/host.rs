//! Fires on hosts: a calendar of pending ignitions for each fire, fires of an ensemble on all of the device's threads.

use super::burnt::{BINS, Burnt, Report, bin};
use super::delays::Delays;
use super::error::WildfireError;
use super::plan::{Plan, Start};
use super::travel::arrival;
use super::{DIRECTION_COUNT, NEVER};
use crate::outcome::Cancelled;
use crate::runner::{Phase, Runner, Watch};
use imminent_common::sharing::{Report as Asked, share};
use imminent_core::Progress;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::channel;

/// Ignitions between two looks at the progress function.
const IGNITIONS_PER_LOOK: usize = 1 << 16;

/// Calendar of pending ignitions: a radix heap. Times are taken in ascending order. A time is in the bucket of the
/// highest bit in which it differs from the last one taken.
struct Calendar {
    last: u32,
    buckets: [Vec<(u32, u32)>; 33],
}

impl Calendar {
    fn new() -> Self {
        Calendar { last: 0, buckets: std::array::from_fn(|_| Vec::new()) }
    }

    fn push(&mut self, time: u32, cell: u32) {
        let bucket = u32::BITS - (time ^ self.last).leading_zeros();
        if let Some(bucket) = self.buckets.get_mut(bucket as usize) {
            bucket.push((time, cell));
        }
    }

    fn pop(&mut self) -> Option<(u32, u32)> {
        let first = self.buckets.iter().position(|bucket| !bucket.is_empty())?;
        if first > 0 {
            let mut moved = self.buckets.get_mut(first).map(std::mem::take)?;
            self.last = moved.iter().map(|&(time, _)| time).min()?;
            for (time, cell) in moved.drain(..) {
                self.push(time, cell);
            }
            // The memory of the bucket is used again.
            if let Some(bucket) = self.buckets.get_mut(first) {
                *bucket = moved;
            }
        }
        self.buckets.first_mut()?.pop()
    }
}

/// Memory of a thread that burns one fire after another.
pub(super) struct Ground {
    /// Ignition times; [`NEVER`] but in cells of the present fire.
    pub(super) ignition: Vec<u32>,
    /// Cells that have ignited, in the order of their times.
    pub(super) burnt: Vec<u32>,
    calendar: Calendar,
    /// Tables of the bands.
    tables: Vec<u32>,
}

impl Ground {
    pub(super) fn new(plan: &Plan) -> Self {
        let ignition = vec![NEVER; plan.landscape.cells()];
        Ground { ignition, burnt: Vec::new(), calendar: Calendar::new(), tables: Vec::new() }
    }

    /// Burns a fire. `go_on` is called from time to time, with the number of cells that have ignited.
    pub(super) fn burn(
        &mut self,
        plan: &Plan,
        delays: &Delays,
        start: &Start,
        mut go_on: impl FnMut(u64) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        self.clear();
        self.tables.extend((0..plan.bands.count).map(|band| plan.table(start.scenario, band)));
        for &cell in &start.cells {
            if let Some(time) = self.ignition.get_mut(cell as usize).filter(|time| **time != 0) {
                *time = 0;
                self.calendar.push(0, cell);
            }
        }
        while let Some((time, cell)) = self.calendar.pop() {
            // A pending ignition that was pre-empted has another time than the cell.
            if self.ignition.get(cell as usize) != Some(&time) {
                continue;
            }
            self.burnt.push(cell);
            if self.burnt.len().is_multiple_of(IGNITIONS_PER_LOOK) {
                go_on(self.burnt.len() as u64)?;
            }
            let place = plan.place(cell);
            for direction in 0..DIRECTION_COUNT {
                self.spread(plan, delays, time, place, direction);
            }
        }
        Ok(())
    }

    #[inline]
    fn spread(&mut self, plan: &Plan, delays: &Delays, time: u32, place: (u32, u32), direction: usize) {
        let Some(other) = plan.after(place, direction) else { return };
        let Some(pending) = self.ignition.get_mut(other).filter(|pending| **pending > time) else { return };
        let tables = &self.tables;
        let delay_in =
            |band: u32| tables.get(band as usize).map_or(NEVER, |&table| delays.get(table, other, direction));
        let due = arrival(plan.bands, time, plan.horizon, delay_in);
        if due < *pending {
            *pending = due;
            self.calendar.push(due, other as u32);
        }
    }

    fn clear(&mut self) {
        for cell in self.burnt.drain(..) {
            if let Some(time) = self.ignition.get_mut(cell as usize) {
                *time = NEVER;
            }
        }
        self.tables.clear();
        self.calendar.last = 0;
    }
}

/// Computes the ignition times of the first fire of a plan; also returns the number of cells that ignite.
pub(super) fn one(plan: &Plan, runner: &mut Runner<'_>) -> Result<(Vec<u32>, u64), WildfireError> {
    let delays = plan.prepare()?;
    runner.enter(Phase::Simulation);
    let mut ground = Ground::new(plan);
    if let Some(start) = plan.fires.first() {
        ground.burn(plan, delays, start, |steps| runner.go_on(steps))?;
    }
    runner.enter(Phase::Reading);
    let steps = ground.burnt.len() as u64;
    Ok((ground.ignition, steps))
}

/// Counts that all threads add to. Sums do not depend on the order of their terms.
fn counts(number: usize) -> Vec<AtomicU32> {
    std::iter::repeat_with(|| AtomicU32::new(0)).take(number).collect()
}

/// Counts of the fires of a plan that are over: of all unless `watch` breaks.
pub(super) fn many(plan: &Plan, threads: usize, watch: Watch<'_, Report>) -> Burnt {
    let mut outcome = Burnt::empty(plan);
    let (burnt, arrivals) = (counts(outcome.burnt.len()), counts(outcome.arrivals.len()));
    let count = |ground: &Ground| {
        for &cell in &ground.burnt {
            let cell = cell as usize;
            let time = ground.ignition.get(cell).copied().unwrap_or(0);
            let bin = cell * BINS + bin(time, plan.horizon);
            for count in burnt.get(cell).into_iter().chain(arrivals.get(bin)) {
                count.fetch_add(1, Ordering::Relaxed);
            }
        }
        ground.burnt.len() as u32
    };
    // A thread that has burnt a fire takes the next one, since fires differ in size by orders of magnitude.
    let next = AtomicUsize::new(0);
    let (send, over) = channel();
    let work = |ground: &mut Ground, _, report: Asked<'_>| {
        loop {
            let fire = next.fetch_add(1, Ordering::Relaxed);
            let Some(start) = plan.fires.get(fire) else { break };
            let go_on = |steps| if report(0).is_break() { Err(Cancelled { steps }) } else { Ok(()) };
            if ground.burn(plan, plan.delays(), start, go_on).is_err() {
                break;
            }
            // The receiver outlives all threads.
            let _ = send.send((fire, count(ground)));
            if report(1).is_break() {
                break;
            }
        }
        Ok::<_, Infallible>(())
    };
    let mut sizes = Vec::with_capacity(plan.fires.len());
    // Fires that are over are told even after `watch` has broken.
    let mut tell = |watch: Watch<'_, Report>| {
        let mut flow = ControlFlow::Continue(());
        for (fire, size) in over.try_iter() {
            sizes.push((fire, size));
            if watch(Report::Ended { fire, size }).is_break() {
                flow = ControlFlow::Break(());
            }
        }
        flow
    };
    let mut look = |steps| {
        let flow = tell(watch);
        if flow.is_break() { flow } else { watch(Report::Progress(Progress { steps })) }
    };
    if look(0).is_continue() {
        // It fails by the request to stop alone.
        let _ = share(0..threads, threads, &mut look, || Ground::new(plan), work);
        let _ = tell(watch);
    }
    sizes.sort_unstable();
    sizes.into_iter().for_each(|(fire, size)| outcome.note(fire, size));
    let plain = |counts: Vec<AtomicU32>| counts.into_iter().map(AtomicU32::into_inner).collect();
    (outcome.burnt, outcome.arrivals) = (plain(burnt), plain(arrivals));
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calendar_gives_times_in_order() {
        let mut calendar = Calendar::new();
        let mut taken = Vec::new();
        let mut state = 1_u32;
        for at in 0..200 {
            calendar.push(state >> 8, at);
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
        while let Some((time, at)) = calendar.pop() {
            taken.push(time);
            if at < 20 {
                calendar.push(time + at, 1000);
            }
        }
        assert_eq!(taken.len(), 220);
        assert!(taken.is_sorted());
    }
}
