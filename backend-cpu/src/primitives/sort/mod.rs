//! Stable sorts.

mod bucket;
mod columns;
mod key;
mod line;
mod pairs;
mod radix;
mod rows;

use super::column::{Locked, Native, Scratch, replace};
use super::types::misfit;
use super::workers::Workers;
use imminent_core::Result;
use imminent_core::backend::View;
use imminent_core::ir::Scalar;
use imminent_core::primitives::order::{Nan, key};
use key::Radix;
use radix::sort as sort_keys;
use rows::Output;

/// Sorts by key.
///
/// Values of one word are sorted along with the keys. Other values, and keys that their order does not determine to the
/// bit, are fetched by the sorted numbers of the rows.
pub(super) fn sort(
    workers: Workers<'_>,
    keys: &View,
    values: Option<&View>,
    sorted_keys: Option<&View>,
    sorted_values: &View,
) -> Result<()> {
    let is_whole = !matches!(keys.scalar(), Scalar::F32 | Scalar::F64);
    let direct = sorted_keys.filter(|_| is_whole);
    let fetched = sorted_keys.filter(|_| !is_whole);
    if fetched.is_none() {
        let sorted = (direct, sorted_values);
        match values.map(View::scalar) {
            None => return along::<u32>(workers, keys, None, sorted),
            Some(Scalar::U32) => return along::<u32>(workers, keys, values, sorted),
            Some(Scalar::I32) => return along::<i32>(workers, keys, values, sorted),
            Some(Scalar::F32) => return along::<f32>(workers, keys, values, sorted),
            Some(_) => {}
        }
    }
    let mut rows = vec![0; keys.span.rows.len()];
    by_key(workers, keys, None, direct, &mut rows)?;
    if let Some(sorted_keys) = fetched {
        fetch(workers, keys, sorted_keys, &rows)?;
    }
    match values {
        Some(values) => fetch(workers, values, sorted_values, &rows),
        None => replace::<u32, _>(sorted_values, |to| {
            if to.len() != rows.len() {
                return Err(misfit());
            }
            to.copy_from_slice(&rows);
            Ok(())
        }),
    }
}

/// Calls `f` with all values of a view.
fn with_values<T: Native, U>(view: &View, f: impl FnOnce(&[T]) -> Result<U>) -> Result<U> {
    let locked = Locked::new(view)?;
    let values = locked.values::<T>(view)?;
    let mut scratch = Scratch::default();
    f(values.block(0..values.len(), &mut scratch))
}

/// Sorts values of one word along with the keys, or the numbers of the rows.
fn along<V: Native + bytemuck::Pod>(
    workers: Workers<'_>,
    keys: &View,
    values: Option<&View>,
    (sorted_keys, sorted_values): (Option<&View>, &View),
) -> Result<()> {
    replace::<V, _>(sorted_values, |to| {
        let to = bytemuck::cast_slice_mut(to);
        match values {
            Some(values) => with_values::<V, _>(values, |values| {
                by_key(workers, keys, Some(bytemuck::cast_slice(values)), sorted_keys, to)
            }),
            None => by_key(workers, keys, None, sorted_keys, to),
        }
    })
}

/// Sorts words by key; without words the numbers of the rows.
fn by_key(
    workers: Workers<'_>,
    keys: &View,
    words: Option<&[u32]>,
    sorted_keys: Option<&View>,
    sorted: &mut [u32],
) -> Result<()> {
    fn typed<K: Native>(
        workers: Workers<'_>,
        keys: &View,
        words: Option<&[u32]>,
        sorted_keys: Option<&View>,
        sorted: &mut [u32],
    ) -> Result<()> {
        with_values::<K, _>(keys, |keys| match sorted_keys {
            Some(sorted_keys) => {
                replace::<K, _>(sorted_keys, |to| into(workers, keys, words, Output { keys: Some(to), words: sorted }))
            }
            None => into(workers, keys, words, Output { keys: None, words: sorted }),
        })
    }
    super::for_number!(keys.scalar(), typed(workers, keys, words, sorted_keys, sorted))
}

fn into<K: Native>(workers: Workers<'_>, keys: &[K], words: Option<&[u32]>, output: Output<'_, K>) -> Result<()> {
    fn by<K: Native, R: Radix>(workers: Workers<'_>, keys: &[K], words: Option<&[u32]>, output: Output<'_, K>) {
        let order = |value: K| R::of(key(K::SCALAR, value.bits(), Nan::Last));
        // The order of integers is its own inverse.
        let value = |order: R| K::from_bits(key(K::SCALAR, order.bits(), Nan::Last));
        sort_keys(workers, keys, words, output, order, value);
    }
    let lengths = [words.map(<[u32]>::len), output.keys.as_ref().map(|keys| keys.len()), Some(output.words.len())];
    if lengths.into_iter().flatten().any(|length| length != keys.len()) {
        return Err(misfit());
    }
    if K::WORDS == 2 {
        by::<K, u64>(workers, keys, words, output)
    } else {
        by::<K, u32>(workers, keys, words, output)
    }
    Ok(())
}

/// Fetches the values of the given rows.
fn fetch(workers: Workers<'_>, from: &View, to: &View, rows: &[u32]) -> Result<()> {
    fn typed<T: Native>(workers: Workers<'_>, from: &View, to: &View, rows: &[u32]) -> Result<()> {
        with_values::<T, _>(from, |values| {
            replace::<T, _>(to, |to| {
                if to.len() != rows.len() || values.len() != rows.len() {
                    return Err(misfit());
                }
                let (mut to, mut rows, mut tasks) = (to, rows, Vec::new());
                for range in workers.ranges(rows.len(), size_of::<T>()) {
                    let (own, after) = to.split_at_mut(range.len());
                    let (of_own, of_after) = rows.split_at(range.len());
                    tasks.push((own, of_own));
                    (to, rows) = (after, of_after);
                }
                workers.map(tasks, |(to, rows)| {
                    to.iter_mut().zip(rows).for_each(|(to, row)| *to = values[*row as usize]);
                });
                Ok(())
            })
        })
    }
    if from.scalar() == Scalar::Bool {
        return typed::<bool>(workers, from, to, rows);
    }
    super::for_number!(from.scalar(), typed(workers, from, to, rows))
}
