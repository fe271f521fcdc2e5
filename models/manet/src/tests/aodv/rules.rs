//! Rules of RFC 3561, one by one.

use super::*;
use crate::trace::{Move, Stay, Trace, Track};
use imminent_core::Device;
use imminent_cpu::{CpuBackend, Options};
use std::ops::ControlFlow;

/// A destination in another piece of the network: three requests go to the whole network (RREQ_RETRIES is 2), after
/// 2.8 s, 5.6 s and 11.2 s there are no more, and the packets are lost.
#[test]
fn a_search_ends_after_the_retries() {
    let mut places = line(4);
    places.push(Position { x: 9 * RANGE, y: 0 });
    let aodv = Aodv { expanding_ring: false, ..Aodv::default() };
    let mut network = still(places, &[], aodv);
    let flow = Flow { start: Some(0), stop: Some(1_500_000), ..Flow::new(0, 4) };
    network.traffic.destinations = Destinations::Flows(vec![flow]);
    network.end = 60 * SECOND;
    let (summary, seen) = observe(&network);
    let lost = summary.total.lost[Loss::NoRoute as usize];
    assert_eq!((summary.delivered(), lost, summary.under_way()), (0, summary.created(), 0));
    assert!((1..=2).contains(&summary.created()), "{summary:?}");
    let requests = numbers(&seen, PacketKind::RouteRequest);
    assert_eq!((requests.len(), summary.total.control), (3, [3 * 4, 0, 0]));
    let begins: Vec<u64> = requests.iter().map(|of| seen.iter().find(|one| one.packet == *of).unwrap().begin).collect();
    for (pair, wait) in begins.windows(2).zip([2_800_000, 5_600_000]) {
        // Both begin within the jitter of 10 ms, and the backoffs of an idle medium are none.
        assert!((pair[1] - pair[0]).abs_diff(wait) <= 10_000, "{begins:?}");
    }
    // Packets that cannot wait are lost, too: at the limit of the buffer, and at its time.
    network.protocol = Protocol::Aodv(Aodv { buffer: 3, buffer_timeout: 4 * SECOND, ..aodv });
    network.traffic.gap = 100_000;
    let (summary, _) = observe(&network);
    let [.., queue, _, no_route] = summary.total.lost;
    assert_eq!((summary.created(), queue, no_route, summary.under_way()), (15, 12, 3, 0));
}

/// A route that is used every two seconds is found once. One that is used every seven seconds has expired, after the
/// 6 s that the destination offers (MY_ROUTE_TIMEOUT), and is found again each time.
#[test]
fn a_route_in_use_lasts() {
    for (gap, searches) in [(2 * SECOND, 1), (7 * SECOND, 10)] {
        let aodv = Aodv { expanding_ring: false, ..Aodv::default() };
        let mut network = still(line(5), &[(0, 4)], aodv);
        network.traffic.gap = gap;
        network.end = 10 * gap + network.traffic.start;
        let (summary, seen) = observe(&network);
        assert_eq!((summary.created(), summary.lost()), (10, 0));
        assert_eq!(numbers(&seen, PacketKind::RouteRequest).len(), searches, "gap {gap}");
        assert!(summary.delivered() >= 9);
    }
}

/// Node 2 leaves the way from 0 to 3, where node 4 is at hand. The node before the gap tells the one before it, which
/// tells the origin, and a new search finds the other way.
#[test]
fn a_broken_link_is_told_to_the_origin() {
    let place = |x: i32, y: i32| Position { x: x * 1_000, y: (y + 5_000) * 1_000 };
    let stay = |x, y| Track { start: place(x, y), ..Track::default() };
    let go = |time: u64, x, y| Move { time: time * SECOND, target: place(x, y), speed: 4_000_000_000 };
    let relay = Track { start: place(180, 0), moves: vec![go(10, 180, 4_000)], ..Track::default() };
    let spare = Track { start: place(180, -4_000), moves: vec![go(9, 180, 30)], ..Track::default() };
    let tracks = vec![stay(0, 0), stay(90, 0), relay, stay(270, 0), spare];
    let mut network = still(vec![Position { x: 0, y: 0 }; 5], &[(0, 3)], Aodv::default());
    network.field = Field { width: 300_000, height: 10_000_000 };
    network.mobility = Mobility::Trace(Trace::new(tracks));
    network.traffic.gap = 200_000;
    network.end = 20 * SECOND;
    let (summary, seen) = observe(&network);
    let data: Vec<_> = seen.iter().filter(|of| of.kind == PacketKind::Data && of.received == 1).collect();
    assert!(data.iter().filter(|of| of.end < 10 * SECOND).all(|of| [of.from, of.to.unwrap()] != [1, 4]));
    assert!(data.iter().filter(|of| of.begin > 11 * SECOND).all(|of| of.from != 2 && of.to != Some(2)));
    let failed = seen.iter().find(|of| of.kind == PacketKind::Data && of.received == 0).unwrap();
    assert_eq!((failed.from, failed.to), (1, Some(2)));
    let told: Vec<_> = seen.iter().filter(|of| of.kind == PacketKind::RouteError).collect();
    // Node 0 alone uses the route of node 1, so the error goes to it and no further.
    assert_eq!((told.len(), told[0].from, told[0].to, told[0].received), (1, 1, Some(0), 1));
    assert!(told[0].begin >= failed.end && told[0].begin < failed.end + 100_000);
    let again = seen.iter().find(|of| of.kind == PacketKind::RouteRequest && of.begin > told[0].begin).unwrap();
    assert_eq!((again.from, again.destination), (0, 3));
    // What was on the way at node 1 is lost.
    assert_eq!((summary.lost(), summary.total.lost[Loss::Link as usize]), (1, 1), "{summary:?}");
    assert!(summary.delivered() + 2 > summary.created() - summary.lost());
}

