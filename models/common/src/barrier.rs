//! Barrier of worker threads, and the messages that they exchange there.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of iterations of busy waiting before a thread yields.
const PATIENCE: u32 = 2_000;

/// Barrier of workers, which send messages to one another. A number given at the barrier is known to all workers after
/// it.
#[derive(Debug)]
pub struct Barrier<T> {
    threads: usize,
    arrived: AtomicUsize,
    /// Number of completed synchronizations.
    ended: AtomicU64,
    /// `true` if a worker will not come any more.
    broken: AtomicBool,
    /// `true` if all workers must stop.
    stop: AtomicBool,
    /// `true` if the calling thread must continue alone.
    dissolve: AtomicBool,
    /// Number of events of all workers.
    events: AtomicU64,
    places: Vec<WorkerSlot<T>>,
}

/// Data of one worker, on cache lines of its own.
#[derive(Debug)]
#[repr(align(128))]
struct WorkerSlot<T> {
    /// Numbers given at the last two synchronizations: a slow worker may still read the first when the next is written.
    given: [AtomicU64; 2],
    /// Messages that others send to the worker.
    mail: Mutex<Vec<T>>,
}

impl<T> Barrier<T> {
    /// Creates a barrier for a number of workers.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let place = |_| WorkerSlot { given: Default::default(), mail: Mutex::new(Vec::new()) };
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            ended: AtomicU64::new(0),
            broken: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            dissolve: AtomicBool::new(false),
            events: AtomicU64::new(0),
            places: (0..threads).map(place).collect(),
        }
    }

    /// Returns the number of workers.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Waits at the barrier; returns the least number `given` by any worker.
    pub fn least(&self, me: usize, given: u64) -> u64 {
        let turn = (self.ended.load(Ordering::Acquire) & 1) as usize;
        let places = || self.places.iter().filter_map(|place| place.given.get(turn));
        if let Some(place) = places().nth(me) {
            place.store(given, Ordering::Relaxed);
        }
        self.wait();
        places().map(|place| place.load(Ordering::Relaxed)).min().unwrap_or(u64::MAX)
    }

    /// Waits until all workers have come.
    pub fn wait(&self) {
        let barrier = self.ended.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.ended.store(barrier + 1, Ordering::Release);
            return;
        }
        let mut turns = 0;
        while self.ended.load(Ordering::Acquire) == barrier && !self.broken.load(Ordering::Relaxed) {
            turns += 1;
            if turns < PATIENCE { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }

    /// Sends messages to a worker; the list is empty afterwards.
    pub fn send(&self, to: usize, messages: &mut Vec<T>) {
        if let (Some(place), false) = (self.places.get(to), messages.is_empty()) {
            join(messages, &mut place.mail.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Receives the messages sent to a worker. They are in no order.
    pub fn collect(&self, me: usize, messages: &mut Vec<T>) {
        if let Some(place) = self.places.get(me) {
            join(&mut place.mail.lock().unwrap_or_else(PoisonError::into_inner), messages);
        }
    }

    /// Counts events; returns the number of all workers.
    pub fn count(&self, events: u64) -> u64 {
        self.events.fetch_add(events, Ordering::Relaxed) + events
    }

    /// Returns the number of events of all workers.
    #[must_use]
    pub fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// Orders all workers to stop. The order must be the same for all: each worker looks at it after the next
    /// synchronization, and no order is given between that one and the look of the last worker.
    pub fn ask_to_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Orders that the calling thread continues alone.
    pub fn ask_to_dissolve(&self) {
        self.dissolve.store(true, Ordering::Relaxed);
    }

    /// Returns the order that holds after a synchronization.
    #[must_use]
    pub fn order(&self) -> Order {
        if self.stop.load(Ordering::Relaxed) || self.broken.load(Ordering::Relaxed) {
            Order::Stop
        } else if self.dissolve.load(Ordering::Relaxed) {
            Order::Dissolve
        } else {
            Order::GoOn
        }
    }

    /// Returns a guard that each worker holds while it takes part. If the worker panics, no other waits for it.
    #[must_use]
    pub fn attend(&self) -> Attendance<'_, T> {
        Attendance(self)
    }
}

/// Moves messages to a list, without copies if that is empty.
fn join<T>(from: &mut Vec<T>, to: &mut Vec<T>) {
    if to.is_empty() { std::mem::swap(from, to) } else { to.append(from) }
}

/// Action of the workers after a synchronization.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// All go on.
    GoOn,
    /// All stop.
    Stop,
    /// The calling thread goes on alone.
    Dissolve,
}

/// Guard of a worker that takes part.
#[derive(Debug)]
pub struct Attendance<'m, T>(&'m Barrier<T>);

impl<T> Drop for Attendance<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
    }
}
