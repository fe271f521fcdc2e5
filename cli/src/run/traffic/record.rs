//! Execution of a simulation with regular samples. For some queues and flows all samples are kept. Means of fluids are
//! measured at every step; those of packets come from samples or from their counters.

use super::engine::{FlowLook, Look, Part, QueueLook, Simulation, SpentTime};
use super::means::{FlowMeans, FlowSums, QueueMeans, QueueSums};
use super::units::span;
use imminent::models::free_memory::fits;
use imminent::models::traffic::Traffic;
use imminent::models::traffic::config::Times;
use imminent::models::traffic::fluid::Means;
use imminent::models::traffic::packet::PacketReport;
use imminent::models::traffic::units::seconds;
use imminent_console::Failure;
use imminent_console::interrupt;
use imminent_console::progress::Bar;
use std::time::{Duration, Instant};

/// Default number of samples.
const USUAL: u64 = 1000;
/// Number of queues and flows from which on fewer samples are taken, because reading them takes time.
const LARGE: usize = 100_000;
const USUAL_OF_LARGE: u64 = 100;

/// Schedule of the samples. Times are in quanta of the simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    quantum: u64,
    pub(super) interval: u64,
    warm_up: u64,
    horizon: u64,
}

impl Plan {
    /// Rounds times up to quanta.
    pub(super) fn new(times: Times, quantum: u64, traffic: &Traffic) -> Self {
        let size = traffic.flows().all().len() + traffic.network().links().len();
        let usual = if size > LARGE { USUAL_OF_LARGE } else { USUAL };
        let sample = times.sample.unwrap_or(times.horizon.div_ceil(usual));
        let [interval, warm_up, horizon] =
            [sample, times.warm_up, times.horizon].map(|time| time.div_ceil(quantum.max(1)));
        // Rounding up may have moved the warm-up to the horizon.
        Self { quantum, interval: interval.max(1), warm_up, horizon: horizon.max(warm_up + 1) }
    }

    /// Checks that the series of so many queues and flows fit into the memory.
    pub(super) fn check_memory(&self, traffic: &Traffic, most: usize) -> Result<(), Failure> {
        let looks = self.horizon.div_ceil(self.interval);
        let (queues, flows) = (traffic.network().links().len() as u64, 2 * traffic.flows().all().len() as u64);
        let bytes = |most: u64| {
            let series =
                most.min(queues) * size_of::<QueuePoint>() as u64 + most.min(flows) * size_of::<FlowPoint>() as u64;
            // Lists that grow have twice the room at most.
            looks.saturating_mul(2 * (series + size_of::<RatePoint>() as u64))
        };
        fits("--series", most as u64, bytes)
            .map_err(|error| Failure::usage(format!("{error} or a longer --sample, since {looks} looks are kept")))
    }

    pub(super) fn interval_s(&self) -> f64 {
        seconds(self.interval * self.quantum)
    }

    pub(super) fn warm_up_s(&self) -> f64 {
        seconds(self.warm_up * self.quantum)
    }

    pub(super) fn horizon_s(&self) -> f64 {
        seconds(self.horizon * self.quantum)
    }
}

/// Sample of a queue in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct QueuePoint {
    pub(super) time: f64,
    pub(super) look: QueueLook,
}

/// Sample of a flow in a series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct FlowPoint {
    pub(super) time: f64,
    pub(super) look: FlowLook,
}

/// Total rates of all flows at one time, in bits per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RatePoint {
    pub(super) time: f64,
    /// Sending rate of fluids, and received first copies of packets; `None` if there are none.
    pub(super) fluid: Option<f64>,
    pub(super) packets: Option<f64>,
}

/// All samples and statistics of a run.
#[derive(Debug)]
pub(super) struct Seen {
    /// Number of samples since the warm-up.
    pub(super) looks: u64,
    /// Link and means of each queue.
    pub(super) queues: Vec<(u32, QueueMeans)>,
    /// Flow, part and means of each part of a flow.
    pub(super) flows: Vec<(u32, Part, FlowMeans)>,
    /// Samples of queues, by time and then by queue.
    pub(super) queue_series: Vec<QueuePoint>,
    /// Samples of flows, by time and then by flow.
    pub(super) flow_series: Vec<FlowPoint>,
    /// Total rates by time.
    pub(super) rates: Vec<RatePoint>,
    pub(super) packets: Option<PacketReport>,
    pub(super) spent: Option<SpentTime>,
    pub(super) wall: Duration,
    /// Simulated seconds: less than planned if the run was interrupted.
    pub(super) simulated_s: f64,
}

