//! Fires on hosts: a calendar of pending ignitions for each fire, fires of an ensemble on all of the device's threads.

use super::NEVER;
use super::burnt::{BINS, Burnt, Report, bin};
use super::delays::Delays;
use super::details::{Details, Traced};
use super::error::WildfireError;
use super::plan::{Plan, Start};
use super::rows::Rows;
use super::stencil::RADIUS;
use super::travel::Departure;
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

/// Consecutive bands with one table of delays.
#[derive(Clone, Copy)]
struct Span {
    table: u32,
    last_band: u32,
}

/// Returns the span of each band in a scenario.
fn spans(plan: &Plan, scenario: u32) -> Vec<Span> {
    let tables = (0..plan.bands.count).map(|band| plan.table(scenario, band));
    let mut spans: Vec<Span> = tables.zip(0..).map(|(table, last_band)| Span { table, last_band }).collect();
    let mut later: Option<Span> = None;
    for span in spans.iter_mut().rev() {
        if let Some(later) = later.filter(|later| later.table == span.table) {
            span.last_band = later.last_band;
        }
        later = Some(*span);
    }
    spans
}

/// Memory of a thread that burns one fire after another.
pub(super) struct Ground {
    /// Ignition times; [`NEVER`] but in cells of the present fire.
    pub(super) ignition: Vec<u32>,
    /// Cells that have ignited, in the order of their times.
    pub(super) burnt: Vec<u32>,
    calendar: Calendar,
    /// Spans of the bands.
    spans: Vec<Span>,
}

impl Ground {
    pub(super) fn new(plan: &Plan) -> Self {
        let ignition = vec![NEVER; plan.landscape.cells()];
        Ground { ignition, burnt: Vec::new(), calendar: Calendar::new(), spans: Vec::new() }
    }

    /// Burns a fire. `go_on` is called from time to time, with the number of cells that have ignited.
    pub(super) fn burn(
        &mut self,
        plan: &Plan,
        (delays, rows): (&Delays, Option<&Rows>),
        start: &Start,
        mut go_on: impl FnMut(u64) -> Result<(), Cancelled>,
    ) -> Result<(), Cancelled> {
        self.clear();
        self.spans = spans(plan, start.scenario);
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
            self.spread(plan, delays, rows, start.scenario, time, cell as usize);
        }
        Ok(())
    }

    /// Spreads fire from a cell that ignites at some time.
    fn spread(&mut self, plan: &Plan, delays: &Delays, rows: Option<&Rows>, scenario: u32, time: u32, cell: usize) {
        let spans = &self.spans;
        let table_of = |band: u32| spans.get(band as usize).map(|span| span.table);
        let departure = Departure::new(plan.bands, plan.horizon, time);
        let Some(&Span { table, last_band }) = spans.get(departure.band as usize) else { return };
        let departure = departure.until(last_band);
        let (stencil, place) = (delays.stencil(scenario, cell), plan.landscape.place(cell));
        let is_amid = plan.landscape.is_amid(place, RADIUS as u32);
        let kept = rows.map_or(&[][..], |rows| rows.get(delays, scenario, table, cell));
        for (number, &distance) in stencil.distances().iter().enumerate() {
            let other = if is_amid {
                cell.wrapping_add_signed(distance as isize)
            } else {
                let way = delays.stencils().way(stencil, number);
                let Some(other) = way.and_then(|way| plan.landscape.after(place, way.offset)) else { continue };
                other
            };
            let Some(pending) = self.ignition.get_mut(other) else { continue };
            let delay_by = |table: u32, below: u32| {
                let way = delays.stencils().way(stencil, number);
                way.map_or(NEVER, |way| delays.along_below(table, cell, way, below))
            };
            // Only an earlier arrival than the pending one counts. After the span every arrival is later than its end.
            let delay = match kept.get(number) {
                Some(&delay) => delay,
                None if *pending <= time => continue,
                None if *pending <= departure.last() => delay_by(table, *pending - time),
                None => delay_by(table, NEVER),
            };
            let due = u64::from(time) + u64::from(delay);
            let due = if due <= u64::from(departure.last()) {
                due as u32
            } else if *pending <= departure.last() {
                continue;
            } else {
                departure.later(delay, *pending, |band| match table_of(band) {
                    Some(same) if same == table => delay,
                    Some(later) => {
                        let known = rows.and_then(|rows| rows.known(later, cell)?.get(number).copied());
                        known.unwrap_or_else(|| delay_by(later, NEVER))
                    }
                    None => NEVER,
                })
            };
            if due < *pending {
                *pending = due;
                self.calendar.push(due, other as u32);
            }
        }
    }

    fn clear(&mut self) {
        for cell in self.burnt.drain(..) {
            if let Some(time) = self.ignition.get_mut(cell as usize) {
                *time = NEVER;
            }
        }
        self.calendar.last = 0;
    }
}

/// Computes the ignition times of the first fire of a plan; also returns the number of cells that ignite.
pub(super) fn one(plan: &Plan, runner: &mut Runner<'_>) -> Result<(Vec<u32>, u64), WildfireError> {
    let delays = plan.prepare()?;
    runner.enter(Phase::Simulation);
    let mut ground = Ground::new(plan);
    if let Some(start) = plan.fires.first() {
        ground.burn(plan, (delays, None), start, |steps| runner.go_on(steps))?;
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
    let rows = Rows::of(plan, plan.delays());
    let (burnt, arrivals) = (counts(outcome.burnt.len()), counts(outcome.arrivals.len()));
    let details = Details::new(plan);
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
    let work = |(ground, traced): &mut (Ground, Traced), _, report: Asked<'_>| {
        loop {
            let fire = next.fetch_add(1, Ordering::Relaxed);
            let Some(start) = plan.fires.get(fire) else { break };
            let go_on = |steps| if report(0).is_break() { Err(Cancelled { steps }) } else { Ok(()) };
            if ground.burn(plan, (plan.delays(), rows.as_ref()), start, go_on).is_err() {
                break;
            }
            // The receiver outlives all threads.
            let cells = ground.burnt.iter().map(|&cell| cell as usize);
            let reached = details.of_fire(fire, &ground.ignition, cells, traced);
            let _ = send.send((fire, count(ground), reached));
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
        for (fire, size, reached) in over.try_iter() {
            sizes.push((fire, size, reached));
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
        let _ = share(0..threads, threads, &mut look, || (Ground::new(plan), Traced::default()), work);
        let _ = tell(watch);
    }
    sizes.sort_unstable();
    sizes.into_iter().for_each(|(fire, size, reached)| outcome.note(fire, size, &reached));
    let plain = |counts: Vec<AtomicU32>| counts.into_iter().map(AtomicU32::into_inner).collect();
    (outcome.burnt, outcome.arrivals) = (plain(burnt), plain(arrivals));
    outcome.flames = details.into_flames();
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
