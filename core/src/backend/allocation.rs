//! Allocations and transfers that a backend is asked for.

use super::{Buffer, Ragged, Shape, Span};
use crate::native::{ErasedTable, ErasedTally};
use imminent_ir::{Layout, Scalar, Scalars};

/// Memory to allocate.
#[derive(Clone, Debug)]
pub enum Allocation {
    /// A zeroed table.
    Table {
        /// The layout of its rows.
        layout: &'static Layout,
        /// Number of rows.
        rows: u32,
        /// A zeroed ragged table: each row has its own number of lanes. The caller writes the [words](Shape::Ragged)
        /// that describe that room, except where rows are native.
        capacity: u32,
        /// Allocates the native form.
        native: fn(u32, u32) -> Box<dyn ErasedTable>,
    },
    /// A zeroed ragged table: each row has room of its own. The caller writes its [words](Shape::Ragged) about that
    /// room, except where rows are native.
    Ragged {
        /// The layout of its rows.
        layout: &'static Layout,
        /// Room of each row.
        room: Ragged,
        /// Allocates the native form.
        native: fn(&Ragged) -> Box<dyn ErasedTable>,
    },
    /// A zeroed tally.
    Tally {
        /// Type of its slots.
        scalar: Scalar,
        /// Number of slots.
        slots: u32,
        /// Allocates the native form.
        native: fn(u32) -> Box<dyn ErasedTally>,
    },
    /// The results of a launch or a primitive: one row.
    Result {
        /// The scalars, side by side: a value for each reduction, and the row of an arg-min.
        scalars: Scalars,
    },
}

impl Allocation {
    /// Returns the bytes in the canonical layout, including the row after the last and the padding.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Allocation::Table { .. } | Allocation::Ragged { .. } | Allocation::Tally { .. } => Shape::of(self).bytes(),
            Allocation::Result { .. } => 32,
        }
    }
}

impl Shape {
    /// Returns the shape that an allocation asks for.
    #[must_use]
    pub fn of(allocation: &Allocation) -> Shape {
        match allocation {
            Allocation::Table { layout, rows, capacity, .. } => {
                Shape::Table { layout, rows: *rows, capacity: *capacity }
            }
            Allocation::Ragged { layout, room, .. } => {
                Shape::Ragged { layout, rows: room.rows(), places: room.places() }
            }
            Allocation::Tally { scalar, slots, .. } => Shape::Tally { scalar: *scalar, slots: *slots },
            Allocation::Result { scalars } => Shape::Result { scalars: *scalars },
        }
    }
}

/// A column to read, and the bytes that take its values.
#[derive(Debug)]
pub struct Read<'a> {
    /// The table, tally or result.
    pub buffer: &'a Buffer,
    /// Part of the buffer to read.
    pub span: Span,
    /// Destination of the values, exactly [`Span::bytes`] long.
    pub bytes: &'a mut [u8],
}

/// A column to write, and the bytes that hold its values.
#[derive(Debug)]
pub struct Write<'a> {
    /// The table, tally or result.
    pub buffer: &'a Buffer,
    /// Part of the buffer to write.
    pub span: Span,
    /// Source of the values, exactly [`Span::bytes`] long.
    pub bytes: &'a [u8],
}
