//! Parallel processing of events by several worker threads, each with a partition of the nodes.
//!
//! All workers process the same time window, each the arrivals at its own nodes. They assume that no token
//! comes from another worker's nodes within the window. Windows are so short that this is nearly always true. If such a
//! straggler comes, the window is rolled back. Everything before the first straggler is correct and is repeated. Then
//! the stragglers are delivered, and the window continues from that time in the same way. The arrivals at each node are
//! thus processed in order of time for any number of threads, and the outcome is the same to the bit.
//!
//! Workers synchronize at the end of every window. If the machine is busy and they wait for each other most of the
//! time, the calling thread continues with all partitions alone.

use super::partition::{Partition, Token};
use super::plan::Plan;
use super::reporter::Reporter;
use super::servers::Over;
use super::worker::{End, Worker};
use crate::calendar::Year;
use crate::engine::EngineError;
use crate::kernels::server::Server;
use crate::network::Simple;
use crate::scenario::Scenario;
use crate::spent::Spent;
use imminent_common::barrier::Barrier;
use imminent_common::threads::{at_once, each};
use imminent_core::Progress;
use imminent_core::clock::Instant;
use std::ops::ControlFlow;
use std::time::Duration;

/// Time after which the calling thread checks how long it waited. A thread that the system keeps from its core once,
/// for some milliseconds, does not mean that the machine is busy.
const CHECKED_EVERY: Duration = Duration::from_millis(100);
/// Largest allowed ratio of waiting time to working time.
const MAX_WAITING_RATIO: u32 = 3;

