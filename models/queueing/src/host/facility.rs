//! One node: random words, line, servers and statistics.

use super::clock::Clock;
use super::counts::Counts;
use super::line::{Job, Line, Rank, Waiting};
use super::poll::Poll;
use super::pools::Pools;
use super::serving::{Onward, Serving};
use super::streams::Streams;
use super::token::Token;
use crate::network::{Conduct, Discipline, Network, Role, Station};
use crate::outcome::NodeStatistics;
use crate::scenario::Scenario;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

#[derive(Debug, Clone)]
pub(super) struct Facility<'a> {
    pub(super) network: &'a Network,
    pub(super) node: u32,
    /// Properties of the station; `None` for a source.
    pub(super) station: Option<Station>,
    pub(super) conduct: Arc<Conduct>,
    /// `true` if services are drawn when tokens enter, not when they start.
    pub(super) draws_ahead: bool,
    /// `true` if the servers differ.
    differs: bool,
    pub(super) streams: Streams,
    /// Random word of the next service, drawn ahead.
    coming: u32,
    /// Number of services drawn, which is the number of the next one.
    drawn: u64,
    /// Number of tokens that entered the line.
    entered: u64,
    pub(super) line: Line,
    /// Services under way, by number.
    pub(super) serving: BTreeMap<u64, Serving>,
    /// Clocks of classes that share the servers; none where servers are not shared.
    pub(super) clocks: Vec<Clock>,
    pub(super) pools: Pools,
    /// Numbers of the servers that are broken down.
    broken: BTreeSet<u64>,
    /// Tokens that found no room and will try again, by the number of their entry.
    pub(super) orbit: BTreeMap<u64, Token>,
    /// Number of parts of forked tokens that wait for others.
    pub(super) parts: u64,
    /// Number of the latest planned end.
    pub(super) plans: u64,
    /// Number of times that each list of routes was used, by the number of the list.
    turns: BTreeMap<u32, u64>,
    /// Phase of a Markovian arrival process.
    pub(super) phase: u32,
    /// Place of a server that goes from queue to queue.
    pub(super) polls: Poll,
    /// Number of tokens in service beside the first of their batch.
    riders: u64,
    /// Number of the next row of a table of arrivals.
    pub(super) next_row: u32,
    /// End of the last service.
    pub(super) last_end: u64,
    pub(super) counts: Counts,
}

impl<'a> Facility<'a> {
    pub(super) fn new(scenario: &'a Scenario<'a>, node: u32, is_asked_for_work: bool) -> Self {
        let network = scenario.network();
        let mut streams = Streams::new(scenario.key(), node);
        let station = match network.role(node) {
            Role::Station(station) => Some(station),
            Role::Source => None,
        };
        let servers = station.map_or(1, |station| station.servers);
        let ordinary = || Arc::new(Conduct::ordinary(servers, network.classes()));
        let conduct = network.conduct(node).cloned().unwrap_or_else(ordinary);
        let discipline = station.map_or(Discipline::Fifo, |station| station.discipline);
        let by_length = matches!(discipline, Discipline::ShortestJob | Discipline::ShortestRemaining);
        let shares = discipline.shares() || !conduct.speeds.is_empty();
        Self {
            network,
            node,
            station,
            differs: network.behaviour(node).is_some_and(|behaviour| !behaviour.pools.is_empty()),
            draws_ahead: station.is_some() && (by_length || is_asked_for_work),
            coming: streams.service(),
            streams,
            drawn: 0,
            entered: 0,
            line: Line::of(discipline),
            serving: BTreeMap::new(),
            clocks: if shares { vec![Clock::default(); network.classes()] } else { vec![] },
            pools: Pools::of(&conduct),
            broken: BTreeSet::new(),
            orbit: BTreeMap::new(),
            parts: 0,
            plans: 0,
            turns: BTreeMap::new(),
            phase: 0,
            polls: Poll::new(),
            riders: 0,
            next_row: 0,
            last_end: 0,
            counts: Counts::new(network.classes(), servers == Station::INFINITE, scenario.counted_from()),
            conduct,
        }
    }

