//! Construction of a mesh before its first packet.

use super::channel;
use super::curve::table;
use super::fading::waves::{ECHOES, PHASES, RAYS, WAVES};
use super::handlers::mesh;
use super::loss::decibels;
use super::settings::{Mesh, MeshError};
use crate::{First, Start};
use imminent_common::streams::{Seed, StreamKey, below};
use imminent_core::random::Pcg32;
use std::sync::Arc;

/// Bits of a data frame in addition to its payload.
const HEAD: u32 = 224;

/// Bits of a control frame.
const CONTROL: u32 = 112;

/// Nanoseconds in a second.
const SECOND: f64 = 1e9;

/// Mesh with computed tables, which its simulations share.
#[derive(Clone, Debug)]
pub struct Setup {
    nodes: u32,
    point: Arc<mesh::Point>,
    end: u64,
}

impl Mesh {
    /// Bits of a data frame.
    pub(super) fn data_bits(&self) -> u32 {
        self.payload * 8 + HEAD
    }

    /// Returns the transmission time of `bits` bits, in nanoseconds.
    fn air(&self, bits: u32) -> u64 {
        (u64::from(bits) * 1_000).div_ceil(u64::from(self.megabits))
    }

    /// Computes the tables of the channel and of errors.
    ///
    /// # Errors
    /// [`MeshError`] for parameters out of range.
    pub fn set_up(&self) -> Result<Setup, MeshError> {
        let scheme = self.scheme()?;
        let ratio = decibels(self.snr);
        let carrier = self.carrier * 1e9;
        let mut words = channel::tables(carrier);
        words.extend(table(|gain| scheme.symbol_error(ratio * gain / 2_f64.powi(20))));
        for bits in [self.data_bits(), CONTROL] {
            words.extend(table(|error| scheme.frame_loss((error / 2_f64.powi(32)).min(0.5), bits)));
        }
        let point = mesh::Point {
            period: (SECOND / self.rate).round() as u64,
            data_air: self.air(self.data_bits()),
            control_air: self.air(CONTROL),
            propagation: (self.distance / channel::LIGHT * SECOND).round() as u64,
            turnaround: (self.turnaround * 1e3).round() as u64,
            carriers: self.subcarriers,
            frequencies: channel::frequencies(self.speed, carrier),
            tables: words.into(),
        };
        Ok(Setup { nodes: self.nodes, point: Arc::new(point), end: (self.seconds * SECOND).round() as u64 })
    }
}

impl Setup {
    /// Least time from a node to another, in nanoseconds: that of the shorter frame.
    #[must_use]
    pub fn lookahead(&self) -> u64 {
        self.point.data_air.min(self.point.control_air) + self.point.propagation
    }

    /// Largest number of events that a handler schedules: a packet goes to all others.
    #[must_use]
    pub fn most(&self) -> u32 {
        (self.nodes - 1).max(2)
    }

    /// Creates a simulation. The seed determines all random numbers: the phases of each link, which are the same in
    /// both directions; the time of each node's first packet, within one period; and the lost frames.
    #[must_use]
    pub fn start(&self, seed: u64) -> Start<mesh::step> {
        let others = self.nodes as usize - 1;
        let mut phases = vec![vec![0; others * PHASES]; self.nodes as usize];
        let mut link = 0;
        for a in 0..self.nodes as usize {
            for b in a + 1..=others {
                link += 1;
                // Node `a` stores the link to `b` at index `b - 1`, and `b` the link to `a` at index `a`.
                let (of_a, of_b) = phases.split_at_mut(b);
                let drawn = &mut of_a[a][(b - 1) * PHASES..][..PHASES];
                draw_phases(StreamKey::new(seed, link).start(), drawn);
                of_b[0][a * PHASES..][..PHASES].copy_from_slice(drawn);
            }
        }
        let key = StreamKey::new(seed, 0);
        let mut begin = key.start().generator();
        let first = |module| First {
            time: below(&mut begin, self.point.period),
            module,
            kind: mesh::Kind::AppGenerate,
            payload: PAYLOAD,
        };
        Start {
            point: Arc::clone(&self.point),
            events: (0..self.nodes).map(first).collect(),
            modules: (0..).zip(phases).map(|(node, phases)| module(key.node(node), phases)).collect(),
            lookahead: self.lookahead().into(),
            end: self.end,
        }
    }
}

/// Payload of the first packet.
const PAYLOAD: mesh::Payload =
    mesh::Payload { from: 0, to: 0, packet: 0, frame: mesh::DATA, made: 0, gain: 0, error: 0, rest: [0; 59] };

fn module(seed: Seed, phases: Vec<u32>) -> mesh::Module {
    mesh::Module {
        rng: Pcg32::new(seed.state, seed.stream),
        free_at: 0,
        sent: 0,
        received: 0,
        refused: 0,
        acks: 0,
        nacks: 0,
        spoilt: 0,
        delivered: 0,
        delay: 0,
        heard: 0,
        gain: 0,
        phases: phases.into(),
    }
}

/// Draws all roots of unity in random order (Fisher and Yates), two per word.
fn draw_phases(seed: Seed, phases: &mut [u32]) {
    debug_assert!(phases.len() == PHASES && WAVES == 2 * ECHOES * RAYS);
    let mut rng = seed.generator();
    let mut roots: [u16; WAVES] = std::array::from_fn(|root| root as u16);
    for last in (1..WAVES).rev() {
        roots.swap(last, below(&mut rng, last as u64 + 1) as usize);
    }
    for (word, pair) in phases.iter_mut().zip(roots.chunks_exact(2)) {
        *word = u32::from(pair[0]) | (u32::from(pair[1]) << 16);
    }
}
