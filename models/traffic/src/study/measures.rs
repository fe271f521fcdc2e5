//! Measures of a run of network traffic.

use crate::simulation::Results;
use crate::simulation::results::{FlowRow, QueueRow};
use imminent_study::Description;
use imminent_study::description::Measure;

/// Measure of a run, with its value.
struct OfRun {
    name: &'static str,
    unit: &'static str,
    about: &'static str,
    of: fn(&Results) -> Option<f64>,
}

const MEASURES: [OfRun; 14] = [
    OfRun {
        name: "rate",
        unit: "bit/s",
        about: "Sum of the rates of all flows: of fluids what they send, of packets what arrives for the first time.",
        of: |results| Some(results.flows.iter().map(|flow| flow.rate).sum()),
    },
    OfRun {
        name: "dropped",
        unit: "bit/s",
        about: "Sum of what all queues drop.",
        of: |results| Some(results.queues.iter().map(|queue| queue.offered * queue.loss).sum()),
    },
    OfRun {
        name: "lost",
        unit: "bit/s",
        about: "Sum of what all links lose after their queues.",
        of: |results| Some(results.queues.iter().map(|queue| queue.lost).sum()),
    },
    OfRun {
        name: "utilization",
        unit: "",
        about: "Share of its bandwidth that the most loaded link uses.",
        of: |results| greatest(results, |queue| queue.utilization),
    },
    OfRun {
        name: "greatest_loss",
        unit: "",
        about: "Greatest share of its arrivals that a queue drops.",
        of: |results| greatest(results, |queue| queue.loss),
    },
    OfRun {
        name: "queue_delay",
        unit: "s",
        about: "Longest time that a link takes to send the mean length of its queue.",
        of: |results| greatest(results, |queue| 8.0 * queue.mean_length / queue.bandwidth.max(1) as f64),
    },
    OfRun {
        name: "window",
        unit: "packets",
        about: "Mean window of a TCP session, as a mean over flows.",
        of: |results| mean(results, |flow| flow.window),
    },
    OfRun {
        name: "round_trip",
        unit: "s",
        about: "Mean round-trip time, as a mean over flows.",
        of: |results| mean(results, |flow| flow.round_trip),
    },
    OfRun {
        name: "goodput",
        unit: "bit/s",
        about: "Sum of what the packets of all flows bring for the first time.",
        of: |results| Some(results.packet_total()?.goodput),
    },
    OfRun {
        name: "packet_loss",
        unit: "",
        about: "Share of the packets that queues drop, or that links lose, also by failures.",
        of: |results| results.packet_total()?.loss,
    },
    OfRun {
        name: "packet_marks",
        unit: "",
        about: "Share of the packets that arrive with a mark of a queue (ECN).",
        of: |results| {
            results.packet_total().filter(|total| total.sent > 0).map(|total| total.marked as f64 / total.sent as f64)
        },
    },
    OfRun {
        name: "packet_delay",
        unit: "s",
        about: "Mean delay of packets from source to destination.",
        of: |results| results.packet_total()?.mean_delay,
    },
    OfRun {
        name: "packet_delay_p99",
        unit: "s",
        about: "Greatest 99 % quantile of the delays of the packets of a flow.",
        of: |results| results.packet_total()?.greatest_p99,
    },
    OfRun {
        name: "transfer_time",
        unit: "s",
        about: "Mean time of completed transfers, from the start of a session to the arrival of its last packet.",
        of: |results| results.packet_total()?.mean_transfer,
    },
];

fn greatest(results: &Results, of: fn(&QueueRow) -> f64) -> Option<f64> {
    results.queues.iter().map(of).reduce(f64::max)
}

fn mean(results: &Results, of: fn(&FlowRow) -> Option<f64>) -> Option<f64> {
    let values = || results.flows.iter().filter_map(of);
    let count = values().count();
    (count > 0).then(|| values().sum::<f64>() / count as f64)
}

/// Adds the measures to a description.
pub(super) fn described(description: Description) -> Description {
    MEASURES.iter().fold(description, |description, OfRun { name, unit, about, .. }| {
        description.measure(Measure::new(name, unit, about))
    })
}

/// Returns the value of each measure.
pub(super) fn values(results: &Results) -> Vec<Option<f64>> {
    MEASURES.iter().map(|measure| (measure.of)(results).filter(|value| value.is_finite())).collect()
}
