//! Throughput of a plain streaming read.

use rayon::prelude::*;

/// Reads memory with as little computation as possible, on all threads, with the widest loads that our primitives use.
pub(crate) fn streaming_read(values: &[u32]) -> u32 {
    if values.len() < 1 << 18 {
        return read_part(values);
    }
    values.par_chunks(1 << 16).map(read_part).reduce(|| 0, |a, b| a | b)
}

fn read_part(part: &[u32]) -> u32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2, as just detected, and the function needs nothing else.
        return unsafe { read_wide(part) };
    }
    read_plainly(part)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn read_wide(part: &[u32]) -> u32 {
    read_plainly(part)
}

#[inline(always)]
fn read_plainly(part: &[u32]) -> u32 {
    let mut lanes = [0; 64];
    for chunk in part.as_chunks::<64>().0 {
        lanes.iter_mut().zip(chunk).for_each(|(lane, x)| *lane |= x);
    }
    lanes.into_iter().fold(0, |a, b| a | b)
}
