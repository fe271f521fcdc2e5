//! Simulation with regular samples. For some queues and flows all samples are kept. Means of fluids are measured at
//! every step. Rates of packets come from their counters, windows and round-trip times of their sessions from samples.
//! Without series, fluids are not sampled, and no sample is kept.

use super::error::SimulationError;
use super::means::{FlowMeans, FlowSums, QueueMeans, QueueSums};
use super::record::{FlowPoint, QueuePoint, RatePoint, Record};
use super::sample::{Representation, Sample};
use super::schedule::Schedule;
use super::stepper::Stepper;
use crate::Traffic;
use crate::fluid::Means;
use crate::packet::PacketReport;
use imminent_core::clock::Instant;
use std::fmt;
use std::ops::ControlFlow;
use std::time::Duration;

/// Simulation at time 0.
pub struct Simulation<'t> {
    traffic: &'t Traffic,
    stepper: Box<dyn Stepper + 't>,
    schedule: Schedule,
}

/// Results of a simulation over time that are kept beside the means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// None: fluids are read from the device once, at the end.
    MeansAlone,
    /// Total rates, and samples of at most so many queues, and as many flows.
    Series(usize),
}

/// Wall time below which the time between two calls of the observer is doubled, where nothing is sampled.
const SHORT: Duration = Duration::from_millis(20);

/// Progress of a simulation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Simulated time, in seconds.
    pub simulated_s: f64,
    /// Length of the simulation, in seconds.
    pub horizon_s: f64,
}

impl fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("schedule", &self.schedule).finish_non_exhaustive()
    }
}

impl<'t> Simulation<'t> {
    pub(super) fn new(traffic: &'t Traffic, stepper: Box<dyn Stepper + 't>, schedule: Schedule) -> Self {
        Self { traffic, stepper, schedule }
    }

    /// Returns the times at which the simulation is sampled.
    #[must_use]
    pub const fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// Checks that the series of at most `series` queues, and as many flows, fit into the memory.
    ///
    /// # Errors
    /// [`SimulationError::Series`] with the largest number that fits.
    pub fn check_memory(&self, series: usize) -> Result<(), SimulationError> {
        self.schedule.check_memory(self.traffic, series)
    }

    /// Runs the simulation. `watch` is called after every sample; once it breaks, the record has what was counted until
    /// then.
    ///
    /// # Errors
    /// [`SimulationError`] if the engine fails, or if `watch` breaks before anything was counted.
    pub fn run(
        mut self,
        kept: Kept,
        watch: &mut dyn FnMut(Progress) -> ControlFlow<()>,
    ) -> Result<Record, SimulationError> {
        let (began, schedule, stepper) = (Instant::now(), self.schedule, &mut *self.stepper);
        let (series, is_sampled) = match kept {
            Kept::MeansAlone => (0, !stepper.measures_all()),
            Kept::Series(most) => (most, true),
        };
        let mut recorder: Option<Recorder> = None;
        let (mut done, mut interval) = (0, schedule.interval);
        if schedule.warm_up == 0 {
            stepper.measure()?;
        }
        while done < schedule.horizon {
            let warm = done >= schedule.warm_up;
            let goal = if warm { schedule.horizon } else { schedule.warm_up };
            let (quanta, piece) = (interval.min(goal - done), Instant::now());
            stepper.advance(quanta)?;
            done += quanta;
            let time = schedule.seconds(done);
            if is_sampled {
                let sample = stepper.sample()?;
                let recorder = recorder.get_or_insert_with(|| Recorder::new(self.traffic, &sample, series));
                if kept != Kept::MeansAlone {
                    recorder.keep(&sample, time);
                }
                if warm {
                    recorder.count(&sample, schedule.seconds(quanta));
                }
            } else if piece.elapsed() < SHORT {
                interval = interval.saturating_mul(2);
            }
            if done == schedule.warm_up {
                stepper.measure()?;
            }
            if watch(Progress { simulated_s: time, horizon_s: schedule.horizon_s() }).is_break() {
                break;
            }
        }
        let simulated_s = schedule.seconds(done);
        if done <= schedule.warm_up {
            return Err(SimulationError::NothingCounted { time: simulated_s, warm_up: schedule.warm_up_s() });
        }
        let recorder = match recorder {
            Some(recorder) => recorder,
            None => Recorder::new(self.traffic, &stepper.sample()?, 0),
        };
        let (packets, spent) = (stepper.packets(), stepper.spent());
        let record = recorder.record(stepper.means()?, packets.as_ref());
        Ok(Record { packets, spent, wall: began.elapsed(), simulated_s, ..record })
    }
}

struct Recorder {
    record: Record,
    /// Sums in the order of the samples.
    queues: Vec<QueueSums>,
    flows: Vec<FlowSums>,
    /// Indices of the queues and flows with series, in the order of the samples.
    kept_queues: Vec<usize>,
    kept_flows: Vec<usize>,
}

