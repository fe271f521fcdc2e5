//! Probe of long loops.
//!
//! llvmpipe ends the loops of an invocation after 65,535 iterations in total and continues after them, without an
//! error. Launches on such a device check whether that happened
//! ([`FaultKind::LoopCut`](imminent_core::FaultKind::LoopCut)).

use super::Probe;

/// Number of iterations, larger than any limit that has been seen.
const ROUNDS: u32 = 100_000;

/// Runs a long loop; returns `false` if it ends early or not at all.
pub(in crate::device) fn loops_run_to_their_end(device: &wgpu::Device, queue: &wgpu::Queue) -> bool {
    let probe = Probe::new("loop probe", device, queue, wgpu::include_wgsl!("loops.wgsl"));
    let found = probe.and_then(|probe| probe.run(&ROUNDS.to_le_bytes(), 4));
    // Iteration numbers are mixed in a way for which no compiler finds a closed form.
    let expected = (0..ROUNDS).fold(0_u32, |mixed, round| mixed.rotate_left(5) ^ round);
    found.as_deref() == Some(&expected.to_le_bytes()[..])
}
