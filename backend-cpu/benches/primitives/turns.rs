//! Rivals that are timed in turn.

use std::time::{Duration, Instant};

/// A timed candidate: its name, the number of operations per call, and the call.
pub(crate) type Rival<'r> = (&'static str, u32, Box<dyn FnMut() + 'r>);

/// Returns a rival that performs one operation per call.
pub(crate) fn one<'r>(name: &'static str, call: impl FnMut() + 'r) -> Rival<'r> {
    (name, 1, Box::new(call))
}

/// Times rivals in turn; the first is ours.
pub(crate) fn pairs(what: &str, rows: usize, bytes: usize, mut rivals: Vec<Rival<'_>>) {
    // Short rounds: most of them are then not interrupted.
    let calls = ((1 << 15) / rows).clamp(1, 64) as u32;
    let rounds = if rows >= 1 << 24 { 25 } else { 101 };
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); rivals.len()];
    for round in 0..=rounds {
        for ((_, things, call), times) in rivals.iter_mut().zip(&mut times) {
            let calls = (calls / *things).max(1);
            // Not timed: each rival first loads its own memory into the caches, instead of that of the others.
            call();
            let start = Instant::now();
            for _ in 0..calls {
                call();
            }
            let one: Duration = start.elapsed();
            if round > 0 {
                times.push(one.as_secs_f64() / f64::from(calls * *things));
            }
        }
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let ours = times[0].clone();
    for ((name, ..), times) in rivals.iter().zip(times) {
        let ratio = median(times.iter().zip(&ours).map(|(theirs, ours)| theirs / ours).collect());
        let least = times.iter().copied().fold(f64::INFINITY, f64::min);
        let time = median(times);
        println!(
            "{what:<24} {rows:>9} rows  {name:<18} {:>11.3} us, best {:>11.3} {:>7.2} GB/s   {ratio:>7.3} of our time",
            time * 1e6,
            least * 1e6,
            bytes as f64 / time / 1e9
        );
    }
}
