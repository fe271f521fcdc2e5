//! Histories made on the host, to call a kernel function from a test.

use super::{Clock, Data, History, Reach, Ring};

/// The histories of some rows, made on the host to call a kernel function from a test. At first every entry is zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Histories<T: Data> {
    rings: Vec<Ring<T>>,
}

impl<T: Data> Histories<T> {
    /// Creates histories of `rows` rows.
    #[must_use]
    pub fn new(rows: u32, reach: Reach) -> Self {
        let places = reach.past.saturating_add(reach.ahead);
        Histories { rings: (0..rows).map(|_| Ring::with(places, reach.ahead)).collect() }
    }

    /// Returns the view that an invocation of row `own` is given for `&mut History<T>`.
    #[must_use]
    pub fn row(&mut self, own: u32, clock: &Clock) -> History<'_, T> {
        // SAFETY: the histories are borrowed exclusively, so there is no other view.
        unsafe { History::view(&self.rings, own, clock.first(), true) }
    }

    /// Returns the view that an invocation of row `own` is given for `&History<T>`.
    #[must_use]
    pub fn read_only(&self, own: u32, clock: &Clock) -> History<'_, T> {
        // SAFETY: nothing is written through this view, nor through any other while the histories are borrowed.
        unsafe { History::view(&self.rings, own, clock.first(), false) }
    }
}
