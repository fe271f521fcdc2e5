//! Scenarios of models of cells.

use super::contract::CellModel;
use super::error::CellsError;
use crate::sequential::Delay;
use crate::space::CellSpace;
use std::collections::BTreeMap;

/// An external input of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event<V> {
    /// Time at which it comes, in milliseconds.
    pub time: u32,
    /// Cell that receives it.
    pub cell: u32,
    /// Value that comes.
    pub value: V,
}

/// A scenario: a model's parameters, a cell space with initial values, zones and external events.
///
/// [`Cells::run`] runs it on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells<M: CellModel> {
    model: M,
    space: CellSpace,
    delay: Delay,
    initial: Vec<M::Value>,
    zones: Vec<u32>,
    events: Vec<Event<M::Value>>,
    lookahead: Option<u32>,
    seed: u64,
}

impl<M: CellModel> Cells<M> {
    /// Makes a scenario. `initial` has the initial value of each cell, in the order of cells.
    ///
    /// # Errors
    /// [`CellsError::Neighbours`], [`CellsError::Length`].
    pub fn new(model: M, space: CellSpace, delay: Delay, initial: Vec<M::Value>) -> Result<Self, CellsError> {
        let (found, most) = (space.neighbours().len(), M::MAX_NEIGHBOURS);
        if found > most {
            return Err(CellsError::Neighbours { found, most });
        }
        check_length("initial values", initial.len(), &space)?;
        Ok(Cells { model, space, delay, initial, zones: Vec::new(), events: Vec::new(), lookahead: None, seed: 0 })
    }

    /// Gives each cell the number of its zone, which its rule sees. Without zones the number is 0.
    ///
    /// # Errors
    /// [`CellsError::Length`].
    pub fn with_zones(mut self, zones: Vec<u32>) -> Result<Self, CellsError> {
        check_length("zones", zones.len(), &self.space)?;
        self.zones = zones;
        Ok(self)
    }

    /// Replaces the external events, which may be in any order. A cell receives one at a time. Events after the end of
    /// a run do not come.
    ///
    /// # Errors
    /// [`CellsError::Outside`], [`CellsError::Twice`].
    pub fn with_events(self, events: impl IntoIterator<Item = Event<M::Value>>) -> Result<Self, CellsError> {
        self.with_checked_events(events, |_, _, event| Err(CellsError::Twice { cell: event.cell, time: event.time }))
    }

    /// Replaces the external events, as [`with_events`](Self::with_events) does. Values that come to one cell at one
    /// time are merged, in the order of the events.
    ///
    /// # Errors
    /// [`CellsError::Outside`].
    pub fn with_merged_events(
        self,
        events: impl IntoIterator<Item = Event<M::Value>>,
        mut merge: impl FnMut(M::Value, M::Value) -> M::Value,
    ) -> Result<Self, CellsError> {
        self.with_checked_events(events, |first, next, _| Ok(merge(first, next)))
    }

    fn with_checked_events(
        mut self,
        events: impl IntoIterator<Item = Event<M::Value>>,
        mut both: impl FnMut(M::Value, M::Value, &Event<M::Value>) -> Result<M::Value, CellsError>,
    ) -> Result<Self, CellsError> {
        let cells = self.space.cells();
        let mut found: BTreeMap<(u32, u32), M::Value> = BTreeMap::new();
        for event in events {
            let Event { time, cell, value } = event;
            if cell as usize >= cells {
                return Err(CellsError::Outside { cell, time, cells });
            }
            let value = match found.get(&(time, cell)) {
                Some(&before) => both(before, value, &event)?,
                None => value,
            };
            found.insert((time, cell), value);
        }
        self.events = found.into_iter().map(|((time, cell), value)| Event { time, cell, value }).collect();
        Ok(self)
    }

    /// Declares that the rule gives no new value with a delay below `milliseconds`. Pending outputs on a host then lie
    /// in windows of that length. A shorter delay changes no result; it takes longer.
    #[must_use]
    pub fn with_lookahead(mut self, milliseconds: u32) -> Self {
        self.lookahead = Some(milliseconds);
        self
    }

    /// Sets the seed of the random numbers: cell `i` draws from stream `i` of the seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Returns the parameters of the model.
    #[must_use]
    pub const fn model(&self) -> &M {
        &self.model
    }

    /// Returns the space: cells, border and neighbourhood.
    #[must_use]
    pub const fn space(&self) -> &CellSpace {
        &self.space
    }

    /// Returns the kind of the delays.
    #[must_use]
    pub const fn delay(&self) -> Delay {
        self.delay
    }

    /// Returns the initial values, in the order of cells.
    #[must_use]
    pub fn initial(&self) -> &[M::Value] {
        &self.initial
    }

    /// Returns the zones of all cells; nothing if all cells have zone 0.
    #[must_use]
    pub fn zones(&self) -> &[u32] {
        &self.zones
    }

    /// Returns the external events, in the order of time, and at one time of cells.
    #[must_use]
    pub fn events(&self) -> &[Event<M::Value>] {
        &self.events
    }

    /// Returns the smallest delay of the rule, in milliseconds, if it was declared.
    #[must_use]
    pub const fn lookahead(&self) -> Option<u32> {
        self.lookahead
    }

    /// Returns the seed of the random numbers.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }
}

fn check_length(what: &'static str, found: usize, space: &CellSpace) -> Result<(), CellsError> {
    let cells = space.cells();
    if found == cells { Ok(()) } else { Err(CellsError::Length { what, found, cells }) }
}
