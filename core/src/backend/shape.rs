//! Contents of a memory, and the position of its columns.

use super::Span;
use crate::error::{Error, Result};
use imminent_ir::{Layout, Scalar, Scalars};
use std::ops::Range;

/// Contents of a memory, in the canonical layout of word columns.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// A table, with the zeroed row that follows its rows.
    Table {
        /// Division of rows into columns.
        layout: &'static Layout,
        /// Number of rows.
        rows: u32,
        /// Elements in each lane array.
        capacity: u32,
    },
    /// A ragged table. Its fixed word columns are followed by two more, of `u32`: the first place of each row, and the
    /// number of its places. Both are 0 in the zeroed row. Then come the word columns of the *pool*, one for each lane
    /// word, like those of a table with a row for each place. A [`Span`] names them as lane 0, and places as rows.
    Ragged {
        /// Division of rows into columns.
        layout: &'static Layout,
        /// Number of rows.
        rows: u32,
        /// Places of the pool.
        places: u32,
    },
    /// A tally.
    Tally {
        /// Type of its slots.
        scalar: Scalar,
        /// Number of slots.
        slots: u32,
    },
    /// The result of a reduction.
    Result {
        /// The scalars, side by side: a value for each reduction, and the row of an arg-min.
        scalars: Scalars,
    },
}

/// Granularity of word columns, in rows (words): the length of each is a multiple of it.
const STRIDE: u64 = 64;

impl Shape {
    /// Returns the shape of the same table with another lane capacity.
    ///
    /// # Errors
    /// [`Error::Invalid`] for fewer lanes, and for memories without lanes.
    pub fn grown(&self, lanes: u32) -> Result<Shape> {
        match *self {
            Shape::Table { layout, rows, capacity } if lanes >= capacity => {
                Ok(Shape::Table { layout, rows, capacity: lanes })
            }
            Shape::Table { .. } => Err(Error::invalid(self.name(), "its lanes can grow, not shrink")),
            Shape::Ragged { .. } => {
                Err(Error::invalid(self.name(), "its rows have room of their own and grow one by one"))
            }
            Shape::Tally { .. } | Shape::Result { .. } => {
                Err(Error::invalid(self.name(), "it has no lanes that could grow"))
            }
        }
    }