    pub(super) fn discipline(&self) -> Discipline {
        self.station.map_or(Discipline::Fifo, |station| station.discipline)
    }

    /// Returns `true` if tokens in service share the speed of all servers.
    pub(super) fn shares(&self) -> bool {
        !self.clocks.is_empty()
    }

    /// Returns the number of tokens at the node, wherever they wait or are served.
    pub(super) fn present(&self) -> u64 {
        (self.line.len() + self.serving.len() + self.orbit.len()) as u64 + self.parts
    }

    /// Returns the number of further tokens that have room.
    pub(super) fn room(&self) -> u64 {
        let capacity = self.station.and_then(|station| station.capacity);
        let inside = self.present() - self.orbit.len() as u64;
        capacity.map_or(u64::MAX, |capacity| u64::from(capacity).saturating_sub(inside))
    }

    /// Returns the unfinished work at the node for each server, in 2^-32 ticks; services must be drawn ahead.
    pub(super) fn work(&self, now: u64) -> u128 {
        let waiting: u128 = self.line.iter().filter_map(|waiting| waiting.job.map(|job| job.left)).sum();
        let under_way: u128 = self.serving.values().map(|serving| self.left(serving, now)).sum();
        let servers = self.station.map_or(1, |station| station.servers);
        (waiting + under_way) / u128::from(servers.max(1))
    }

    /// Returns the numbers of busy servers, of tokens in service without one of them, and of blocked servers.
    fn in_service(&self) -> [u64; 3] {
        let blocked = self.counts.blocked_now;
        let in_service = self.serving.len() as u64 - blocked - self.riders;
        let busy = if self.shares() { in_service.min(self.pools.available()) } else { in_service };
        if self.is_delay() { [0, busy, blocked] } else { [busy, self.riders, blocked] }
    }

    fn is_delay(&self) -> bool {
        self.station.is_some_and(|station| station.servers == Station::INFINITE)
    }

    /// Returns the numbers of tokens that are at the station and that wait there; where servers are shared, those that
    /// have no server of their own.
    pub(super) fn numbers(&self) -> [u64; 2] {
        let present = self.present();
        [present, present.saturating_sub(self.in_service().iter().sum())]
    }

    /// Adds the time since the last change to the areas under the numbers of servers and tokens.
    pub(super) fn observe(&mut self, now: u64) {
        if self.station.is_none() {
            return;
        }
        let [busy, delayed, blocked] = self.in_service();
        let staffed = if self.is_delay() { 0 } else { self.pools.available().max(busy + blocked) };
        if self.differs {
            self.pools.observe(now - self.counts.changed(), &self.blocked_by_pool());
        }
        self.counts.observe(now, [busy, delayed, blocked, self.present(), staffed]);
    }

    /// Returns the number of blocked servers of each pool; none if none is blocked.
    fn blocked_by_pool(&self) -> Vec<u64> {
        if self.counts.blocked_now == 0 {
            return vec![];
        }
        let of = |pool: usize| self.serving.values().filter(|of| of.blocked && !of.rides && of.pool == pool).count();
        (0..self.conduct.pools.len()).map(|pool| of(pool) as u64).collect()
    }

    /// Returns the times of the busy servers of each pool and of those on duty until `now`; none if all are alike.
    pub(super) fn pool_times(&self, now: u64) -> Vec<[u64; 2]> {
        if !self.differs {
            return vec![];
        }
        let mut pools = self.pools.clone();
        pools.observe(now - self.counts.changed(), &self.blocked_by_pool());
        pools.times()
    }

    /// Lets a token that has room enter the line; returns the numbers of its entry and of its rank.
    pub(super) fn enter(&mut self, token: Token, now: u64) -> (u64, Rank) {
        self.observe(now);
        let job = self.draws_ahead.then(|| self.draw_for(&token));
        let entry = self.entered;
        self.entered += 1;
        let waiting = Waiting { token, entry, job };
        let rank = self.rank(&waiting);
        self.line.push(rank, waiting);
        (entry, rank)
    }

