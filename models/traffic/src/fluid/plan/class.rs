//! Flows with paths of similar length, and their branches.

use super::super::Number;
use super::super::kernels::fluids::{Flow, Terms};
use super::super::kernels::paths::{Block, Branch, Crowd, Entry, FlowSlot, NOWHERE};
use super::sums::{BLOCK, blocks, crowd, pieces, rows_of, span};
use super::terms::Distinct;
use super::{Paths, steps};
use crate::fluid::tree::{self, Limb};
use crate::network::flow::Fluid;
use crate::units::{NEVER, seconds};
use imminent_core::Reach;
use rayon::slice::ParallelSliceMut;
use std::collections::HashMap;
use std::ops::Range;

/// Number of branches that one invocation sums in sequence.
const BUNDLE: u32 = 32;

/// Rows of the tables of one class.
#[derive(Debug)]
pub(in crate::fluid) struct Class {
    /// For each row, the number of its flow.
    pub(in crate::fluid) numbers: Vec<u32>,
    /// Flows ordered by their last branches, so that neighbouring flows read neighbouring branches.
    pub(in crate::fluid) flows: Vec<Flow>,
    /// Flows in the order of routes. Blocks and crowds are spans of this order.
    pub(in crate::fluid) places: Vec<FlowSlot>,
    /// Parameters shared by flows.
    pub(in crate::fluid) terms: Distinct,
    pub(in crate::fluid) branches: Vec<Branch>,
    pub(in crate::fluid) blocks: Vec<Block>,
    /// Blocks of blocks.
    pub(in crate::fluid) large: Vec<Block>,
    pub(in crate::fluid) crowds: Vec<Crowd>,
    /// Blocks of branches that enter one queue.
    pub(in crate::fluid) bundles: Vec<Block>,
    /// Branches that enter each queue.
    pub(in crate::fluid) entries: Vec<Entry>,
    /// History length of the rates of flows and crowds.
    pub(in crate::fluid) sent: Reach,
    /// History length of the senders' knowledge.
    pub(in crate::fluid) known: Reach,
    /// `true` if fluid may wait longer than the history of sending rates reaches.
    pub(in crate::fluid) is_bounded: bool,
}

impl Class {
    /// Creates the rows of the given flows. `first` is the first step of the simulation.
    pub(super) fn new(paths: &Paths<'_>, mut numbers: Vec<u32>, now: Reach, first: u32) -> Class {
        let (limbs, ends) = tree::grow(paths.traffic, &mut numbers);
        let count = numbers.len() as u32;
        let mut order: Vec<(u32, u32)> = ends.into_iter().zip(0..).collect();
        order.par_sort_unstable();
        let mut class = Class {
            flows: Vec::with_capacity(numbers.len()),
            terms: Distinct::default(),
            places: vec![FlowSlot { flow: 0 }; numbers.len()],
            branches: Vec::with_capacity(limbs.len()),
            blocks: blocks(count, BLOCK),
            large: blocks(count.div_ceil(BLOCK), BLOCK),
            crowds: Vec::new(),
            bundles: Vec::new(),
            entries: paths.links.iter().map(|_| Entry { blocks: span(0..0) }).collect(),
            sent: now,
            // Results are read at the last step.
            known: Reach { past: 1, ..now },
            is_bounded: false,
            numbers: Vec::new(),
        };
        for (row, &(_, place)) in (0..).zip(&order) {
            class.places[place as usize].flow = row;
        }
        class.branch(paths, &limbs);
        class.enter(paths, &limbs);
        for &(end, place) in &order {
            let queue = limbs.get(end as usize).map_or(0, |limb| paths.queue(limb.link));
            class.send(paths, numbers[place as usize], (end, queue), first);
        }
        class.numbers = order.iter().map(|&(_, place)| numbers[place as usize]).collect();
        class
    }

    /// Creates branches from limbs, and crowds from the flows that share a limb.
    fn branch(&mut self, paths: &Paths<'_>, limbs: &[Limb]) {
        // Limbs without a fork between them carry the same flows.
        let mut numbers: HashMap<&Range<u32>, u32> = HashMap::new();
        let crowded = limbs.iter().map(|limb| &limb.flows).filter(|flows| flows.len() > 1);
        let mut crowds: Vec<_> = crowded.filter(|flows| numbers.insert(flows, 0).is_none()).collect();
        // Neighbouring invocations have about equal numbers of rows to sum. Apart from that, crowds follow the order of
        // the branches that read them.
        crowds.sort_by_cached_key(|flows| rows_of(&crowd(flows)).ilog2());
        for (number, flows) in (0..).zip(crowds) {
            numbers.insert(flows, number);
            self.crowds.push(crowd(flows));
        }
        for limb in limbs {
            let of = match numbers.get(&limb.flows) {
                Some(crowd) => 2 * crowd + 1,
                None => 2 * self.places[limb.flows.start as usize].flow,
            };
            let before = limb.before.and_then(|before| Some((before, limbs.get(before as usize)?)));
            let (before, queue) = before.map_or((NOWHERE, 0), |(number, limb)| (number, paths.queue(limb.link)));
            self.branches.push(Branch { before, queue, of });
        }
    }

    /// Records which branches enter which queue.
    fn enter(&mut self, paths: &Paths<'_>, limbs: &[Limb]) {
        let mut first = 0;
        for entering in limbs.chunk_by(|a, b| a.link == b.link) {
            let end = first + entering.len() as u32;
            let from = self.bundles.len() as u32;
            self.bundles.extend(pieces(first..end, BUNDLE));
            if let Some(entry) = self.entries.get_mut(paths.queue(entering[0].link) as usize) {
                entry.blocks = span(from..self.bundles.len() as u32);
            }
            first = end;
        }
    }

    /// Adds a flow whose last branch and queue are known.
    fn send(&mut self, paths: &Paths<'_>, number: u32, (last, queue): (u32, u32), first: u32) {
        let Some(flow) = paths.traffic.flows().all().get(number as usize) else { return };
        let (packets, rate) = match flow.kind.fluid() {
            Some(Fluid::Tcp(sessions)) => (f64::from(sessions) * f64::from(paths.traffic.tcp().packet), 0.0),
            Some(Fluid::Udp(rate)) => (0.0, rate as f64 / 8.0),
            None => return,
        };
        let (mut back, mut waiting) = (0_u32, 0_u32);
        for &link in paths.traffic.routes().links(number) {
            let stretch = paths.stretch(paths.queue(link));
            (back, waiting) = (back.saturating_add(stretch.lag), waiting.saturating_add(stretch.wait));
        }
        self.known.ahead = self.known.ahead.max(self.sent.ahead.saturating_add(back));
        self.sent.past = self.sent.past.max(back.saturating_add(waiting.min(paths.most_waiting)));
        self.is_bounded |= waiting > paths.most_waiting;
        let [start, stop] = [flow.start, flow.stop].map(|time| match time {
            NEVER => u32::MAX,
            time => steps(time.div_ceil(paths.step)).saturating_add(first),
        });
        let both_ways = 2.0 * seconds(paths.traffic.routes().delay(paths.traffic.network(), number)) as Number;
        let (packets, rate) = (packets as Number, rate as Number);
        let terms = self.terms.row(Terms { packets, rate, way: both_ways, start, stop, back });
        self.flows.push(Flow { window: 0.0, window_rest: 0.0, terms, last, queue });
    }
}