impl Recorder {
    fn new(traffic: &Traffic, sample: &Sample, most: usize) -> Self {
        let record = Record {
            simulated_s: 0.0,
            samples: 0,
            queues: sample.queues.iter().map(|queue| (queue.link, QueueMeans::default())).collect(),
            flows: sample.flows.iter().map(|flow| (flow.flow, flow.part, FlowMeans::default())).collect(),
            queue_series: vec![],
            flow_series: vec![],
            rates: vec![],
            packets: None,
            spent: None,
            wall: Duration::ZERO,
        };
        let (kept_queues, kept_flows) = (most_wanted(traffic, sample, most), spread(sample.flows.len(), most));
        let (queues, flows) =
            (vec![QueueSums::default(); record.queues.len()], vec![FlowSums::default(); record.flows.len()]);
        Self { record, queues, flows, kept_queues, kept_flows }
    }

    /// Adds a sample to the series.
    fn keep(&mut self, sample: &Sample, time: f64) {
        let queues = self.kept_queues.iter().filter_map(|&place| sample.queues.get(place));
        self.record.queue_series.extend(queues.map(|&sample| QueuePoint { time, sample }));
        let flows = self.kept_flows.iter().filter_map(|&place| sample.flows.get(place));
        self.record.flow_series.extend(flows.map(|&sample| FlowPoint { time, sample }));
        let rate = |part: Representation| {
            let flows = sample.flows.iter().filter(|flow| flow.part == part);
            flows.map(|flow| flow.rate).reduce(|sum, rate| sum + rate)
        };
        self.record.rates.push(RatePoint {
            time,
            fluid: rate(Representation::Fluid),
            packets: rate(Representation::Packets),
        });
    }

    /// Adds a sample, so many seconds after the one before, to the sums.
    fn count(&mut self, sample: &Sample, elapsed: f64) {
        self.record.samples += 1;
        self.queues.iter_mut().zip(&sample.queues).for_each(|(sums, queue)| sums.add(queue, elapsed));
        self.flows.iter_mut().zip(&sample.flows).for_each(|(sums, flow)| sums.add(flow, elapsed));
    }

    /// Returns all results: means that were measured or counted where there are any, otherwise those of the samples.
    fn record(mut self, measured: Option<Means>, packets: Option<&PacketReport>) -> Record {
        let measured = measured.unwrap_or(Means { steps: 0, queues: vec![], flows: vec![] });
        // Both are in ascending order of their numbers.
        for ((link, means), sums) in self.record.queues.iter_mut().zip(&self.queues) {
            let place = measured.queues.binary_search_by_key(link, |queue| queue.link);
            let of = place.ok().and_then(|place| measured.queues.get(place));
            *means = of.map_or_else(|| sums.means(), QueueMeans::measured);
        }
        let counted = packets.map_or(&[][..], |report| &report.flows);
        for ((flow, part, means), sums) in self.record.flows.iter_mut().zip(&self.flows) {
            let place = measured.flows.binary_search_by_key(flow, |flow| flow.flow);
            let of = place.ok().and_then(|place| measured.flows.get(place)).filter(|_| *part == Representation::Fluid);
            let counted = counted.binary_search_by_key(flow, |row| row.flow).ok().and_then(|place| counted.get(place));
            let rate = counted.map_or(0.0, |row| row.goodput);
            *means = of.map_or_else(|| sums.means(rate), FlowMeans::measured);
        }
        self.record
    }
}

