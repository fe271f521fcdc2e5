//! A ring of TCP-like senders: windows grow by a segment a round trip, and halve after a loss.
//!
//! `cargo run -p imminent --features models --example 13_tcp_ring`

imminent::models::event_model! {
    /// Nodes, each with a sender and a drop-tail queue at its link to the next node.
    mod ring {
        events {
            Arrive => arrive, // a segment arrives at a node
            Answer => answer, // a sender receives an acknowledgement, or its timer of a lost segment expires
        }
        use imminent::random::Pcg32;

        /// State of a node. The window is in thousandths of a segment.
        #[derive(Row)]
        pub struct Module {
            pub rng: Pcg32, pub next: u32, pub free_at: u64, // the link
            pub window: u32, pub sent: u32, pub answered: u32, pub recovery: u32, pub delivered: u32, // the sender
        }
        pub struct Payload { pub sender: u32, pub number: u32, pub hops: u32, pub lost: bool }

        /// Links of a path, places of a queue, and times in ticks.
        #[derive(Row)]
        pub struct Point { pub hops: u32, pub places: u64, pub service: u64, pub delay: u64, pub timeout: u64 }

        fn arrive(me: &mut Module, segment: Payload, point: &Point, agenda: &mut Agenda) {
            let wait = me.free_at.saturating_sub(agenda.now());
            if segment.hops == point.hops {
                let random = me.rng.uniform(0, point.delay); // keeps senders and queues out of step
                agenda.send(segment.sender, segment.hops as u64 * point.delay + random, Kind::Answer, segment);
            } else if wait > point.places * point.service {
                agenda.send(segment.sender, point.timeout, Kind::Answer, Payload { lost: true, ..segment });
            } else {
                me.free_at = agenda.now() + wait + point.service;
                let hops = segment.hops + 1;
                agenda.send(me.next, wait + point.service + point.delay, Kind::Arrive, Payload { hops, ..segment });
            }
        }

        fn answer(me: &mut Module, segment: Payload, point: &Point, agenda: &mut Agenda) {
            me.answered += 1;
            if !segment.lost {
                me.delivered += 1;
                me.window += 1_000_000 / me.window;
            } else if segment.number > me.recovery {
                me.window = 1_000.max(me.window / 2);
                me.recovery = me.sent; // other losses of this window do not count
            }
            while me.sent - me.answered < me.window / 1_000 {
                me.sent += 1;
                arrive(me, Payload { sender: agenda.module(), number: me.sent, hops: 0, lost: false }, point, agenda);
            }
        }
    }
}

use imminent::models::events::{Engine, First, Start, sequential};
use imminent::{DeviceSelection, Row, random::Pcg32};

fn start(places: u64) -> Start<ring::step> {
    let node = |i| ring::Module { rng: Pcg32::new(1, i), next: (i as u32 + 1) % 12, sent: 1, ..Row::zeroed(0) };
    let point = ring::Point { hops: 4, places, service: 100, delay: 1_000, timeout: 10_000 }.into();
    let payload = ring::Payload { sender: 0, number: 1, hops: 0, lost: true }; // sets the window to a segment
    let events = (0..12).map(|module| First { time: 0, module, kind: ring::Kind::Answer, payload }).collect();
    Start { point, modules: (0..12).map(node).collect(), events, lookahead: 1_000.into(), end: 4_000_000 }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let starts = [2, 8, 32, 128].map(start);
    let device = imminent::open(&DeviceSelection::default())?;
    for (start, end) in starts.iter().zip(Engine::new(&device, &starts, 2)?.run()?) {
        assert_eq!(end, sequential(start, 2, 0)?);
        let goodput: Vec<u64> = end?.modules.iter().map(|node| node.delivered.into()).collect();
        let (sum, squares) = goodput.iter().fold((0, 0), |(sum, squares), x| (sum + x, squares + x * x));
        let (places, fairness) = (start.point.places, 1_000 * sum * sum / (12 * squares)); // index of Jain
        println!("{places:3} places: fairness {fairness} ‰, mean {}, each of 10000: {goodput:?}", sum / 12);
    }
    Ok(())
}
