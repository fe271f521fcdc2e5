//! Statistics of a node.

use super::serving::Serving;
use super::token::Token;
use crate::outcome::NodeStatistics;
use crate::tally::Census;

/// Sums of a node, and of each class there.
#[derive(Debug, Clone)]
pub(super) struct Counts {
    pub(super) statistics: NodeStatistics,
    /// Sums over the visits that are over, and the arrivals, by class.
    by_class: Vec<NodeStatistics>,
    /// `true` if every token has a server of its own.
    is_delay: bool,
    /// Number of servers that are blocked.
    pub(super) blocked_now: u64,
    /// Time of the last change at this node.
    changed: u64,
    /// Time from which arrivals are counted apart.
    counted_from: Option<u64>,
    /// Time with each number of tokens, if it is counted.
    numbers: Option<Census>,
}

impl Counts {
    pub(super) fn new(classes: usize, is_delay: bool, counted_from: Option<u64>) -> Self {
        Self {
            statistics: NodeStatistics { most_waiting: Some(0), ..NodeStatistics::default() },
            by_class: vec![NodeStatistics::default(); classes],
            is_delay,
            blocked_now: 0,
            changed: 0,
            counted_from,
            numbers: None,
        }
    }

    /// Begins to count the time with each number of tokens.
    pub(super) fn count_numbers(&mut self) {
        self.numbers = Some(Census::default());
    }

    /// Returns the time with each number until `now`, with so many tokens present and waiting since the last change.
    pub(super) fn numbers(&self, tokens: [u64; 2], now: u64) -> Census {
        let mut numbers = self.numbers.clone().unwrap_or_default();
        numbers.add(tokens, now - self.changed);
        numbers
    }

    /// Returns the time of the last change.
    pub(super) const fn changed(&self) -> u64 {
        self.changed
    }

    /// Adds the time since the last change, with the numbers of busy servers, of tokens in service without one of them,
    /// of blocked servers, of tokens, and of servers on duty.
    pub(super) fn observe(&mut self, now: u64, [busy, delayed, blocked, present, staffed]: [u64; 5]) {
        let elapsed = now - self.changed;
        self.changed = now;
        let sums = &mut self.statistics;
        sums.busy += elapsed * busy;
        sums.delayed += elapsed * delayed;
        sums.blocked_time += elapsed * blocked;
        sums.number_integral += elapsed * present;
        sums.staffed += elapsed * staffed;
        if let Some(numbers) = &mut self.numbers {
            numbers.add([present, present.saturating_sub(busy + delayed + blocked)], elapsed);
        }
    }

    /// Counts for the node and for a class.
    fn both(&mut self, class: u32, count: impl Fn(&mut NodeStatistics)) {
        count(&mut self.statistics);
        if let Some(of_class) = self.by_class.get_mut(class as usize) {
            count(of_class);
        }
    }

    pub(super) fn arrive(&mut self, class: u32) {
        self.both(class, |sums| sums.arrivals += 1);
    }

    pub(super) fn lose(&mut self, class: u32) {
        self.both(class, |sums| sums.lost += 1);
    }

    /// Counts a token that leaves the line, after it waited for `waited` ticks in vain.
    pub(super) fn renege(&mut self, class: u32, waited: u64) {
        self.both(class, |sums| sums.reneged += 1);
        if let Some(of_class) = self.by_class.get_mut(class as usize) {
            of_class.number_integral += waited;
        }
    }

    /// Counts the first start of a service; `ends` is its end if nothing interrupts it.
    pub(super) fn start(&mut self, serving: &Serving, ends: Option<u64>, at_station: bool) {
        self.statistics.served += 1;
        if at_station && let Some(ends) = ends {
            self.statistics.started.add(serving.started - serving.token.arrived, ends - serving.token.arrived);
        }
    }

    pub(super) fn block(&mut self) {
        self.blocked_now += 1;
        self.statistics.blocked += 1;
    }

    pub(super) fn note_line(&mut self, waiting: u32) {
        self.statistics.most_waiting = self.statistics.most_waiting.max(Some(waiting));
    }

    /// Counts an emission, and the tokens of it by their classes; the emission itself counts for `class`.
    pub(super) fn emit(&mut self, class: u32, tokens: impl Iterator<Item = u32>) {
        tokens.for_each(|class| self.both(class, |sums| sums.completed += 1));
        if let Some(of_class) = self.by_class.get_mut(class as usize) {
            of_class.served += 1;
        }
    }

    /// Counts a token that leaves its server.
    pub(super) fn leave(&mut self, serving: &Serving, at_station: bool, now: u64) {
        if !at_station {
            return;
        }
        let (waiting, sojourn) = (serving.started - serving.token.arrived, now - serving.token.arrived);
        let counts_arrival = self.counted_from.is_some_and(|time| serving.token.arrived >= time);
        self.both(serving.token.class, |sums| {
            sums.completed += 1;
            sums.waiting_sum += waiting;
            sums.sojourn_sum += sojourn;
            if counts_arrival {
                sums.arrived.add(waiting, sojourn);
            }
        });
        let is_delay = self.is_delay;
        if let Some(of_class) = self.by_class.get_mut(serving.token.class as usize) {
            add_service(of_class, serving, is_delay, now);
        }
    }

    /// Returns the statistics by class at `now`, with those of the tokens that are there. Tokens that wait have the
    /// time of the part of their service before it was interrupted.
    pub(super) fn by_class<'t>(
        &self,
        serving: &[Serving],
        waiting: impl Iterator<Item = (&'t Token, Option<u64>)>,
        at_station: bool,
        now: u64,
    ) -> Vec<NodeStatistics> {
        let mut by_class = self.by_class.clone();
        for serving in serving {
            if let Some(of_class) = by_class.get_mut(serving.token.class as usize) {
                if at_station {
                    add_service(of_class, serving, self.is_delay, now);
                } else {
                    of_class.served += 1;
                }
            }
        }
        for (token, served) in waiting {
            let Some(of_class) = by_class.get_mut(token.class as usize) else { continue };
            of_class.number_integral += now - token.arrived;
            if let Some(served) = served {
                of_class.served += 1;
                of_class.busy += served;
            }
        }
        // Each class has its share of the same servers.
        by_class.iter_mut().for_each(|of_class| of_class.staffed = self.statistics.staffed);
        by_class
    }
}

/// Adds a service, up to `now`, to the sums of its class.
fn add_service(sums: &mut NodeStatistics, serving: &Serving, is_delay: bool, now: u64) {
    sums.served += 1;
    let ended = serving.ended.unwrap_or(now);
    if let Some(ends) = serving.ended.or_else(|| serving.ends()) {
        sums.started.add(serving.started - serving.token.arrived, ends - serving.token.arrived);
    }
    let time = if is_delay || serving.rides { &mut sums.delayed } else { &mut sums.busy };
    *time += serving.taken(ended);
    sums.number_integral += now - serving.token.arrived;
    sums.blocked += u64::from(serving.blocked);
    sums.blocked_time += now - ended;
}
