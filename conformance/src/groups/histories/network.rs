//! A network of rows with delays, against a plain map from row and step to the sent value.

use crate::case::{Cases, Verdict, equal, equal_slices};
use crate::context::Context;
use crate::kernels::histories::network::{Listener, Node, Reaching, Signal, Steps, listen, run, signals};
use imminent_core::{ClockTable, Device, Error, HistoryTable, Program, Reach, Selection, Table};
use rand_core::Rng;
use std::collections::BTreeMap;

/// Number of steps that one launch may take: the smallest delay.
pub(super) const LOOKAHEAD: u32 = 6;
const REACH: Reach = Reach { past: 11, ahead: 9 };

/// Creates nodes with random neighbours. Delays lie between the lookahead and the oldest step, and waits are as long as
/// the last step of a launch allows.
pub(super) fn nodes(context: &Context<'_>, count: u32) -> Vec<Node> {
    let mut rng = context.random(71);
    let mut below = |n: u32| rng.next_u32() % n;
    let node = |_| Node {
        upstream: below(count),
        delay: LOOKAHEAD + below(REACH.past - LOOKAHEAD + 1),
        wait: below(REACH.ahead - LOOKAHEAD + 1),
    };
    (0..count).map(node).collect()
}

/// All values ever sent, by row and step; values never sent are zero.
#[derive(Default)]
pub(super) struct Sent(pub(super) BTreeMap<(u32, u32), u32>);

impl Sent {
    pub(super) fn at(&self, row: u32, step: u32) -> u32 {
        self.0.get(&(row, step)).copied().unwrap_or(0)
    }

    /// Simulates one step of all nodes.
    pub(super) fn step(&mut self, nodes: &[Node], step: u32) {
        let heard: Vec<u32> = nodes.iter().map(|node| self.at(node.upstream, step - node.delay)).collect();
        for ((id, node), heard) in (0..).zip(nodes).zip(heard) {
            let before = self.at(id, step + node.wait - 1);
            let said = heard
                .wrapping_mul(1_664_525)
                .wrapping_add(before.rotate_left(7))
                .wrapping_add(id.wrapping_mul(977))
                .wrapping_add(step);
            self.0.insert((id, step + node.wait), said);
        }
    }

    /// Returns the value read at a step that may not have been written: otherwise that of the previous step in its
    /// place.
    fn held(&self, row: u32, step: u32, places: u32) -> u32 {
        match (self.0.get(&(row, step)), step.checked_sub(places)) {
            (Some(entry), _) => *entry,
            (None, Some(earlier)) => self.held(row, earlier, places),
            (None, None) => 0,
        }
    }
}

/// Compares the values of all steps that can be read.
pub(super) fn check(sent: &Sent, history: &HistoryTable<u32>, clock: &ClockTable, what: &str) -> Verdict {
    let first = clock.first()?;
    let steps = first - history.reach().past..first + history.reach().ahead;
    let places = history.reach().past + history.reach().ahead;
    let found = history.read(clock, steps.clone())?;
    for (step, found) in steps.zip(found) {
        let expected: Vec<u32> = (0..history.len() as u32).map(|row| sent.held(row, step, places)).collect();
        equal_slices(&format!("{what}, step {step}"), &found, &expected)?;
    }
    Ok(())
}

pub(super) struct Network {
    pub(super) nodes: Table<Node>,
    pub(super) sent: HistoryTable<u32>,
    pub(super) clock: ClockTable,
}

impl Network {
    pub(super) fn new(device: &Device, nodes: &[Node], reach: Reach) -> Result<Self, Error> {
        Ok(Network {
            nodes: Table::from_rows(device, nodes)?,
            sent: HistoryTable::new(device, nodes.len(), reach)?,
            clock: ClockTable::new(device, reach.past)?,
        })
    }

    pub(super) fn launch(&mut self, count: u32) -> Result<(), Error> {
        let queue = self.nodes.device().queue();
        queue.launch::<run>((&self.nodes, &mut self.sent, &self.clock, &Steps { count }))?;
        queue.advance(&mut self.clock, count)
    }
}

