//! Tests of TCP over links, by hand.

use super::*;

/// Simulates a session with windows up to 16 packets over a path of 100 ms, which loses the given packets.
fn session(numbers: Vec<u64>, tenths: u64, tcp: TcpRules) -> Simulator {
    let traffic = pipe(1_000_000_000, 50 * MILLISECOND, 1 << 30, ONE_SESSION, Tcp { packet: 1000, window: 16 });
    let mut simulator = Simulator::new(&traffic, Settings { tcp, ..settings(1) }).unwrap();
    simulator.run_until(tenths * SECOND / 10, &mut Lose::new(numbers));
    simulator
}

#[test]
fn a_single_loss_is_repaired_in_a_round_trip_without_the_timer() {
    let simulator = session(vec![100], 30, TcpRules::default());
    let counts = simulator.flow_counts(0).unwrap();
    assert_eq!((counts.dropped, counts.again, counts.timeouts), (1, 1, 0));
    // The window was halved to 8, and has grown by one per round trip to 16 again.
    assert_eq!(simulator.windows(0), [16]);
    let early = session(vec![100], 13, TcpRules::default());
    assert!((8..16).contains(&early.windows(0)[0]), "{:?}", early.windows(0));
}

#[test]
fn a_whole_window_lost_waits_for_the_timer() {
    // From packet 30 on the window is 16 (2, 4, 8, 16 packets a round): packets 30 to 45 are lost.
    let simulator = session((30..46).collect(), 30, TcpRules::default());
    let counts = simulator.flow_counts(0).unwrap();
    assert_eq!((counts.dropped, counts.timeouts), (16, 1));
    assert_eq!(counts.again, 16, "all are sent again, and nothing else");
    // No packet arrived between 0.45 s and the timeout a second later.
    let before = session((30..46).collect(), 10, TcpRules::default());
    assert_eq!(before.flow_counts(0).unwrap().delivered, 30);
}

#[test]
fn a_first_packet_lost_again_and_again_backs_off() {
    // Packets 0 and 1 are lost, then the retransmissions at 1, 3 and 7 s; the one at 15 s arrives.
    let simulator = session((0..5).collect(), 200, TcpRules::default());
    let counts = simulator.flow_counts(0).unwrap();
    assert_eq!((counts.dropped, counts.timeouts), (5, 4));
    assert_eq!(session((0..5).collect(), 150, TcpRules::default()).flow_counts(0).unwrap().delivered, 0);
}

#[test]
fn delayed_acknowledgements_are_half_as_many() {
    let plain = session(vec![], 100, TcpRules::default());
    let delayed = session(vec![], 100, TcpRules { delayed_ack: SECOND / 5, ..TcpRules::default() });
    let (plain, delayed) = (plain.flow_counts(0).unwrap(), delayed.flow_counts(0).unwrap());
    assert_eq!(plain.acks, plain.received);
    let share = delayed.acks as f64 / delayed.received as f64;
    assert!((share - 0.5).abs() < 0.01, "{share}");
    assert!(delayed.delivered as f64 > 0.9 * plain.delivered as f64);
    assert_eq!((plain.timeouts, delayed.timeouts), (0, 0));
}

#[test]
fn requests_are_answered_and_thought_about() {
    // A request has one packet, and a response of 2500 bytes three packets, the first two in one window.
    let kind = Kind::Requests { clients: 3, request: 300, answer: 2_500, think: 500 * MILLISECOND };
    let traffic = pipe(1_000_000_000, 50 * MILLISECOND, 1 << 30, kind, Tcp::default());
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    simulator.run_until(1000 * SECOND, &mut Alone);
    let counts = simulator.flow_counts(0).unwrap().clone();
    // Each cycle of a client takes 0.5 s of thinking and, after the first, 0.1 s of waiting.
    let expected = 3.0 * 1000.0 / 0.6;
    assert!((counts.answers as f64 / expected - 1.0).abs() < 0.05, "{}", counts.answers);
    // At most three requests and their responses are under way.
    assert!((counts.answers * 2_800..=(counts.answers + 3) * 2_800).contains(&counts.bytes));
    assert_eq!((counts.again, counts.dropped, counts.timeouts), (0, 0, 0));
}

