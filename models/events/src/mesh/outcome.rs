//! Results of a mesh.

use super::handlers::mesh;
use crate::End;

/// Sums over the nodes of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of packets that applications generated.
    pub sent: u64,
    /// Number of data frames received without errors.
    pub received: u64,
    /// Number of data frames received with errors.
    pub refused: u64,
    /// Number of ACKs received without errors.
    pub acks: u64,
    /// Number of NACKs received without errors.
    pub nacks: u64,
    /// Number of control frames received with errors.
    pub spoilt: u64,
    /// Number of packets delivered to applications.
    pub delivered: u64,
    /// Sum of the times from generation to delivery, in nanoseconds.
    pub delay: u64,
    /// Number of received frames of all types.
    pub heard: u64,
    /// Sum of the mean gains of these frames, in units of 2^-20.
    pub gain: u64,
}

impl Tally {
    /// Computes the sums over all nodes.
    #[must_use]
    pub fn of(end: &End<mesh::Module>) -> Tally {
        let mut sums = Tally::default();
        for node in &end.modules {
            sums.sent += u64::from(node.sent);
            sums.received += u64::from(node.received);
            sums.refused += u64::from(node.refused);
            sums.acks += u64::from(node.acks);
            sums.nacks += u64::from(node.nacks);
            sums.spoilt += u64::from(node.spoilt);
            sums.delivered += u64::from(node.delivered);
            sums.delay += node.delay;
            sums.heard += u64::from(node.heard);
            sums.gain += node.gain;
        }
        sums
    }

    /// Share of data frames received without errors; `None` without any data frame.
    #[must_use]
    pub fn share_received(&self) -> Option<f64> {
        ratio(self.received, self.received + self.refused)
    }

    /// Mean gain of a link; `None` without any frame.
    #[must_use]
    pub fn mean_gain(&self) -> Option<f64> {
        ratio(self.gain, self.heard).map(|gain| gain / 2_f64.powi(20))
    }

    /// Mean time from generation to delivery, in microseconds; `None` without any delivery.
    #[must_use]
    pub fn mean_delay(&self) -> Option<f64> {
        ratio(self.delay, self.delivered).map(|delay| delay / 1e3)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
