//! Delays of cells that many fires of an ensemble cross, kept on a host.

use super::delays::Delays;
use super::plan::Plan;
use imminent_common::free_memory;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// Bytes that a row takes beside its delays: its place in the list, and the allocator's.
const BYTES_BESIDE: u64 = size_of::<Row>() as u64 + 16;

/// Delays along all segments of a cell.
#[derive(Default)]
struct Row {
    /// `true` once a fire has asked for the delays.
    is_known: AtomicBool,
    delays: OnceLock<Box<[u32]>>,
}

/// Delays of cells, computed when a second fire asks for them: most cells of small ensembles burn once in a weather.
pub(super) struct Rows {
    /// For each table of [`Delays`], the rows of cells.
    tables: Vec<OnceLock<Vec<Row>>>,
}

impl Rows {
    /// Makes room for the fires of a plan; `None` if the delays of all cells would take more than half of the free
    /// memory.
    pub(super) fn of(plan: &Plan, delays: &Delays) -> Option<Self> {
        let has_room = free_memory::free().is_none_or(|free| bytes(plan, delays) <= free / 2);
        has_room.then(|| Rows { tables: (0..delays.tables()).map(|_| OnceLock::new()).collect() })
    }

    /// Returns the delays of fire that leaves a cell along each of its segments, from a table, or nothing when they are
    /// asked for the first time. Where a segment ends outside of the landscape the delay has no meaning.
    #[inline]
    pub(super) fn get(&self, delays: &Delays, scenario: u32, table: u32, cell: usize) -> &[u32] {
        let rows = self.tables.get(table as usize);
        let rows = rows.map(|rows| rows.get_or_init(|| (0..delays.cells()).map(|_| Row::default()).collect()));
        let Some(row) = rows.and_then(|rows| rows.get(cell)) else { return &[] };
        if let Some(delays) = row.delays.get() {
            return delays;
        }
        // Threads that ask together may both be the first: delays are the same with and without a row.
        if !row.is_known.swap(true, Ordering::Relaxed) {
            return &[];
        }
        row.delays.get_or_init(|| delays.ways(scenario, cell).map(|way| delays.along(table, cell, way)).collect())
    }

    /// Returns the delays of fire that leaves a cell, from a table, if they have been computed.
    #[inline]
    pub(super) fn known(&self, table: u32, cell: usize) -> Option<&[u32]> {
        let rows = self.tables.get(table as usize)?.get()?;
        rows.get(cell)?.delays.get().map(|delays| &**delays)
    }
}

/// Returns the bytes of the rows of all cells.
fn bytes(plan: &Plan, delays: &Delays) -> u64 {
    let of_scenario = |scenario: u32| -> u64 {
        let burns = |cell: &usize| plan.landscape.site(*cell).is_some();
        let lengths = (0..delays.cells()).filter(burns).map(|cell| delays.ways(scenario, cell).len() as u64);
        lengths.map(|length| 4 * length + BYTES_BESIDE).sum()
    };
    let of_scenarios: Vec<u64> = (0..plan.scenarios()).map(of_scenario).collect();
    delays.scenario_of.iter().filter_map(|&scenario| of_scenarios.get(scenario as usize)).sum()
}
