//! Rows of a vector that several threads fill, chunk by chunk.

use crate::data::Row;
use crate::error::Result;
use std::mem::MaybeUninit;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Rows of a chunk.
enum Piece<'v, R> {
    /// Rows of an earlier use of the vector.
    Old(&'v mut [R]),
    /// Memory for new rows.
    New(&'v mut [MaybeUninit<R>]),
}

/// Chunks of a vector. Each can be taken once.
pub(super) struct Pieces<'v, R> {
    pieces: Vec<Mutex<Option<Piece<'v, R>>>>,
    chunks: &'v [Range<u32>],
    capacity: &'v (dyn Fn(u32) -> u32 + Sync),
    /// Number of rows taken so far.
    taken: AtomicUsize,
}

/// Fills a vector with rows. `chunks` are neighbouring ranges of rows from 0 on, and `capacity` returns the number of
/// lanes of a row. `work` takes every chunk, and gives its rows their contents. If it takes fewer, the vector is empty
/// afterwards; new rows are not dropped.
pub(super) fn fill<R: Row>(
    rows: &mut Vec<R>,
    chunks: &[Range<u32>],
    capacity: &(dyn Fn(u32) -> u32 + Sync),
    work: impl FnOnce(&Pieces<'_, R>) -> Result<()>,
) -> Result<()> {
    let count = chunks.last().map_or(0, |chunk| chunk.end as usize);
    rows.truncate(count);
    let are_new = rows.len() < count;
    if are_new {
        rows.clear();
        rows.reserve_exact(count);
    }
    let pieces = if are_new {
        let mut rest = rows.spare_capacity_mut();
        let mut next = |chunk: &Range<u32>| rest.split_off_mut(..chunk.len()).map(Piece::New);
        chunks.iter().map(|chunk| Mutex::new(next(chunk))).collect()
    } else {
        let mut rest = rows.as_mut_slice();
        let mut next = |chunk: &Range<u32>| rest.split_off_mut(..chunk.len()).map(Piece::Old);
        chunks.iter().map(|chunk| Mutex::new(next(chunk))).collect()
    };
    let pieces = Pieces { pieces, chunks, capacity, taken: AtomicUsize::new(0) };
    let outcome = work(&pieces);
    let is_filled = outcome.is_ok() && pieces.taken.into_inner() == count;
    if !is_filled {
        rows.clear();
    } else if are_new {
        // SAFETY: the vector has reserved `count` rows. `Pieces::take` has initialized the rows of each chunk that it
        // returned, and has returned `count` rows, all chunks.
        unsafe { rows.set_len(count) };
    }
    outcome
}

impl<'v, R: Row> Pieces<'v, R> {
    /// Returns the rows of a chunk, given by its number, with the contents of an earlier use or zeroed; `None` for a
    /// chunk that was taken before.
    pub(super) fn take(&self, number: usize) -> Option<&'v mut [R]> {
        let piece = self.pieces.get(number)?.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        let own = self.chunks.get(number)?.clone();
        let rows = match piece {
            Piece::Old(rows) => {
                if R::layout().lane_words > 0 {
                    own.zip(&mut *rows).for_each(|(number, row)| row.set_capacity((self.capacity)(number)));
                }
                rows
            }
            Piece::New(rows) => {
                for (number, row) in own.zip(&mut *rows) {
                    row.write(R::zeroed((self.capacity)(number)));
                }
                // SAFETY: the loop has written every row of the piece, which is as long as its chunk.
                unsafe { rows.assume_init_mut() }
            }
        };
        self.taken.fetch_add(rows.len(), Ordering::Relaxed);
        Some(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use crate::kernels;

    #[kernels]
    mod rows {
        #[derive(Row)]
        pub struct Item {
            pub number: u32,
            pub lanes: Lanes<u32>,
        }
    }
    use rows::Item;

    const CHUNKS: [Range<u32>; 3] = [0..2, 2..5, 5..6];

    fn numbered(pieces: &Pieces<'_, Item>, chunks: &[usize]) {
        for chunk in chunks {
            let rows = pieces.take(*chunk).unwrap();
            (CHUNKS[*chunk].clone()).zip(rows).for_each(|(number, row)| row.number = number);
        }
    }

    #[test]
    fn every_chunk_is_filled_in_any_order() {
        for mut rows in [vec![], vec![Item::zeroed(7); 6], vec![Item::zeroed(7); 2], vec![Item::zeroed(7); 9]] {
            let filled = fill(&mut rows, &CHUNKS, &|row| row, |pieces| {
                numbered(pieces, &[2, 0, 1]);
                assert!(pieces.take(1).is_none() && pieces.take(3).is_none());
                Ok(())
            });
            filled.unwrap();
            let found: Vec<_> = rows.iter().map(|row| (row.number, row.lanes.capacity())).collect();
            assert_eq!(found, [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 5)]);
        }
    }

    #[test]
    fn a_vector_that_is_not_filled_is_empty() {
        for mut rows in [vec![], vec![Item::zeroed(1); 6]] {
            let filled = fill(&mut rows, &CHUNKS, &|_| 1, |pieces| {
                numbered(pieces, &[0, 2]);
                Err(Error::invalid("row", "gone"))
            });
            assert!(filled.is_err() && rows.is_empty());
        }
    }
}
