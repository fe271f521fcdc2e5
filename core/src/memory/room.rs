//! Room of a memory's rows for lanes.

use crate::data::Ragged;

/// Room for the elements of lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// Equal room in every row.
    Even(u32),
    /// Individual room for each row.
    Ragged(Ragged),
}

impl Room {
    /// Returns the number of elements in each lane array of the largest row.
    pub(crate) fn most(&self) -> u32 {
        match self {
            Room::Even(capacity) => *capacity,
            Room::Ragged(room) => room.most(),
        }
    }

    /// Returns the number of elements in each lane array of a row.
    pub(crate) fn of(&self, row: u32) -> u32 {
        match self {
            Room::Even(capacity) => *capacity,
            Room::Ragged(room) => room.of(row).len() as u32,
        }
    }

    /// Returns a description for error texts: "5 lanes", or "12 lanes in all".
    pub(crate) fn described(&self) -> String {
        match self {
            Room::Even(capacity) => format!("{capacity} lanes"),
            Room::Ragged(room) => format!("{} lanes in all, shared out in their own way", room.places()),
        }
    }
}