/// A node with a route to the destination answers in its place, unless only the destination may. A request for an
/// answer makes it tell the destination the way back, too, so that the destination need not search.
#[test]
fn a_node_with_a_route_answers() {
    let flow = |from, start: u64| Flow { start: Some(start * SECOND), ..Flow::new(from, 4) };
    for (exchange, destination_only) in [
        (Exchange::Data, false),
        (Exchange::Data, true),
        (Exchange::Requests { response_bytes: 100 }, false),
        (Exchange::Requests { response_bytes: 100 }, true),
    ] {
        let aodv = Aodv { destination_only, expanding_ring: false, ..Aodv::default() };
        let mut network = still(line(5), &[], aodv);
        network.traffic.destinations = Destinations::Flows(vec![flow(1, 1), flow(0, 10)]);
        network.traffic.exchange = exchange;
        network.end = 20 * SECOND;
        let (summary, seen) = observe(&network);
        assert_eq!(summary.lost(), 0);
        let searches = numbers(&seen, PacketKind::RouteRequest);
        assert_eq!(searches.len(), 2, "the destination does not search");
        let second = seen.iter().filter(|of| of.packet == searches[1]).count();
        assert_eq!(second, if destination_only { 4 } else { 1 }, "node 1 answers what node 0 asks");
        let answers: Vec<_> =
            seen.iter().filter(|of| of.kind == PacketKind::RouteReply && of.begin > 9 * SECOND).collect();
        let ways: Vec<_> = answers.iter().map(|of| (of.from, of.to.unwrap())).collect();
        let mut expected = match (destination_only, exchange) {
            (true, _) => vec![(4, 3), (3, 2), (2, 1), (1, 0)],
            (false, Exchange::Data) => vec![(1, 0)],
            (false, _) => vec![(1, 0), (1, 2), (2, 3), (3, 4)],
        };
        expected.sort_unstable();
        let mut ways = ways;
        ways.sort_unstable();
        assert_eq!(ways, expected, "{exchange:?}, {destination_only}");
    }
}

/// Packets that wait at a node that leaves are lost with it.
#[test]
fn packets_that_wait_leave_with_their_node() {
    let mut network = still(line(3), &[(0, 2)], Aodv::default());
    let there = |x: i32, stay| Track { start: Position { x: x * 1_000, y: 0 }, stay, ..Track::default() };
    let leaves = Stay { enter: 0, leave: 5 * SECOND };
    // The sender hears nobody.
    let tracks = vec![there(0, leaves), there(170, Stay::default()), there(180, Stay::default())];
    network.mobility = Mobility::Trace(Trace::new(tracks));
    network.end = 60 * SECOND;
    let (summary, _) = observe(&network);
    let [.., left, no_route] = summary.total.lost;
    assert!(summary.created() >= 3, "{summary:?}");
    assert_eq!((left, no_route, summary.under_way()), (summary.created(), 0, 0));
}

/// Threads of the host simulate AODV whatever the device is, with one result. Kernels do not, and say so.
#[test]
fn threads_of_the_host_alone_simulate_it() {
    let network = Network { protocol: Protocol::Aodv(Aodv::default()), end: 4 * SECOND, ..Network::default() };
    let statistics = |threads: u32| {
        let options = Options { threads: Some(threads.try_into().unwrap()), ..Options::default() };
        let device = Device::open(CpuBackend::open(&options).unwrap()).unwrap();
        assert!(Engine::is_apart(&device, &Network { nodes: 20_000, ..network.clone() }));
        let mut engine = Engine::new(&device, &[(network.clone(), 0..3)]).unwrap();
        engine.run(|_| ControlFlow::Continue(())).unwrap();
        let refused = Engine::on(Execution::Device, &device, &[(Network::default(), 0..1), (network.clone(), 0..1)]);
        let told = "network 1 has AODV, which threads of the host simulate, and no kernels of the backend `cpu`; choose the \
                    backend `cpu` (--backend cpu)";
        assert_eq!(refused.unwrap_err().to_string(), told);
        engine.statistics().unwrap()
    };
    let found = statistics(3);
    assert_eq!(statistics(1), found);
    for (replication, found) in (0..).zip(&found) {
        assert_eq!(found, &sequential::statistics(&network, replication).unwrap());
    }
    assert_ne!(found[0], found[1]);
}
