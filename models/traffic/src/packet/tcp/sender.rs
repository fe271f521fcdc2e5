//! TCP sender: fast retransmit and fast recovery of Reno (RFC 5681), NewReno (RFC 6582) and SACK (RFC 6675), limited
//! transmit (RFC 3042), explicit congestion notification (RFC 3168), and the retransmission timer (RFC 6298).
//!
//! Without SACK a timeout is followed by go-back-N. With SACK it declares all packets lost that have not arrived.

use super::control::{Control, News};
use super::rtt::RoundTrips;
use super::sack::{Acknowledgement, Scoreboard};
use super::{DUPLICATES, TcpRules, Variant};

/// Packet to send.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Segment {
    pub(in super::super) number: u64,
    /// `true` if the packet was sent before.
    pub(in super::super) again: bool,
    /// `true` if it tells of a window that was reduced since a mark (RFC 3168: CWR).
    pub(in super::super) reduced: bool,
}

/// Knowledge that a sender uses to repair losses.
#[derive(Debug, Clone)]
enum Repair {
    /// Duplicate acknowledgements. Any acknowledgement of new packets ends a recovery.
    Reno,
    /// Duplicate acknowledgements. Only the acknowledgement of all packets under way ends a recovery.
    NewReno {
        /// `true` if the recovery has had a partial acknowledgement, which alone resets the timer.
        partial: bool,
    },
    /// Selective acknowledgements.
    Sack(Scoreboard),
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
    control: Control,
    repair: Repair,
    duplicates: u32,
    recovering: bool,
    /// `true` if the first packet must be sent again.
    resend: bool,
    /// Number up to which packets were sent before the last loss or timeout. No recovery begins below it.
    recover: u64,
    /// Number up to which packets were sent before the window was last reduced for a mark. A loss among them does not
    /// reduce it again.
    marked: u64,
    /// Number up to which packets were sent before the window was last reduced for anything. Marks that they bring do
    /// not reduce it again.
    reduced: u64,
    /// `true` if the next new packet tells of a reduced window.
    tells: bool,
    times: RoundTrips,
    /// Packet whose round trip is timed, and the time at which it was sent.
    timed: Option<(u64, u64)>,
    deadline: Option<u64>,
}

