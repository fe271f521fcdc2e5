//! A closed queueing network on a torus, at four loads, beside theory.
//!
//! `cargo run -p imminent --features models --example 12_queueing_torus`

imminent::models::event_model! {
    /// Nodes with one server each, which serves tokens in the order of their arrival. Tokens never leave.
    mod torus {
        events {
            Arrive => arrive, // a token arrives at a node
        }

        use imminent::random::{Pcg32, scaled_ticks};

        /// State of a node.
        #[derive(Row)]
        pub struct Module { pub rng: Pcg32, pub neighbours: [u32; 4], pub free_at: u64, pub visits: u64, pub time: u64 }

        /// Data of an event.
        pub struct Payload { pub token: u32 }

        /// Mean and least service time, in ticks.
        #[derive(Row)]
        pub struct Point { pub mean: u64, pub least: u64 }

        fn arrive(me: &mut Module, token: Payload, point: &Point, agenda: &mut Agenda) {
            // The departure is known at the arrival: all tokens in front have their service times.
            let service = point.least + scaled_ticks(me.rng.exponential_q27(), point.mean - point.least);
            let delay = me.free_at.max(agenda.now()) + service - agenda.now();
            me.free_at = agenda.now() + delay;
            me.visits += 1;
            me.time += delay;
            let to = me.rng.below(4);
            agenda.send(me.neighbours[to as usize], delay, Kind::Arrive, token);
        }
    }
}

use imminent::models::events::{Engine, First, Start, sequential};
use imminent::{DeviceSelection, Row, random::Pcg32};
use std::error::Error;
use std::sync::Arc;

const WIDTH: u32 = 8;
const HEIGHT: u32 = 6;
const NODES: u32 = WIDTH * HEIGHT;
const MEAN: u64 = 1_000;
const END: u64 = 2_000_000;

/// A simulation in which every node has `load` tokens at first.
fn start(load: u32) -> Start<torus::step> {
    let node = |node: u32| {
        let (x, y) = (node % WIDTH, node / WIDTH);
        let at = |x: u32, y: u32| y % HEIGHT * WIDTH + x % WIDTH;
        let neighbours = [at(x + 1, y), at(x + WIDTH - 1, y), at(x, y + 1), at(x, y + HEIGHT - 1)];
        torus::Module { rng: Pcg32::new(load.into(), node.into()), neighbours, ..Row::zeroed(0) }
    };
    let payload = |token| torus::Payload { token };
    let event = |token| First { time: 0, module: token % NODES, kind: torus::Kind::Arrive, payload: payload(token) };
    let (modules, events) = ((0..NODES).map(node).collect(), (0..load * NODES).map(event).collect());
    let point = Arc::new(torus::Point { mean: MEAN, least: MEAN / 50 });
    Start { lookahead: point.least.into(), point, modules, events, end: END }
}

fn main() -> Result<(), Box<dyn Error>> {
    let starts = [1, 2, 4, 8].map(start);
    let device = imminent::open(&DeviceSelection::default())?;
    for (start, end) in starts.iter().zip(Engine::new(&device, &starts, 1)?.run()?) {
        assert_eq!(end, sequential(start, 1, 0)?);
        let (end, tokens, nodes) = (end?, start.events.len() as u64, u64::from(NODES));
        assert_eq!(end.waiting, tokens, "every token is at a node");
        let visits: u64 = end.modules.iter().map(|node| node.visits).sum();
        let time: u64 = end.modules.iter().map(|node| node.time).sum();
        // Gordon and Newell: N tokens use a share N / (N + M - 1) of each of M equal servers.
        let (used, theory) = ((visits * MEAN * 1_000) / (nodes * END), tokens * 1_000 / (tokens + nodes - 1));
        println!("{tokens} tokens: {used} ‰ used (theory {theory} ‰), {} ticks a visit", time / visits);
        assert!(used.abs_diff(theory) < 20);
    }
    Ok(())
}
