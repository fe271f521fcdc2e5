//! Congestion control: the window, and how acknowledgements, losses and timeouts change it.

use super::cubic::Cubic;
use super::hystart::{HyStart, Step};
use super::{DUPLICATES, TcpRules, Variant};

/// Congestion window and slow-start threshold, in packets.
#[derive(Debug, Clone)]
pub(super) struct Control {
    pub(super) window: u32,
    pub(super) threshold: u32,
    greatest: u32,
    /// Acknowledgements (Reno) or acknowledged packets (NewReno) since the window last grew after slow start.
    credits: u32,
    /// Largest number of packets by which an acknowledgement opens the window in slow start (RFC 3465: `L`).
    opening: u32,
    /// HyStart++ in the first slow start.
    hystart: Option<HyStart>,
    growth: Growth,
}

/// Rule by which a window grows after slow start.
#[derive(Debug, Clone)]
enum Growth {
    Reno,
    NewReno,
    Cubic(Cubic),
}

/// Acknowledgement of new packets.
#[derive(Debug, Clone, Copy)]
pub(super) struct News {
    /// Number of packets that it acknowledges.
    pub(super) packets: u64,
    /// `true` if the sender had used its whole window.
    pub(super) full: bool,
    /// Time of its arrival, in picoseconds.
    pub(super) now: u64,
    /// Smoothed round-trip time, in picoseconds; 0 before the first measurement.
    pub(super) round_trip: u64,
    /// `true` if it echoes a mark of a queue.
    pub(super) echo: bool,
    /// Number of the first unacknowledged packet, and of the next one to send.
    pub(super) first: u64,
    pub(super) next: u64,
    /// Round trip of the packet that it acknowledges, in picoseconds.
    pub(super) sample: u64,
}

impl Control {
    pub(super) fn new(rules: &TcpRules, greatest: u32) -> Self {
        let growth = match rules.variant {
            Variant::Reno => Growth::Reno,
            Variant::NewReno => Growth::NewReno,
            Variant::Cubic => Growth::Cubic(Cubic::default()),
        };
        let hystart = rules.has_hystart().then(HyStart::default);
        let window = rules.first_window().clamp(1, greatest);
        Self { window, threshold: greatest, greatest, credits: 0, opening: 2, hystart, growth }
    }

    /// Returns the greatest window, which the receiver allows, in packets.
    pub(super) fn greatest(&self) -> u32 {
        self.greatest
    }

    /// Returns the window, as far as the receiver allows it, in packets.
    pub(super) fn allowed(&self) -> u32 {
        self.window.min(self.greatest)
    }

    /// Grows the window for acknowledged packets outside of recovery.
    pub(super) fn acknowledged(&mut self, news: News) {
        if let Growth::Reno = self.growth {
            // RFC 5681 as the fluid equations have it: one packet an acknowledgement, used or not.
            if self.window < self.threshold {
                self.window += 1;
            } else {
                self.avoid(1);
            }
        } else if !news.full {
            // RFC 7661: a window that was not used proves nothing about the network.
            if let Growth::Cubic(cubic) = &mut self.growth {
                cubic.idle(news.now);
            }
        } else if self.window < self.threshold {
            // Delayed acknowledgements do not slow a sender down.
            let most = u64::from(self.opening.min(self.threshold - self.window));
            self.start(news.packets.min(most), news);
        } else {
            self.opening = 2;
            self.avoid_by(news);
        }
        self.window = self.window.min(self.greatest);
    }

    /// Opens the window in slow start, by this number of packets unless HyStart++ slows it down or ends it.
    fn start(&mut self, packets: u64, news: News) {
        let News { first, next, sample, .. } = news;
        let grown = match &mut self.hystart {
            None => Some(packets),
            Some(hystart) => hystart.grow(Step { packets, first, next, round_trip: sample }),
        };
        match grown {
            Some(packets) => self.window += packets as u32,
            None => (self.threshold, self.hystart) = (self.window, None),
        }
    }

    fn avoid_by(&mut self, news: News) {
        match &mut self.growth {
            Growth::Cubic(cubic) => {
                let more = cubic.growth(self.window, news.packets, news.now, news.round_trip);
                self.window = self.window.saturating_add(more);
            }
            Growth::Reno | Growth::NewReno => self.avoid(u32::try_from(news.packets).unwrap_or(u32::MAX)),
        }
    }

    /// Grows by a packet a window of credits.
    fn avoid(&mut self, credits: u32) {
        self.credits = self.credits.saturating_add(credits);
        if self.credits >= self.window {
            self.credits -= self.window;
            self.window += 1;
        }
    }

    /// Reduces the window for a loss that acknowledgements show, with so many packets under way.
    pub(super) fn lost(&mut self, flight: u64) {
        self.hystart = None;
        self.threshold = self.reduced(flight);
        if let Growth::Cubic(cubic) = &mut self.growth {
            cubic.lost(self.window);
        }
        (self.window, self.credits) = (self.threshold, 0);
    }

    /// Adds the packets to the window that have left the network when fast retransmit begins.
    pub(super) fn inflate_first(&mut self) {
        self.window = self.window.saturating_add(DUPLICATES);
    }

    /// Adds one packet that has left the network.
    pub(super) fn inflate(&mut self) {
        self.window = self.window.saturating_add(1);
    }

    /// Takes away packets that a partial acknowledgement acknowledges, but one, which is sent again.
    pub(super) fn deflate(&mut self, packets: u64) {
        let less = u32::try_from(packets.saturating_sub(1)).unwrap_or(u32::MAX);
        self.window = self.window.saturating_sub(less).max(1);
    }

    /// Ends a fast recovery with a window of at most the threshold.
    pub(super) fn recovered(&mut self, most: u64) {
        let most = u32::try_from(most).unwrap_or(u32::MAX).min(self.greatest);
        (self.window, self.credits) = (self.threshold.min(most), 0);
    }

    /// Reduces the window to one packet after a timeout, and the threshold if it is the first since a measurement.
    pub(super) fn timed_out(&mut self, flight: u64, is_first: bool) {
        self.hystart = None;
        if is_first {
            self.threshold = self.reduced(flight);
        }
        if let Growth::Cubic(cubic) = &mut self.growth {
            cubic.timed_out(self.window);
        }
        // After a timeout an acknowledgement may cover packets that arrived long ago.
        (self.window, self.credits, self.opening) = (1, 0, 1);
    }

    /// Returns the share of the packets under way that a loss leaves, at least two.
    fn reduced(&self, flight: u64) -> u32 {
        // Packets that limited transmit sent beyond the window do not count.
        let used = flight.min(u64::from(self.window));
        let left = match self.growth {
            Growth::Reno => flight / 2,
            Growth::NewReno => used / 2,
            Growth::Cubic(_) => used * 7 / 10,
        };
        u32::try_from(left).unwrap_or(u32::MAX / 2).max(2)
    }
}
