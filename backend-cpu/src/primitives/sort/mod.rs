//! Stable sorts.

mod radix;

use super::column::{Locked, Native, replace};
use super::types::misfit;
use super::workers::Workers;
use imminent_core::Result;
use imminent_core::backend::View;
use imminent_core::ir::Scalar;
use imminent_core::primitives::order::{Nan, key};
use radix::{Radix, order};

/// Sorts by key.
pub(super) fn sort(
    workers: Workers<'_>,
    keys: &View,
    values: Option<&View>,
    sorted_keys: Option<&View>,
    sorted_values: &View,
) -> Result<()> {
    if let (None, None) = (values, sorted_keys) {
        return replace::<u32, ()>(sorted_values, |rows| {
            super::for_number!(keys.scalar(), order_of(workers, keys, rows))
        });
    }
    let mut rows = vec![0; keys.span.rows.len()];
    super::for_number!(keys.scalar(), order_of(workers, keys, &mut rows))?;
    if let Some(sorted_keys) = sorted_keys {
        move_column(keys, sorted_keys, &rows)?;
    }
    match values {
        Some(values) => move_column(values, sorted_values, &rows),
        None => replace::<u32, ()>(sorted_values, |to| {
            if to.len() != rows.len() {
                return Err(misfit());
            }
            to.copy_from_slice(&rows);
            Ok(())
        }),
    }
}

fn move_column(from: &View, to: &View, order: &[u32]) -> Result<()> {
    fn moved<T: Native>(from: &View, to: &View, order: &[u32]) -> Result<()> {
        let locked = Locked::new(from)?;
        let values = locked.values::<T>(from)?;
        let mut scratch = super::column::Scratch::default();
        let values = values.block(0..values.len(), &mut scratch);
        replace::<T, ()>(to, |to| {
            if to.len() != order.len() || values.len() != order.len() {
                return Err(misfit());
            }
            to.iter_mut().zip(order).for_each(|(to, row)| *to = values[*row as usize]);
            Ok(())
        })
    }
    if from.scalar() == Scalar::Bool {
        return moved::<bool>(from, to, order);
    }
    super::for_number!(from.scalar(), moved(from, to, order))
}

/// Sets `rows` to the order of a column's values.
fn order_of<T: Native>(workers: Workers<'_>, keys: &View, rows: &mut [u32]) -> Result<()> {
    fn by<T: Native, K: Radix>(workers: Workers<'_>, values: &[T], rows: &mut [u32]) {
        order(workers, values, |value| K::of(key(T::SCALAR, value.bits(), Nan::Last)), rows);
    }
    let locked = Locked::new(keys)?;
    let values = locked.values::<T>(keys)?;
    let mut scratch = super::column::Scratch::default();
    let values = values.block(0..values.len(), &mut scratch);
    if values.len() != rows.len() {
        return Err(misfit());
    }
    if T::WORDS == 2 {
        by::<T, u64>(workers, values, rows)
    } else {
        by::<T, u32>(workers, values, rows)
    }
    Ok(())
}
