//! The ring of one row, and its storage.

use crate::data::{Data, Gather, Row, Scatter};
use imminent_ir::{Column, Layout, Scalar};
use std::any::TypeId;
use std::cell::UnsafeCell;
use std::collections::HashMap;
use std::fmt::{self, Debug, Formatter};
use std::sync::{LazyLock, PoisonError, RwLock};

/// The ring of one row: the row of the table that holds a history.
pub(crate) struct Ring<T: Data> {
    /// Number of steps, from a launch's first on, that may be written.
    ahead: u32,
    /// Entries; step `t` has the place `t` modulo their number.
    places: Box<[UnsafeCell<T>]>,
}

// SAFETY: a shared ring is changed by `History::set_at` alone, and read beside that by `History::entry`. By the
// argument of the module above no two threads touch one place. Everything else that changes a ring has it exclusively.
unsafe impl<T: Data> Sync for Ring<T> {}

impl<T: Data> Ring<T> {
    pub(in crate::data) fn with(places: u32, ahead: u32) -> Self {
        Ring { ahead, ..Self::zeroed(places) }
    }

    fn elements(&self) -> impl Iterator<Item = T> {
        self.places.iter().map(element)
    }

    /// Returns the number of steps, from a launch's first on, that may be written.
    #[inline]
    pub(super) fn ahead(&self) -> u32 {
        self.ahead
    }

    /// Returns the place of a step.
    #[inline]
    pub(super) fn place(&self, step: u32) -> Option<&UnsafeCell<T>> {
        self.places.get(step.checked_rem(self.places.len() as u32)? as usize)
    }

    /// Returns the first step that has a place in a launch from step `first` on, and the number of such steps before
    /// `first`.
    #[inline]
    pub(super) fn window(&self, first: u32) -> (u32, u32) {
        let back = (self.places.len() as u32).saturating_sub(self.ahead);
        let oldest = first.saturating_sub(back);
        (oldest, first - oldest)
    }
}

impl<T: Data> Clone for Ring<T> {
    fn clone(&self) -> Self {
        Ring { ahead: self.ahead, places: self.elements().map(UnsafeCell::new).collect() }
    }
}

impl<T: Data> PartialEq for Ring<T> {
    fn eq(&self, other: &Self) -> bool {
        self.ahead == other.ahead && self.elements().eq(other.elements())
    }
}

impl<T: Data> Debug for Ring<T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let places: Vec<T> = self.elements().collect();
        f.debug_struct("Ring").field("ahead", &self.ahead).field("places", &places).finish()
    }
}

impl<T: Data> Row for Ring<T> {
    fn layout() -> &'static Layout {
        static LAYOUTS: LazyLock<RwLock<HashMap<TypeId, &'static Layout>>> = LazyLock::new(RwLock::default);
        let id = TypeId::of::<T>();
        if let Some(layout) = LAYOUTS.read().unwrap_or_else(PoisonError::into_inner).get(&id) {
            return layout;
        }
        let mut leaves = Vec::new();
        T::columns("", &mut leaves);
        let mut columns = vec![Column { name: "ahead".to_owned(), scalar: Scalar::U32, word: 0, lane: false }];
        let mut word = 0;
        for (name, scalar) in leaves {
            columns.push(Column { name: format!("places{name}"), scalar, word, lane: true });
            word += scalar.words();
        }
        let layout = Layout { name: "History".to_owned(), fixed_words: 1, lane_words: word, packed: false, columns };
        // Leaks one layout for each type of entries that a program has.
        LAYOUTS.write().unwrap_or_else(PoisonError::into_inner).entry(id).or_insert_with(|| Box::leak(Box::new(layout)))
    }

    fn zeroed(capacity: u32) -> Self {
        Ring { ahead: 0, places: (0..capacity).map(|_| UnsafeCell::new(T::zeroed())).collect() }
    }

    fn leaf(&self, word: u32) -> u64 {
        if word == 0 { u64::from(self.ahead) } else { 0 }
    }

    fn set_leaf(&mut self, word: u32, bits: u64) {
        if word == 0 {
            self.ahead = bits as u32;
        }
    }

    fn lane_leaf(&self, lane: u32, word: u32) -> u64 {
        self.places.get(lane as usize).map_or(0, |place| element(place).leaf(word))
    }

    fn set_lane_leaf(&mut self, lane: u32, word: u32, bits: u64) {
        if let Some(place) = self.places.get_mut(lane as usize) {
            place.get_mut().set_leaf(word, bits);
        }
    }

    fn set_capacity(&mut self, capacity: u32) {
        let mut places = std::mem::take(&mut self.places).into_vec();
        places.resize_with(capacity as usize, || UnsafeCell::new(T::zeroed()));
        self.places = places.into_boxed_slice();
    }

    fn capacity(&self) -> u32 {
        self.places.len() as u32
    }

    fn gather(rows: &[Self], capacity: u32, columns: &mut Gather<'_>) {
        <u32 as Data>::gather(rows, |row| &row.ahead, columns);
        for lane in 0..capacity {
            let of = |row: &Self| row.places.get(lane as usize).map_or_else(T::zeroed, element);
            let elements: Vec<T> = rows.iter().map(of).collect();
            T::gather(&elements, |element| element, columns);
        }
    }

    fn scatter(rows: &mut [Self], capacity: u32, columns: &mut Scatter<'_>) {
        <u32 as Data>::scatter(rows, |row| &mut row.ahead, columns);
        let mut elements = vec![T::zeroed(); rows.len()];
        for lane in 0..capacity {
            T::scatter(&mut elements, |element| element, columns);
            for (row, element) in rows.iter_mut().zip(&elements) {
                if let Some(place) = row.places.get_mut(lane as usize) {
                    *place.get_mut() = *element;
                }
            }
        }
    }
}

/// Returns the content of a place, outside a launch.
fn element<T: Data>(place: &UnsafeCell<T>) -> T {
    // SAFETY: this is called by methods of `Row` and the like, which run while no launch changes the table: a launch
    // that does has it exclusively until it ends, and no view of it is left then.
    unsafe { *place.get() }
}
