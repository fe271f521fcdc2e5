//! TCP sender: slow start, congestion avoidance, fast retransmit and fast recovery (RFC 5681), and go-back-N after a
//! timeout.

use super::Reno;
use super::rtt::RoundTrips;

/// Number of duplicate acknowledgements after which a packet counts as lost.
const DUPLICATES: u32 = 3;

/// Packet to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Segment {
    pub(in super::super) number: u64,
    /// `true` if the packet was sent before.
    pub(in super::super) again: bool,
}

/// Sending end of a connection.
#[derive(Debug, Clone)]
pub(in super::super) struct Sender {
    /// Number of the first packet that is not acknowledged.
    first: u64,
    /// Number of the next packet to send.
    next: u64,
    /// One past the greatest number that was sent.
    sent: u64,
    /// One past the last packet to send.
    offered: u64,
    window: u32,
    threshold: u32,
    greatest_window: u32,
    /// Acknowledgements since the window last grew, in congestion avoidance.
    credits: u32,
    duplicates: u32,
    recovering: bool,
    /// `true` if the first packet must be sent again.
    resend: bool,
    /// Number below which duplicate acknowledgements are echoes of packets sent before a timeout.
    echoes_below: u64,
    times: RoundTrips,
    /// Packet whose round trip is timed, and the time at which it was sent.
    timed: Option<(u64, u64)>,
    deadline: Option<u64>,
    pub(in super::super) timeouts: u64,
    pub(in super::super) fast_retransmits: u64,
}

impl Sender {
    pub(in super::super) fn new(reno: &Reno, greatest_window: u32) -> Self {
        Self {
            first: 0,
            next: 0,
            sent: 0,
            offered: 0,
            window: reno.first_window.clamp(1, greatest_window),
            threshold: greatest_window,
            greatest_window,
            credits: 0,
            duplicates: 0,
            recovering: false,
            resend: false,
            echoes_below: 0,
            times: RoundTrips::new(),
            timed: None,
            deadline: None,
            timeouts: 0,
            fast_retransmits: 0,
        }
    }

    /// Adds packets to send.
    pub(in super::super) fn offer(&mut self, packets: u64) {
        self.offered = self.offered.saturating_add(packets);
    }

    /// One past the last packet to send.
    pub(in super::super) fn offered(&self) -> u64 {
        self.offered
    }

    /// Returns the smoothed round-trip time, in picoseconds, once there is a sample.
    pub(in super::super) fn round_trip(&self) -> Option<u64> {
        self.times.smoothed()
    }

    /// Returns the congestion window, in packets.
    pub(in super::super) fn window(&self) -> u32 {
        self.window.min(self.greatest_window)
    }

    /// Returns the time at which the retransmission timer expires, if it runs.
    pub(in super::super) fn deadline(&self) -> Option<u64> {
        self.deadline
    }

    /// Returns the next packet that may be sent now.
    pub(in super::super) fn next(&mut self, now: u64, reno: &Reno) -> Option<Segment> {
        let number = if std::mem::take(&mut self.resend) {
            // The round trip of a packet that was sent twice is ambiguous (Karn's rule).
            self.timed = None;
            self.first
        } else if self.next < self.offered && self.next < self.first + u64::from(self.window()) {
            self.next += 1;
            self.next - 1
        } else {
            return None;
        };
        let again = number < self.sent;
        self.sent = self.sent.max(number + 1);
        if !again && self.timed.is_none() {
            self.timed = Some((number, now));
        }
        self.deadline.get_or_insert(now + self.times.timeout(reno));
        Some(Segment { number, again })
    }

    /// Processes the acknowledgement of all packets below `number`.
    pub(in super::super) fn acknowledge(&mut self, number: u64, now: u64, reno: &Reno) {
        if number > self.first {
            self.advance(number, now, reno);
        } else if number == self.first && self.next > self.first {
            self.duplicate();
        }
    }

    fn advance(&mut self, number: u64, now: u64, reno: &Reno) {
        self.first = number;
        self.next = self.next.max(number);
        self.duplicates = 0;
        self.resend = false;
        if let Some((_, sent)) = self.timed.take_if(|(timed, _)| *timed < number) {
            self.times.sample(now - sent);
        }
        if self.recovering {
            self.recovering = false;
            (self.window, self.credits) = (self.threshold, 0);
        } else if self.window < self.threshold {
            self.window += 1;
        } else {
            self.credits += 1;
            if self.credits >= self.window {
                (self.window, self.credits) = (self.window + 1, 0);
            }
        }
        self.window = self.window.min(self.greatest_window);
        self.deadline = (self.next > self.first).then(|| now + self.times.timeout(reno));
    }

    fn duplicate(&mut self) {
        self.duplicates += 1;
        if self.recovering {
            // One more packet has left the network.
            self.window = self.window.saturating_add(1);
        } else if self.duplicates == DUPLICATES && self.first >= self.echoes_below {
            self.threshold = self.half_of_flight();
            self.window = self.threshold + DUPLICATES;
            self.recovering = true;
            self.resend = true;
            self.fast_retransmits += 1;
        }
    }

    /// Handles the expiry of the retransmission timer.
    pub(in super::super) fn expire(&mut self, now: u64, reno: &Reno) {
        if self.times.back_off() {
            self.threshold = self.half_of_flight();
        }
        (self.window, self.credits, self.duplicates) = (1, 0, 0);
        (self.recovering, self.resend) = (false, false);
        self.echoes_below = self.sent;
        self.next = self.first;
        self.timed = None;
        self.deadline = Some(now + self.times.timeout(reno));
        self.timeouts += 1;
    }

    /// Returns half of the packets under way, at least two.
    fn half_of_flight(&self) -> u32 {
        u32::try_from((self.next - self.first) / 2).unwrap_or(u32::MAX / 2).max(2)
    }
}

#[cfg(test)]
mod tests;
