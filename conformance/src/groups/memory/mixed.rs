//! Rows with columns of every kind.

use crate::context::Context;
use crate::kernels::memory::rows::{Mixed, Pair};
use crate::operands::Operand;
use rand_core::Rng;

/// Returns rows of random bits. Floats are not NaN, which keeps rows comparable.
pub(in crate::groups) fn mixed(context: &Context<'_>, rows: usize, capacity: u32) -> Vec<Mixed> {
    let mut rng = context.random(101 + rows as u64);
    let mut pair = {
        let mut rng = context.random(102);
        move || Pair { low: rng.next_u32(), high: rng.next_u64() }
    };
    (0..rows)
        .map(|_| Mixed {
            flag: bool::random(&mut rng),
            unsigned: rng.next_u32(),
            wide: rng.next_u64(),
            signed: rng.next_u32() as i32,
            wide_signed: rng.next_u64() as i64,
            single: f32::from_bits(rng.next_u32() & 0xbfff_ffff),
            numbers: [rng.next_u32(), rng.next_u32(), rng.next_u32()],
            pair: pair(),
            pairs: [pair(), pair()],
            times: (0..capacity).map(|_| rng.next_u64()).collect::<Vec<_>>().into(),
            kinds: (0..capacity).map(|_| rng.next_u32()).collect::<Vec<_>>().into(),
            events: (0..capacity).map(|_| pair()).collect::<Vec<_>>().into(),
            last: rng.next_u32(),
        })
        .collect()
}