pub(super) fn add(cases: &mut Cases) {
    cases.add("many steps in one launch are as many launches of one, around the ring many times", |context| {
        for count in [1, 2, 300, context.scaled(1000, 100_000) as u32] {
            let nodes = nodes(context, count);
            for steps in [1, 2, 5, LOOKAHEAD] {
                let (mut network, mut sent) = (Network::new(context.device, &nodes, REACH)?, Sent::default());
                let rounds = if count > 300 { 12 } else { 240 / steps };
                for round in 0..rounds {
                    network.launch(steps)?;
                    (0..steps).for_each(|step| sent.step(&nodes, REACH.past + round * steps + step));
                }
                check(&sent, &network.sent, &network.clock, &format!("{rounds} launches of {steps} steps"))?;
            }
        }
        Ok(())
    });
    cases.add("a ring of any length, the shortest that fits included", |context| {
        for (past, ahead) in [(LOOKAHEAD, 1), (LOOKAHEAD, 4), (13, 3), (24, 8), (LOOKAHEAD, 200)] {
            let nodes: Vec<Node> = nodes(context, 70)
                .into_iter()
                .map(|node| Node { delay: node.delay.min(past), wait: ahead - 1, ..node })
                .collect();
            let reach = Reach { past, ahead };
            let (mut network, mut sent) = (Network::new(context.device, &nodes, reach)?, Sent::default());
            for step in past..past + 90 {
                network.launch(1)?;
                sent.step(&nodes, step);
            }
            check(&sent, &network.sent, &network.clock, &format!("{reach:?}"))?;
        }
        Ok(())
    });
    cases.add("a program lets the clock go on by itself, also inside loops", |context| {
        let nodes = nodes(context, 200);
        let (mut network, mut sent) = (Network::new(context.device, &nodes, REACH)?, Sent::default());
        let Network { nodes: table, sent: history, clock } = &mut network;
        let mut program = Program::record(context.device, |program| {
            program.repeat(7, |round| {
                round.launch::<run>((table, history, clock, &Steps { count: 4 }))?;
                round.advance(clock, 4)?;
                round.repeat(2, |step| {
                    step.launch::<run>((table, history, clock, &Steps { count: 1 }))?;
                    step.advance(clock, 1)
                })
            })
        })?;
        for replay in 1..=3 {
            program.run()?;
            let first = REACH.past + (replay - 1) * 42;
            (first..first + 42).for_each(|step| sent.step(&nodes, step));
            equal("the clock", &network.clock.first()?, &(first + 42))?;
            check(&sent, &network.sent, &network.clock, &format!("replay {replay}"))?;
        }
        Ok(())
    });
    cases.add("a launch over a subset writes the histories of its rows alone", |context| {
        let all = nodes(context, 500);
        let listed: Vec<u32> = (0..500).rev().filter(|row| row % 3 == 1).collect();
        let mut network = Network::new(context.device, &all, REACH)?;
        let mut before = Vec::new();
        for step in 0..REACH.past {
            before.push((0..500_u32).map(|row| row * 1000 + step).collect::<Vec<_>>());
        }
        network.sent.write(&network.clock, 0, &before)?;
        let rows = Selection::from_rows(context.device, all.len(), &listed)?;
        let steps = Steps { count: LOOKAHEAD };
        let args = (&network.nodes, &mut network.sent, &network.clock, &steps);
        context.queue().launch_over::<run>(&rows, args)?;
        let mut sent = Sent::default();
        for (step, entries) in (0..).zip(&before) {
            sent.0.extend((0..).zip(entries).map(|(row, entry)| ((row, step), *entry)));
        }
        let given = Sent(sent.0.clone());
        (REACH.past..REACH.past + LOOKAHEAD).for_each(|step| sent.step(&all, step));
        sent.0.retain(|(row, step), _| listed.contains(row) || given.0.contains_key(&(*row, *step)));
        check(&sent, &network.sent, &network.clock, "the subset")
    });
    cases.add("who writes no history reads all of it, of any number of rows", |context| {
        let nodes = nodes(context, 90);
        let (mut network, mut sent) = (Network::new(context.device, &nodes, REACH)?, Sent::default());
        for round in 0..9 {
            network.launch(LOOKAHEAD)?;
            (0..LOOKAHEAD).for_each(|step| sent.step(&nodes, REACH.past + round * LOOKAHEAD + step));
        }
        let first = network.clock.first()?;
        let listeners: Vec<Listener> =
            (0..700).map(|i| Listener { from: i % 80, to: i % 80 + i % 11, sum: 1 }).collect();
        let mut table = Table::from_rows(context.device, &listeners)?;
        let reach = Reaching { past: REACH.past, ahead: REACH.ahead };
        context.queue().launch::<listen>((&mut table, &network.sent, &network.clock, &reach))?;
        let expected: Vec<u64> = listeners
            .iter()
            .map(|listener| {
                let heard = (listener.from..listener.to)
                    .flat_map(|node| (first - REACH.past..first + REACH.ahead).map(move |step| (node, step)));
                heard.fold(0_u64, |sum, (node, step)| {
                    sum.wrapping_mul(31).wrapping_add(u64::from(sent.held(node, step, REACH.past + REACH.ahead)))
                })
            })
            .collect();
        let found: Vec<u64> = table.read()?.iter().map(|listener| listener.sum).collect();
        equal_slices("the sums", &found, &expected)
    });
    cases.add("entries that are structs, in functions that the history is lent to", structs);
}

fn structs(context: &Context<'_>) -> Verdict {
    let nodes = nodes(context, 130);
    let table = Table::from_rows(context.device, &nodes)?;
    let mut sent = HistoryTable::<Signal>::new(context.device, nodes.len(), REACH)?;
    let mut clock = ClockTable::new(context.device, REACH.past)?;
    let silence = Signal { loud: false, level: 0, parts: [0; 2] };
    let mut expected: BTreeMap<(u32, u32), Signal> = BTreeMap::new();
    for step in REACH.past..REACH.past + 70 {
        context.queue().launch::<signals>((&table, &mut sent, &clock))?;
        context.queue().advance(&mut clock, 1)?;
        let heard: Vec<Signal> = nodes
            .iter()
            .map(|node| expected.get(&(node.upstream, step - node.delay)).copied().unwrap_or(silence))
            .collect();
        for ((id, node), heard) in (0_u32..).zip(&nodes).zip(heard) {
            let level = heard.level - 3 * i64::from(id) + 1;
            let said = Signal { loud: !heard.loud, level, parts: [heard.parts[1], id] };
            expected.insert((id, step + node.wait), said);
        }
    }
    let first = clock.first()?;
    for (step, found) in (first - REACH.past..).zip(sent.read(&clock, first - REACH.past..first)?) {
        let wanted: Vec<Signal> = (0..130).map(|row| expected.get(&(row, step)).copied().unwrap_or(silence)).collect();
        equal_slices(&format!("step {step}"), &found, &wanted)?;
    }
    Ok(())
}
