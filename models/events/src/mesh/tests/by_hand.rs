//! A mesh without an event engine: frames in order of arrival, the channel wave by wave, losses by formula.

use super::super::{Mesh, Tally};
use super::loss::{bits_of_symbol, frame_loss, symbol_error};
use super::waves::{gains, theta};
use imminent_common::streams::StreamKey;
use rand_core::Rng as _;

/// Frame under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
    comes: u64,
    to: usize,
    from: usize,
    is_data: bool,
    is_ack: bool,
    made: u64,
}

/// Simulates a mesh; `made[node]` has the times at which packets are generated.
pub(super) fn simulate(mesh: &Mesh, seed: u64, made: &[Vec<u64>]) -> Tally {
    let start = mesh.set_up().unwrap().start(seed);
    let nodes = mesh.nodes as usize;
    let air = |bits: u32| (f64::from(bits) * 1e3 / f64::from(mesh.megabits)).ceil() as u64;
    let way = (mesh.distance / 299_792_458.0 * 1e9).round() as u64;
    let (data_bits, end) = (mesh.payload * 8 + 224, (mesh.seconds * 1e9) as u64);
    let mut rngs: Vec<_> = (0..mesh.nodes).map(|node| StreamKey::new(seed, 0).node(node).generator()).collect();
    let mut free = vec![0_u64; nodes];
    let mut tally = Tally::default();
    let mut packets: Vec<(u64, usize)> =
        made.iter().enumerate().flat_map(|(node, times)| times.iter().map(move |time| (*time, node))).collect();
    packets.retain(|(time, _)| *time < end);
    packets.sort_unstable();
    packets.reverse();
    let mut frames: Vec<Frame> = vec![];
    loop {
        frames.sort_unstable_by(|a, b| b.cmp(a));
        let next_frame = frames.last().map_or(u64::MAX, |frame| frame.comes);
        if let Some((now, from)) = packets.last().copied().filter(|(time, _)| *time < next_frame) {
            packets.pop();
            tally.sent += 1;
            let begins = now.max(free[from]);
            free[from] = begins + air(data_bits);
            if begins < end {
                for to in (0..nodes).filter(|to| *to != from) {
                    let comes = free[from] + way;
                    frames.push(Frame { comes, to, from, is_data: true, is_ack: false, made: now });
                }
            }
            continue;
        }
        let Some(frame) = frames.pop().filter(|frame| frame.comes < end) else { break };
        let Frame { comes, to, from, .. } = frame;
        let link = (if from < to { from } else { from - 1 }) as u32;
        let theta = theta(|word| start.modules[to].phases.get(link * 1600 + word));
        let gains = gains(&theta, mesh.speed, mesh.carrier * 1e9, comes, mesh.subcarriers);
        let count = f64::from(mesh.subcarriers);
        tally.heard += 1;
        tally.gain += (gains.iter().sum::<f64>() / count * 2_f64.powi(20)) as u64;
        let errors = gains.iter().map(|gain| symbol_error(mesh.megabits, mesh.snr + 10.0 * gain.log10()));
        let error = errors.sum::<f64>() / count / bits_of_symbol(mesh.megabits);
        let bits = if frame.is_data { data_bits } else { 112 };
        let is_lost = f64::from(rngs[to].next_u32()) < frame_loss(error, bits as i32) * 2_f64.powi(32);
        match (frame.is_data, is_lost) {
            (false, true) => tally.spoilt += 1,
            (false, false) if frame.is_ack => tally.acks += 1,
            (false, false) => tally.nacks += 1,
            (true, _) => {
                if is_lost {
                    tally.refused += 1;
                } else {
                    tally.received += 1;
                    tally.delivered += 1;
                    tally.delay += comes - frame.made;
                }
                let begins = (comes + (mesh.turnaround * 1e3) as u64).max(free[to]);
                free[to] = begins + air(112);
                if begins < end {
                    let comes = free[to] + way;
                    frames.push(Frame {
                        comes,
                        to: from,
                        from: to,
                        is_data: false,
                        is_ack: !is_lost,
                        made: frame.made,
                    });
                }
            }
        }
    }
    tally
}
