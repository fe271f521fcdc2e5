//! The wireless mesh as a model to study.

use super::Studied;
use crate::description::{Description, Measure, Parameter};
use crate::laboratory::{Fault, Point, Run};
use imminent_events::mesh::{Mesh as Settings, MeshEvents, Setup, Tally, mesh};
use imminent_events::{End, Start};

/// Note on why a study of rates and speeds has one share of packets at all points.
const DELIVERED: &str = "`rate` and `speed` do not change the share of packets that are `delivered`: frames do not interfere, none is sent again, and each meets the channel at one instant, \
    of which all instants and speeds have the same distribution. They change how many frames there are and how alike successive ones are, so the width of its interval. \
    `snr`, `payload`, `bandwidth`, `carrier` and `subcarriers` change the share.";

/// The most nodes of a mesh that is studied: each has room for as many events.
const NODES: u32 = 16;

/// Nodes that send packets to each other over channels that fade.
#[derive(Debug, Default)]
pub struct Mesh {
    /// The tables of the point whose run was started last: runs of a point mostly follow each other.
    last: Option<(Settings, Setup)>,
}

impl Mesh {
    fn setup(&mut self, point: &Point) -> Result<&Setup, Fault> {
        let settings = settings(point)?;
        let kept = self.last.take().filter(|(kept, _)| *kept == settings);
        let made = match kept {
            Some(kept) => kept,
            None => {
                let setup = settings.set_up()?;
                (settings, setup)
            }
        };
        Ok(&self.last.insert(made).1)
    }
}

fn settings(point: &Point) -> Result<Settings, Fault> {
    let whole = |name: &str| Ok::<_, Fault>(u32::try_from(point.integer_of(name)?)?);
    Ok(Settings {
        nodes: whole("nodes")?,
        rate: point.number_of("rate")?,
        speed: point.number_of("speed")?,
        snr: point.number_of("snr")?,
        payload: whole("payload")?,
        megabits: whole("bandwidth")?,
        carrier: point.number_of("carrier")?,
        subcarriers: whole("subcarriers")?,
        distance: point.number_of("distance")?,
        turnaround: point.number_of("turnaround")?,
        seconds: point.number_of("end")?,
    })
}

impl Studied for Mesh {
    type Events = MeshEvents;

    const MOST: u32 = NODES - 1;

    fn description() -> Description {
        let default = Settings::default();
        let whole = |value: u32| i64::from(value);
        Description::new("mesh", "1", "A wireless mesh whose links fade (Kunz et al. 2012, section V-C).")
            .parameter(
                Parameter::number("rate", "packets/s", 1e-3..=1e6, "Packets that each application makes.")
                    .default(default.rate),
            )
            .parameter(Parameter::number("speed", "m/s", 0.0..=1e3, "How fast nodes move.").default(default.speed))
            .parameter(
                Parameter::integer("nodes", "", 2..=i64::from(NODES), "Nodes, all in reach of each other.")
                    .default(whole(default.nodes)),
            )
            .parameter(
                Parameter::number("snr", "dB", -50.0..=100.0, "Mean ratio of signal to noise of every link.")
                    .default(default.snr),
            )
            .parameter(
                Parameter::integer("payload", "bytes", 0..=65_535, "Bytes of a packet.")
                    .default(whole(default.payload)),
            )
            .parameter(
                Parameter::integer("bandwidth", "Mb/s", 1..=54, "At what rate frames are sent: 6, 12 or 24.")
                    .default(whole(default.megabits)),
            )
            .parameter(
                Parameter::number("carrier", "GHz", 0.1..=100.0, "Frequency of the first subcarrier.")
                    .default(default.carrier),
            )
            .parameter(
                Parameter::integer("subcarriers", "", 1..=48, "Subcarriers.").default(whole(default.subcarriers)),
            )
            .parameter(
                Parameter::number("distance", "m", 0.0..=1e5, "From each node to each other.")
                    .default(default.distance),
            )
            .parameter(
                Parameter::number("turnaround", "us", 0.0..=1e6, "From a frame's end to its answer.")
                    .default(default.turnaround),
            )
            .parameter(Parameter::number("end", "s", 0.0..=1e6, "When a run ends.").default(default.seconds))
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

    fn check(&mut self, point: &Point) -> Result<(), Fault> {
        settings(point)?.check()?;
        Ok(())
    }

    fn start(&mut self, run: &Run) -> Result<Start<MeshEvents>, Fault> {
        Ok(self.setup(&run.point)?.start(run.seed))
    }

    fn values(&self, run: &Run, end: &End<mesh::Module>) -> Vec<Option<f64>> {
        let tally = Tally::of(end);
        let count = |count: u64| Some(count as f64);
        let snr = run.point.number_of("snr").ok();
        vec![
            count(tally.sent),
            count(tally.received),
            tally.share_received(),
            count(tally.acks),
            count(tally.nacks),
            count(tally.spoilt),
            tally.mean_gain().zip(snr).map(|(gain, snr)| snr + 10.0 * libm::log10(gain)),
            tally.mean_delay(),
        ]
    }
}
