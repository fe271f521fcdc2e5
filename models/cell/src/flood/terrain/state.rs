//! Terrain and water in units, as engines take them.

/// Terrain in units, as engines take it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terrain<'a> {
    pub(super) rows: u32,
    pub(super) columns: u32,
    pub(super) open: bool,
    /// Elevations; [`OUTSIDE`](super::OUTSIDE) outside.
    pub(super) ground: &'a [i64],
}

/// State of all cells between two segments of a run, and at its end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    /// Units; -1 outside.
    pub(super) depths: Vec<i64>,
    pub(super) peaks: Vec<i64>,
    pub(super) arrivals: Vec<u32>,
    /// Units that left the terrain.
    pub(super) left: i128,
}