/// Returns the queues that most flows use in relation to the bandwidth, where queues are likely to build up.
fn most_wanted(traffic: &Traffic, sample: &Sample, most: usize) -> Vec<usize> {
    let mut wanted = vec![0_u32; traffic.network().links().len()];
    for &link in traffic.routes().hops() {
        if let Some(wanted) = wanted.get_mut(link as usize) {
            *wanted += 1;
        }
    }
    let share = |place: usize| {
        let link = sample.queues.get(place).map_or(0, |queue| queue.link);
        let bandwidth = traffic.network().link(link).map_or(1, |link| link.bandwidth);
        f64::from(wanted.get(link as usize).copied().unwrap_or(0)) / bandwidth as f64
    };
    let mut places: Vec<usize> = (0..sample.queues.len()).collect();
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
    use super::super::setup::Setup;
    use super::*;
    use crate::TrafficConfig;
    use imminent_core::Device;
    use imminent_cpu::{CpuBackend, Options};

    // A queue that fills and drains between two samples.
    const BURSTS: &str = "[topology]\nbandwidth = 1e6\ndelay = 0.01\nbuffer = 20000\n[[topology.link]]\nfrom = 'a'\nto = 'b'\n[run]\nengine = 'sequential'\nhorizon = 1.0\nwarm_up = 0.5
[[traffic.flow]]\nfrom = 'a'\nto = 'b'\nsessions = 2\nstop = 0.7\n[[traffic.flow]]\nfrom = 'a'\nto = 'b'\nkind = 'udp'\nrate = 1.2e6\nstart = 0.72\nstop = 0.78\n";

    fn config(sample: f64) -> TrafficConfig {
        let mut config = TrafficConfig::from_toml(BURSTS, "t").unwrap();
        config.run.sample = Some(sample);
        config
    }

    fn run(sample: f64, watch: &mut dyn FnMut(Progress) -> ControlFlow<()>) -> Result<Record, SimulationError> {
        let config = config(sample);
        let traffic = config.traffic().unwrap();
        Setup::new(&config, &traffic).unwrap().begin(None).unwrap().run(Kept::Series(10), watch)
    }

    #[test]
    fn means_do_not_depend_on_how_often_is_sampled() {
        let record = |sample| run(sample, &mut |_| ControlFlow::Continue(())).unwrap();
        let (often, seldom) = (record(0.001), record(0.25));
        assert_eq!((often.samples, seldom.samples), (500, 2));
        assert_eq!((&often.queues, &often.flows), (&seldom.queues, &seldom.flows));
        let (_, queue) = often.queues[0];
        assert!(queue.greatest > 1000.0 && queue.length > 0.0 && queue.used < 0.9, "{queue:?}");
    }

    #[test]
    fn means_alone_are_those_beside_series() {
        let traffic = config(0.001).traffic().unwrap();
        let device = Device::open(CpuBackend::open(&Options::default()).unwrap()).unwrap();
        for engine in ["sequential", "fluid"] {
            let config = TrafficConfig::from_toml(&BURSTS.replace("sequential", engine), "t").unwrap();
            let simulation = || Setup::new(&config, &traffic).unwrap().begin(Some(&device)).unwrap();
            let record = |kept| simulation().run(kept, &mut |_| ControlFlow::Continue(())).unwrap();
            let (alone, beside) = (record(Kept::MeansAlone), record(Kept::Series(10)));
            assert_eq!((&alone.queues, &alone.flows), (&beside.queues, &beside.flows), "{engine}");
            assert_eq!((alone.samples, alone.rates.len(), alone.queue_series.len()), (0, 0, 0));
            assert!(beside.samples > 0 && !beside.rates.is_empty() && !alone.flows.is_empty());
        }
    }

    #[test]
    fn an_interrupted_simulation_has_what_was_counted() {
        let until = |end: f64| {
            run(0.1, &mut |now| if now.simulated_s < end { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        let record = until(0.8).unwrap();
        assert_eq!((record.samples, record.simulated_s), (3, 0.8));
        let nothing = until(0.5).unwrap_err().to_string();
        assert_eq!(nothing, "interrupted after 500 ms, before anything was counted: the warm-up ends at 500 ms");
    }

    /// Packets of 8,000 bits, 1,000 a second from second 9 on; the last is under way at second 10.
    #[test]
    fn rates_of_packets_are_packets_over_time() {
        let text = "[topology]\nbandwidth = 1e7\ndelay = 0.001\nbuffer = '20 packets'\ndiscipline = 'drop-tail'
            [[topology.link]]\nfrom = 'a'\nto = 'b'\n[run]\nhorizon = 10
            [[traffic.flow]]\nfrom = 'a'\nto = 'b'\nkind = 'udp'\nrate = 8e6\npackets = true\nstart = 9.0\n";
        let rate = |sample: f64, warm_up: f64, kept| {
            let mut config = TrafficConfig::from_toml(text, "t").unwrap();
            (config.run.sample, config.run.warm_up) = (Some(sample), warm_up);
            let traffic = config.traffic().unwrap();
            let simulation = Setup::new(&config, &traffic).unwrap().begin(None).unwrap();
            let record = simulation.run(kept, &mut |_| ControlFlow::Continue(())).unwrap();
            (record.flows[0].2.rate, record.rates.len())
        };
        for (sample, warm_up, looks) in [(9.0, 0.0, 2), (1.0, 0.0, 10), (3.0, 0.0, 4), (0.7, 0.0, 15)] {
            assert_eq!(rate(sample, warm_up, Kept::Series(1)), (999.0 * 8000.0 / 10.0, looks), "{sample}");
            assert_eq!(rate(sample, warm_up, Kept::MeansAlone), (999.0 * 8000.0 / 10.0, 0), "{sample}");
        }
        assert_eq!(rate(3.0, 5.0, Kept::MeansAlone).0, 999.0 * 8000.0 / 5.0);
        assert_eq!(rate(0.4, 9.5, Kept::MeansAlone).0, 500.0 * 8000.0 / 0.5);
    }

    #[test]
    fn series_are_of_flows_spread_evenly() {
        assert_eq!((spread(3, 5), spread(10, 4)), (vec![0, 1, 2], vec![0, 2, 5, 7]));
    }
}
