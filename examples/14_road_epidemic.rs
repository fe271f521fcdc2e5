//! An epidemic on the roads of a GraphML file: `persons` of a node, and `minutes` of an edge, are attributes.
//!
//! `cargo run -p imminent --features models --example 14_road_epidemic [FILE]`

imminent::models::event_model! {
    /// Towns with roads between them. A sick person meets others, some of them in a neighbouring town.
    mod epidemic {
        events {
            Meet => meet,       // a person of this town meets a sick one
            Recover => recover, // a sick person of this town recovers
        }
        use imminent::random::Pcg32;

        /// State of a town, and the roads that leave it.
        #[derive(Row)]
        pub struct Module { pub rng: Pcg32, pub roads: Lanes<Road>, pub persons: u32, pub healthy: u32, pub immune: u32, pub imported: u32 }
        pub struct Road { pub to: u32, pub minutes: u32 }
        pub struct Payload { pub town: u32 }

        /// Minutes of a sickness, meetings in that time, and the share of them in other towns, in units of 2^-32.
        #[derive(Row)]
        pub struct Point { pub sickness: u64, pub meetings: u32, pub elsewhere: u32 }

        fn meet(me: &mut Module, sick: Payload, point: &Point, agenda: &mut Agenda) {
            if me.rng.below(me.persons) < me.healthy {
                me.healthy -= 1;
                me.imported += (sick.town != agenda.module()) as u32;
                let person = Payload { town: agenda.module() };
                agenda.schedule(point.sickness, Kind::Recover, person);
                for _ in 0..point.meetings {
                    let mut road = Road { to: agenda.module(), minutes: 0 };
                    if me.rng.bernoulli(point.elsewhere) && me.roads.capacity() > 0 {
                        road = me.roads.get(me.rng.below(me.roads.capacity()));
                    }
                    agenda.send(road.to, me.rng.uniform(1, point.sickness) + road.minutes as u64, Kind::Meet, person);
                }
            }
        }

        fn recover(me: &mut Module, _person: Payload, _point: &Point, _agenda: &mut Agenda) {
            me.immune += 1;
        }
    }
}

use epidemic::{Kind, Module, Payload, Point, Road};
use imminent::models::events::{Engine, First, Lookahead, Start, sequential};
use imminent::models::graph::{self, Graph};
use imminent::{DeviceSelection, Row, random::Pcg32};
use std::{env, error::Error, path::Path, sync::Arc};

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args().nth(1).unwrap_or(env!("CARGO_MANIFEST_DIR").to_owned() + "/examples/roads/valley.graphml");
    let text = graph::text_of(Path::new(&file))?;
    let graph = Graph::of(&text, &file)?;
    let (mut towns, mut links) = (vec![], vec![]);
    for ((node, edges), i) in graph.nodes().iter().zip(graph.leaving()).zip(0..) {
        let mut roads: Vec<Road> = vec![];
        for (to, edge) in edges {
            let minutes = graph.of_edge(edge).whole("minutes")?.unwrap_or(60).max(1);
            roads.push(Road { to, minutes });
        }
        links.push(roads.iter().map(|road| (road.to, road.minutes.into())).collect::<Vec<_>>());
        let persons = graph.of_node(node).whole("persons")?.unwrap_or(1_000);
        towns.push(Module { rng: Pcg32::new(1, i), roads: roads.into(), persons, healthy: persons, ..Row::zeroed(0) });
    }
    let point = Arc::new(Point { sickness: 8 * 1_440, meetings: 2, elsewhere: u32::MAX / 20 });
    let events = vec![First { time: 0, module: 0, kind: Kind::Meet, payload: Payload { town: 0 } }; 10];
    let (modules, lookahead) = (towns, Lookahead::of_links(links)); // towns far apart do not wait for each other
    let start = Start::<epidemic::step> { point, modules, events, lookahead, end: u64::MAX };
    let end = sequential(&start, 3, 0)?;
    assert_eq!(Engine::of(&imminent::open(&DeviceSelection::default())?, vec![start], 3)?.run()?[0], end);
    for (node, town) in graph.nodes().iter().zip(&end?.modules) {
        println!("{}: {} of {} fell ill, {} through other towns", node.id, town.immune, town.persons, town.imported);
    }
    Ok(())
}
