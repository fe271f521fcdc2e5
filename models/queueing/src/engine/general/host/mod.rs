//! General engine on a host: a future event list of the services that end first at each node.
//!
//! The [rules](crate::scenario) of a tick: services end, tokens enter, services start. Nearly every tick has one end.
//! The token of that service enters its next node at once, and both nodes start services: nothing else happens in the
//! tick.

mod node;
mod tables;
mod tournament;

use super::layout::Layout;
use super::results::{NodeAtEnd, Sums, UnderWay, by_class, outcome};
use crate::engine::EngineError;
use crate::kernels::general::facility::CLASS_SUMS;
use crate::network::Network;
use crate::outcome::{NodeState, NodeStatistics, Outcome};
use crate::scenario::Scenario;
use crate::trace::Times;
use node::{Node, Service, Waiting};
use tables::{OUT, Tables};
use tournament::{NEVER, Tournament};

/// One network in the memory of the host.
pub(super) struct OnHost<'s> {
    scenario: Scenario<'s>,
    layout: Layout,
    nodes: Vec<Node>,
    tables: Tables<'s>,
    /// End of the first service to end at each node.
    ends: Tournament,
    /// `true` if the tokens of the start have entered.
    has_begun: bool,
    /// Number of services started.
    started: u64,
    /// Number of tokens in a line that became too long.
    too_long: Option<u64>,
    /// Services that end in a tick with several ends, in the order of nodes and numbers; empty between ticks.
    ended: Vec<Service>,
    /// Nodes that change in such a tick; empty between ticks.
    touched: Vec<u32>,
}

impl<'s> OnHost<'s> {
    pub(super) fn new(scenario: &Scenario<'s>) -> Self {
        let (count, tables) = (scenario.network().len(), Tables::new(scenario));
        let classes = scenario.network().classes() as u32;
        let nodes = (0..count as u32).map(|node| Node::new(scenario, node, node * classes, &tables)).collect();
        Self {
            scenario: scenario.clone(),
            layout: Layout::by_number(scenario),
            nodes,
            tables,
            ends: Tournament::new(count),
            has_begun: false,
            started: 0,
            too_long: None,
            ended: vec![],
            touched: vec![],
        }
    }

    /// Carries out the ticks before `horizon`, until at least `most` services have started. Returns the number of
    /// starts, and `true` if the horizon is reached.
    pub(super) fn run(&mut self, horizon: u64, most: u64) -> Result<(u64, bool), EngineError> {
        self.extend(horizon);
        let before = self.started;
        if !self.has_begun && horizon > 0 {
            self.begin();
        }
        loop {
            let (now, node) = self.ends.first();
            if let Some(lanes) = self.too_long {
                return Err(EngineError::LineTooLong { lanes });
            }
            let (done, is_over) = (self.started - before, now >= horizon);
            if is_over || done >= most {
                return Ok((done, is_over));
            }
            self.tick(now, node);
        }
    }

    /// Sets the horizon to the same or a later time. Counts the times of the services under way that end by it.
    fn extend(&mut self, horizon: u64) {
        let before = self.tables.horizon;
        if horizon <= before {
            return;
        }
        self.tables.horizon = horizon;
        if self.tables.has_times() {
            for node in self.nodes.iter().filter(|node| !node.is_source()) {
                for service in node.under_way().filter(|service| service.end > before) {
                    if service.end <= horizon {
                        self.tables.count_times(service.started - service.arrived, service.end - service.arrived);
                    }
                }
            }
        }
    }

    /// Lets the tokens of the start enter, class after class, and starts the first services.
    fn begin(&mut self) {
        self.has_begun = true;
        for node in 0..self.nodes.len() as u32 {
            for class in 0..self.scenario.network().classes() as u32 {
                (0..self.scenario.tokens_of(node, class)).for_each(|_| self.deliver(node, class, 0));
            }
        }
        (0..self.nodes.len() as u32).for_each(|node| self.start_services(node, 0));
    }

    /// Carries out the tick `now`, in which a service at `node` ends.
    #[inline(always)]
    fn tick(&mut self, now: u64, node: u32) {
        let me = &mut self.nodes[node as usize];
        let token = me.end_first(&mut self.tables);
        if me.first_end() == now || self.ends.second(node) == now {
            return self.crowded_tick(now, node, token);
        }
        if token.to == node {
            self.deliver(node, token.next_class, now);
        } else if let Some(next) = self.nodes.get_mut(token.to as usize)
            && next.admit(token.next_class, &mut self.tables)
        {
            let arriving = Waiting { arrived: now, class: token.next_class };
            if next.is_idle() {
                next.start_at_once(arriving, &mut self.tables);
                self.started += 1;
                self.ends.replace(token.to, next.first_end());
            } else {
                next.enter(arriving, &self.tables);
                if !next.note_line() {
                    self.too_long = Some(next.line.len() as u64);
                }
            }
        }
        let me = &mut self.nodes[node as usize];
        self.started += me.start_all(now, &mut self.tables);
        me.note_line();
        self.ends.replace_first(node, me.first_end());
    }

