//! Traffic as the rows that the kernels work on.

mod class;
mod memory;
mod queues;
mod sums;
mod terms;

use super::Number;
use super::kernels::fluids::Queue;
use super::kernels::paths::Net;
use crate::fluid::{FluidError, Memory, Rules};
use crate::units::seconds;
use crate::{StepSize, Traffic};
use imminent_core::Reach;
use queues::Stretch;

pub(super) use class::Class;

/// Rows of all tables, and the lengths of the histories.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) classes: Vec<Class>,
    /// For each row of `queues`, the number of its link.
    pub(super) links: Vec<u32>,
    pub(super) queues: Vec<Queue>,
    pub(super) net: Net,
    /// Initial value of the clock.
    pub(super) first: u32,
    /// History length of values that are only needed within a launch.
    pub(super) now: Reach,
    /// History length of passages that reach queues.
    pub(super) passages: Reach,
    /// History length of passages that leave queues and reach the ends of their links.
    pub(super) through: Reach,
}

/// First step; 0 stands for no step.
const FIRST: u32 = 1;

impl Plan {
    pub(super) fn new(traffic: &Traffic, size: StepSize, rules: Rules, memory: Memory) -> Result<Plan, FluidError> {
        let most_waiting = (memory.waiting / seconds(size.step)).ceil() as u32;
        let links = traffic.used_links();
        let stretches = queues::stretches(traffic, &links, size.step);
        let lookahead = steps(size.lookahead);
        let now = Reach { past: 0, ahead: lookahead };
        let [passages, through] = reaches(&stretches, lookahead, size.step)?;
        let paths = Paths { traffic, links: &links, stretches: &stretches, step: size.step, most_waiting };
        let classes = paths.classes(memory).into_iter();
        Ok(Plan {
            classes: classes.map(|flows| Class::new(&paths, flows, now, FIRST)).collect(),
            queues: queues::queues(traffic, &links, size.step, FIRST - 1),
            net: Net {
                steps: lookahead,
                step: seconds(size.step) as Number,
                largest: traffic.tcp().window as Number,
                divisor: rules.divisor as Number,
                losses_seen: rules.losses_seen as Number,
                once: rules.recovery.is_once(),
            },
            first: FIRST,
            now,
            passages,
            through,
            links,
        })
    }
}

/// Queues and delays on the paths of flows.
struct Paths<'t> {
    traffic: &'t Traffic,
    /// For each queue, its link.
    links: &'t [u32],
    /// Delays of each queue and its link.
    stretches: &'t [Stretch],
    /// Length of a step, in nanoseconds.
    step: u64,
    most_waiting: u32,
}

impl Paths<'_> {
    /// Returns the queue of a link.
    fn queue(&self, link: u32) -> u32 {
        self.links.binary_search(&link).map_or(0, |queue| queue as u32)
    }

    fn stretch(&self, queue: u32) -> Stretch {
        self.stretches.get(queue as usize).copied().unwrap_or(Stretch { lag: 0, wait: 0 })
    }

    /// Divides the fluid flows into classes by the length of their paths.
    fn classes(&self, memory: Memory) -> Vec<Vec<u32>> {
        let flows = (0..).zip(self.traffic.flows().all()).filter(|(_, flow)| flow.kind.fluid().is_some());
        let flows: Vec<u32> = flows.map(|(number, _)| number).collect();
        let count = memory.classes_of(flows.len());
        if count == 1 {
            return vec![flows];
        }
        let delay = |flow: &u32| self.traffic.routes().delay(self.traffic.network(), *flow);
        let most = flows.iter().map(delay).max().unwrap_or(0);
        let mut classes = vec![Vec::new(); count as usize];
        for flow in flows {
            let class = u128::from(delay(&flow)) * u128::from(count) / (u128::from(most) + 1);
            classes[class as usize].push(flow);
        }
        classes.retain(|class| !class.is_empty());
        classes
    }
}

/// Returns the history lengths of passages that reach queues, and of passages that leave them.
fn reaches(stretches: &[Stretch], lookahead: u32, step: u64) -> Result<[Reach; 2], FluidError> {
    let most = |of: fn(&Stretch) -> u32| stretches.iter().map(of).max().unwrap_or(1);
    let both = most(|stretch| stretch.lag.saturating_add(stretch.wait));
    if 2 * u64::from(both) + u64::from(lookahead) > u64::from(Reach::MAX_STEPS) {
        let wait = most(|stretch| stretch.wait);
        return Err(FluidError::TooSlow { seconds: f64::from(wait) * seconds(step), step: seconds(step) });
    }
    Ok([Reach { past: both, ahead: lookahead }, Reach { past: 0, ahead: both + lookahead }])
}

fn steps(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
