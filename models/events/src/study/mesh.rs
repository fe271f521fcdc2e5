//! The wireless mesh as a model of a catalogue.

use super::EventModel;
use crate::mesh::{Mesh as MeshConfig, MeshEvents, Setup, Tally, mesh};
use crate::{End, Start};
use imminent_core::{Work, WorkUnit};
use imminent_study::Description;
use imminent_study::description::Measure;
use imminent_study::laboratory::Fault;

/// Note on why a study of rates and speeds has one share of packets at all points.
const DELIVERED: &str = "`rate` and `speed` do not change the share of packets that are `delivered`: frames do not interfere, none is sent again, and each meets the channel at one instant, \
    of which all instants and speeds have the same distribution. They change how many frames there are and how alike successive ones are, so the width of its interval. \
    `snr`, `payload`, `bandwidth`, `carrier` and `subcarriers` change the share.";

/// The most nodes of a mesh that is studied: each has room for as many events.
const NODES: u32 = 16;

/// Unit of the work. Five nodes execute 0.22 M events a second on one thread.
const EVENTS: WorkUnit = WorkUnit::new("events", 0.2e6);

/// Events of a packet for each node: 24 with 5 nodes, 40 with 8, 82 with 16.
const EVENTS_OF_FRAME: f64 = 5.0;

/// Seconds of a GPU for an event, and for the steps of a simulated second: 270 meshes of 60 s take 0.64 s, one 0.08 s.
const OF_EVENT: f64 = 0.3e-6;
const OF_SECOND: f64 = 1e-3;

/// Nodes that send packets to each other over channels that fade.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    /// The tables of the point whose run was started last: runs of a point mostly follow each other.
    last: Option<(MeshConfig, Setup)>,
}

impl Mesh {
    fn setup(&mut self, config: &MeshConfig) -> Result<&Setup, Fault> {
        let kept = self.last.take().filter(|(kept, _)| kept == config);
        let made = match kept {
            Some(kept) => kept,
            None => (config.clone(), config.set_up()?),
        };
        Ok(&self.last.insert(made).1)
    }
}

impl EventModel for Mesh {
    type Config = MeshConfig;
    type Events = MeshEvents;

    const MAX_SCHEDULED: u32 = NODES - 1;

    fn description() -> Description {
        Description::new("mesh", "1", "A wireless mesh whose links fade (Kunz et al. 2012, section V-C).")
            .length("end")
            .measure(Measure::new("sent", "packets", "Packets that applications made."))
            .measure(Measure::new("received", "packets", "Packets that came well, counted at each receiver."))
            .measure(Measure::new("delivered", "", "Share of the packets that came which came well."))
            .measure(Measure::new("acks", "", "Answers that came, for packets that did."))
            .measure(Measure::new("nacks", "", "Answers that came, for packets that did not."))
            .measure(Measure::new("spoilt", "", "Answers that came with errors."))
            .measure(Measure::new("signal", "dB", "Ratio of signal to noise with which frames came, by its mean."))
            .measure(Measure::new("delay", "us", "From a packet's making to its delivery."))
            .note(DELIVERED)
    }

    fn check(config: &MeshConfig) -> Result<(), Fault> {
        Ok(config.check()?)
    }

    fn work(config: &MeshConfig) -> Option<Work> {
        // A packet of an application reaches all other nodes, which answer it.
        let packets = f64::from(config.nodes) * config.rate * config.seconds;
        let events = packets * f64::from(config.nodes) * EVENTS_OF_FRAME;
        Some(Work::new(EVENTS, events).on_gpu(events * OF_EVENT).in_steps(config.seconds * OF_SECOND).compiling(2.5))
    }

    fn start(&mut self, config: &MeshConfig, seed: u64) -> Result<Start<MeshEvents>, Fault> {
        Ok(self.setup(config)?.start(seed))
    }

    fn values(config: &MeshConfig, end: &End<mesh::Module>) -> Vec<Option<f64>> {
        let tally = Tally::of(end);
        let count = |count: u64| Some(count as f64);
        vec![
            count(tally.sent),
            count(tally.received),
            tally.share_received(),
            count(tally.acks),
            count(tally.nacks),
            count(tally.spoilt),
            tally.mean_gain().map(|gain| config.snr + 10.0 * libm::log10(gain)),
            tally.mean_delay(),
        ]
    }
}