/// Runs a simulation; series are kept for at most `most` queues and flows.
pub(super) fn carry_out(
    simulation: &mut dyn Simulation,
    traffic: &Traffic,
    plan: Plan,
    most: usize,
) -> Result<Seen, Failure> {
    let began = Instant::now();
    let bar = Bar::new(plan.horizon.div_ceil(plan.interval), "looks");
    let mut recorder: Option<Recorder> = None;
    let mut done = 0;
    if plan.warm_up == 0 {
        simulation.measure()?;
    }
    while done < plan.horizon {
        let warm = done >= plan.warm_up;
        let goal = if warm { plan.horizon } else { plan.warm_up };
        let quanta = plan.interval.min(goal - done);
        simulation.advance(quanta)?;
        done += quanta;
        let look = simulation.look()?;
        let recorder = recorder.get_or_insert_with(|| Recorder::new(traffic, &look, most));
        let time = seconds(done * plan.quantum);
        recorder.keep(&look, time);
        if warm {
            recorder.count(&look);
        } else if done == plan.warm_up {
            simulation.measure()?;
        }
        bar.done(done / plan.interval);
        bar.say(format!("{} of {} simulated", span(time), span(plan.horizon_s())));
        if interrupt::requested() {
            break;
        }
    }
    if recorder.as_ref().is_none_or(|recorder| recorder.seen.looks == 0) {
        let (time, until) = (span(seconds(done * plan.quantum)), span(plan.warm_up_s()));
        return Err(Failure::run(format!(
            "interrupted after {time}, before anything was counted: the warm-up ends at {until}"
        )));
    }
    let (packets, spent) = (simulation.packets(), simulation.spent());
    let recorder = recorder.ok_or_else(|| Failure::run("nothing was simulated"))?;
    let seen = recorder.seen(simulation.means()?);
    Ok(Seen { packets, spent, wall: began.elapsed(), simulated_s: seconds(done * plan.quantum), ..seen })
}

struct Recorder {
    seen: Seen,
    /// Sums in the order of the samples.
    queues: Vec<QueueSums>,
    flows: Vec<FlowSums>,
    /// Indices of the queues and flows with series, in the order of the samples.
    kept_queues: Vec<usize>,
    kept_flows: Vec<usize>,
}

impl Recorder {
    fn new(traffic: &Traffic, look: &Look, most: usize) -> Self {
        let seen = Seen {
            simulated_s: 0.0,
            looks: 0,
            queues: look.queues.iter().map(|queue| (queue.link, QueueMeans::default())).collect(),
            flows: look.flows.iter().map(|flow| (flow.flow, flow.part, FlowMeans::default())).collect(),
            queue_series: vec![],
            flow_series: vec![],
            rates: vec![],
            packets: None,
            spent: None,
            wall: Duration::ZERO,
        };
        let (kept_queues, kept_flows) = (most_wanted(traffic, look, most), spread(look.flows.len(), most));
        let (queues, flows) =
            (vec![QueueSums::default(); seen.queues.len()], vec![FlowSums::default(); seen.flows.len()]);
        Self { seen, queues, flows, kept_queues, kept_flows }
    }

    /// Adds a sample to the series.
    fn keep(&mut self, look: &Look, time: f64) {
        let queues = self.kept_queues.iter().filter_map(|&place| look.queues.get(place));
        self.seen.queue_series.extend(queues.map(|&look| QueuePoint { time, look }));
        let flows = self.kept_flows.iter().filter_map(|&place| look.flows.get(place));
        self.seen.flow_series.extend(flows.map(|&look| FlowPoint { time, look }));
        let rate = |part: Part| {
            let flows = look.flows.iter().filter(|flow| flow.part == part);
            flows.map(|flow| flow.rate).reduce(|sum, rate| sum + rate)
        };
        self.seen.rates.push(RatePoint { time, fluid: rate(Part::Fluid), packets: rate(Part::Packets) });
    }

    /// Adds a sample to the sums.
    fn count(&mut self, look: &Look) {
        self.seen.looks += 1;
        self.queues.iter_mut().zip(&look.queues).for_each(|(sums, queue)| sums.add(queue));
        self.flows.iter_mut().zip(&look.flows).for_each(|(sums, flow)| sums.add(flow));
    }

