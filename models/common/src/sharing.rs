//! Distribution of independent simulations among several threads.

use crate::threads::{join, start};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Approximate number of pieces per thread: enough that all threads end at nearly the same time.
const PIECES: usize = 16;
/// Largest number of items of a piece.
const LONGEST: usize = 64;

/// Time between two looks while other threads work.
const PAUSE: Duration = Duration::from_millis(10);

/// Results of many items of work.
#[derive(Debug)]
pub struct Shared<S, T> {
    /// Final state of each thread.
    pub threads: Vec<S>,
    /// Result of each item, in order.
    pub items: Vec<T>,
    /// Number of events reported.
    pub events: u64,
}

/// Reason why not all items were worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped<E> {
    /// The calling thread's `look` ended the work.
    Cancelled {
        /// Number of events reported.
        events: u64,
    },
    /// Error of the work on an item.
    Failed(E),
}

/// Callback for the work on an item. It reports the events since the last report, and ends the work early if it breaks.
pub type Report<'t> = &'t mut dyn FnMut(u64) -> ControlFlow<()>;

/// Runs `work` on every item with at most `threads` threads, each with its own state made by `begin`. Consecutive items
/// form pieces: data made for them are adjacent in memory, and threads that write there would share cache lines.
///
/// Only the calling thread calls `look`, with the events of all threads: when its work reports, and every 10 ms while
/// it waits for the others.
///
/// # Errors
/// Returns errors of `work`, and [`Stopped::Cancelled`] if `look` breaks; what `work` then returns is dropped.
pub fn share<I, S, T, E>(
    items: impl ExactSizeIterator<Item = I> + Send,
    threads: usize,
    look: &mut dyn FnMut(u64) -> ControlFlow<()>,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I, Report<'_>) -> Result<T, E> + Sync,
) -> Result<Shared<S, T>, Stopped<E>>
where
    I: Send,
    S: Send,
    T: Send,
    E: Send,
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
        // Nothing is sent: the channel closes when the others have ended.
        let (open, closed) = channel::<()>();
        let spawn = |_| {
            let open = open.clone();
            start(scope, move || {
                let _open = open;
                work_off(&mut |_| ControlFlow::Continue(()))
            })
        };
        // Threads that there are work off all items.
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        drop(open);
        let mine = work_off(look);
        // Alone there is nobody to wait for, nor a clock for the wait on hosts without threads.
        while !others.is_empty() && closed.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
            let _ = board.report(0, look);
        }
        std::iter::once(mine).chain(others.into_iter().map(join)).collect::<Vec<_>>()
    });
    let events = board.events.into_inner();
    if let Some(error) = board.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(Stopped::Failed(error));
    }
    if board.stop.into_inner() {
        return Err(Stopped::Cancelled { events });
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
struct Board<E> {
    /// `true` if all threads must stop.
    stop: AtomicBool,
    events: AtomicU64,
    /// First error of any thread.
    failure: Mutex<Option<E>>,
}

impl<E> Board<E> {
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
    fn fail(&self, error: E) {
        if !self.stop.swap(true, Ordering::Relaxed) {
            *locked(&self.failure) = Some(error);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    /// Error of an item.
    #[derive(Debug, PartialEq)]
    struct Broken(u64);

    #[test]
    fn every_item_is_worked_on_once_and_results_are_in_order() {
        for (count, threads) in [(0, 3), (1, 4), (7, 1), (1000, 3), (5000, 2)] {
            let square = |sum: &mut u64, item: u64, report: Report<'_>| {
                *sum += item;
                assert!(report(1).is_continue());
                Ok::<_, Broken>(item * item)
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
        let work = |_: &mut (), item: u64, _: Report<'_>| if item == 40 { Err(Broken(item)) } else { Ok(()) };
        let items = (0..1000).collect::<Vec<u64>>();
        let ran = share(items.into_iter(), 3, &mut |_| ControlFlow::Continue(()), || (), work);
        assert_eq!(ran.err(), Some(Stopped::Failed(Broken(40))));
    }

    #[test]
    fn who_looks_may_end_it() {
        let work = |_: &mut (), _: u64, report: Report<'_>| match report(10) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Broken(0)),
        };
        let items = (0..1000).collect::<Vec<u64>>();
        let mut look = |events: u64| if events >= 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let ran = share(items.into_iter(), 1, &mut look, || (), work);
        assert_eq!(ran.err(), Some(Stopped::Cancelled { events: 50 }));
    }

    #[test]
    fn who_looks_may_end_the_work_of_others() {
        let caller = std::thread::current().id();
        let has_begun = AtomicBool::new(false);
        // Each thread takes an item. The calling thread ends its work, and the other works until it is stopped.
        let work = |_: &mut (), _: u64, report: Report<'_>| {
            if std::thread::current().id() == caller {
                while !has_begun.load(Ordering::Relaxed) {
                    std::thread::yield_now();
                }
            } else {
                has_begun.store(true, Ordering::Relaxed);
                while report(1).is_continue() {
                    std::thread::yield_now();
                }
            }
            Ok::<_, Broken>(())
        };
        let mut look = |events: u64| if events >= 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        let ran = share([0, 1].into_iter(), 2, &mut look, || (), work);
        assert!(matches!(ran.err(), Some(Stopped::Cancelled { events: 50.. })));
    }
}
