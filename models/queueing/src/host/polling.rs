//! A server that goes from queue to queue.

use super::calendar::{Calendar, Event, Kind};
use super::facility::Facility;
use super::poll::Poll;
use super::streams::Purpose;
use crate::network::{PollingInTicks, Visits};

impl Facility<'_> {
    /// Starts the service that the server can start where it is, or sends it on.
    pub(super) fn poll(&mut self, polling: &PollingInTicks, now: u64, calendar: &mut Calendar) {
        loop {
            if let Some(comes) = self.polls.comes {
                if comes > now {
                    return;
                }
                self.polls = Poll { comes: None, gate: self.entered(), served: 0, ..self.polls };
            }
            if !self.pools.any_free() {
                return;
            }
            let class = polling.order.get(self.polls.place).copied().unwrap_or(0);
            let first = self.line.first_of(class);
            let serves = first.is_some_and(|entry| match polling.visits {
                Visits::Exhaustive => true,
                Visits::Gated => entry < self.polls.gate,
                Visits::Limited(most) => self.polls.served < most,
            });
            if serves && let Some(waiting) = self.line.take_first_of(class) {
                self.polls.served += 1;
                self.start(waiting, 0, None, now, calendar);
                continue;
            }
            if self.line.is_empty() && polling.switch.iter().all(Option::is_none) {
                // Without times to switch it stays where it is, for it would come to any queue in no time.
                return;
            }
            self.polls.place = (self.polls.place + 1) % polling.order.len().max(1);
            let next = polling.order.get(self.polls.place).copied().unwrap_or(0);
            let law = polling.switch.get(next as usize).and_then(Option::as_ref);
            let time = law.map_or(0, |law| law.draw(self.streams.word(Purpose::Switching)));
            let comes = now.saturating_add(time);
            self.polls.comes = Some(comes);
            if time > 0 {
                calendar.add(Event { time: comes, kind: Kind::Wake, node: self.node, number: 0, detail: 0 });
            }
        }
    }
}
