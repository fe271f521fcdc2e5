//! Forks and joins.

use super::serving::Onward;
use super::simulator::Simulator;
use super::token::{Ended, Family, Move, Token};

impl Simulator<'_> {
    /// Sends a part of a token along each of its routes. Parts whose route leads out are gone at once.
    pub(super) fn fork(
        &mut self,
        ended: Ended,
        first: u32,
        token: Token,
        from_region: Option<usize>,
        moves: &mut Vec<Move>,
    ) {
        let network = self.scenario.network();
        let routes: Vec<_> = network.routes(ended.1, token.class).iter().collect();
        let family = self.forked;
        self.forked += 1;
        let state = Family { under_way: routes.len() as u32, come: 0, waiting: None, joined: false };
        self.families.insert(family, state);
        for (part, route) in (first..).zip(routes) {
            let mut families = token.families.clone();
            families.push(family);
            let onward = route.to.map_or(Onward::Out, |to| Onward::To(to, route.class));
            let token = Token { families, ..token.clone() };
            // A region counts the token until its first part has left.
            let from_region = if part == first { from_region } else { None };
            self.send(ended, part, onward, token, from_region, moves);
        }
    }

    /// Lets a part of a forked token come to a join. It waits for the others; the last of those that are needed goes on
    /// as the whole token. A token that was not forked goes on at once.
    pub(super) fn gather(&mut self, node: u32, mut token: Token, now: u64) {
        let Some(number) = token.families.last().copied() else {
            self.join_line(node, token, now);
            return;
        };
        let Some(family) = self.families.get_mut(&number) else { return };
        family.under_way -= 1;
        family.come += 1;
        if family.joined {
            // The others are on their way already.
            if family.under_way == 0 {
                self.families.remove(&number);
            }
            self.regions.leave(self.regions.of_node(node), &token);
            return;
        }
        token.families.pop();
        family.waiting = Some((node, token));
        if let Some(facility) = self.facilities.get_mut(node as usize) {
            facility.observe(now);
            facility.parts += 1;
        }
        self.join_if_complete(number, now);
    }

    /// Notes that a part of a forked token, if it is one, is gone: its family need not wait for it.
    pub(super) fn part_is_gone(&mut self, token: &Token, now: u64) {
        let Some(number) = token.families.last().copied() else { return };
        let Some(family) = self.families.get_mut(&number) else { return };
        family.under_way -= 1;
        if family.under_way == 0 && family.waiting.is_none() {
            let whole = Token {
                families: token.families.iter().take(token.families.len() - 1).copied().collect(),
                ..token.clone()
            };
            let was_joined = family.joined;
            self.families.remove(&number);
            if !was_joined {
                // No part is left, and so the token itself is gone.
                self.part_is_gone(&whole, now);
            }
            return;
        }
        self.join_if_complete(number, now);
    }

    /// Joins the parts of a family if enough have come, or all that still can.
    fn join_if_complete(&mut self, number: u64, now: u64) {
        let Some(family) = self.families.get_mut(&number) else { return };
        let Some((node, _)) = &family.waiting else { return };
        let node = *node;
        let needed = self.facilities.get(node as usize).and_then(|facility| facility.conduct.join?.parts);
        let is_complete = family.under_way == 0 || needed.is_some_and(|needed| family.come >= needed);
        if !is_complete {
            return;
        }
        let come = u64::from(family.come);
        let Some((node, token)) = family.waiting.take() else { return };
        family.joined = true;
        if family.under_way == 0 {
            self.families.remove(&number);
        }
        if let Some(facility) = self.facilities.get_mut(node as usize) {
            facility.observe(now);
            facility.parts -= come;
        }
        (1..come).for_each(|_| self.regions.leave(self.regions.of_node(node), &token));
        self.join_line(node, token, now);
    }
}
