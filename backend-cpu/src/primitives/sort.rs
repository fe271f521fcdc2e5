//! Stable sorts: a radix sort of every thread's part, then merges of neighbouring parts.

use super::column::{Locked, Native, replace};
use super::{Workers, misfit};
use imminent_core::Result;
use imminent_core::backend::View;
use imminent_core::ir::Scalar;
use imminent_core::primitives::order::{Nan, key};

/// Fewest rows for which a second thread pays.
const PART_ROWS: usize = 1 << 16;

/// Fewer rows than this are sorted by comparison.
const RADIX_ROWS: usize = 256;

/// An unsigned integer whose order is that of the keys.
trait Radix: Copy + Ord + Send + Sync + Default {
    const BYTES: usize;
    fn of(key: u64) -> Self;
    fn byte(self, place: usize) -> usize;
}

impl Radix for u32 {
    const BYTES: usize = 4;
    #[inline(always)]
    fn of(key: u64) -> Self {
        key as u32
    }
    #[inline(always)]
    fn byte(self, place: usize) -> usize {
        (self >> (8 * place)) as usize & 255
    }
}

impl Radix for u64 {
    const BYTES: usize = 8;
    #[inline(always)]
    fn of(key: u64) -> Self {
        key
    }
    #[inline(always)]
    fn byte(self, place: usize) -> usize {
        (self >> (8 * place)) as usize & 255
    }
}

/// A key and the row that it comes from.
#[derive(Clone, Copy, Default)]
struct Pair<K> {
    key: K,
    row: u32,
}

/// Sorts by key.
pub(super) fn sort(
    workers: Workers<'_>,
    keys: &View,
    values: Option<&View>,
    sorted_keys: Option<&View>,
    sorted_values: &View,
) -> Result<()> {
    let order = super::for_number!(keys.scalar(), order_of(workers, keys))?;
    if let Some(sorted_keys) = sorted_keys {
        move_column(keys, sorted_keys, &order)?;
    }
    match values {
        Some(values) => move_column(values, sorted_values, &order),
        None => replace::<u32, ()>(sorted_values, |rows| {
            if rows.len() != order.len() {
                return Err(misfit());
            }
            rows.copy_from_slice(&order);
            Ok(())
        }),
    }
}

fn move_column(from: &View, to: &View, order: &[u32]) -> Result<()> {
    fn moved<T: Native>(from: &View, to: &View, order: &[u32]) -> Result<()> {
        // Read whole before anything is written: the two may be one.
        let values = Locked::new(from)?.values::<T>(from)?.to_vec();
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

fn order_of<T: Native>(workers: Workers<'_>, keys: &View) -> Result<Vec<u32>> {
    let locked = Locked::new(keys)?;
    let values = locked.values::<T>(keys)?;
    let mut scratch = super::column::Scratch::default();
    let values = values.block(0..values.len(), &mut scratch);
    Ok(if T::WORDS == 2 { order::<T, u64>(workers, values) } else { order::<T, u32>(workers, values) })
}

fn order<T: Native, K: Radix>(workers: Workers<'_>, values: &[T]) -> Vec<u32> {
    let parts = (values.len() / PART_ROWS).clamp(1, workers.threads()).next_power_of_two();
    let length = values.len().div_ceil(parts).max(1);
    let parts: Vec<(usize, &[T])> = values.chunks(length).enumerate().map(|(i, part)| (i * length, part)).collect();
    let mut sorted = workers.map(parts, |(first, part)| {
        let pairs = (first as u32..).zip(part);
        sort_pairs(pairs.map(|(row, x)| Pair { key: K::of(key(T::SCALAR, x.bits(), Nan::Last)), row }).collect())
    });
    while sorted.len() > 1 {
        let mut neighbours = Vec::with_capacity(sorted.len().div_ceil(2));
        let mut parts = sorted.into_iter();
        while let Some(left) = parts.next() {
            neighbours.push((left, parts.next()));
        }
        // The last merge has every row: it is cut in two, from both ends.
        sorted = workers.map(neighbours, |(left, right)| match right {
            Some(right) => merge(workers, &left, &right),
            None => left,
        });
    }
    sorted.into_iter().flatten().map(|pair| pair.row).collect()
}

/// A radix sort, from the last byte to the first; bytes that are the same in all keys are passed over.
fn sort_pairs<K: Radix>(mut pairs: Vec<Pair<K>>) -> Vec<Pair<K>> {
    if pairs.len() < RADIX_ROWS {
        pairs.sort_by_key(|pair| pair.key);
        return pairs;
    }
    let mut counts = vec![[0_u32; 256]; K::BYTES];
    for pair in &pairs {
        for (place, counts) in counts.iter_mut().enumerate() {
            counts[pair.key.byte(place)] += 1;
        }
    }
    let mut other = vec![Pair::default(); pairs.len()];
    for (place, counts) in counts.iter_mut().enumerate() {
        if counts.iter().any(|count| *count as usize == pairs.len()) {
            continue;
        }
        let mut next = 0;
        for count in counts.iter_mut() {
            (*count, next) = (next, next + *count);
        }
        for pair in &pairs {
            let place = &mut counts[pair.key.byte(place)];
            other[*place as usize] = *pair;
            *place += 1;
        }
        std::mem::swap(&mut pairs, &mut other);
    }
    pairs
}

/// Merges two sorted runs; of equal keys those on the left come first.
fn merge<K: Radix>(workers: Workers<'_>, left: &[Pair<K>], right: &[Pair<K>]) -> Vec<Pair<K>> {
    let mut merged = vec![Pair::default(); left.len() + right.len()];
    let middle = merged.len() / 2;
    let (from_left, from_right) = split(left, right, middle);
    let (low, high) = merged.split_at_mut(middle);
    let tasks = vec![(&left[..from_left], &right[..from_right], low), (&left[from_left..], &right[from_right..], high)];
    workers.map(tasks, |(mut left, mut right, out)| {
        for out in out {
            let take_right = match (left.first(), right.first()) {
                (Some(a), Some(b)) => b.key < a.key,
                (left, _) => left.is_none(),
            };
            let source = if take_right { &mut right } else { &mut left };
            if let Some((first, rest)) = source.split_first() {
                (*out, *source) = (*first, rest);
            }
        }
    });
    merged
}

/// How many of the first `count` merged pairs come from each run.
fn split<K: Radix>(left: &[Pair<K>], right: &[Pair<K>], count: usize) -> (usize, usize) {
    let (mut low, mut high) = (count.saturating_sub(right.len()), count.min(left.len()));
    while low < high {
        let middle = (low + high) / 2;
        // Left's pair at `middle` is among the first `count` unless right's last one to be taken is before it.
        if right[count - middle - 1].key < left[middle].key {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    (low, count - low)
}