impl Sender {
    pub(in super::super) fn new(rules: &TcpRules, greatest_window: u32) -> Self {
        let repair = match rules.variant {
            _ if rules.has_sack() => Repair::Sack(Scoreboard::default()),
            Variant::Reno => Repair::Reno,
            Variant::NewReno | Variant::Cubic => Repair::NewReno { partial: false },
        };
        Self {
            first: 0,
            next: 0,
            sent: 0,
            offered: 0,
            control: Control::new(rules, greatest_window),
            repair,
            duplicates: 0,
            recovering: false,
            resend: false,
            recover: 0,
            marked: 0,
            reduced: 0,
            tells: false,
            times: RoundTrips::new(),
            timed: None,
            deadline: None,
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
        self.control.allowed()
    }

    /// Returns the time at which the retransmission timer expires, if it runs.
    pub(in super::super) fn deadline(&self) -> Option<u64> {
        self.deadline
    }

    /// Returns the next packet that may be sent now.
    pub(in super::super) fn next(&mut self, now: u64, rules: &TcpRules) -> Option<Segment> {
        let number = self.choose()?;
        let again = number < self.sent;
        self.sent = self.sent.max(number + 1);
        if again {
            // The round trip of a packet that was sent twice is ambiguous (Karn's rule).
            self.timed.take_if(|(timed, _)| *timed == number);
        } else if self.timed.is_none() {
            self.timed = Some((number, now));
        }
        self.deadline.get_or_insert(now + self.times.timeout(rules));
        // Packets that are sent again neither are marked nor tell of a window.
        Some(Segment { number, again, reduced: !again && std::mem::take(&mut self.tells) })
    }

    fn choose(&mut self) -> Option<u64> {
        let window = u64::from(self.window());
        if std::mem::take(&mut self.resend) {
            if let Repair::Sack(board) = &mut self.repair {
                board.repair_first(self.first);
            } else {
                // Acknowledgements of later packets wait for this one.
                self.timed = None;
            }
            return Some(self.first);
        }
        let has_more = self.next < self.offered;
        match &mut self.repair {
            Repair::Reno if has_more && self.next < self.first + window => Some(self.advance_next()),
            Repair::NewReno { .. } if has_more => {
                // Limited transmit: the first duplicates, too, tell of packets that have left the network.
                let extra = if self.recovering || self.first < self.recover { 0 } else { self.duplicates.min(2) };
                (self.next < self.first + window + u64::from(extra)).then(|| self.advance_next())
            }
            Repair::Sack(board) if board.pipe(self.first, self.next) < window => {
                let is_new = has_more && self.next < self.first + u64::from(self.control.greatest());
                match board.repair_lost() {
                    None if is_new => Some(self.advance_next()),
                    None if self.recovering => {
                        board.repair_missing().or_else(|| board.rescue(self.first, self.recover))
                    }
                    lost => lost,
                }
            }
            _ => None,
        }
    }

    fn advance_next(&mut self) -> u64 {
        self.next += 1;
        self.next - 1
    }

    /// Returns the number of packets under way, as far as is known.
    fn pipe(&self) -> u64 {
        match &self.repair {
            Repair::Sack(board) => board.pipe(self.first, self.next),
            Repair::Reno | Repair::NewReno { .. } => self.next - self.first,
        }
    }

    /// Processes an acknowledgement of all packets below a number and of those in blocks above it.
    pub(in super::super) fn acknowledge(&mut self, of: Acknowledgement, now: u64, rules: &TcpRules) {
        let Acknowledgement { number, blocks, echo, sent } = of;
        if number < self.first {
            return;
        }
        let flight = self.next - self.first;
        let full = self.pipe() >= u64::from(self.window());
        let (packets, mut is_duplicate) = (number - self.first, self.next > self.first);
        self.first = number;
        self.next = self.next.max(number);
        if let Repair::Sack(board) = &mut self.repair {
            if packets > 0 {
                board.advance(number);
            }
            // A duplicate says that another packet has arrived.
            is_duplicate = board.add(number, blocks);
        }
        let arrived = |timed: u64| match &self.repair {
            Repair::Sack(board) => timed < number || board.has_arrived(timed),
            Repair::Reno | Repair::NewReno { .. } => timed < number,
        };
        if let Some((_, sent)) = self.timed.take_if(|(timed, _)| arrived(*timed)) {
            self.times.sample(now - sent);
        }
        if packets > 0 {
            let round_trip = self.times.smoothed().unwrap_or(0);
            let (first, next, sample) = (self.first, self.next, now.saturating_sub(sent));
            self.advance(News { packets, full, now, round_trip, echo, first, next, sample }, rules);
        } else if is_duplicate {
            self.duplicate();
        } else {
            return;
        }
        self.find_loss();
        if echo && number > self.reduced && !self.recovering {
            self.control.lost(flight);
            self.marked = self.sent;
            self.tell();
        }
    }

    /// Has the next new packet tell of a reduced window.
    fn tell(&mut self) {
        (self.reduced, self.tells) = (self.sent, true);
    }

    fn advance(&mut self, news: News, rules: &TcpRules) {
        self.duplicates = 0;
        self.resend = false;
        let (is_partial, flight) = (self.first < self.recover, self.next - self.first);
        let mut resets_timer = true;
        match &mut self.repair {
            // RFC 3168, section 6.1.2: an echo of a mark does not open the window.
            _ if !self.recovering && news.echo => {}
            _ if !self.recovering => self.control.acknowledged(news),
            Repair::NewReno { partial } if is_partial => {
                self.control.deflate(news.packets);
                self.resend = true;
                resets_timer = !std::mem::replace(partial, true);
            }
            Repair::Sack(_) if is_partial => {}
            Repair::Reno | Repair::Sack(_) => {
                self.recovering = false;
                self.control.recovered(u64::MAX);
            }
            Repair::NewReno { .. } => {
                self.recovering = false;
                // RFC 6582: no burst of all that the window would allow.
                self.control.recovered(flight.max(1) + 1);
            }
        }
        if flight == 0 {
            self.deadline = None;
        } else if resets_timer {
            self.deadline = Some(news.now + self.times.timeout(rules));
        }
    }

    fn duplicate(&mut self) {
        self.duplicates += 1;
        if self.recovering && !matches!(self.repair, Repair::Sack(_)) {
            // One more packet has left the network.
            self.control.inflate();
        }
    }

    /// Begins fast retransmit and fast recovery if a packet counts as lost.
    fn find_loss(&mut self) {
        let is_lost = match &self.repair {
            Repair::Sack(board) => board.is_lost(self.first),
            Repair::Reno | Repair::NewReno { .. } => self.duplicates == DUPLICATES,
        };
        if self.recovering || !is_lost || self.first < self.recover {
            return;
        }
        if self.first >= self.marked {
            self.control.lost(self.next - self.first);
            self.tell();
        }
        match &mut self.repair {
            Repair::Reno => self.control.inflate_first(),
            Repair::NewReno { partial } => {
                *partial = false;
                self.recover = self.sent;
                self.control.inflate_first();
            }
            Repair::Sack(_) => self.recover = self.sent,
        }
        (self.recovering, self.resend) = (true, true);
    }

    /// Handles the expiry of the retransmission timer.
    pub(in super::super) fn expire(&mut self, now: u64, rules: &TcpRules) {
        let is_first = self.times.back_off();
        self.control.timed_out(self.next - self.first, is_first);
        (self.duplicates, self.recovering, self.resend) = (0, false, false);
        self.recover = self.sent;
        self.tell();
        match &mut self.repair {
            Repair::Sack(board) => board.lose_all(self.first, self.sent),
            Repair::Reno | Repair::NewReno { .. } => self.next = self.first,
        }
        self.timed = None;
        self.deadline = Some(now + self.times.timeout(rules));
    }
}

#[cfg(test)]
mod tests;
