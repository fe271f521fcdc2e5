//! Pending arrivals by window.

use crate::scenario::Scenario;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Pending arrivals, each a time and a node, in buckets called windows. A ring holds the windows of the next year.
/// Windows are opened in order.
pub(crate) struct Year {
    /// Binary logarithm of the length of a window in ticks.
    window_bits: u32,
    /// Binary logarithm of the length of a day in ticks.
    day_bits: u32,
    /// Windows of the next year. Each arrival is its offset in the window (high word) and its node (low word).
    ring: Vec<Vec<u64>>,
    /// Number of the first window that has not been opened.
    first: u64,
    /// Number of arrivals in the ring.
    in_ring: u64,
    /// Arrivals that were a year or more ahead when they were added.
    later: BinaryHeap<Reverse<(u64, u32)>>,
    /// Counts of arrivals by day, while a window is sorted.
    days: Vec<u32>,
    /// Arrivals of the window that is being opened, before sorting.
    unsorted: Vec<u64>,
}

/// Inputs that set the bucket sizes of a calendar: mean service in ticks, number of nodes, and events per mean service
/// time.
#[derive(Clone, Copy)]
pub(crate) struct Traffic {
    mean: f64,
    nodes: f64,
    tokens: f64,
}

impl Traffic {
    pub(crate) fn of(scenario: &Scenario<'_>) -> Self {
        let network = scenario.network();
        let (mean, nodes) = (network.mean_service_of_all(), network.len() as f64);
        Self { mean, nodes, tokens: network.total_tokens() as f64 }
    }

    /// Returns the mean service time, in ticks.
    pub(crate) fn mean(self) -> f64 {
        self.mean
    }

    /// Returns the number of events in a mean service time.
    pub(crate) fn events(self) -> f64 {
        (self.nodes * self.tokens / (self.nodes + self.tokens)).max(1e-9)
    }

    /// Returns a window's length: short compared with a service, so few events fall into the window in which they are
    /// made, but long enough for several events.
    pub(crate) fn window(self) -> f64 {
        (self.mean / 64.0).max(4.0 * self.mean / self.events())
    }
}

impl Year {
    /// Creates an empty calendar with windows of about `window` ticks. A year is long compared with the time a token
    /// spends in a node's line.
    pub(crate) fn new(traffic: Traffic, window: f64) -> Self {
        let window_bits = window.clamp(1.0, 2_f64.powi(31)).log2().round() as u32;
        let window = 2_f64.powi(window_bits as i32);
        let events = (window * traffic.events() / traffic.mean).clamp(1.0, 65_536.0);
        let days_bits = (events.log2().ceil() as u32).min(window_bits);
        let year = 8.0 * traffic.mean * (1.0 + traffic.tokens / traffic.nodes) / window;
        let windows = (year.clamp(16.0, 16_384.0) as usize).next_power_of_two();
        Self {
            window_bits,
            day_bits: window_bits - days_bits,
            ring: vec![Vec::new(); windows],
            first: 0,
            in_ring: 0,
            later: BinaryHeap::new(),
            days: vec![0; 1 << days_bits],
            unsorted: vec![],
        }
    }

    /// Returns the number of the window that contains a time.
    #[inline(always)]
    pub(crate) fn window_of(&self, time: u64) -> u64 {
        time >> self.window_bits
    }

    /// Returns the end of a window, in ticks.
    pub(crate) fn end_of(&self, window: u64) -> u64 {
        (window + 1) << self.window_bits
    }

    /// Encodes an arrival as its offset in its window and its node; earlier arrivals have lower codes.
    #[inline(always)]
    pub(crate) fn encode(&self, time: u64, node: u32) -> u64 {
        (time & ((1 << self.window_bits) - 1)) << 32 | u64::from(node)
    }

    /// Decodes the time and node of an arrival of a window.
    #[inline(always)]
    pub(crate) fn decode(&self, window: u64, arrival: u64) -> (u64, u32) {
        ((window << self.window_bits) + (arrival >> 32), arrival as u32)
    }

    /// Adds an arrival to a window that has not been opened.
    #[inline(always)]
    pub(crate) fn add(&mut self, time: u64, node: u32) {
        let window = self.window_of(time);
        if window - self.first < self.ring.len() as u64 {
            let arrival = self.encode(time, node);
            self.file(window, arrival);
        } else {
            self.later.push(Reverse((time, node)));
        }
    }

    #[inline(always)]
    fn file(&mut self, window: u64, arrival: u64) {
        let place = window as usize & (self.ring.len() - 1);
        if let Some(arrivals) = self.ring.get_mut(place) {
            arrivals.push(arrival);
            self.in_ring += 1;
        }
    }

    /// Returns the next window that has arrivals.
    pub(crate) fn next(&self) -> Option<u64> {
        let mask = self.ring.len() - 1;
        let filled = |window: &u64| self.ring.get(*window as usize & mask).is_some_and(|arrivals| !arrivals.is_empty());
        let in_ring = (self.in_ring > 0).then(|| (self.first..self.first + self.ring.len() as u64).find(filled));
        let later = self.later.peek().map(|Reverse((time, _))| self.window_of(*time));
        in_ring.flatten().into_iter().chain(later).min()
    }

    /// Removes the arrivals of a window from the calendar, in order of time. All windows before it must have been
    /// opened.
    pub(crate) fn open(&mut self, number: u64, window: &mut Vec<u64>) {
        self.first = number;
        while let Some(&Reverse((time, node))) = self.later.peek()
            && self.window_of(time) <= number
        {
            self.later.pop();
            let arrival = self.encode(time, node);
            self.file(number, arrival);
        }
        self.first = number + 1;
        window.clear();
        let place = number as usize & (self.ring.len() - 1);
        if let Some(arrivals) = self.ring.get_mut(place) {
            std::mem::swap(&mut self.unsorted, arrivals);
            self.in_ring -= self.unsorted.len() as u64;
            self.sort(window);
            self.unsorted.clear();
        }
    }

    /// Sorts the window: a counting sort by days, then an insertion sort, which has little left to do.
    fn sort(&mut self, window: &mut Vec<u64>) {
        let shift = 32 + self.day_bits;
        self.days.fill(0);
        for &arrival in &self.unsorted {
            if let Some(count) = self.days.get_mut((arrival >> shift) as usize) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut self.days {
            sum += std::mem::replace(count, sum);
        }
        window.resize(self.unsorted.len(), 0);
        for &arrival in &self.unsorted {
            if let Some(next) = self.days.get_mut((arrival >> shift) as usize) {
                if let Some(place) = window.get_mut(*next as usize) {
                    *place = arrival;
                }
                *next += 1;
            }
        }
        for sorted in 1..window.len() {
            let mut at = sorted;
            while at > 0 && window[at - 1] > window[at] {
                window.swap(at - 1, at);
                at -= 1;
            }
        }
    }
}
