//! Loops over many items on all threads; loops over few items run in the calling thread.
//!
//! The result of an item depends on the item alone, and results keep their order. No outcome therefore depends on the
//! number of threads, which is that of the calling thread's [`rayon`] pool, by default one for each core.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::Range;

/// Number of items that justify a task on another thread.
const ITEMS_OF_A_TASK: usize = 1 << 12;

/// Number of threads for loops of this module and of [`rayon`], for instance that of a device on the host.
#[derive(Debug)]
pub struct Threads {
    /// Pool of the threads; `None` for the pool of the calling thread.
    pool: Option<ThreadPool>,
}

impl Threads {
    /// Creates `count` threads, unless the calling thread's pool has as many or the system refuses; the loops then run
    /// in that pool.
    #[must_use]
    pub fn new(count: u32) -> Self {
        let count = count.max(1) as usize;
        let shared = rayon::current_num_threads() == count;
        Threads { pool: if shared { None } else { ThreadPoolBuilder::new().num_threads(count).build().ok() } }
    }

    /// Runs `work`, whose loops use these threads.
    pub fn run<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.pool {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Returns the number of threads.
    #[must_use]
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or_else(rayon::current_num_threads, ThreadPool::current_num_threads)
    }
}

fn are_few(items: usize) -> bool {
    items <= ITEMS_OF_A_TASK
}

/// Creates a list of `count` items from their numbers.
pub fn map<T: Send>(count: usize, make: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
    if are_few(count) {
        return (0..count).map(make).collect();
    }
    (0..count).into_par_iter().with_min_len(ITEMS_OF_A_TASK).map(make).collect()
}

/// Changes every item; `change` also receives its number.
pub fn update<T: Send>(items: &mut [T], change: impl Fn(usize, &mut T) + Sync + Send) {
    if are_few(items.len()) {
        return items.iter_mut().enumerate().for_each(|(number, item)| change(number, item));
    }
    items.par_iter_mut().enumerate().with_min_len(ITEMS_OF_A_TASK).for_each(|(number, item)| change(number, item));
}

/// Divides items into consecutive parts, about one for each thread, and changes each part; `change` also receives the
/// number of the part's first item.
pub fn update_parts<T: Send>(items: &mut [T], change: impl Fn(usize, &mut [T]) + Sync + Send) {
    if are_few(items.len()) {
        return change(0, items);
    }
    let length = part_length(items.len());
    items.par_chunks_mut(length).enumerate().for_each(|(number, part)| change(number * length, part));
}

/// Returns the length of the parts of which each thread takes about one.
fn part_length(items: usize) -> usize {
    items.div_ceil(rayon::current_num_threads()).max(ITEMS_OF_A_TASK)
}

/// Combines the values that `of` returns for the numbers below `count`, in any grouping, keeping their order.
pub fn reduce<T: Default + Send>(
    count: usize,
    of: impl Fn(usize) -> T + Sync + Send,
    combine: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    if are_few(count) {
        return (0..count).map(of).fold(T::default(), combine);
    }
    (0..count).into_par_iter().with_min_len(ITEMS_OF_A_TASK).map(of).reduce(T::default, combine)
}

/// Returns the first number below `count` for which `holds` returns `true`.
pub fn find_first(count: usize, holds: impl Fn(usize) -> bool + Sync + Send) -> Option<usize> {
    if are_few(count) {
        return (0..count).find(|&number| holds(number));
    }
    (0..count).into_par_iter().with_min_len(ITEMS_OF_A_TASK).find_first(|&number| holds(number))
}

/// Divides `0..count` into consecutive ranges, about one for each thread, and returns the results of `of` in their
/// order.
pub fn ranges<T: Send>(count: usize, of: impl Fn(Range<usize>) -> T + Sync + Send) -> Vec<T> {
    if are_few(count) {
        return vec![of(0..count)];
    }
    let length = part_length(count);
    let range = |first: usize| first..(first + length).min(count);
    (0..count.div_ceil(length)).into_par_iter().map(|number| of(range(number * length))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of items for which a loop is one task, several whole ones, or several with a shorter last one.
    const COUNTS: [usize; 5] = [0, 1, ITEMS_OF_A_TASK, 4 * ITEMS_OF_A_TASK, 5 * ITEMS_OF_A_TASK + 3];

    #[test]
    fn loops_use_as_many_threads_as_were_asked_for() {
        for count in [1, 2, 3] {
            let threads = Threads::new(count);
            assert_eq!(threads.count(), count as usize);
            assert_eq!(threads.run(rayon::current_num_threads), count as usize);
        }
        assert_eq!(Threads::new(0).count(), 1);
    }

    #[test]
    fn many_items_give_what_a_plain_loop_gives() {
        for count in COUNTS {
            let plain: Vec<usize> = (0..count).map(|i| i * 3).collect();
            assert_eq!(map(count, |i| i * 3), plain);
            let mut items = vec![1; count];
            update(&mut items, |i, item| *item *= 3 * i);
            assert_eq!(items, plain);
            let mut items = vec![1; count];
            update_parts(&mut items, |first, part| {
                (first..).zip(part).for_each(|(i, item)| *item *= 3 * i);
            });
            assert_eq!(items, plain);
            assert_eq!(reduce(count, |i| i * 3, |a, b| a + b), plain.iter().sum::<usize>());
            let last = count.saturating_sub(2);
            assert_eq!(find_first(count, |i| i >= last), (count > 0).then_some(last));
            let joined: Vec<usize> = ranges(count, |range| range.map(|i| i * 3).collect::<Vec<_>>()).concat();
            assert_eq!(joined, plain);
        }
    }
}
