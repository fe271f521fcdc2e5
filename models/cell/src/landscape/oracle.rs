//! The sequential event list of fires on landscapes: the oracle of the other engines.
//!
//! It shares neither queue nor arithmetic with them. A cell that ignites emits. Each cell that its segments reach
//! evaluates its rule, which gives a time for its own ignition. A time earlier than the pending one pre-empts it; the
//! event of the pre-empted ignition stays in the list until its time shows that it is void.

use super::NEVER;
use super::plan::Plan;
use super::stencil::Way;
use crate::outcome::Cancelled;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Ignitions between two looks at the progress function.
const IGNITIONS_PER_LOOK: u64 = 1 << 14;

/// Computes the ignition times of all cells in a fire of a plan. Calls `go_on` from time to time, with the number of
/// ignitions so far.
pub(super) fn burn(
    plan: &Plan,
    fire: usize,
    mut go_on: impl FnMut(u64) -> Result<(), Cancelled>,
) -> Result<Vec<u32>, Cancelled> {
    let cells = plan.landscape.cells();
    let (mut pending, mut burning) = (vec![NEVER; cells], vec![false; cells]);
    let mut events = BinaryHeap::new();
    let Some(start) = plan.fires.get(fire) else { return Ok(pending) };
    let mut ignitions = 0;
    for &cell in &start.cells {
        if let Some(due) = pending.get_mut(cell as usize) {
            *due = 0;
            events.push(Reverse((0, cell as usize)));
        }
    }
    while let Some(Reverse((now, cell))) = events.pop() {
        let Some(burns) = burning.get_mut(cell) else { continue };
        if std::mem::replace(burns, true) {
            continue;
        }
        ignitions += 1;
        if ignitions % IGNITIONS_PER_LOOK == 0 {
            go_on(ignitions)?;
        }
        for way in plan.delays().ways(start.scenario, cell) {
            let Some(other) = plan.landscape.after(plan.landscape.place(cell), way.offset) else { continue };
            let Some(due) = evaluate(plan, start.scenario, cell, way, now) else { continue };
            if let Some(pending) = pending.get_mut(other).filter(|pending| due < **pending) {
                *pending = due;
                events.push(Reverse((due, other)));
            }
        }
    }
    Ok(pending)
}

/// Evaluates the rule of the cell at the end of a way from one that ignites now: returns the time at which fire from
/// there arrives, if that is not after the horizon.
///
/// Consecutive bands of one delay count as one span. Progress is counted in whole 2^-32 of the way at the end of each
/// span, as the model states. Within a span, the result is the least whole number of milliseconds whose exact progress
/// covers the rest of the way.
fn evaluate(plan: &Plan, scenario: u32, cell: usize, way: &Way, now: u32) -> Option<u32> {
    let whole = 1_u128 << 32;
    let delay = |band: u32| u128::from(plan.delays().along(plan.table(scenario, band), cell, way));
    let (mut done, mut entered, mut band) = (0_u128, u128::from(now), plan.bands.of(now));
    while band < plan.bands.count {
        let span = (band + 1..plan.bands.count).find(|&later| delay(later) != delay(band));
        let end = span.map_or(u128::from(u64::MAX), |span| u128::from(span) * u128::from(plan.bands.length));
        if delay(band) < u128::from(NEVER) {
            let needed = (whole - done) * delay(band);
            let milliseconds = needed / whole + u128::from(!needed.is_multiple_of(whole));
            if entered + milliseconds <= end {
                let due = u32::try_from(entered + milliseconds).ok()?;
                return (due <= plan.horizon).then_some(due);
            }
            done += (end - entered) * whole / delay(band);
        }
        entered = end;
        band = span?;
    }
    None
}