    /// Puts a token whose service was interrupted back into the line.
    pub(super) fn put_back(&mut self, waiting: Waiting) {
        let rank = self.rank(&waiting);
        self.line.push(rank, waiting);
    }

    /// Returns the number of the server that serves next, where servers break down: the least that works and is free.
    pub(super) fn next_server(&self) -> u64 {
        if self.conduct.breakdowns.is_none() {
            return 0;
        }
        let busy: BTreeSet<u64> = self.serving.values().map(|serving| serving.server).collect();
        (0..).find(|server| !busy.contains(server) && !self.broken.contains(server)).unwrap_or(0)
    }

    /// Notes that a server breaks down, which interrupts its service, or works again.
    pub(super) fn break_down(&mut self, server: u64, breaks: bool, now: u64) {
        self.pools.break_down(breaks);
        if !breaks {
            self.broken.remove(&server);
            return;
        }
        self.broken.insert(server);
        let is_hit = |serving: &&Serving| serving.server == server && serving.ended.is_none();
        let hit = self.serving.values().find(is_hit).map(|serving| serving.job.number);
        // A token that shares all servers goes on with those that are left.
        if let Some(number) = hit.filter(|_| !self.discipline().shares()) {
            self.interrupt(number, now);
        }
    }

    /// Returns the number of tokens that entered the line so far.
    pub(super) const fn entered(&self) -> u64 {
        self.entered
    }

    /// Returns the next number of an entry, for a token that does not enter the line.
    pub(super) fn number_entry(&mut self) -> u64 {
        self.entered += 1;
        self.entered - 1
    }

    /// Returns the place of a token in the line.
    pub(super) fn rank(&self, waiting: &Waiting) -> Rank {
        let length =
            |of: fn(&Job) -> u128| waiting.job.as_ref().map_or(0, |job| u64::try_from(of(job)).unwrap_or(u64::MAX));
        if self.conduct.polling.is_some() {
            return (u64::from(waiting.token.class), waiting.entry);
        }
        match self.discipline() {
            Discipline::GeneralizedSharing => (u64::from(waiting.token.class), waiting.entry),
            Discipline::Fifo | Discipline::Random | Discipline::ProcessorSharing => (0, waiting.entry),
            Discipline::Lifo | Discipline::LifoPreemptive => (0, u64::MAX - waiting.entry),
            Discipline::Priority | Discipline::PriorityPreemptive => {
                (u64::from(self.network.priority(self.node, waiting.token.class)), waiting.entry)
            }
            Discipline::ShortestJob => (length(|job| u128::from(job.length)), waiting.entry),
            Discipline::ShortestRemaining => (length(|job| job.left.div_ceil(1 << 32)), waiting.entry),
        }
    }

    /// Draws the next service, for a token of a class.
    pub(super) fn draw(&mut self, class: u32) -> Job {
        let length = self.length(class, self.coming);
        let word = self.streams.service();
        self.coming = self.streams.service();
        let number = self.drawn;
        self.drawn += 1;
        Job { number, length, left: u128::from(length) << 32, word, started: None, served: 0 }
    }

    /// Draws the next service, for a token. A table of arrivals may have its length.
    pub(super) fn draw_for(&mut self, token: &Token) -> Job {
        let job = self.draw(token.class);
        let length = self.replayed_length(token).unwrap_or(job.length);
        Job { length, left: u128::from(length) << 32, ..job }
    }

    /// Returns the length of a token's service at this station if a table of arrivals has it.
    pub(super) fn replayed_length(&self, token: &Token) -> Option<u64> {
        let source = self.network.conduct(token.origin.source?)?;
        source.emission.replay.as_ref()?.service(token.row?, self.node)
    }

    /// Returns the length of a service for a random word, in ticks.
    pub(super) fn length(&self, class: u32, word: u32) -> u64 {
        let sampler = self.network.service(self.node, class).and_then(|law| self.network.samplers().get(law as usize));
        sampler.map_or(1, |sampler| sampler.draw(word))
    }

