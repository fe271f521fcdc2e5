//! Servers whose speed tokens share.
//!
//! All tokens of a class have the same speed, so one clock for each class measures the work that each of its tokens has
//! had since any time. A token is over when the clock of its class comes to a mark that is known when it starts. A
//! change of speeds therefore takes time in proportion to the number of classes, not of tokens.

use super::calendar::{Calendar, Event, Kind};
use super::clock::Clock;
use super::facility::Facility;
use super::serving::Serving;
use crate::network::UNIT;

impl Facility<'_> {
    /// Lets a token share the servers from `now` on.
    pub(super) fn share_with(&mut self, serving: &mut Serving, now: u64) {
        if let Some(clock) = self.clocks.get_mut(serving.token.class as usize) {
            serving.mark = clock.at(now) + serving.job.left;
            clock.marks.insert((serving.mark, serving.job.number));
        }
    }

    /// Returns the work that is left of a service at `now`.
    pub(super) fn left(&self, serving: &Serving, now: u64) -> u128 {
        match self.clocks.get(serving.token.class as usize) {
            Some(clock) if serving.shares && serving.ended.is_none() => serving.mark.saturating_sub(clock.at(now)),
            _ => serving.left(now),
        }
    }

    /// Brings a service that shares the servers up to date: its work that is left at `now`, and its speed.
    pub(super) fn settle(&self, serving: &mut Serving, now: u64) {
        if serving.shares && serving.ended.is_none() {
            let speed = self.clocks.get(serving.token.class as usize).map_or(0, |clock| clock.speed);
            serving.job.left = self.left(serving, now);
            (serving.since, serving.speed) = (now, speed);
        }
    }

    /// Takes a token whose service is over, or goes back to the line, from those that share the servers.
    pub(super) fn share_without(&mut self, serving: &mut Serving, now: u64) {
        self.settle(serving, now);
        if let Some(clock) = self.clocks.get_mut(serving.token.class as usize) {
            clock.marks.remove(&(serving.mark, serving.job.number));
        }
    }

    /// Returns the numbers of the services that are over at `now`, in their order.
    pub(super) fn over(&self, now: u64) -> Vec<u64> {
        let of_clock = |clock: &Clock| {
            let work = clock.at(now);
            clock.marks.iter().take_while(move |(mark, _)| *mark <= work).map(|(_, number)| *number).collect::<Vec<_>>()
        };
        let mut over: Vec<u64> = self.clocks.iter().flat_map(of_clock).collect();
        over.sort_unstable();
        over
    }

    /// Divides the speed of all servers among the tokens in service, and plans the next end.
    pub(super) fn share(&mut self, now: u64, calendar: &mut Calendar) {
        self.plans += 1;
        let weight = |class: usize| u64::from(self.conduct.weights.get(class).copied().unwrap_or(1));
        let (number, weights) = self.clocks.iter().enumerate().fold((0_u64, 0_u64), |(number, sum), (class, clock)| {
            let tokens = clock.marks.len() as u64;
            (number + tokens, sum + tokens * weight(class))
        });
        if number == 0 {
            return;
        }
        let all = u128::from(self.speed_of_all(number));
        let speed = |class: usize| all * u128::from(weight(class)) / u128::from(weights.max(1));
        let speeds: Vec<u64> =
            (0..self.clocks.len()).map(|class| u64::try_from(speed(class)).unwrap_or(u64::MAX)).collect();
        let mut next: Option<u64> = None;
        for (clock, speed) in self.clocks.iter_mut().zip(speeds) {
            (clock.work, clock.since, clock.speed) = (clock.at(now), now, speed);
            let Some((mark, _)) = clock.marks.first().filter(|_| speed > 0) else { continue };
            let ticks = mark.saturating_sub(clock.work).div_ceil(u128::from(speed));
            let ends = u64::try_from(ticks).ok().and_then(|ticks| ticks.checked_add(now));
            next = next.into_iter().chain(ends).min();
        }
        if let Some(time) = next {
            self.last_end = self.last_end.max(time);
            calendar.add(Event { time, kind: Kind::End, node: self.node, number: 0, detail: self.plans });
        }
    }

    /// Returns the speed of all servers together with so many tokens in service, in 2^-32.
    fn speed_of_all(&self, in_service: u64) -> u64 {
        let speeds = &self.conduct.speeds;
        if self.pools.available() == 0 {
            return 0;
        }
        let place = usize::try_from(self.present()).unwrap_or(usize::MAX).saturating_sub(1);
        match speeds.get(place).or(speeds.last()) {
            Some(speed) => *speed,
            None => in_service.min(self.pools.available()).saturating_mul(UNIT),
        }
    }
}
