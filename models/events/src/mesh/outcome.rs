//! What is told of a mesh that has ended.

use super::handlers::mesh;
use crate::End;

/// Sums over the nodes of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Packets that applications made.
    pub sent: u64,
    /// Data frames that came well.
    pub received: u64,
    /// Data frames that came with errors.
    pub refused: u64,
    /// Answers that came and told of a packet received.
    pub acks: u64,
    /// Answers that came and told of one refused.
    pub nacks: u64,
    /// Answers that came with errors.
    pub spoilt: u64,
    /// Packets that applications got.
    pub delivered: u64,
    /// From making to delivery, summed up, in nanoseconds.
    pub delay: u64,
    /// Frames of both kinds that came.
    pub heard: u64,
    /// Their mean gains, summed up, in units of 2^-20.
    pub gain: u64,
}

impl Tally {
    /// The sums over all nodes.
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

    /// The share of data frames that came well; none if none came.
    #[must_use]
    pub fn share_received(&self) -> Option<f64> {
        ratio(self.received, self.received + self.refused)
    }

    /// The mean gain of a link; none if nothing came.
    #[must_use]
    pub fn mean_gain(&self) -> Option<f64> {
        ratio(self.gain, self.heard).map(|gain| gain / 2_f64.powi(20))
    }

    /// From making to delivery, in microseconds; none if nothing was delivered.
    #[must_use]
    pub fn mean_delay(&self) -> Option<f64> {
        ratio(self.delay, self.delivered).map(|delay| delay / 1e3)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