#[test]
fn flows_begin_and_end_when_they_should() {
    let mut builder = Builder::new();
    let [from, to] = ["a", "b"].map(|label| builder.node(label));
    let queue = Queue::of_bytes(1 << 20, Discipline::DropTail);
    builder.both_ways(Link { from, to, delay: MILLISECOND, bandwidth: 8_000_000, queue, loss: 0.0 });
    let mut flows = Flows::new();
    let second = 1_000 * MILLISECOND;
    for kind in [Kind::Udp { rate: 800_000, packets: true }, ONE_SESSION] {
        flows.add(Flow { from, to, kind, start: second, stop: 2 * second });
    }
    let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    simulator.run_until(SECOND, &mut Alone);
    assert_eq!((simulator.events(), simulator.in_flight()), (0, 0));
    simulator.run_until(10 * SECOND, &mut Alone);
    assert_eq!((simulator.flow_counts(0).unwrap().sent, simulator.in_flight()), (100, 0));
    let sent = simulator.flow_counts(1).unwrap().sent;
    simulator.run_until(100 * SECOND, &mut Alone);
    assert!(sent > 100 && simulator.flow_counts(1).unwrap().sent == sent);
    assert!(simulator.flow_counts(2).is_none());
}

#[test]
fn settings_that_make_no_sense_are_told() {
    let traffic = pipe(1_000_000, MILLISECOND, 5_000, ONE_SESSION, Tcp::default());
    let new = |tcp| Simulator::new(&traffic, Settings { tcp, ..settings(1) }).map(|_| ()).unwrap_err().to_string();
    let rules = TcpRules::default();
    assert_eq!(new(TcpRules { initial_window: Some(0), ..rules }), "'initial_window' is 0: give 1 to 2^20 packets");
    assert_eq!(new(TcpRules { ack: 0, ..rules }), "'ack' is 0: give 1 to 2^20 bytes");
    assert!(
        new(TcpRules { greatest_timeout: 5, ..rules })
            .starts_with("'greatest_timeout' is 5: give at least 'least_timeout'")
    );
    assert!(new(TcpRules { ack: 6_000, ..rules }).starts_with(
        "the queue of the link from 'b' to 'a' has room for 5000 bytes, and packets or acknowledgements on it have 6000"
    ));
    let mut builder = Builder::new();
    let [from, to] = ["a", "b"].map(|label| builder.node(label));
    let queue = Queue::of_bytes(5_000, Discipline::DropTail);
    builder.link(Link { from, to, delay: 1, bandwidth: 1, queue, loss: 0.0 });
    let mut flows = Flows::new();
    flows.add(Flow { from, to, kind: ONE_SESSION, start: 0, stop: NEVER });
    let one_way = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    let error = Simulator::new(&one_way, settings(1)).map(|_| ()).unwrap_err().to_string();
    assert!(
        error.starts_with(
            "acknowledgements need a path back to the source of their packets: no path of links leads from 'b' to 'a'"
        ),
        "{error}"
    );
}

/// Sources without acknowledgements send over a link of one way, of 1 ms for a packet and a delay of 10 ms, with and
/// without ECMP.
#[test]
fn sources_without_acknowledgements_need_no_path_back() {
    for kind in [
        Kind::Udp { rate: 4_000_000, packets: true },
        Kind::Poisson { rate: 4_000_000 },
        Kind::OnOff { rate: 8_000_000, on: 100 * MILLISECOND, off: 100 * MILLISECOND },
    ] {
        let mut builder = Builder::new();
        let [from, to] = ["a", "b"].map(|label| builder.node(label));
        let queue = Queue::of_bytes(1 << 20, Discipline::DropTail);
        builder.link(Link { from, to, delay: 10 * MILLISECOND, bandwidth: 8_000_000, queue, loss: 0.0 });
        let mut flows = Flows::new();
        flows.add(Flow { from, to, kind, start: 0, stop: NEVER });
        let network = builder.build().unwrap();
        let one_way = Traffic::new(network, flows, Metric::Hops, Tcp::default()).unwrap();
        let mut simulator = Simulator::new(&one_way, settings(1)).unwrap();
        simulator.run_until(10 * SECOND, &mut Alone);
        let counts = simulator.flow_counts(0).unwrap();
        assert!(counts.sent > 1_000 && counts.acks == 0 && counts.failed == 0, "{kind:?}: {counts:?}");
        assert!(counts.sent - counts.delivered < 50 && counts.dropped == 0, "{kind:?}: {counts:?}");
    }
}