/// Simulates a scenario with its stations, which are in their state at time 0, in `servers`.
pub(super) fn simulate(
    scenario: &Scenario<'_>,
    network: Simple<'_>,
    servers: &mut [Server],
    plan: &Plan,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Over, EngineError> {
    let (barrier, horizon) = (Barrier::new(plan.threads), scenario.horizon());
    let chunks = (0..).zip(servers.chunks_mut(plan.chunk));
    let worker = |(me, servers): (usize, _)| {
        let year = Year::new(plan.traffic, plan.window);
        let partition = Partition::new(servers, (me * plan.chunk) as u32, network.targets(), horizon, year);
        Worker::new(me, partition, plan, &barrier)
    };
    let mut workers: Vec<Worker<'_>> = chunks.map(worker).collect();
    let mut reporter = Reporter::new(progress);
    let mut look = |events: u64| reporter.report(events);
    each(workers.iter_mut().collect(), |worker| worker.begin(scenario.tokens()));
    let began = Instant::now();
    let end = match on_threads(&mut workers, &barrier, &mut look) {
        End::Dissolved { window } => on_calling_thread(&mut workers, window, &mut look),
        end => end,
    };
    let reading = Spent::since(began);
    if end != End::Done {
        return Err(EngineError::Cancelled { steps: barrier.events() });
    }
    Ok(Over { logs: workers.into_iter().map(Worker::into_log).collect(), reading })
}

/// Runs every worker in a thread of its own; the calling thread calls `look` after each window.
fn on_threads(
    workers: &mut [Worker<'_>],
    barrier: &Barrier<Token>,
    look: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> End {
    let (mut since, mut waited_before) = (Instant::now(), Duration::ZERO);
    let mut each_window = |events, waited: Duration| {
        if look(events).is_break() {
            barrier.ask_to_stop();
        }
        let all = since.elapsed();
        if all >= CHECKED_EVERY {
            let waiting = waited - waited_before;
            if waiting > all.saturating_sub(waiting) * MAX_WAITING_RATIO {
                barrier.ask_to_dissolve();
            }
            (since, waited_before) = (Instant::now(), waited);
        }
    };
    let own = |worker: &mut Worker<'_>| worker.run(&mut each_window);
    match at_once(workers.iter_mut().collect(), own, |worker| worker.run(&mut |_, _| {})) {
        Ok(ends) => ends.into_iter().next().unwrap_or(End::Done),
        // The system refuses threads.
        Err(_) => End::Dissolved {
            window: workers.iter_mut().map(Worker::distribute_later_arrivals).min().unwrap_or(u64::MAX),
        },
    }
}

/// Runs all workers from a window on in the calling thread, one after the other in each step.
fn on_calling_thread(workers: &mut [Worker<'_>], window: u64, look: &mut dyn FnMut(u64) -> ControlFlow<()>) -> End {
    let least = |found: Option<u64>| found.unwrap_or(u64::MAX);
    let mut window = window;
    while window < u64::MAX {
        let mut until = least(workers.iter_mut().map(|worker| worker.process_window(window)).min());
        while until < u64::MAX {
            workers.iter_mut().for_each(|worker| worker.roll_back(until));
            until = least(workers.iter_mut().map(Worker::continue_window).min());
        }
        window = least(workers.iter_mut().map(Worker::distribute_later_arrivals).min());
        let events = workers.iter_mut().map(Worker::count).last().unwrap_or(0);
        if look(events).is_break() {
            return End::Stopped;
        }
    }
    End::Done
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::ended::outcome;
    use super::super::reporter::EVENTS_PER_CALL;
    use super::super::servers::{Log, begin};
    use super::*;
    use crate::calendar::Traffic;
    use crate::{Network, Start, calendar};
    use imminent_core::Row;
    use proptest::prelude::*;

    /// Returns a plan with windows of `window` mean services, and `threads` workers.
    fn plan(scenario: &Scenario<'_>, threads: usize, window: f64) -> Plan {
        let traffic = Traffic::of(scenario);
        let chunk = scenario.network().len().div_ceil(threads);
        let threads = scenario.network().len().div_ceil(chunk);
        Plan { chunk, threads, traffic, window: window * traffic.mean() }
    }

    fn check(scenario: &Scenario<'_>, plan: &Plan) {
        let mut servers = vec![Server::zeroed(0); scenario.network().len()];
        let network = scenario.simple().unwrap();
        begin(&mut servers, scenario, network);
        let over = simulate(scenario, network, &mut servers, plan, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(outcome(&servers, &over.logs, scenario.horizon()), calendar::simulate(scenario));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// Windows as long as several services have many stragglers.
        #[test]
        fn any_number_of_workers_gives_the_outcome_of_one_thread(
            (width, height, tokens) in (1_u32..9, 2_u32..9, 0_u32..4),
            threads in 2_usize..5,
            window in prop_oneof![Just(0.01), Just(0.3), Just(4.0)],
            (seed, horizon) in (any::<u64>(), 0_u64..40),
        ) {
            let torus = Network::torus(width, height, 1 << 16, tokens).unwrap();
            let scenario = Scenario::new(&torus, Start::Stationary, horizon << 16, seed, 0).unwrap();
            check(&scenario, &plan(&scenario, threads, window));
        }
    }

    #[test]
    fn one_thread_goes_on_with_all_parts_where_the_others_went_apart() {
        let torus = Network::torus(12, 12, 1 << 16, 2).unwrap();
        let scenario = Scenario::new(&torus, Start::One, 30 << 16, 3, 0).unwrap();
        let (network, plan) = (scenario.simple().unwrap(), plan(&scenario, 3, 0.5));
        let mut servers = vec![Server::zeroed(0); torus.len()];
        begin(&mut servers, &scenario, network);
        let barrier = Barrier::new(3);
        let chunks = (0..).zip(servers.chunks_mut(plan.chunk)).map(|(me, servers)| {
            let year = Year::new(plan.traffic, plan.window);
            let partition =
                Partition::new(servers, (me * plan.chunk) as u32, network.targets(), scenario.horizon(), year);
            Worker::new(me, partition, &plan, &barrier)
        });
        let mut workers: Vec<Worker<'_>> = chunks.collect();
        each(workers.iter_mut().collect(), |worker| worker.begin(scenario.tokens()));
        let mut windows = 0;
        let end = on_threads(&mut workers, &barrier, &mut |_| {
            windows += 1;
            if windows == 5 {
                barrier.ask_to_dissolve();
            }
            ControlFlow::Continue(())
        });
        let End::Dissolved { window } = end else { panic!("it ended with {end:?}") };
        assert_eq!(on_calling_thread(&mut workers, window, &mut |_| ControlFlow::Continue(())), End::Done);
        let logs: Vec<Log> = workers.into_iter().map(Worker::into_log).collect();
        assert_eq!(outcome(&servers, &logs, scenario.horizon()), calendar::simulate(&scenario));
    }

    #[test]
    fn workers_can_be_cancelled() {
        let torus = Network::torus(64, 64, 1 << 16, 8).unwrap();
        let scenario = Scenario::new(&torus, Start::One, 4_000 << 16, 3, 0).unwrap();
        let mut servers = vec![Server::zeroed(0); torus.len()];
        let network = scenario.simple().unwrap();
        begin(&mut servers, &scenario, network);
        let ran = simulate(&scenario, network, &mut servers, &plan(&scenario, 2, 0.1), &mut |_| ControlFlow::Break(()));
        let Err(EngineError::Cancelled { steps }) = ran else { panic!("it was not cancelled") };
        assert!(steps >= EVENTS_PER_CALL, "{steps}");
    }
}
