//! Tests of what is counted after a warm-up: no flow and no queue loses more than it was offered since.

use super::*;
use crate::network::{Codel, FqCodel, Red};
use std::collections::BTreeMap;

/// Returns one of the four disciplines, with parameters that have them drop.
pub(super) fn discipline(number: usize) -> Discipline {
    let codel = Codel { target: MILLISECOND, interval: 20 * MILLISECOND };
    let red = Discipline::Red(Red { weight: 0.01, ..Red::default() });
    let fair = Discipline::FqCodel(FqCodel { codel, quantum: Some(300), queues: 8 });
    [Discipline::DropTail, red, Discipline::Codel(codel), fair][number]
}

/// Packets of a flow or a queue: those that were offered, and those of them that were lost.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Fate {
    offered: u64,
    lost: u64,
}

/// Returns what a simulator has counted of flows, their data and their acknowledgements, and of queues.
fn fates(simulator: &Simulator) -> (Vec<Fate>, Vec<Fate>) {
    let flows = simulator.counts.iter().flat_map(|counts| {
        let data = Fate { offered: counts.sent, lost: counts.dropped + counts.lost + counts.failed };
        let acks = counts.acks_dropped + counts.acks_lost + counts.acks_failed;
        [data, Fate { offered: counts.acks, lost: acks }]
    });
    let queues = (0..simulator.ports.len() as u32).map(|link| simulator.queue_counts(link)).flat_map(|counts| {
        let packets = Fate { offered: counts.arrivals, lost: counts.overflowed + counts.dropped };
        [packets, Fate { offered: counts.offered, lost: counts.dropped_bytes }]
    });
    (flows.collect(), queues.collect())
}

/// Simulates traffic until `end`, and checks what is counted since a warm-up. Returns the simulator that has counted
/// from the beginning, and the number of packets that were lost after the warm-up, though they were sent before.
///
/// A second simulator has counted anew since the warm-up. Both have the same packets, so what was offered since is the
/// difference of two counts of the first. Of the losses since, the second one has counted packets that were sent since.
/// All others were under way when the warm-up ended.
pub(super) fn since_warm_up(traffic: &Traffic, settings: Settings, warm_up: u64, end: u64) -> (Simulator, u64) {
    let mut whole = Simulator::new(traffic, settings).unwrap();
    whole.run_until(warm_up, &mut Alone);
    let (before, under_way, mut since) = (fates(&whole), whole.in_flight(), whole.clone());
    since.forget();
    let used = |simulator: &Simulator| {
        let report = simulator.report();
        let seconds = report.until - report.since;
        let all = report.queues.into_iter().map(|queue| (queue.link, queue.utilization * seconds));
        all.collect::<BTreeMap<_, _>>()
    };
    let used_before = used(&whole);
    [&mut whole, &mut since].into_iter().for_each(|simulator| simulator.run_until(end, &mut Alone));
    let (all, counted) = (fates(&whole), fates(&since));
    let check = |before: &[Fate], all: &[Fate], counted: &[Fate]| {
        let mut older = 0;
        for ((before, all), counted) in before.iter().zip(all).zip(counted) {
            let lost = all.lost - before.lost;
            assert_eq!(counted.offered, all.offered - before.offered);
            assert!(counted.lost <= lost && counted.lost <= counted.offered, "{counted:?} of {before:?} and {all:?}");
            older += lost - counted.lost;
        }
        older
    };
    let older = check(&before.0, &all.0, &counted.0);
    assert!(older <= under_way, "{older} of {under_way} packets that were under way");
    check(&before.1, &all.1, &counted.1);
    let report = since.report();
    assert!(report.flows.iter().filter_map(|flow| flow.loss).all(|loss| (0.0..=1.0).contains(&loss)));
    let used_whole = used(&whole);
    for queue in &report.queues {
        assert!((0.0..=1.0).contains(&queue.loss) && queue.dropped_rate <= queue.offered, "{queue:?}");
        // What a link sent since is the difference of what it had sent by both times, to a few rounded bytes.
        let sent = used_whole[&queue.link] - used_before.get(&queue.link).copied().unwrap_or(0.0);
        let found = queue.utilization * (report.until - report.since);
        assert!((found - sent).abs() < 1e-4, "{queue:?} has used its link for {sent} s");
    }
    (whole, older)
}

/// Datagrams of 20 Mb/s before a link of 1 Mb/s fill its queue until the warm-up ends, 10 ms before they stop. CoDel
/// drops packets from before as they leave. A failure just after the warm-up takes all that wait.
#[test]
fn nothing_loses_more_than_it_was_offered_since_a_warm_up() {
    for number in 0..4 {
        for has_failure in [false, true] {
            let queue = Queue { capacity: 2_000_000, packets: Some(2_000), discipline: discipline(number) };
            let mut builder = Builder::new();
            let [from, to] = ["a", "b"].map(|label| builder.node(label));
            builder.both_ways(Link { from, to, delay: 10 * MILLISECOND, bandwidth: 1_000_000, queue, loss: 0.01 });
            let mut flows = Flows::new();
            let kind = Kind::Udp { rate: 20_000_000, packets: true };
            flows.add(Flow { from, to, kind, start: 0, stop: 5_000 * MILLISECOND });
            let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
            let failures: &[_] = if has_failure { &[(0, 4_995, 20_000)] } else { &[] };
            let traffic = failing(traffic, failures, 100_000);
            let (whole, older) = since_warm_up(&traffic, settings(1), 4_990 * SECOND / 1000, 15 * SECOND);
            let counts = whole.flow_counts(0).unwrap();
            assert!(counts.sent == 12_500 && counts.dropped > 1_000, "{counts:?}");
            // Drop-tail and RED decide about a packet when it arrives.
            assert_eq!(older > 100, has_failure || number > 1, "{number} {has_failure}: {older}");
        }
    }
}