    /// Carries out a tick in which more than one service ends; the first of them has been removed.
    #[cold]
    fn crowded_tick(&mut self, now: u64, node: u32, token: Service) {
        let (mut ended, mut touched) = (std::mem::take(&mut self.ended), std::mem::take(&mut self.touched));
        ended.push(token);
        touched.push(node);
        let mut node = node;
        while let Some(me) = self.nodes.get_mut(node as usize) {
            while me.first_end() == now {
                ended.push(me.end_first(&mut self.tables));
            }
            self.ends.replace_first(node, me.first_end());
            let (next, next_node) = self.ends.first();
            if next != now {
                break;
            }
            node = next_node;
            touched.push(node);
        }
        // They are in the order of their senders and numbers, in which they enter.
        for token in ended.drain(..).filter(|token| token.to != OUT) {
            self.deliver(token.to, token.next_class, now);
            touched.push(token.to);
        }
        touched.drain(..).for_each(|node| self.start_services(node, now));
        (self.ended, self.touched) = (ended, touched);
    }

    /// Lets a token enter a node, if it finds room.
    fn deliver(&mut self, node: u32, class: u32, now: u64) {
        if let Some(node) = self.nodes.get_mut(node as usize)
            && node.admit(class, &mut self.tables)
        {
            node.enter(Waiting { arrived: now, class }, &self.tables);
        }
    }

    /// Starts services at a node, when all tokens of the tick have entered.
    fn start_services(&mut self, node: u32, now: u64) {
        let Some(me) = self.nodes.get_mut(node as usize) else { return };
        self.started += me.start_all(now, &mut self.tables);
        if !me.note_line() {
            self.too_long = Some(me.line.len() as u64);
        }
        self.ends.replace(node, me.first_end());
    }

    /// Counts waiting and sojourn times of visits from now on.
    pub(super) fn count_times(&mut self) {
        self.tables.begin_times();
    }

    /// Takes the times of the visits that ended in the last run.
    pub(super) fn take_times(&mut self) -> Times {
        self.tables.take_times()
    }

    /// Counts statistics by class from now on.
    pub(super) fn count_classes(&mut self) {
        self.tables.count_classes();
    }

    /// Returns the statistics by node and class up to the horizon of the last run.
    pub(super) fn by_class(&self) -> Vec<NodeStatistics> {
        let sums = self.tables.sums.as_flattened();
        by_class(0, self.tables.horizon, &self.layout, |row| self.row(row), &[], sums)
    }

    /// Returns the outcome up to the horizon of the last run.
    pub(super) fn outcome(&self) -> Outcome {
        outcome(&self.scenario, 0, self.tables.horizon, &self.layout, |row| self.row(row), &[])
    }

    fn row(&self, number: u32) -> Option<Row<'_, 's>> {
        Some(Row { number, node: self.nodes.get(number as usize)?, host: self })
    }
}

/// A node when a run has reached its horizon.
struct Row<'h, 's> {
    number: u32,
    node: &'h Node,
    host: &'h OnHost<'s>,
}

impl NodeAtEnd for Row<'_, '_> {
    fn is_source(&self) -> bool {
        self.node.is_source()
    }

    fn classes(&self) -> u32 {
        self.host.scenario.network().classes() as u32
    }

    fn first_sum(&self, class: u32) -> usize {
        (CLASS_SUMS * (self.node.first_visit + class)) as usize
    }

    fn counted_from(&self) -> u64 {
        self.host.tables.counted_from
    }

    fn sums(&self) -> Sums {
        let Node { served, service_sum: service, waiting_sum: waiting, arrivals, lost, .. } = *self.node;
        Sums { served, service, waiting, arrivals, lost, ..Sums::default() }
    }

    fn most_waiting(&self) -> u32 {
        self.node.most_waiting
    }

    fn tokens(&self) -> impl Iterator<Item = (u64, u32)> {
        let of_start = |class| (0..self.host.scenario.tokens_of(self.number, class)).map(move |_| (0, class));
        let classes = if self.host.has_begun { 0 } else { self.classes() };
        self.node.line.tokens().into_iter().chain((0..classes).flat_map(of_start))
    }

    fn under_way(&self) -> impl Iterator<Item = UnderWay> {
        self.node.under_way().map(|&Service { arrived, started, end, class, .. }| UnderWay {
            arrived,
            started,
            end,
            class,
        })
    }

    fn onward(&self, network: &Network) -> Vec<(u32, u64)> {
        let mut services: Vec<Service> = self.node.under_way().copied().collect();
        if !self.node.takes_turns_at_ends() {
            return services.iter().filter(|service| service.to != OUT).map(|token| (token.to, token.end)).collect();
        }
        services.sort_unstable_by_key(Service::rank);
        let ends = services.iter().map(|service| (service.end, service.class));
        super::results::in_turn(network, self.number, self.host.tables.turns_of(self.node.first_visit), ends)
    }

    fn state(&self, _: &Scenario<'_>) -> NodeState {
        NodeState {
            free_at: self.node.last_end,
            next_service: self.node.shortest_next(&self.host.tables),
            rng_state: self.node.rng_state(),
        }
    }
}
