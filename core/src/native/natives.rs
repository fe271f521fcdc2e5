//! Native resources of a kernel that is known by its source alone, as a test of other people's kernels knows it.

use super::call::{Call, Entry};
use super::erased::{ErasedTable, ErasedTally};
use super::made::Native;
use super::slot::Slot;
use imminent_ir::Shape;
use std::any::Any;
use std::sync::Arc;

/// A resource without rows or contents.
enum Empty {
    Table(Box<dyn ErasedTable>, bool),
    Tally(Box<dyn ErasedTally>),
    Params(Arc<dyn Any + Send + Sync>),
}

/// Returns the resources that a kernel's native entry takes, by the position of their binding. The kernel visits no
/// row.
///
/// A kernel with histories has those before its first history alone: an empty history has no ring.
#[must_use]
pub fn natives(entry: Entry, shape: Shape) -> Vec<Native> {
    let (mut found, mut empty) = (Vec::new(), Vec::new());
    while let Some(native) = next(entry, shape, &mut empty) {
        empty.push(match native {
            Native::Table { allocate, mutable, .. } => Empty::Table(allocate(0, 0), mutable),
            Native::Tally(make) => Empty::Tally(make(1)),
            Native::Params(make) => Empty::Params(make(&[])),
        });
        found.push(native);
    }
    found
}

/// Returns the first resource that an entry takes beyond those that are there.
fn next(entry: Entry, shape: Shape, empty: &mut [Empty]) -> Option<Native> {
    let slots: Vec<Slot<'_>> = empty.iter_mut().map(slot).collect();
    let mut call = match shape {
        // SAFETY: this is the only call over these slots.
        Shape::Rows => unsafe { Call::new(&slots, 0..0) },
        // SAFETY: as above.
        _ => unsafe { Call::grouped(&slots, shape, 0..0, 0, 0) }?,
    };
    // It fails for the resource that is missing, or visits no row.
    let _ = entry(&mut call);
    call.missing()
}

fn slot(empty: &mut Empty) -> Slot<'_> {
    match empty {
        Empty::Table(table, true) => Slot::exclusive(&mut **table),
        Empty::Table(table, false) => Slot::shared(&**table),
        Empty::Tally(tally) => Slot::value(tally.as_any()),
        Empty::Params(block) => Slot::value(&**block),
    }
}
