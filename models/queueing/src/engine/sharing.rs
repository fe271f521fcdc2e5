//! Distribution of independent networks among several threads.

use super::EngineError;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Approximate number of pieces per thread: enough that all threads end at nearly the same time.
const PIECES: usize = 16;
/// Largest number of items of a piece.
const LONGEST: usize = 64;

/// Results of many items of work.
pub(super) struct Shared<S, T> {
    /// Final state of each thread.
    pub(super) threads: Vec<S>,
    /// Result of each item, in order.
    pub(super) items: Vec<T>,
    /// Number of events reported.
    pub(super) events: u64,
}

/// Callback for the work on an item. It reports the events since the last report, and ends the work early if it breaks.
pub(super) type Report<'t> = &'t mut dyn FnMut(u64) -> ControlFlow<()>;

/// Runs `work` on every item with at most `threads` threads, each with its own state made by `begin`. Consecutive items
/// form pieces: data made for them are adjacent in memory, and threads that write there would share cache lines.
///
/// Only the calling thread calls `look`, with the events of all threads.
///
/// # Errors
/// Returns errors of `work`, and [`EngineError::Cancelled`] if `look` breaks.
pub(super) fn share<I, S, T>(
    items: impl ExactSizeIterator<Item = I> + Send,
    threads: usize,
    look: &mut dyn FnMut(u64) -> ControlFlow<()>,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I, Report<'_>) -> Result<T, EngineError> + Sync,
) -> Result<Shared<S, T>, EngineError>
where
    I: Send,
    S: Send,
    T: Send,
{
    let count = items.len();
    let threads = threads.min(count).max(1);
    let piece = (count / (threads * PIECES)).clamp(1, LONGEST);
    let board = Board { stop: AtomicBool::new(false), events: AtomicU64::new(0), failure: Mutex::new(None) };
    let items = Mutex::new((0..).zip(items));
    let work_off = |look: &mut dyn FnMut(u64) -> ControlFlow<()>| {
        let (mut mine, mut done, mut next) = (begin(), Vec::new(), Vec::with_capacity(piece));
        let mut report = |events| board.report(events, look);
        'work: loop {
            next.extend(locked(&items).by_ref().take(piece));
            if next.is_empty() {
                break;
            }
            for (number, item) in next.drain(..) {
                if board.is_stopped() {
                    break 'work;
                }
                match work(&mut mine, item, &mut report) {
                    Ok(result) => done.push((number, result)),
                    Err(error) => {
                        board.fail(error);
                        break 'work;
                    }
                }
            }
        }
        (mine, done)
    };
    let ended = std::thread::scope(|scope| {
        let work_off = &work_off;
        let others: Vec<_> =
            (1..threads).map(|_| scope.spawn(move || work_off(&mut |_| ControlFlow::Continue(())))).collect();
        let mine = work_off(look);
        let others = others.into_iter().map(|other| match other.join() {
            Ok(ended) => ended,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        std::iter::once(mine).chain(others).collect::<Vec<_>>()
    });
    let events = board.events.into_inner();
    if let Some(error) = board.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    if board.stop.into_inner() {
        return Err(EngineError::Cancelled { steps: events });
    }
    let (threads, done): (Vec<S>, Vec<Vec<(usize, T)>>) = ended.into_iter().unzip();
    let mut done: Vec<(usize, T)> = done.into_iter().flatten().collect();
    done.sort_unstable_by_key(|(number, _)| *number);
    Ok(Shared { threads, items: done.into_iter().map(|(_, result)| result).collect(), events })
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// State shared by all threads.
struct Board {
    /// `true` if all threads must stop.
    stop: AtomicBool,
    events: AtomicU64,
    /// First error of any thread.
    failure: Mutex<Option<EngineError>>,
}

impl Board {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn report(&self, events: u64, look: &mut dyn FnMut(u64) -> ControlFlow<()>) -> ControlFlow<()> {
        let all = self.events.fetch_add(events, Ordering::Relaxed) + events;
        if look(all).is_break() {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Stops all threads because of an error; ignores the error if they are stopping anyway.
    fn fail(&self, error: EngineError) {
        if !self.stop.swap(true, Ordering::Relaxed) {
            *locked(&self.failure) = Some(error);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn too_long(lanes: u64) -> EngineError {
        EngineError::LineTooLong { lanes }
    }

    #[test]
    fn every_item_is_worked_on_once_and_results_are_in_order() {
        for (count, threads) in [(0, 3), (1, 4), (7, 1), (1000, 3), (5000, 2)] {
            let square = |sum: &mut u64, item: u64, report: Report<'_>| {
                *sum += item;
                assert!(report(1).is_continue());
                Ok(item * item)
            };
            let items = (0..count).collect::<Vec<u64>>();
            let shared = share(items.into_iter(), threads, &mut |_| ControlFlow::Continue(()), || 0, square).unwrap();
            assert_eq!(shared.items, (0..count).map(|item| item * item).collect::<Vec<u64>>());
            assert_eq!(shared.threads.iter().sum::<u64>(), (0..count).sum::<u64>());
            assert_eq!(shared.events, count);
            assert!(shared.threads.len() <= threads);
        }
    }

    #[test]
    fn an_error_ends_all_work_and_is_told() {
        let work = |_: &mut (), item: u64, _: Report<'_>| if item == 40 { Err(too_long(item)) } else { Ok(()) };
        let items = (0..1000).collect::<Vec<u64>>();
        let ran = share(items.into_iter(), 3, &mut |_| ControlFlow::Continue(()), || (), work);
        assert_eq!(ran.err(), Some(too_long(40)));
    }

    #[test]
    fn who_looks_may_end_it() {
        let work = |_: &mut (), _: u64, report: Report<'_>| match report(10) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(EngineError::Cancelled { steps: 0 }),
        };
        let items = (0..1000).collect::<Vec<u64>>();
        let mut look = |events: u64| if events >= 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let ran = share(items.into_iter(), 1, &mut look, || (), work);
        assert_eq!(ran.err(), Some(EngineError::Cancelled { steps: 50 }));
    }
}
