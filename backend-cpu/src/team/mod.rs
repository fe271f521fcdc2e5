//! Thread pool of a device. The thread that has work executes it, and the other threads help if they arrive in time.
//!
//! No thread waits for one that has not begun: an offer is withdrawn when the work is done. So a helper that the system
//! is slow to wake costs nothing but its help.

mod invitation;
mod waiting;

pub(crate) use waiting::lock;

use invitation::Shared;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use waiting::wait_until;

/// A fixed number of threads: the caller's, and helpers.
#[derive(Debug)]
pub(crate) struct Team {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
}

impl Team {
    /// Creates a team of `threads` threads, including the caller's.
    pub(crate) fn new(threads: usize) -> io::Result<Team> {
        let mut team = Team { shared: Arc::default(), helpers: Vec::new() };
        for number in 1..threads {
            let shared = team.shared.clone();
            let name = format!("imminent-cpu-{number}");
            team.helpers.push(Builder::new().name(name).spawn(move || shared.help())?);
        }
        Ok(team)
    }

    /// Returns the number of threads.
    pub(crate) fn threads(&self) -> usize {
        self.helpers.len() + 1
    }

    /// Runs `work` here, and in parallel on up to `helpers` helpers. Returns when all that began have ended.
    ///
    /// # Panics
    /// If `work` panics, here or elsewhere.
    fn together(&self, helpers: usize, work: &(dyn Fn() + Sync)) {
        match helpers.min(self.helpers.len()) {
            0 => work(),
            helpers => self.shared.together(helpers, work),
        }
    }

    /// Runs a task for every item; the results come in the order of the items.
    pub(crate) fn map<I: Send, T: Send>(&self, items: Vec<I>, task: impl Fn(I) -> T + Sync) -> Vec<T> {
        let count = items.len();
        if count <= 1 || self.helpers.is_empty() {
            return items.into_iter().map(task).collect();
        }
        // An item, replaced by its result.
        let places: Vec<_> = items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
        self.each(count, &|number| {
            if let Some(place) = places.get(number) {
                let item = lock(place).0.take();
                let result = item.map(&task);
                lock(place).1 = result;
            }
        });
        places.into_iter().filter_map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner).1).collect()
    }

    /// Runs a task for every number below `count`.
    fn each(&self, count: usize, task: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        self.together(count - 1, &|| {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= count {
                    break;
                }
                task(number);
            }
        });
    }

    /// Runs tiles in three steps: `first` for a tile at any time; `turn` with its result for the tiles in order, one at
    /// a time; `then` with the result of `turn`. A tile is still in a near cache when it is traversed again.
    pub(crate) fn in_turn<A, B>(
        &self,
        tiles: usize,
        first: impl Fn(usize) -> A + Sync,
        turn: impl FnMut(usize, A) -> B + Send,
        then: impl Fn(usize, B) + Sync,
    ) {
        let (next, passed, turn) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(turn));
        self.together(tiles.saturating_sub(1), &|| {
            let stuck = OnPanic(&passed);
            loop {
                let tile = next.fetch_add(1, Ordering::Relaxed);
                if tile >= tiles {
                    break;
                }
                let one = first(tile);
                wait_until(|| passed.load(Ordering::Acquire) >= tile);
                let two = match passed.load(Ordering::Acquire) {
                    turns if turns == tile => (lock(&turn))(tile, one),
                    // Another thread has panicked, and no turn will come.
                    _ => break,
                };
                passed.store(tile + 1, Ordering::Release);
                then(tile, two);
            }
            std::mem::forget(stuck);
        });
    }
}

/// Ends the waiting of other threads for turns that will not come.
struct OnPanic<'p>(&'p AtomicUsize);

impl Drop for OnPanic<'_> {
    fn drop(&mut self) {
        self.0.store(usize::MAX, Ordering::Release);
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.close();
        for helper in self.helpers.drain(..) {
            // A helper survives panics of its work, which are reported to the caller.
            let _ = helper.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [1, 2, 5] {
            let team = Team::new(threads).unwrap();
            for count in [0, 1, 2, 100] {
                let squares = team.map((0..count).collect(), |x: u64| x * x);
                assert_eq!(squares, (0..count).map(|x| x * x).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn work_inside_work_is_shared_too() {
        let team = Team::new(3).unwrap();
        let sums = team.map((0..8_u64).collect(), |x| team.map((0..8).collect(), |y| x * y).iter().sum::<u64>());
        assert_eq!(sums, (0..8).map(|x| x * 28).collect::<Vec<_>>());
    }

    #[test]
    fn several_callers_share_the_helpers() {
        let team = Team::new(2).unwrap();
        std::thread::scope(|scope| {
            for caller in 0..4_u64 {
                let team = &team;
                scope.spawn(move || {
                    for _ in 0..200 {
                        assert_eq!(team.map((0..16).collect(), |x: u64| x + caller)[15], 15 + caller);
                    }
                });
            }
        });
    }

    #[test]
    fn turns_come_in_order() {
        for threads in [1, 2, 4] {
            let team = Team::new(threads).unwrap();
            let results: Vec<AtomicUsize> = (0..500).map(|_| AtomicUsize::new(0)).collect();
            let mut carried = 0;
            team.in_turn(
                results.len(),
                |tile| tile,
                |_, one| {
                    carried += one;
                    carried
                },
                |tile, sum| results[tile].store(sum, Ordering::Relaxed),
            );
            assert!((0..500).all(|i| results[i].load(Ordering::Relaxed) == i * (i + 1) / 2), "{threads} threads");
        }
    }

    #[test]
    fn a_panic_reaches_the_caller_and_the_team_works_on() {
        let team = Team::new(3).unwrap();
        for bad in 0..16 {
            let fail = |x: usize| assert_ne!(x, bad, "the bad one");
            assert!(catch_unwind(AssertUnwindSafe(|| team.map((0..16).collect(), fail))).is_err());
            let tiles = || team.in_turn(16, fail, |_, ()| (), |_, ()| ());
            assert!(catch_unwind(AssertUnwindSafe(tiles)).is_err());
        }
        assert_eq!(team.map(vec![1, 2, 3], |x| x + 1), [2, 3, 4]);
    }
}