    /// Returns all results, with measured means if there are any, otherwise means of the samples.
    fn seen(mut self, measured: Option<Means>) -> Seen {
        let measured = measured.unwrap_or(Means { steps: 0, queues: vec![], flows: vec![] });
        // Both are in ascending order of their numbers.
        for ((link, means), sums) in self.seen.queues.iter_mut().zip(&self.queues) {
            let place = measured.queues.binary_search_by_key(link, |queue| queue.link);
            let of = place.ok().and_then(|place| measured.queues.get(place));
            *means = of.map_or_else(|| sums.means(self.seen.looks), QueueMeans::measured);
        }
        for ((flow, part, means), sums) in self.seen.flows.iter_mut().zip(&self.flows) {
            let place = measured.flows.binary_search_by_key(flow, |flow| flow.flow);
            let of = place.ok().and_then(|place| measured.flows.get(place)).filter(|_| *part == Part::Fluid);
            *means = of.map_or_else(|| sums.means(self.seen.looks), FlowMeans::measured);
        }
        self.seen
    }
}

/// Returns the queues that most flows use in relation to the bandwidth, where queues are likely to build up.
fn most_wanted(traffic: &Traffic, look: &Look, most: usize) -> Vec<usize> {
    let mut wanted = vec![0_u32; traffic.network().links().len()];
    for &link in traffic.routes().hops() {
        if let Some(wanted) = wanted.get_mut(link as usize) {
            *wanted += 1;
        }
    }
    let share = |place: usize| {
        let link = look.queues.get(place).map_or(0, |queue| queue.link);
        let bandwidth = traffic.network().link(link).map_or(1, |link| link.bandwidth);
        f64::from(wanted.get(link as usize).copied().unwrap_or(0)) / bandwidth as f64
    };
    let mut places: Vec<usize> = (0..look.queues.len()).collect();
    places.sort_by(|a, b| share(*b).total_cmp(&share(*a)));
    places.truncate(most);
    places.sort_unstable();
    places
}

/// Returns `most` of `count` indices, as evenly spaced as possible; all if there are no more.
fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most { (0..count).collect() } else { (0..most).map(|place| place * count / most).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::engine::begin;
    use super::*;
    use imminent_console::selection::DeviceArgs;

    // A queue that fills and drains between two samples.
    const BURSTS: &str = "[topology]\nbandwidth = 1e6\ndelay = 0.01\nbuffer = 20000\n[[topology.link]]\nfrom = 'a'\nto = 'b'\n[run]\nengine = 'sequential'
[[traffic.flow]]\nfrom = 'a'\nto = 'b'\nsessions = 2\nstop = 0.7\n[[traffic.flow]]\nfrom = 'a'\nto = 'b'\nkind = 'udp'\nrate = 1.2e6\nstart = 0.72\nstop = 0.78\n";

    #[test]
    fn means_do_not_depend_on_how_often_is_looked() {
        let wrong = |error: &dyn std::fmt::Display| -> ! { panic!("{error}") };
        let config = imminent::models::traffic::TrafficConfig::from_toml(BURSTS, "t").unwrap_or_else(|e| wrong(&e));
        let traffic = config.traffic().unwrap_or_else(|e| wrong(&e));
        let device =
            DeviceArgs { backend: "cpu".to_owned(), device: None, device_options: vec![], ..DeviceArgs::default() };
        let seen = |sample| {
            let engine = config.engine(&traffic).unwrap_or_else(|e| wrong(&e));
            let Ok((mut simulation, _)) = begin(engine, &config, &traffic, &device) else { panic!("a valid run") };
            let times = Times { horizon: 1_000_000_000, warm_up: 500_000_000, sample: Some(sample) };
            let plan = Plan::new(times, simulation.quantum(), &traffic);
            let Ok(seen) = carry_out(simulation.as_mut(), &traffic, plan, 10) else { panic!("a run") };
            seen
        };
        let (often, seldom) = (seen(1_000_000), seen(250_000_000));
        assert_eq!((often.looks, seldom.looks), (500, 2));
        assert_eq!((&often.queues, &often.flows), (&seldom.queues, &seldom.flows));
        let (_, queue) = often.queues[0];
        assert!(queue.greatest > 1000.0 && queue.length > 0.0 && queue.used < 0.9, "{queue:?}");
    }

    #[test]
    fn times_are_rounded_up_to_what_a_simulation_can_stop_at() {
        let config = imminent::models::traffic::TrafficConfig::from_toml("[topology]\ngenerate = 'validation'", "t");
        let traffic = config.and_then(|config| config.traffic()).unwrap_or_else(|error| panic!("{error}"));
        let plan = |horizon, warm_up, sample| Plan::new(Times { horizon, warm_up, sample }, 10, &traffic);
        assert_eq!(plan(90_000, 0, None), Plan { quantum: 10, interval: 9, warm_up: 0, horizon: 9_000 });
        assert_eq!(plan(95, 91, Some(1)), Plan { quantum: 10, interval: 1, warm_up: 10, horizon: 11 });
        assert_eq!((spread(3, 5), spread(10, 4)), (vec![0, 1, 2], vec![0, 2, 5, 7]));
    }
}
