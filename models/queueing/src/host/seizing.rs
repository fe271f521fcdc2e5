//! Tokens seize resources, and give them back.

use super::facility::Facility;
use super::resources::Resources;
use super::simulator::Simulator;
use super::token::Token;

impl Simulator<'_> {
    /// Gives back the units of a set that a token holds. Stations where others may wait for them are looked at.
    pub(super) fn give_back(&mut self, token: &mut Token, set: u64) {
        let given = token.holds & set;
        if given == 0 {
            return;
        }
        token.holds &= !given;
        let Self { resources: Resources { free, seizers }, touched, .. } = self;
        for ((number, free), seizers) in (0..).zip(free).zip(seizers) {
            if given >> number & 1 == 1 {
                *free += 1;
                touched.extend(seizers.iter());
            }
        }
    }

    /// Starts the services at stations that seize resources. The token that came first to its station is the first to
    /// take what several could take.
    pub(super) fn start_with_resources(&mut self, nodes: &[u32], now: u64) {
        let Self { facilities, resources, calendar, .. } = self;
        for &node in nodes {
            if let Some(facility) = facilities.get_mut(node as usize) {
                facility.observe(now);
            }
        }
        loop {
            let next = |&node: &u32| {
                let (arrived, entry) = facilities.get(node as usize)?.next_with(resources)?;
                Some((arrived, node, entry))
            };
            let Some((_, node, _)) = nodes.iter().filter_map(next).min() else { break };
            let Some(facility) = facilities.get_mut(node as usize) else { break };
            let seize = facility.conduct.seize;
            let Some((mut waiting, pool)) = facility.next_to_start(|token| resources.has(seize & !token.holds)) else {
                break;
            };
            resources.take(seize & !waiting.token.holds);
            waiting.token.holds |= seize;
            facility.start(waiting, pool, None, now, calendar);
        }
        for &node in nodes {
            if let Some(facility) = facilities.get_mut(node as usize) {
                facility.note_line();
            }
        }
    }
}

impl Facility<'_> {
    /// Returns the arrival and the entry of the token that could start now with free units; `None` if none can.
    fn next_with(&self, resources: &Resources) -> Option<(u64, u64)> {
        let seize = self.conduct.seize;
        let can = |token: &Token| self.free_server(token.class).is_some() && resources.has(seize & !token.holds);
        self.line.iter().find(|waiting| can(&waiting.token)).map(|waiting| (waiting.token.arrived, waiting.entry))
    }
}
