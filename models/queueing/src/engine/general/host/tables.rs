//! Data that the nodes of a network share.

use super::NEVER;
use crate::law::Sampler;
use crate::network::Routing;
use crate::scenario::Scenario;
use crate::trace::Times;
use imminent_common::output::Sketch;
use imminent_common::output::sketch::{BUCKETS, bucket};

/// Number of sums of a class at a node, which are those of the kernels.
pub(super) const CLASS_SUMS: usize = crate::kernels::general::facility::CLASS_SUMS as usize;

/// Number of the law of a class that never comes to the node.
pub(super) const NO_LAW: u32 = u32::MAX;

/// Destination of tokens that leave the network.
pub(super) const OUT: u32 = u32::MAX;

/// Properties of a class at a node.
#[derive(Clone, Copy)]
pub(super) struct Visit {
    pub(super) law: u32,
    /// Priority: the lowest is served first.
    pub(super) priority: u32,
    first_route: u32,
    pub(super) routes: u32,
    /// `true` if all routes are equally likely.
    are_equal: bool,
    /// Number of the list of routes whose turns it takes.
    pub(super) list: u32,
}

/// A route of a token after its service.
#[derive(Clone, Copy)]
struct Route {
    /// Next node, or [`OUT`].
    to: u32,
    class: u32,
    threshold: u32,
}

impl Visit {
    /// Returns the number of the route that a random word selects.
    #[inline(always)]
    pub(super) fn by_word(self, word: u32, tables: &Tables<'_>) -> u32 {
        if self.are_equal {
            return ((u64::from(word) * u64::from(self.routes)) >> 32) as u32;
        }
        let first = self.first_route as usize;
        let routes = tables.routes.get(first..first + self.routes as usize - 1).unwrap_or_default();
        routes.partition_point(|route| route.threshold <= word) as u32
    }
}

/// Counts of waiting and sojourn times, by bucket, and their least and greatest.
struct Counts {
    waiting: Vec<u64>,
    sojourn: Vec<u64>,
    extremes: [(u64, u64); 2],
}

impl Counts {
    fn new() -> Self {
        Self { waiting: vec![0; BUCKETS], sojourn: vec![0; BUCKETS], extremes: [(u64::MAX, 0); 2] }
    }
}

/// Properties of all classes at all nodes, and what is counted by class or over the whole network.
pub(super) struct Tables<'s> {
    samplers: &'s [Sampler],
    classes: usize,
    /// Visits, by node and class.
    visits: Vec<Visit>,
    routes: Vec<Route>,
    /// Number of the next route of each list, in the order of visits; empty without round-robin routing.
    turns: Vec<u32>,
    /// Sums by class, in the order of visits; empty if they are not counted.
    pub(super) sums: Vec<[u64; CLASS_SUMS]>,
    times: Option<Box<Counts>>,
    /// End of the present run, in ticks.
    pub(super) horizon: u64,
    /// Time from which arrivals are counted apart, in ticks.
    pub(super) counted_from: u64,
}

impl<'s> Tables<'s> {
    pub(super) fn new(scenario: &Scenario<'s>) -> Self {
        let network = scenario.network();
        let (nodes, classes) = (network.len() as u32, network.classes() as u32);
        let pairs = || (0..nodes).flat_map(|node| (0..classes).map(move |class| (node, class)));
        let mut routes = vec![];
        let visit = |(node, class)| {
            let of_class = network.routes(node, class);
            let first_route = routes.len() as u32;
            routes.extend(of_class.iter().map(|route| Route {
                to: route.to.unwrap_or(OUT),
                class: route.class,
                threshold: route.threshold.unwrap_or(0),
            }));
            Visit {
                law: network.service(node, class).unwrap_or(NO_LAW),
                priority: network.priority(node, class),
                first_route,
                routes: of_class.len() as u32,
                are_equal: of_class.are_equal(),
                list: network.route_list(node, class),
            }
        };
        let visits: Vec<Visit> = pairs().map(visit).collect();
        let has_turns = (0..nodes).any(|node| network.routing(node) == Routing::RoundRobin);
        Self {
            samplers: network.samplers(),
            classes: classes as usize,
            turns: if has_turns { vec![0; visits.len()] } else { vec![] },
            visits,
            routes,
            sums: vec![],
            times: None,
            horizon: 0,
            counted_from: scenario.counted_from().unwrap_or(NEVER),
        }
    }

    #[inline(always)]
    pub(super) fn visit(&self, number: u32) -> Visit {
        self.visits[number as usize]
    }

    /// Returns the visits of all classes at the node whose first visit has this number.
    pub(super) fn visits_of(&self, first: u32) -> &[Visit] {
        let first = first as usize;
        self.visits.get(first..first + self.classes).unwrap_or_default()
    }

    /// Returns next node and class of a route.
    #[inline(always)]
    pub(super) fn route(&self, visit: Visit, number: u32) -> (u32, u32) {
        let route = self.routes[(visit.first_route + number) as usize];
        (route.to, route.class)
    }

    /// Takes a turn of a list of `routes` routes; returns the number of the route.
    pub(super) fn take_turn(&mut self, list: usize, routes: u32) -> u32 {
        let Some(next) = self.turns.get_mut(list) else { return 0 };
        let turn = *next;
        *next = if turn + 1 < routes { turn + 1 } else { 0 };
        turn
    }

    /// Returns the number of the next route of each list of the node whose first visit has this number.
    pub(super) fn turns_of(&self, first: u32) -> &[u32] {
        self.turns.get(first as usize..).unwrap_or_default()
    }

    /// Returns the duration in ticks that a law gives for a random word.
    #[inline(always)]
    pub(super) fn draw(&self, law: u32, word: u32) -> u64 {
        self.samplers[law as usize].draw(word)
    }

    /// Returns the sums of a visit, if they are counted.
    #[inline(always)]
    pub(super) fn sums_of(&mut self, visit: u32) -> Option<&mut [u64; CLASS_SUMS]> {
        if self.sums.is_empty() { None } else { self.sums.get_mut(visit as usize) }
    }

    /// Counts sums by class from now on.
    pub(super) fn count_classes(&mut self) {
        self.sums = vec![[0; CLASS_SUMS]; self.visits.len()];
    }

    /// Counts waiting and sojourn times of visits from now on.
    pub(super) fn begin_times(&mut self) {
        self.times = Some(Box::new(Counts::new()));
    }

    pub(super) fn has_times(&self) -> bool {
        self.times.is_some()
    }

    /// Counts the waiting and the sojourn time of a visit, if times are counted.
    #[inline(always)]
    pub(super) fn count_times(&mut self, waiting: u64, sojourn: u64) {
        if let Some(times) = &mut self.times {
            let Counts { waiting: of_waiting, sojourn: of_sojourn, extremes } = &mut **times;
            for (counts, extremes, time) in
                [of_waiting, of_sojourn].into_iter().zip(extremes).zip([waiting, sojourn]).map(|((c, e), t)| (c, e, t))
            {
                counts[bucket(time)] += 1;
                *extremes = (extremes.0.min(time), extremes.1.max(time));
            }
        }
    }

    /// Takes the times counted since they were last taken.
    pub(super) fn take_times(&mut self) -> Times {
        let Some(times) = &mut self.times else { return Times::default() };
        let Counts { waiting, sojourn, extremes: [of_waiting, of_sojourn] } =
            std::mem::replace(&mut **times, Counts::new());
        Times { waiting: Sketch::from_counts(&waiting, of_waiting), sojourn: Sketch::from_counts(&sojourn, of_sojourn) }
    }
}
