//! An event model of your own, and a thousand simulations of it at once.
//!
//! `cargo run -p imminent --features models --example 06_event_model`

imminent::models::event_model! {
    /// A shop with clerks. Customers come, ask a clerk who is as busy as any, and leave when served.
    mod shop {
        events {
            Come => come,     // a customer comes to the door, module 0
            Ask => ask,       // a customer comes to a clerk
            Served => served, // a clerk has served a customer
        }

        use imminent::random::{Pcg32, scaled_ticks};

        /// State of the door, or a clerk.
        #[derive(Row)]
        pub struct Module { pub rng: Pcg32, pub waiting: u32, pub served: u32 }

        /// Data of an event.
        pub struct Payload { pub customer: u32 }

        /// The parameters of a simulation, in ticks.
        #[derive(Row)]
        pub struct Point { pub between: u64, pub service: u64 }

        fn come(me: &mut Module, who: Payload, shop: &Point, agenda: &mut Agenda) {
            let clerk = 1 + me.rng.below(agenda.modules() - 1);
            agenda.send(clerk, 100, Kind::Ask, who);
            let delay = scaled_ticks(me.rng.exponential_q27(), shop.between);
            agenda.schedule(delay, Kind::Come, Payload { customer: who.customer + 1 });
        }

        fn ask(me: &mut Module, who: Payload, shop: &Point, agenda: &mut Agenda) {
            me.waiting += 1;
            if me.waiting == 1 {
                agenda.schedule(scaled_ticks(me.rng.exponential_q27(), shop.service), Kind::Served, who);
            }
        }

        fn served(me: &mut Module, who: Payload, shop: &Point, agenda: &mut Agenda) {
            me.served += 1;
            me.waiting -= 1;
            if me.waiting > 0 {
                agenda.schedule(scaled_ticks(me.rng.exponential_q27(), shop.service), Kind::Served, who);
            }
        }
    }
}

use imminent::DeviceSelection;
use imminent::models::events::{Engine, First, Start};
use imminent::random::Pcg32;
use std::{error::Error, sync::Arc};

/// Simulation `number`: a door and three clerks.
fn start(number: u64) -> Start<shop::step> {
    let module = |module| shop::Module { rng: Pcg32::new(number, module), waiting: 0, served: 0 };
    Start {
        point: Arc::new(shop::Point { between: 1_000 + number, service: 2_500 }),
        modules: (0..4).map(module).collect(),
        events: vec![First { time: 0, module: 0, kind: shop::Kind::Come, payload: shop::Payload { customer: 0 } }],
        lookahead: 100.into(), // from the door to a clerk
        end: 1_000_000,
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let device = imminent::open(&DeviceSelection::default())?;
    let starts: Vec<_> = (0..1_000).map(start).collect();
    let mut engine = Engine::new(&device, &starts, 2)?; // a handler schedules two events at most
    let ends = engine.run()?;
    for (number, end) in ends.into_iter().enumerate().step_by(250) {
        let end = end?;
        let served: u32 = end.modules.iter().map(|clerk| clerk.served).sum();
        println!("a customer every {} ticks: {served} were served, in {} events", 1_000 + number, end.handled);
    }
    Ok(())
}
