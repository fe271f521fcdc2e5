//! Memory that simulations need on a device.

use super::contract::Events;
use super::kernels::links::{Bound, InLink, InLinks, OutLinks};
use super::kernels::list::{Earliest, EventList, NEAR, Owner, Terms};
use super::kernels::ready::Ready;
use super::kernels::speculation::{Guess, Verdict};
use super::points::Points;
use super::simulation::Start;
use imminent_core::{MailTable, Row};

/// Capacity of a post, as a multiple of what one handler sends at most.
const HANDLERS_PER_POST: u32 = 4;

/// Memory that simulations need together before their first event. All lists have the same capacity, which the fullest
/// of them sets; they may grow.
#[derive(Debug)]
pub struct Room<E: Events> {
    most: u32,
    modules: u64,
    /// Words of states, including their lanes.
    states: u64,
    /// Words of parameters and links.
    words: u64,
    /// Number of events of the fullest module.
    fullest: u64,
    sends: bool,
    /// `true` if any simulation has links.
    has_links: bool,
    points: Points<E>,
}

impl<E: Events> Room<E> {
    /// Creates an empty sum, for handlers that schedule at most `most` events per call.
    #[must_use]
    pub fn new(most: u32) -> Self {
        Room {
            most: most.max(1),
            modules: 0,
            states: 0,
            words: 0,
            fullest: 0,
            sends: false,
            has_links: false,
            points: Points::new(),
        }
    }

    /// Adds a simulation. Returns the number of its parameters among the distinct ones.
    pub fn add(&mut self, start: &Start<E>) -> u32 {
        let mut events = vec![0_u64; start.modules.len()];
        for event in &start.events {
            // Unknown modules are reported when the simulation starts.
            if let Some(count) = events.get_mut(event.module as usize) {
                *count += 1;
            }
        }
        let state = |module: &E::Module| E::Module::layout().row_words(module.capacity());
        self.states += start.modules.iter().map(state).sum::<u64>();
        let (point, is_new) = self.points.add(&start.point);
        if is_new {
            self.words += E::Point::layout().row_words(start.point.capacity());
        }
        self.words += Terms::layout().row_words(0);
        let links = start.lookahead.each().count() as u64;
        self.words += links * (OutLinks::layout().lane_words as u64 + InLink::layout().row_words(0));
        self.has_links |= start.lookahead.has_links();
        self.modules += start.modules.len() as u64;
        self.fullest = self.fullest.max(events.into_iter().max().unwrap_or(0));
        self.sends |= start.lookahead.least() > 0;
        point
    }

    /// Returns the bytes of all tables, including those for prepared events, messages and links. Parameters that
    /// simulations share count once.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let list = self.list_words();
        let list = list + Owner::layout().row_words(0);
        let posts = 2 * (E::Post::layout().row_words(self.post()) + Earliest::layout().row_words(0));
        let lanes = E::LANES as u64 * E::Share::layout().row_words(0);
        let prepared = E::GROUPS as u64 * (Ready::layout().row_words(0) + lanes);
        let bounds = InLinks::layout().row_words(0) + 2 * Bound::layout().row_words(0);
        let bounds = if self.has_links { bounds } else { 0 };
        let mail = if self.sends { MailTable::bytes(self.modules, self.post()) } else { 0 };
        let words =
            self.modules.saturating_mul(list + posts + prepared + bounds).saturating_add(self.states + self.words);
        words.saturating_mul(4).saturating_add(mail)
    }

    /// Returns the further bytes that [speculative windows](crate::Engine::set_window) take at first: a copy of the
    /// rows of each module, and the messages of a window.
    #[must_use]
    pub fn window_bytes(&self) -> u64 {
        let list = self.list_words();
        // One word marks a module whose messages have changed.
        let words = self.modules.saturating_mul(list + Guess::layout().row_words(0) + 1) + self.states;
        let verdict = Verdict::layout().row_words(0);
        (words + verdict).saturating_mul(4).saturating_add(MailTable::bytes(self.modules, self.post()))
    }

    /// Number of events that a list has room for.
    pub(super) fn list(&self) -> u32 {
        let room = u32::try_from(self.fullest).unwrap_or(u32::MAX).saturating_add(self.most);
        room.checked_next_power_of_two().unwrap_or(u32::MAX).max(NEAR)
    }

    /// Number of words of a list and of its payloads.
    fn list_words(&self) -> u64 {
        EventList::layout().row_words(self.list() - NEAR) + E::Payloads::layout().row_words(self.list())
    }

    /// Number of events that a post has room for.
    pub(super) fn post(&self) -> u32 {
        if self.sends { HANDLERS_PER_POST.saturating_mul(self.most) } else { 1 }
    }

    /// Returns the distinct parameters of the simulations.
    pub(super) fn points(&self) -> Vec<E::Point> {
        self.points.rows()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::event_types::EventTypes;
    use super::super::graph::GraphStudy;
    use super::super::mesh::{Mesh, MeshEvents};
    use super::*;

    /// Parameters are in memory once for any number of simulations, whether a study shares them or creates them anew.
    #[test]
    fn parameters_that_simulations_share_count_once() {
        let setup = |speed: f64| Mesh { nodes: 2, speed, ..Mesh::default() }.set_up().unwrap();
        let (slow, again, fast) = (setup(1.0), setup(1.0), setup(2.0));
        let bytes = |starts: &[Start<MeshEvents>]| {
            let mut room = Room::new(1);
            let numbers: Vec<u32> = starts.iter().map(|start| room.add(start)).collect();
            (room.bytes(), numbers)
        };
        let (shared, numbers) = bytes(&[slow.start(1), slow.start(2), slow.start(3)]);
        assert_eq!(numbers, [0, 0, 0]);
        assert_eq!(bytes(&[slow.start(1), again.start(2), slow.start(3)]), (shared, numbers));
        let point = 4 * <MeshEvents as EventTypes>::Point::layout().row_words(slow.start(1).point.capacity());
        assert!(point > 70_000, "{point}");
        let (different, numbers) = bytes(&[slow.start(1), fast.start(2), slow.start(3)]);
        assert_eq!((different, numbers), (shared + point, vec![0, 1, 0]));
    }

    /// Links need memory for each link and each module; without links there is none.
    #[test]
    fn links_count() {
        let study = GraphStudy {
            simulations: 1,
            modules: 10,
            tokens: 1,
            reach: 2,
            least: 1,
            doublings: 0,
            mean: 1,
            has_links: false,
            end: 1,
            seed: 1,
        };
        let bytes = |study: GraphStudy| {
            let mut room = Room::new(1);
            room.add(&study.start(0));
            room.bytes()
        };
        // 40 links of three words on either side; a range and two bounds of two times for each module.
        let expected = 4 * (40 * (3 + 3) + 10 * (2 + 2 * 4));
        assert_eq!(bytes(GraphStudy { has_links: true, ..study }) - bytes(study), expected);
    }
}