    /// Returns a description for error texts.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Shape::Table { layout, rows, .. } => format!("table of {rows} `{}`", layout.name),
            Shape::Ragged { layout, rows, places } => {
                format!("ragged table of {rows} `{}` with {places} lanes in all", layout.name)
            }
            Shape::Tally { scalar, slots } => format!("tally of {slots} `{scalar}`"),
            Shape::Result { scalars } => {
                let names: Vec<&str> = scalars.iter().map(|(_, scalar)| scalar.name()).collect();
                format!("result `{}`", names.join("`, `"))
            }
        }
    }

    /// Returns the number of rows or slots.
    #[must_use]
    pub fn rows(&self) -> u32 {
        match self {
            Shape::Table { rows, .. } | Shape::Ragged { rows, .. } => *rows,
            Shape::Tally { slots, .. } => *slots,
            Shape::Result { .. } => 1,
        }
    }

    /// Returns the number of lanes that every row has.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        if let Shape::Table { capacity, .. } = self { *capacity } else { 0 }
    }

    /// Returns the words of a word column, including the zeroed row and padding; for a ragged table, of a column
    /// outside the pool.
    #[must_use]
    pub fn column_words(&self) -> u64 {
        match self {
            Shape::Table { rows, .. } | Shape::Ragged { rows, .. } => (u64::from(*rows) + 1).next_multiple_of(STRIDE),
            Shape::Tally { .. } | Shape::Result { .. } => 1,
        }
    }

    /// Returns the words of a word column of the pool, with padding; 0 without a pool.
    #[must_use]
    pub fn pool_words(&self) -> u64 {
        match self {
            Shape::Ragged { places, .. } => (u64::from(*places) + 1).next_multiple_of(STRIDE),
            _ => 0,
        }
    }

    /// Returns the number of word columns of a ragged table outside its pool: those of its rows, and the two that
    /// locate each row's places.
    #[must_use]
    pub const fn columns_before_pool(layout: &Layout) -> u32 {
        layout.columns_before_pool()
    }

    /// Returns the total number of words.
    #[must_use]
    pub fn words(&self) -> u64 {
        match self {
            Shape::Table { layout, capacity, .. } => layout.row_words(*capacity).saturating_mul(self.column_words()),
            Shape::Ragged { layout, .. } => {
                let fixed = u64::from(Self::columns_before_pool(layout)).saturating_mul(self.column_words());
                fixed.saturating_add(u64::from(layout.lane_words).saturating_mul(self.pool_words()))
            }
            Shape::Tally { scalar, slots } => u64::from(*slots) * u64::from(scalar.words()),
            Shape::Result { scalars } => u64::from(scalars.words()),
        }
    }

    /// Returns the total number of bytes; `u64::MAX` on overflow.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.words().saturating_mul(4)
    }

    /// Returns `true` if a reduced value of `words` words fits here: into a result, or into the first column of a
    /// one-row table.
    #[must_use]
    pub fn takes_value(&self, words: u32) -> bool {
        match self {
            Shape::Table { layout, rows: 1, .. } => {
                layout.columns.first().is_some_and(|column| column.scalar.words() == words)
            }
            Shape::Result { .. } => self.words() == u64::from(words),
            _ => false,
        }
    }

    /// Returns `true` for a table of at least `least` rows, not packed, whose first column is a `u32`: row numbers, or
    /// a count.
    #[must_use]
    pub fn begins_with_u32(&self, least: u32) -> bool {
        matches!(self, Shape::Table { layout, rows, .. }
            if *rows >= least && !layout.packed && layout.columns.first().is_some_and(|c| !c.lane && c.scalar == Scalar::U32))
    }

    /// Checks that a memory of this shape can be copied as a whole to one of another: tables and tallies of equal
    /// shapes.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check_copy(&self, to: &Shape) -> Result<()> {
        let same = match (self, to) {
            (Shape::Table { .. }, Shape::Table { .. }) => self.rows() == to.rows(),
            (Shape::Ragged { places, .. }, Shape::Ragged { places: of_to, .. }) => {
                self.rows() == to.rows() && places == of_to
            }
            (Shape::Tally { .. }, Shape::Tally { .. }) => true,
            _ => false,
        };
        if same && self.words() == to.words() {
            return Ok(());
        }
        Err(Error::invalid(to.name(), format!("a {} cannot be copied to it: copies need equal shapes", self.name())))
    }

    /// Returns the range of words that a span covers.
    ///
    /// # Errors
    /// [`Error::Invalid`] if there is no such column, or there are no such rows.
    pub fn words_of(&self, span: &Span) -> Result<Range<u64>> {
        self.find(span).filter(|words| words.end <= self.words()).ok_or_else(|| {
            Error::invalid(
                self.name(),
                format!("there is no column at word {} of {} for its rows {:?}", span.word, span.scalar, span.rows),
            )
        })
    }

    fn find(&self, span: &Span) -> Option<Range<u64>> {
        let width = u64::from(span.words);
        let (start, end) = (u64::from(span.rows.start), u64::from(span.rows.end));
        let most = match (self, span.lane) {
            (Shape::Ragged { places, .. }, Some(_)) => *places,
            _ => self.rows(),
        };
        if start > end || end > u64::from(most) {
            return None;
        }
        if let Shape::Table { layout, .. } | Shape::Ragged { layout, .. } = self
            && layout.packed
            && (span.lane.is_some() || span.word < layout.fixed_words)
        {
            return self.find_packed(layout, span);
        }
        if let (Shape::Ragged { layout, .. }, Some(lane)) = (self, span.lane) {
            let inside = lane == 0 && u64::from(span.word) + width <= u64::from(layout.lane_words);
            let before = u64::from(Self::columns_before_pool(layout)) * self.column_words();
            let first = before + u64::from(span.word) * self.pool_words();
            return inside.then_some(first + start * width..first + end * width);
        }
        let column = match self {
            Shape::Table { layout, capacity, .. } => match span.lane {
                None if u64::from(span.word) + width <= u64::from(layout.fixed_words) => u64::from(span.word),
                Some(lane) if lane < *capacity && u64::from(span.word) + width <= u64::from(layout.lane_words) => {
                    u64::from(layout.fixed_words)
                        + u64::from(lane) * u64::from(layout.lane_words)
                        + u64::from(span.word)
                }
                _ => return None,
            },
            Shape::Ragged { layout, .. }
                if u64::from(span.word) + width <= u64::from(Self::columns_before_pool(layout)) =>
            {
                u64::from(span.word)
            }
            Shape::Tally { scalar, .. }
                if span.lane.is_none() && span.word == 0 && span.scalar.words() == scalar.words() =>
            {
                0
            }
            Shape::Result { .. } if span.lane.is_none() => u64::from(span.word),
            Shape::Ragged { .. } | Shape::Tally { .. } | Shape::Result { .. } => return None,
        };
        let first = column * self.column_words();
        Some(first + start * width..first + end * width)
    }

    /// Finds rows in a packed table: whole ones, or a value of a single one.
    fn find_packed(&self, layout: &Layout, span: &Span) -> Option<Range<u64>> {
        let (fixed, of_lane) = (u64::from(layout.fixed_words), u64::from(layout.lane_words));
        let (base, row_words) = match (self, span.lane) {
            (_, None) => (0, fixed),
            (Shape::Table { capacity, .. }, Some(lane)) if lane < *capacity => {
                ((fixed + u64::from(lane) * of_lane) * self.column_words(), of_lane)
            }
            (Shape::Ragged { .. }, Some(0)) => {
                (u64::from(Self::columns_before_pool(layout)) * self.column_words(), of_lane)
            }
            _ => return None,
        };
        let (start, count) = (u64::from(span.rows.start), span.rows.len() as u64);
        let (word, width) = (u64::from(span.word), u64::from(span.words));
        let one_piece = count <= 1 || width == row_words;
        let first = base + start * row_words + word;
        (word + width <= row_words && one_piece).then_some(first..first + count * width)
    }
}

#[cfg(test)]
mod tests;
