//! Window growth of CUBIC (RFC 9438) in integers.
//!
//! Time is in ticks of 2⁻²⁰ s, and windows are in grains of 2⁻²⁰ packets, so that the cube of a time fits into 128 bits
//! and all machines give the same windows. With C = 2/5 packets per cubic second and β = 7/10, the window `t` after a
//! congestion event with window `W` is `C (t − K)³ + W`, `K = ∛((W − w) / C)`, where growth begins at the window `w`.

use super::super::clock::SECOND;

/// Grains in a packet, and ticks in a second, as a power of two.
const BITS: u32 = 20;
const PACKET: u64 = 1 << BITS;

/// Distance from the plateau at which the curve ends, in ticks: 256 s, where it is above 2²² packets.
const FARTHEST: u64 = 1 << (BITS + 8);

/// State of CUBIC between two congestion events.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cubic {
    /// Window before the last congestion event, reduced by fast convergence (RFC 9438: `W_max`). In grains.
    plateau: u64,
    /// Window before the last congestion event (RFC 9438: `cwnd_prior`). In grains.
    prior: u64,
    /// Part of the window beyond whole packets, in grains.
    fraction: u64,
    epoch: Option<Epoch>,
}

/// Growth since a congestion event, or since slow start ended.
#[derive(Debug, Clone, Copy)]
struct Epoch {
    /// Time at which the epoch began, in picoseconds, without the time in which the sender did not use its window.
    began: u64,
    /// Time of the last acknowledgement, in picoseconds.
    last: u64,
    /// Time at which the curve is at its plateau (RFC 9438: `K`), in ticks after the beginning.
    middle: u64,
    /// Window at the middle of the curve, in grains.
    plateau: u64,
    /// Window that Reno would have (RFC 9438: `W_est`), in grains.
    friendly: u64,
}

impl Cubic {
    /// Returns the number of packets by which a window of `window` packets grows when `acknowledged` packets are.
    pub(super) fn growth(&mut self, window: u32, acknowledged: u64, now: u64, round_trip: u64) -> u32 {
        let whole = grains(window);
        let current = whole + self.fraction;
        let epoch = self.epoch.get_or_insert_with(|| Epoch::new(current, self.plateau, now));
        epoch.last = now;
        let time = now - epoch.began;
        let target = epoch.curve(time.saturating_add(round_trip)).clamp(current, current + current / 2);
        // Reno gains 9/17 = 3 (1 − β) / (1 + β) packets a round trip with this β, and one beyond the former window.
        let slope = if epoch.friendly < self.prior { (9, 17) } else { (1, 1) };
        epoch.friendly = epoch.friendly.saturating_add(share(slope.0 * PACKET * acknowledged, slope.1 * current));
        let cubic = current + share((target - current).saturating_mul(acknowledged), current);
        let grown = if epoch.curve(time) < epoch.friendly { epoch.friendly.max(current) } else { cubic.min(target) };
        let packets = (grown - whole) >> BITS;
        self.fraction = (grown - whole) % PACKET;
        u32::try_from(packets).unwrap_or(u32::MAX)
    }

    /// Records an acknowledgement at which the window does not grow because the sender did not use it.
    pub(super) fn idle(&mut self, now: u64) {
        if let Some(epoch) = &mut self.epoch {
            epoch.began += now - epoch.last;
            epoch.last = now;
        }
    }

    /// Records a loss that acknowledgements show, with this window.
    pub(super) fn lost(&mut self, window: u32) {
        self.prior = grains(window) + self.fraction;
        // Fast convergence: a window that shrinks from loss to loss leaves room to newer flows.
        self.plateau = if self.prior < self.plateau { self.prior / 20 * 17 } else { self.prior };
        self.restart();
    }

    /// Records a timeout. The next curve begins at its plateau.
    pub(super) fn timed_out(&mut self, window: u32) {
        self.prior = grains(window) + self.fraction;
        self.plateau = 0;
        self.restart();
    }

    fn restart(&mut self) {
        (self.epoch, self.fraction) = (None, 0);
    }
}

impl Epoch {
    fn new(window: u64, plateau: u64, now: u64) -> Self {
        let plateau = plateau.max(window);
        // K³ = (W − w) / C in cubic ticks: a grain is 2⁻²⁰ packets, and a cubic second 2⁶⁰ cubic ticks.
        let cube = (u128::from(plateau - window) * 5 / 2) << (2 * BITS);
        Self { began: now, last: now, middle: cube_root(cube), plateau, friendly: window }
    }

    /// Returns the window of the curve some picoseconds after the beginning, in grains.
    fn curve(&self, time: u64) -> u64 {
        let ticks = ((u128::from(time) << BITS) / u128::from(SECOND)) as u64;
        let distance = u128::from(ticks.abs_diff(self.middle).min(FARTHEST));
        let height = ((distance.pow(3) * 2 / 5) >> (2 * BITS)) as u64;
        if ticks < self.middle { self.plateau.saturating_sub(height) } else { self.plateau.saturating_add(height) }
    }
}

fn grains(packets: u32) -> u64 {
    u64::from(packets) << BITS
}

/// Returns `amount` packets' share of a window: the quotient in grains of two numbers of grains.
fn share(amount: u64, window: u64) -> u64 {
    ((u128::from(amount) << BITS) / u128::from(window.max(1))) as u64
}

/// Returns the greatest whole number below 2²⁸ whose cube is at most `cube`.
fn cube_root(cube: u128) -> u64 {
    let mut root = 0_u128;
    for bit in (0..28).rev() {
        let larger = root | 1 << bit;
        if larger.pow(3) <= cube {
            root = larger;
        }
    }
    root as u64
}
