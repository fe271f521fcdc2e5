//! The calendar itself: pending arrivals by month, and the month under way by day.

use crate::queueing::scenario::Scenario;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;

/// Events looked ahead at a time: enough to keep the memory busy, few enough to stay in the first-level cache.
const LOOK_AHEAD: usize = 32;

/// What happens at an arrival.
pub(crate) trait Arrivals {
    /// Reads what an arrival at `node` will need, and gives something made from it. The waits for memory of several
    /// arrivals then overlap instead of adding up.
    fn look_ahead(&self, node: u32) -> u32;

    /// Deals with the arrival of a token at `node`; gives its next arrival, if that is to be dealt with as well.
    fn arrive(&mut self, node: u32, arrival: u64) -> Option<(u64, u32)>;

    /// Called at the end of every month; breaking ends the run.
    fn month_ended(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Pending arrivals, each a time and a node.
pub(crate) struct Months {
    /// A month lasts `2^month_bits` ticks.
    month_bits: u32,
    /// A day lasts `2^day_bits` ticks.
    day_bits: u32,
    /// The next year of months, in a ring: each event is its offset in the month (high word) and its node (low word).
    ring: Vec<Vec<u64>>,
    /// Number of the month under way.
    current: u64,
    /// When the month under way ends.
    end: u64,
    /// Events in the ring.
    in_ring: u64,
    /// Events of the month under way that were inserted after it began.
    today: BinaryHeap<Reverse<u64>>,
    /// Events a year or more ahead.
    later: BinaryHeap<Reverse<(u64, u32)>>,
    /// Events counted by day, while a month is sorted.
    days: Vec<u32>,
    /// The month under way, before sorting.
    unsorted: Vec<u64>,
}

impl Months {
    /// An empty calendar for `tokens` tokens on `nodes` nodes whose mean service is about `mean` ticks.
    ///
    /// The arguments set its proportions only. A month is short against a service, so that few events fall into the
    /// month in which they are made, but long enough for several events; a year is long against the way of a token
    /// through a node's line.
    fn new(mean: f64, nodes: usize, tokens: u64) -> Self {
        let (nodes, tokens) = (nodes as f64, tokens as f64);
        let busy = tokens / (nodes + tokens);
        let between_events = mean / (nodes * busy).max(1e-9);
        let month = (mean / 64.0).max(4.0 * between_events).clamp(1.0, 2_f64.powi(31));
        let month_bits = month.log2().round() as u32;
        let events = (month / between_events).clamp(1.0, 65_536.0);
        let days_bits = (events.log2().ceil() as u32).min(month_bits);
        let year = 8.0 * mean * (1.0 + tokens / nodes) / month;
        let months = (year.clamp(16.0, 16_384.0) as usize).next_power_of_two();
        Self {
            month_bits,
            day_bits: month_bits - days_bits,
            ring: vec![Vec::new(); months],
            current: 0,
            end: 0,
            in_ring: 0,
            today: BinaryHeap::new(),
            later: BinaryHeap::new(),
            days: vec![0; 1 << days_bits],
            unsorted: vec![],
        }
    }

    /// An empty calendar with the proportions that suit a scenario.
    pub(crate) fn of(scenario: &Scenario<'_>) -> Self {
        let network = scenario.network();
        let nodes = 0..network.len() as u32;
        let mean = nodes.map(|node| f64::from(network.mean_service(node))).sum::<f64>() / network.len() as f64;
        Self::new(mean, network.len(), network.total_tokens())
    }

    /// Deals with all arrivals in order of time, from `tokens` at each node at time 0 until none is left.
    pub(crate) fn run(&mut self, tokens: &[u32], arrivals: &mut impl Arrivals) -> ControlFlow<()> {
        // Nothing else happens in tick 0, since every service takes a tick or more.
        for (node, &tokens) in (0..).zip(tokens) {
            for _ in 0..tokens {
                self.deal_with(arrivals, 0, node);
            }
        }
        let mut month = vec![];
        while self.open_next(&mut month) {
            for events in month.chunks(LOOK_AHEAD) {
                let mix = events.iter().fold(0, |mix, &event| mix ^ arrivals.look_ahead(event as u32));
                // The value is of no use; the compiler must not find out.
                std::hint::black_box(mix);
                for &event in events {
                    let (time, node) = self.decode(event);
                    while let Some((time, node)) = self.pop_before(time) {
                        self.deal_with(arrivals, time, node);
                    }
                    self.deal_with(arrivals, time, node);
                }
            }
            while let Some((time, node)) = self.pop_before(u64::MAX) {
                self.deal_with(arrivals, time, node);
            }
            arrivals.month_ended()?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn deal_with(&mut self, arrivals: &mut impl Arrivals, time: u64, node: u32) {
        if let Some((next, to)) = arrivals.arrive(node, time) {
            self.insert(next, to);
        }
    }

    /// Adds an arrival, not earlier than the event being executed.
    #[inline(always)]
    fn insert(&mut self, time: u64, node: u32) {
        let month = time >> self.month_bits;
        let event = (time & ((1 << self.month_bits) - 1)) << 32 | u64::from(node);
        if time < self.end {
            self.today.push(Reverse(event));
        } else if month - self.current < self.ring.len() as u64 {
            self.file(month, event);
            self.in_ring += 1;
        } else {
            self.later.push(Reverse((time, node)));
        }
    }

    #[inline(always)]
    fn file(&mut self, month: u64, event: u64) {
        let place = month as usize & (self.ring.len() - 1);
        if let Some(events) = self.ring.get_mut(place) {
            events.push(event);
        }
    }

    /// The time and node of an event of the month under way.
    #[inline(always)]
    fn decode(&self, event: u64) -> (u64, u32) {
        ((self.current << self.month_bits) + (event >> 32), event as u32)
    }

    /// Takes the first event that was inserted into the month under way, if it is earlier than `time`.
    #[inline(always)]
    fn pop_before(&mut self, time: u64) -> Option<(u64, u32)> {
        let &Reverse(event) = self.today.peek()?;
        let (earliest, node) = self.decode(event);
        if earliest >= time {
            return None;
        }
        self.today.pop();
        Some((earliest, node))
    }

    /// Goes on to the next month with events and gives these in order of time; false when nothing is pending.
    ///
    /// The month under way must have been emptied.
    fn open_next(&mut self, month: &mut Vec<u64>) -> bool {
        loop {
            if self.in_ring > 0 {
                // Before anything was opened, month 0 itself may hold events.
                self.current += u64::from(self.end > 0);
            } else if let Some(Reverse((time, _))) = self.later.peek() {
                self.current = time >> self.month_bits;
            } else {
                return false;
            }
            self.end = (self.current + 1) << self.month_bits;
            self.bring_forward();
            let place = self.current as usize & (self.ring.len() - 1);
            if let Some(events) = self.ring.get_mut(place)
                && !events.is_empty()
            {
                std::mem::swap(&mut self.unsorted, events);
                self.in_ring -= self.unsorted.len() as u64;
                self.sort(month);
                self.unsorted.clear();
                return true;
            }
        }
    }

    /// Files the events of the month under way that were a year ahead when they were made.
    fn bring_forward(&mut self) {
        while let Some(&Reverse((time, node))) = self.later.peek()
            && time < self.end
        {
            self.later.pop();
            self.file(self.current, (time & ((1 << self.month_bits) - 1)) << 32 | u64::from(node));
            self.in_ring += 1;
        }
    }

    /// Sorts the month: counted into days, then by insertion, which has little left to do.
    fn sort(&mut self, month: &mut Vec<u64>) {
        let shift = 32 + self.day_bits;
        self.days.fill(0);
        for &event in &self.unsorted {
            if let Some(count) = self.days.get_mut((event >> shift) as usize) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for count in &mut self.days {
            sum += std::mem::replace(count, sum);
        }
        month.resize(self.unsorted.len(), 0);
        for &event in &self.unsorted {
            if let Some(next) = self.days.get_mut((event >> shift) as usize) {
                if let Some(place) = month.get_mut(*next as usize) {
                    *place = event;
                }
                *next += 1;
            }
        }
        for sorted in 1..month.len() {
            let mut at = sorted;
            while at > 0 && month[at - 1] > month[at] {
                month.swap(at - 1, at);
                at -= 1;
            }
        }
    }
}