    /// Returns the length of the next service, by the class that would have the shortest.
    pub(super) fn next_length(&self) -> u64 {
        let classes =
            (0..self.network.classes() as u32).filter(|&class| self.network.service(self.node, class).is_some());
        classes.map(|class| self.length(class, self.coming)).min().unwrap_or(0)
    }

    /// Returns the service of a number.
    pub(super) fn service(&mut self, number: u64) -> Option<&mut Serving> {
        self.serving.get_mut(&number)
    }

    /// Adds a service to those under way.
    pub(super) fn add(&mut self, serving: Serving) {
        if serving.rides {
            self.riders += 1;
        } else {
            self.pools.take(serving.pool);
        }
        self.serving.insert(serving.job.number, serving);
    }

    /// Removes a service from those under way.
    pub(super) fn remove(&mut self, number: u64, now: u64) -> Option<Serving> {
        let mut serving = self.serving.remove(&number)?;
        self.share_without(&mut serving, now);
        if serving.rides {
            self.riders -= 1;
        } else {
            self.pools.give_back(serving.pool);
        }
        self.counts.blocked_now -= u64::from(serving.blocked);
        Some(serving)
    }

    /// Notes that a service ends at `now`; returns the class of its token and the word of its route.
    pub(super) fn finish(&mut self, number: u64, now: u64) -> Option<(u32, u32)> {
        if self.shares() {
            let mut serving = self.serving.remove(&number)?;
            self.share_without(&mut serving, now);
            self.serving.insert(number, serving);
        }
        let serving = self.serving.get_mut(&number)?;
        serving.ended = Some(now);
        Some((serving.token.class, serving.job.word))
    }

    /// Brings all services up to date.
    pub(super) fn settle_all(&mut self, now: u64) {
        let mut serving = std::mem::take(&mut self.serving);
        serving.values_mut().for_each(|serving| self.settle(serving, now));
        self.serving = serving;
    }

    /// Takes a token from its server, which it leaves at `now` for good.
    pub(super) fn leave(&mut self, number: u64, now: u64) -> Option<Serving> {
        self.observe(now);
        let mut serving = self.remove(number, now)?;
        if self.station.is_none() {
            // Tokens enter the network when they leave a source, which may have waited for room.
            serving.token.origin.entered = now;
        }
        self.counts.leave(&serving, self.station.is_some(), now);
        Some(serving)
    }

    /// Returns the number of the next turn of a class's list of routes.
    pub(super) fn turn(&mut self, class: u32) -> u64 {
        let list = self.network.route_list(self.node, class);
        let turn = self.turns.entry(list).or_default();
        *turn += 1;
        *turn - 1
    }

    /// Records the length of the line at the end of a tick.
    pub(super) fn note_line(&mut self) {
        if self.station.is_some() {
            self.counts.note_line(self.line.len() as u32);
        }
    }

    /// Marks a token whose service has ended and that has to wait for room.
    pub(super) fn block(&mut self, number: u64, now: u64) {
        self.observe(now);
        let Some(serving) = self.service(number) else { return };
        let is_new = !std::mem::replace(&mut serving.blocked, true);
        if is_new {
            self.counts.block();
        }
    }

    /// Returns the statistics by class at `now`.
    pub(super) fn by_class(&self, now: u64) -> Vec<NodeStatistics> {
        // One whose service was interrupted has had a part of it.
        let served = |job: &Job| job.started.map(|_| if self.shares() { job.done() } else { job.served });
        let line = self.line.iter().map(|waiting| (&waiting.token, waiting.job.as_ref().and_then(served)));
        let orbit = self.orbit.values().map(|token| (token, None));
        let mut serving: Vec<Serving> = self.serving.values().cloned().collect();
        serving.iter_mut().for_each(|serving| self.settle(serving, now));
        self.counts.by_class(&serving, line.chain(orbit), self.station.is_some(), now)
    }

    /// Returns the destination of a service that has ended.
    pub(super) fn onward(&self, number: u64) -> Option<Onward> {
        self.serving.get(&number).map(|serving| serving.onward)
    }
}
