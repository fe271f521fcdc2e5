//! Tests of paths: what is stored once, what is left out, and what does not fit.

use super::path::Path;
use super::*;
use crate::network::{Builder, Discipline, Failure, Failures, Flow, Flows, Kind, Link, Queue};
use crate::units::NEVER;
use crate::{Metric, Tcp};

const SECOND: u64 = 1_000_000_000;

/// Creates a ring of four nodes with a flow from each node to each other, and a link from 0 to 1 and back that fails
/// every two seconds for a second.
fn flapping(times: u64) -> Traffic {
    let mut builder = Builder::new();
    let queue = Queue::of_bytes(100_000, Discipline::DropTail);
    (0..4).for_each(|node: u32| {
        builder.node(node.to_string());
    });
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
        builder.both_ways(Link { from, to, delay: 1_000_000, bandwidth: 8_000_000, queue, loss: 0.0 });
    }
    let mut flows = Flows::new();
    for (from, to) in (0..4).flat_map(|from| (0..4).map(move |to| (from, to))).filter(|(from, to)| from != to) {
        flows.add(Flow { from, to, kind: Kind::Poisson { rate: 1_000 }, start: 0, stop: NEVER });
    }
    let traffic = Traffic::new(builder.build().unwrap(), flows, Metric::Hops, Tcp::default()).unwrap();
    let failure = |link, time: u64| Failure { link, start: 2 * time * SECOND, stop: (2 * time + 1) * SECOND };
    let failures = (0..times).flat_map(|time| [failure(0, time), failure(1, time)]).collect();
    let failures = Failures::new(traffic.network(), failures, SECOND / 2).unwrap();
    traffic.with_failures(failures).unwrap()
}

fn links(paths: &Paths, way: Option<Path>) -> &[u32] {
    way.map_or(&[], |path| &paths.links[path.start as usize..path.end as usize])
}

#[test]
fn equal_routes_and_changes_are_stored_once() {
    let paths = |times| Paths::of(&flapping(times), &TcpRules::STANDARD, 1, NEVER).unwrap();
    let (one, many) = (paths(1), paths(500));
    assert_eq!((one.changes.len(), many.changes.len(), many.links.len()), (2, 1_000, one.links.len()));
    // All routes differ: 12 while all links are up, and those of pairs that a link joins or crosses around it.
    let mut all: Vec<_> = many.initial.iter().flatten().map(|way| links(&many, *way)).collect();
    let changed = many.changes.iter().flat_map(|change| change.paths.iter().flat_map(|(_, ways)| ways));
    all.extend(changed.map(|way| links(&many, *way)));
    all.sort_unstable();
    all.dedup();
    assert_eq!(all.iter().map(|route| route.len()).sum::<usize>(), many.links.len());
    for (place, change) in many.changes.iter().enumerate() {
        let list = &many.changes[place % 2].paths;
        assert!(Arc::ptr_eq(list, &change.paths) && !list.is_empty(), "change {place}");
        // From 0.5 s on routes avoid both links; from 1.5 s on all are as they were.
        for (index, ways) in change.paths.iter() {
            let avoids = ways.iter().all(|way| !links(&many, *way).iter().any(|link| *link < 2));
            assert!(if place % 2 == 0 { avoids } else { *ways == many.initial[*index as usize] });
        }
    }
    assert_eq!(many.changes[999].time, 999_500_000_000_000);
}

#[test]
fn changes_at_the_end_or_later_are_left_out() {
    let until = |end: u64| Paths::of(&flapping(500), &TcpRules::STANDARD, 1, end * 1_000).unwrap();
    let count = |end| until(end).changes.len();
    assert_eq!([count(0), count(SECOND / 2), count(SECOND / 2 + 1), count(7 * SECOND)], [0, 0, 1, 7]);
    let (none, all) = (until(SECOND / 2), until(NEVER / 1_000));
    assert_eq!((&none.initial, all.changes.len()), (&all.initial, 1_000));
    assert!(none.links.len() < all.links.len());
}

#[test]
fn changes_that_do_not_fit_into_the_memory_are_told() {
    // What sessions and paths need, by the error where not even they fit.
    let within = |free: u64| Paths::within(Some(free), &flapping(500), (&TcpRules::STANDARD, 1), NEVER).map(|_| ());
    let Err(PacketError::Memory { sessions: 12, needed: first, .. }) = within(0) else { panic!("{:?}", within(0)) };
    let error = within(first + 10_000).unwrap_err();
    let PacketError::Changes { done, changes, needed, free } = error else { panic!("{error}") };
    assert!((2..1_000).contains(&done) && needed > 10_000, "{error}");
    assert_eq!((changes, free), (1_000, 10_000));
    let text = error.to_string();
    assert!(text.starts_with(&format!("the routes after {done} of 1000 changes by failures take 10")), "{text}");
    assert!(text.contains("and 10.0 kB of memory are free: let links fail less often, or simulate fewer"), "{text}");
    assert_eq!(within(first + 100_000), Ok(()));
}

/// With equal paths each session has paths of its own, which are not even looked for if they do not fit.
#[test]
fn sessions_whose_paths_do_not_fit_into_the_memory_are_told_at_once() {
    let (network, mut flows) = (flapping(0).network().clone(), Flows::new());
    let kind = Kind::Tcp { fluid: 0, packets: 1_000_000_000 };
    flows.add(Flow { from: 0, to: 2, kind, start: 0, stop: NEVER });
    let traffic = Traffic::new(network, flows, Metric::Hops, Tcp::default()).unwrap();
    let needed = |traffic: &Traffic| match Paths::within(Some(1 << 33), traffic, (&TcpRules::STANDARD, 1), NEVER) {
        Err(PacketError::Memory { sessions: 1_000_000_000, needed, .. }) => needed,
        other => panic!("{other:?}"),
    };
    let one = needed(&traffic);
    assert!(needed(&traffic.with_ecmp()) > one + 90 * 1_000_000_000, "100 bytes a session");
}
