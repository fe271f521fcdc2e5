//! Conservation of bytes on shared links: what waited and what came in was sent, was dropped, or still waits.

use super::*;
use proptest::prelude::*;

/// Checks the law over a second after a warm-up, in bytes. `close` is the share of the link's bytes by which rounding
/// may miss it.
fn check<F: Fluids>(mut run: Coupled<F>, traffic: &Traffic, close: f64) {
    let length = |run: &Coupled<F>, link| {
        run.queues().unwrap().iter().find(|queue| queue.link == link).map_or(0.0, |queue| queue.length)
    };
    let whole = |time: u64, run: &Coupled<F>| time.next_multiple_of(run.batch());
    run.run_until(whole(SECOND / 2, &run)).unwrap();
    let (begin, links) = (run.simulator().now(), run.shared_links().to_vec());
    assert!(!links.is_empty());
    let before: Vec<_> = links.iter().map(|&link| length(&run, link)).collect();
    run.forget();
    run.measure().unwrap();
    run.run_until(begin + whole(SECOND, &run)).unwrap();
    let means = run.means().unwrap().unwrap();
    let span = (run.simulator().now() - begin) as f64 / SECOND as f64;
    assert!((means.steps as f64 * 5e-4 - span).abs() < 1e-9, "{means:?} of {span} s");
    for (&link, before) in links.iter().zip(before) {
        let fluid = means.queues.iter().find(|queue| queue.link == link).unwrap();
        let packets = run.simulator().queue_counts(link);
        let capacity = traffic.network().link(link).unwrap().bandwidth as f64 / 8.0 * span;
        let came = (fluid.arrivals - fluid.losses) * span + (packets.offered - packets.dropped_bytes) as f64;
        let (sent, after) = (fluid.used * capacity, length(&run, link));
        let missing = before + came - sent - after;
        assert!(missing.abs() < close * capacity, "{missing} of {came} bytes: {fluid:?} {packets:?}");
        assert!(fluid.used < 1.0 + close && fluid.losses >= 0.0, "{fluid:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn bytes_of_shared_links_are_conserved(
        seed in any::<u64>(),
        room in 4_000..200_000_u64,
        rates in [100_000..9_000_000_u64, 100_000..9_000_000_u64],
        sessions in [0..4_u32, 0..4_u32],
        red in any::<bool>(),
        batch in 0..4_u32,
    ) {
        let discipline = if red { Discipline::Red(crate::network::Red::default()) } else { Discipline::DropTail };
        let [fluid, packets] = sessions;
        let kinds = [
            Kind::Udp { rate: rates[0], packets: false },
            Kind::Poisson { rate: rates[1] },
            Kind::Tcp { fluid: fluid + 1, packets },
        ];
        let traffic = pipe(room, discipline, &kinds, Tcp::default());
        let coupling = if batch == 0 { by_turns() } else { batches_of(batch) };
        check(hybrid(&traffic, seed, 20, coupling), &traffic, 1e-5);
        let oracle = Coupled::on_host(&traffic, self::packets(&traffic, seed), size(&traffic, 20), coupling).unwrap();
        check(oracle, &traffic, 1e-9);
    }
}
