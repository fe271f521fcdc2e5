//! Third part of a tick: services start, and interrupt others.

use super::calendar::{Calendar, Event, Kind};
use super::emission::Emitted;
use super::facility::Facility;
use super::line::{Job, Waiting};
use super::pools::Pools;
use super::serving::{Onward, Serving};
use super::streams::Purpose;
use super::token::{Origin, Token};
use crate::network::{Conduct, Discipline, Interrupted, Pool, UNIT};

impl Facility<'_> {
    /// Starts the services that can start now, and plans their ends.
    pub(super) fn start_services(&mut self, now: u64, calendar: &mut Calendar) {
        if self.station.is_none() {
            self.start_emission(now, calendar);
            return;
        }
        // Nodes may be looked at for what happened elsewhere: nothing may have changed here in this tick.
        self.observe(now);
        let conduct = self.conduct.clone();
        if let Some(bulk) = conduct.bulk {
            self.start_batches(bulk, now, calendar);
        } else if let Some(polling) = &conduct.polling {
            self.poll(polling, now, calendar);
        } else {
            self.start_singly(now, calendar);
        }
        if self.shares() {
            self.share(now, calendar);
        }
        self.note_line();
    }

    /// Starts the services of single tokens that can start now.
    fn start_singly(&mut self, now: u64, calendar: &mut Calendar) {
        loop {
            while let Some((waiting, pool)) = self.next_to_start(|_| true) {
                self.start(waiting, pool, None, now, calendar);
            }
            if !self.interrupt_for_first(now) {
                break;
            }
        }
    }

    /// Returns the kind of the free server that serves a class next.
    pub(super) fn free_server(&self, class: u32) -> Option<usize> {
        free_server(&self.conduct, &self.pools, class)
    }

    /// Removes the token to be served next of those that `may` be, with the kind of its server.
    pub(super) fn next_to_start(&mut self, may: impl Fn(&Token) -> bool) -> Option<(Waiting, usize)> {
        if self.line.is_empty() {
            return None;
        }
        if self.discipline() == Discipline::ProcessorSharing {
            // Tokens share what servers there are, so all are in service.
            return self.line.take(|_| true, |_| 0).map(|waiting| (waiting, 0));
        }
        if self.discipline() == Discipline::GeneralizedSharing {
            // The first token of each class is in service.
            let is_served = |class: &u32| self.serving.values().any(|serving| serving.token.class == *class);
            let class = (0..self.network.classes() as u32)
                .find(|class| self.line.first_of(*class).is_some() && !is_served(class))?;
            return self.line.take_first_of(class).map(|waiting| (waiting, 0));
        }
        if !self.pools.any_free() {
            return None;
        }
        let Self { line, pools, conduct, streams, .. } = self;
        let choose = |number: usize| ((u64::from(streams.choice()) * number as u64) >> 32) as usize;
        let waiting = line.take(|token| may(token) && free_server(conduct, pools, token.class).is_some(), choose)?;
        let pool = free_server(conduct, pools, waiting.token.class)?;
        Some((waiting, pool))
    }

    /// Starts a service, or goes on with one that was interrupted. A token of a batch that another leads takes the
    /// `length` of its service. Returns the length.
    pub(super) fn start(
        &mut self,
        waiting: Waiting,
        pool: usize,
        length: Option<u64>,
        now: u64,
        calendar: &mut Calendar,
    ) -> u64 {
        self.observe(now);
        let Waiting { token, entry, job } = waiting;
        let mut job = job.unwrap_or_else(|| self.draw_for(&token));
        if let Some(length) = length {
            (job.length, job.left) = (length, u128::from(length) << 32);
        }
        let is_first = job.started.is_none();
        let started = *job.started.get_or_insert(now);
        if !is_first {
            self.renew(&mut job, &token);
        }
        let shares = self.shares();
        let speed = if shares { 0 } else { self.conduct.pools.get(pool).map_or(UNIT, |pool| pool.speed) };
        self.plans += 1;
        let (plan, server) = (self.plans, self.next_server());
        let mut serving = Serving {
            token,
            entry,
            job,
            started,
            resumed: now,
            rides: length.is_some(),
            shares,
            mark: 0,
            since: now,
            speed,
            pool,
            server,
            plan,
            ended: None,
            blocked: false,
            onward: Onward::Out,
        };
        serving.set_speed(now, speed);
        let length = serving.job.length;
        let ends = serving.ends();
        if is_first {
            self.counts.start(&serving, ends, true);
        }
        if let Some(time) = ends {
            self.last_end = self.last_end.max(time);
            calendar.add(Event { time, kind: Kind::End, node: self.node, number: serving.job.number, detail: plan });
        }
        self.share_with(&mut serving, now);
        self.add(serving);
        length
    }

    /// Sets the work of a service that was interrupted and goes on.
    fn renew(&mut self, job: &mut Job, token: &Token) {
        match self.conduct.interrupted {
            Interrupted::Resume => {}
            Interrupted::Restart => job.left = u128::from(job.length) << 32,
            Interrupted::Resample => {
                let word = self.streams.word(Purpose::Resampling);
                job.length = self.replayed_length(token).unwrap_or_else(|| self.length(token.class, word));
                job.left = u128::from(job.length) << 32;
            }
        }
    }

    /// Interrupts a service if the first token of the line goes before it. Returns `true` if it did.
    fn interrupt_for_first(&mut self, now: u64) -> bool {
        let discipline = self.discipline();
        // The server of a token that was interrupted must be free for another: not beyond its duty.
        if !discipline.interrupts() || self.pools.available() == 0 || self.pools.excess(0) > 0 {
            return false;
        }
        let Some((first, _)) = self.line.first() else { return false };
        // Only priorities themselves interrupt: among equals the one in service goes on.
        let goes_before = |rank: (u64, u64)| match discipline {
            Discipline::PriorityPreemptive | Discipline::ShortestRemaining => first.0 < rank.0,
            _ => first < rank,
        };
        let under_way = self.serving.values().filter(|serving| serving.ended.is_none());
        let ranked = under_way.map(|serving| (self.rank(&interrupted(serving, now)), serving.job.number));
        let Some((rank, number)) = ranked.max() else { return false };
        goes_before(rank) && self.interrupt(number, now)
    }

    /// Interrupts a service, whose token goes back to the line. Returns `true` if there was such a service.
    pub(super) fn interrupt(&mut self, number: u64, now: u64) -> bool {
        self.observe(now);
        let Some(serving) = self.remove(number, now) else { return false };
        self.put_back(interrupted(&serving, now));
        true
    }

    /// Interrupts the services that started last, as long as more servers of a kind are busy than can serve.
    pub(super) fn interrupt_excess(&mut self, pool: usize, now: u64) {
        let shares_all = self.discipline().shares();
        while !shares_all && self.pools.excess(pool) > 0 {
            let of_pool = self.serving.values().filter(|serving| serving.pool == pool && serving.ended.is_none());
            let Some(number) =
                of_pool.max_by_key(|serving| (serving.resumed, serving.job.number)).map(|serving| serving.job.number)
            else {
                return;
            };
            self.interrupt(number, now);
        }
    }

    /// Returns the numbers of the services that a planned end is about; none if the plan was given up.
    pub(super) fn ended(&mut self, number: u64, plan: u64, now: u64) -> Vec<u64> {
        if self.station.is_some() && self.shares() {
            if plan != self.plans {
                return vec![];
            }
            return self.over(now);
        }
        let is_meant = self.service(number).is_some_and(|serving| serving.plan == plan && serving.ended.is_none());
        if is_meant { vec![number] } else { vec![] }
    }

    /// Starts the next emission of a source.
    fn start_emission(&mut self, now: u64, calendar: &mut Calendar) {
        let is_over = self.conduct.emission.limit.is_some_and(|limit| self.counts.statistics.served >= limit);
        if !self.serving.is_empty() || is_over {
            return;
        }
        let Some((mut job, Emitted { time, class, row })) = self.next_emission(now) else {
            // Nothing comes any more.
            return;
        };
        (job.length, job.left) = (time - now, u128::from(time - now) << 32);
        job.started = Some(now);
        self.plans += 1;
        let origin = Origin { source: Some(self.node), entered: time };
        let token = Token { class, counts_as: class, origin, arrived: now, row, holds: 0, families: vec![] };
        let serving = Serving {
            token,
            entry: 0,
            job,
            started: now,
            resumed: now,
            rides: false,
            shares: false,
            mark: 0,
            since: now,
            speed: UNIT,
            pool: 0,
            server: 0,
            plan: self.plans,
            ended: None,
            blocked: false,
            onward: Onward::Out,
        };
        self.counts.start(&serving, None, false);
        self.last_end = self.last_end.max(time);
        calendar.add(Event { time, kind: Kind::End, node: self.node, number: job.number, detail: self.plans });
        self.add(serving);
    }
}

/// Returns the kind of the free server that serves a class next.
fn free_server(conduct: &Conduct, pools: &Pools, class: u32) -> Option<usize> {
    let serves = |pool: &Pool| pool.serves.get(class as usize) == Some(&true);
    conduct.pools.iter().enumerate().position(|(number, pool)| serves(pool) && pools.is_free(number))
}

/// Returns a token whose service is interrupted at `now`, as it goes back to the line.
fn interrupted(serving: &Serving, now: u64) -> Waiting {
    let job = Job { left: serving.left(now), served: serving.job.served + (now - serving.resumed), ..serving.job };
    Waiting { token: serving.token.clone(), entry: serving.entry, job: Some(job) }
}
