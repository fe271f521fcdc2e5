//! Visits over which times are averaged, and the ends of a run, by hand: on the oracle and on the engines.

use crate::device::{self, host};
use imminent_queueing::analysis::{Findings, Plan, WarmUp};
use imminent_queueing::config::NetworkConfig;
use imminent_queueing::engine::{Schedule, Watching};
use imminent_queueing::experiment::{Experiment, SetUpError};
use imminent_queueing::measures::Counted;
use imminent_queueing::network::{Builder, Overflow, Station};
use imminent_queueing::{Law, Network, Start, Statistics as _, sequential};

const UNIT: u64 = 1 << 20;

/// Returns the findings of the oracle, after those of both schedules of the exact engine, which must be the same.
fn run(experiment: &Experiment) -> Findings {
    experiment.check().unwrap();
    let oracle = experiment.run_watched(sequential::watched, drop).unwrap();
    for schedule in [Schedule::Events, Schedule::Tiles] {
        let found = device::run(&host(), experiment, 2, Watching { schedule, times: false }).unwrap();
        assert_eq!(found, Findings { spent: found.spent, ..oracle.clone() }, "{schedule:?}");
    }
    oracle
}

fn mean(findings: &Findings, measure: &str) -> f64 {
    findings.estimates[measure].mean.unwrap()
}

/// Builds a station with one server before which a token arrives every `between` time units, the first after one such
/// time, for a service of `service` time units.
fn clockwork(between: f64, service: f64, station: Station) -> Network {
    let mut network = Builder::new();
    let door = network.source("door", 0, Law::Deterministic { value: between });
    let desk = network.station("desk", station);
    network.serve_all(desk, Law::Deterministic { value: service }).edge(door, desk).exit(desk);
    network.build().unwrap()
}

fn experiment(network: Network, horizon: u64, plan: Plan) -> Experiment {
    Experiment {
        network,
        start: Start::One,
        horizon: horizon * UNIT,
        seed: 1,
        first: 0,
        replications: 2,
        interval: None,
        plan,
    }
}

/// Token `k` arrives at 2(k + 1), starts at 2 + 3k and ends at 5 + 3k: it waits k. Between 6 and 19, tokens 1 to 4 end
/// and tokens 2 to 5 start. Tokens 2 to 4 arrive and end.
#[test]
fn visits_are_counted_by_their_end_their_start_or_their_arrival() {
    for (counted, waiting) in [(Counted::Ended, 2.5), (Counted::Started, 3.5), (Counted::Arrived, 3.0)] {
        let plan = Plan { warm_up: WarmUp::Time(6 * UNIT), counted, ..Plan::default() };
        let found = run(&experiment(clockwork(2.0, 3.0, Station::default()), 19, plan));
        assert_eq!((mean(&found, "waiting"), mean(&found, "sojourn")), (waiting, waiting + 3.0), "{counted:?}");
        assert_eq!(found.counted, counted);
    }
}

/// Each service takes exactly 5 and nobody waits, so every mean over visits is 5. The time average over the throughput
/// is not: it holds the visits that have not ended.
#[test]
fn a_short_run_that_begins_empty_has_the_mean_of_its_visits() {
    let text = "[network]\nedges = [['d', 'out']]\n[[network.source]]\nname = 's'\nrate = 10.0\n[[network.node]]\nname = 'd'\n\
                service = { law = 'deterministic', value = 5.0 }\nservers = 200\n[[network.route]]\nfrom = 's'\nto = 'd'\n\
                [run]\nhorizon = 10.0\nreplications = 3\n";
    for count in ["ended", "started", "arrived"] {
        let config = NetworkConfig::from_toml(&format!("{text}count = '{count}'"), "short.toml").unwrap();
        let found = run(&config.experiment().unwrap());
        assert_eq!((mean(&found, "sojourn"), mean(&found, "waiting")), (5.0, 0.0), "{count}");
        assert!(mean(&found, "sojourn_by_little") > 6.5);
    }
}

#[test]
fn classes_with_losses_are_counted_by_arrival_too() {
    let mut network = Builder::new();
    let classes = ["large", "small"].map(|name| network.class(name));
    let desk = network.station("desk", Station { servers: 2, capacity: Some(4), ..Station::default() });
    for (class, mean) in classes.into_iter().zip([5.0, 3.0]) {
        let door = network.source(format!("{class}"), class, Law::Exponential { mean });
        network.serve(desk, class, Law::Exponential { mean: 4.0 }).edge(door, desk);
    }
    network.exit(desk);
    let network = network.build().unwrap();
    let plan = |counted| Plan { warm_up: WarmUp::Time(50 * UNIT), counted, by_class: true, ..Plan::default() };
    let [ended, arrived] = [Counted::Ended, Counted::Arrived].map(|counted| {
        let experiment = Experiment { replications: 3, ..experiment(network.clone(), 300, plan(counted)) };
        let found = run(&experiment);
        let classes = found.classes.as_ref().unwrap();
        let visits = |counted: u32| classes.sums()[2 * desk as usize + counted as usize].arrived.visits;
        assert_eq!(visits(0) + visits(1), found.nodes.read().unwrap().of(desk as usize).unwrap().arrived.visits);
        found
    });
    // At most the four tokens that were there when the warm-up ended are left out, in each of three replications.
    let of_desk = |found: &Findings| found.nodes.read().unwrap().of(desk as usize).unwrap();
    let (all, some) = (of_desk(&ended).completed, of_desk(&arrived).arrived.visits);
    assert!(some < all && all - some <= 12, "{some} of {all}");
    assert_eq!(ended.digests(), arrived.digests());
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let blocking = Station { capacity: Some(2), overflow: Overflow::Block, ..Station::default() };
    let started = Plan { counted: Counted::Started, ..Plan::default() };
    let error = experiment(clockwork(2.0, 1.0, blocking), 10, started).check();
    assert_eq!(
        error,
        Err(SetUpError::UnknownEnds {
            label: "desk".to_owned(),
            what: "tokens that wait in the servers they come from"
        })
    );
    let arrived = Plan { counted: Counted::Arrived, ..Plan::default() };
    let clustered = experiment(clockwork(2.0, 1.0, Station::default()), 10, arrived);
    assert_eq!(Experiment { interval: Some(8), ..clustered }.check(), Err(SetUpError::ClusteredArrivals));
}

/// Tokens arrive at 1, 2, .. and are served for 1. The tenth service would start at the horizon 10 and does not, nor
/// does the tenth token arrive. The emission and the ninth service that end then count. There is room for one token,
/// and none is lost: departures come before arrivals.
#[test]
fn a_service_that_ends_at_the_horizon_counts_and_its_arrival_does_not() {
    let one = Station { capacity: Some(1), ..Station::default() };
    let found = run(&experiment(clockwork(1.0, 1.0, one), 10, Plan::default()));
    let [door, desk] = found.nodes.read().unwrap().to_rows()[..] else { panic!("two nodes") };
    assert_eq!((door.served, door.completed), (20, 20));
    assert_eq!((desk.arrivals, desk.served, desk.completed, desk.lost), (18, 18, 18, 0));
    assert_eq!((mean(&found, "sojourn"), mean(&found, "utilization")), (1.0, 0.9));
}
