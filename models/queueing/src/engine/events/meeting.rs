//! Where the threads of a crew wait for each other, and what they tell each other there.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Turns of waiting before a thread lets others run.
const PATIENCE: u32 = 2_000;

/// A token on its way: when it arrives, and where.
pub(super) type Token = (u64, u32);

/// The meeting point of a crew. What is told at a meeting is known after it.
pub(super) struct Meeting {
    threads: usize,
    arrived: AtomicUsize,
    /// How many meetings have ended.
    ended: AtomicU64,
    /// Whether a thread will not come any more.
    broken: AtomicBool,
    /// Whether all are to stop.
    stop: AtomicBool,
    /// Whether all are to go apart.
    dissolve: AtomicBool,
    /// Events of all threads.
    events: AtomicU64,
    places: Vec<Place>,
}

/// What belongs to one thread, apart from the others' cache lines.
#[derive(Default)]
#[repr(align(128))]
struct Place {
    /// What it told at the last two meetings: who is late may still read the first when the next is told.
    told: [AtomicU64; 2],
    /// Tokens that others send to its nodes.
    mail: Mutex<Vec<Token>>,
}

impl Meeting {
    pub(super) fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            ended: AtomicU64::new(0),
            broken: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            dissolve: AtomicBool::new(false),
            events: AtomicU64::new(0),
            places: (0..threads).map(|_| Place::default()).collect(),
        }
    }

    /// Tells a number and waits for the others; gives the least that any of them told.
    pub(super) fn least(&self, me: usize, told: u64) -> u64 {
        let turn = (self.ended.load(Ordering::Acquire) & 1) as usize;
        let places = || self.places.iter().filter_map(|place| place.told.get(turn));
        if let Some(place) = places().nth(me) {
            place.store(told, Ordering::Relaxed);
        }
        self.wait();
        places().map(|place| place.load(Ordering::Relaxed)).min().unwrap_or(u64::MAX)
    }

    /// Waits until all have come.
    pub(super) fn wait(&self) {
        let meeting = self.ended.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.ended.store(meeting + 1, Ordering::Release);
            return;
        }
        let mut turns = 0;
        while self.ended.load(Ordering::Acquire) == meeting && !self.broken.load(Ordering::Relaxed) {
            turns += 1;
            if turns < PATIENCE { std::hint::spin_loop() } else { std::thread::yield_now() }
        }
    }

    /// Sends tokens to the nodes of a thread.
    pub(super) fn send(&self, to: usize, tokens: &mut Vec<Token>) {
        if let (Some(place), false) = (self.places.get(to), tokens.is_empty()) {
            place.mail.lock().unwrap_or_else(PoisonError::into_inner).append(tokens);
        }
    }

    /// Takes what was sent to a thread's nodes.
    pub(super) fn collect(&self, me: usize, tokens: &mut Vec<Token>) {
        if let Some(place) = self.places.get(me) {
            tokens.append(&mut place.mail.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// Counts events; gives those of all threads.
    pub(super) fn count(&self, events: u64) -> u64 {
        self.events.fetch_add(events, Ordering::Relaxed) + events
    }

    /// Events of all threads.
    pub(super) fn events(&self) -> u64 {
        self.events.load(Ordering::Relaxed)
    }

    /// Orders all to stop. Orders are given by the thread that has not come yet, and hold from that meeting on.
    pub(super) fn ask_to_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Orders all to go apart.
    pub(super) fn ask_to_dissolve(&self) {
        self.dissolve.store(true, Ordering::Relaxed);
    }

    /// What to do after a meeting.
    pub(super) fn order(&self) -> Order {
        if self.stop.load(Ordering::Relaxed) || self.broken.load(Ordering::Relaxed) {
            Order::Stop
        } else if self.dissolve.load(Ordering::Relaxed) {
            Order::Dissolve
        } else {
            Order::GoOn
        }
    }

    /// To be held by each thread while it takes part: if it panics, nobody waits for it.
    pub(super) fn attend(&self) -> Attendance<'_> {
        Attendance(self)
    }
}

/// What the members do after a meeting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    GoOn,
    Stop,
    Dissolve,
}

pub(super) struct Attendance<'m>(&'m Meeting);

impl Drop for Attendance<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::Relaxed);
        }
    }
}