/// Simulates sessions of a flow with parameters of its own over a path of 100 ms.
fn of_own(own: OwnTcp, sessions: u32, numbers: Vec<u64>) -> Simulator {
    let mut builder = Builder::new();
    let [from, to] = ["a", "b"].map(|label| builder.node(label));
    let queue = Queue::of_bytes(1 << 30, Discipline::DropTail);
    let (delay, bandwidth) = (50 * MILLISECOND, 1_000_000_000);
    builder.both_ways(Link { from, to, delay, bandwidth, queue, loss: 0.0 });
    let mut flows = Flows::new();
    let flow = flows.add(Flow { from, to, kind: Kind::Tcp { fluid: 0, packets: sessions }, start: 0, stop: NEVER });
    flows.set_tcp(flow, own);
    let tcp = Tcp { packet: 1000, window: 16 };
    let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, tcp).unwrap();
    let mut simulator = Simulator::new(&traffic, settings(1)).unwrap();
    simulator.run_until(30 * SECOND / 10, &mut Lose::new(numbers));
    simulator
}

/// Three of the sixteen packets of a window are lost. NewReno repairs one in a round trip and halves its window once;
/// Reno ends its recovery after the first of them, and halves its window again or waits for the timer.
#[test]
fn newreno_repairs_a_window_without_the_timer() {
    let lost = vec![100, 102, 105];
    let run = |variant, sack| of_own(OwnTcp { variant: Some(variant), sack, ..OwnTcp::default() }, 1, lost.clone());
    // With selective acknowledgements the last packet is sent again while the greatest window allows no new one: rule 4
    // of RFC 6675.
    for (sack, again) in [(None, 3), (Some(true), 4)] {
        let simulator = run(Variant::NewReno, sack);
        let counts = simulator.flow_counts(0).unwrap();
        assert_eq!((counts.dropped, counts.again, counts.timeouts), (3, again, 0), "{sack:?}");
    }
    let [reno, newreno] = [Variant::Reno, Variant::NewReno].map(|variant| run(variant, None));
    let delivered = |simulator: &Simulator| simulator.flow_counts(0).unwrap().delivered;
    assert!(delivered(&newreno) > delivered(&reno) + 50, "{} {}", delivered(&newreno), delivered(&reno));
}

#[test]
fn transfers_take_the_rounds_that_their_windows_need() {
    let report = |variant, bytes, numbers| {
        let own = OwnTcp { variant: Some(variant), bytes: Some(bytes), ..OwnTcp::default() };
        let report = of_own(own, 2, numbers).report();
        let counted = report.flows[0].completion.unwrap();
        assert_eq!((counted.transfers, report.flows[0].delivered), (2, 2 * bytes.div_ceil(1000)));
        // First copies alone count, the last packet with the size that it has.
        assert!((report.flows[0].goodput * 3.0 / 8.0 - 2.0 * bytes as f64).abs() < 1e-6);
        [counted.mean.unwrap(), counted.longest.unwrap()]
    };
    // 7,500 bytes are eight packets. In windows of 2, 4 and 8 packets they need two round trips and one way, in one
    // of ten packets only one way. Sixteen packets take 0.13 ms to send.
    for (times, expected) in
        [(report(Variant::Reno, 7_500, vec![]), 0.25), (report(Variant::Cubic, 7_500, vec![]), 0.05)]
    {
        assert!(times.iter().all(|time| (expected..expected + 2e-4).contains(time)), "{times:?}");
    }
    // The last packet of the second session is lost, and nothing is sent after it: it waits for the timer, which
    // starts anew with the acknowledgements after 0.1 s and expires a second later.
    let [mean, longest] = report(Variant::Cubic, 7_500, vec![15]);
    assert!((longest - 1.15).abs() < 1e-3 && (mean - 0.6).abs() < 1e-3, "{mean} {longest}");
}
