//! A link that takes the packets of its queue one by one.
//!
//! The time at which the link will have sent all data is kept as for other queues: an arrival adds the time that its
//! packet takes, and a drop takes it away again. The link is never idle while packets wait.

use super::{Port, sending};
use crate::packet::queue::Signals;
use crate::packet::wire::Packet;

impl Port {
    /// Returns `true` if the link takes packets one by one.
    pub(in super::super) fn is_managed(&self) -> bool {
        self.queue.is_some()
    }

    /// Number of packets that wait in a managed queue.
    pub(in super::super) fn waiting(&self) -> usize {
        self.queue.as_ref().map_or(0, |queue| queue.len())
    }

    /// Adds a packet to a managed queue. `hash` is that of its flow, `drop` the probability that it is dropped by
    /// something else, and `uniform` returns its draw from [0, 1). Returns `true` if the link is to take a packet now.
    pub(in super::super) fn join(
        &mut self,
        now: u64,
        (packet, hash): (Packet, u64),
        (drop, uniform): (f64, impl FnOnce(u64) -> f64),
        signals: &mut Signals,
    ) -> bool {
        self.count_arrival(now, packet.bytes);
        if drop > 0.0 && uniform(self.sequence) < drop {
            self.counts.dropped += 1;
            self.counts.dropped_bytes += u64::from(packet.bytes);
            signals.dropped.push((now, packet));
            return false;
        }
        let Some(mut queue) = self.queue.take() else { return false };
        queue.add(packet, now, hash);
        self.free_at = self.free_at.max(now).saturating_add(sending(packet.bytes, self.rate));
        while self.is_over(now, queue.len()) {
            let before = signals.dropped.len();
            queue.shed(signals);
            self.counts.overflowed += self.remove(signals.dropped.get(before..).unwrap_or(&[]));
        }
        self.queue = Some(queue);
        self.count_length(now);
        self.sending.is_none()
    }

    /// Takes the next packet of a managed queue, if there is one. Returns it with the time at which it will be sent.
    pub(in super::super) fn take(&mut self, now: u64, signals: &mut Signals) -> Option<(Packet, u64)> {
        self.count_work(now);
        let (first, marked) = (signals.dropped.len(), signals.marked);
        let taken = self.queue.as_mut()?.take(now, signals);
        self.counts.dropped += self.remove(signals.dropped.get(first..).unwrap_or(&[]));
        self.counts.marked += signals.marked - marked;
        taken.map(|packet| (packet, now + sending(packet.bytes, self.rate)))
    }

    /// Returns the time at which a packet that is sent by `end` reaches the other end of the link.
    pub(in super::super) fn arrival(&self, end: u64) -> u64 {
        end + self.delay
    }

    /// Returns `true` if a queue of so many packets is longer than its capacity.
    fn is_over(&self, now: u64, waiting: usize) -> bool {
        let is_over = match self.limit {
            // A packet whose last bit leaves now has left.
            Some(limit) => waiting + usize::from(self.sending.is_some_and(|end| end.time > now)) > limit as usize,
            None => self.free_at.saturating_sub(now) > self.room,
        };
        is_over && waiting > 0
    }

    /// Takes the time of dropped packets away. Returns the number of those that arrived since counting began. The
    /// others are not among the arrivals, and no longer among what waited then.
    fn remove(&mut self, dropped: &[(u64, Packet)]) -> u64 {
        let mut counted = 0;
        for (came, packet) in dropped {
            self.free_at = self.free_at.saturating_sub(sending(packet.bytes, self.rate));
            let bytes = u64::from(packet.bytes);
            if *came >= self.since {
                counted += 1;
                self.counts.dropped_bytes += bytes;
            } else {
                self.counts.before = self.counts.before.saturating_sub(bytes);
            }
        }
        counted
    }
}
