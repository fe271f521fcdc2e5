//! Mobile ad hoc networks as a model to study: the scenarios of Table 5-1 and their parameters.
//!
//! A run is one network, whose random numbers come from its seed alone. Runs of many points are simulated side by side
//! by one [`Engine`](imminent_manet::Engine). Determinism class: exact.

mod laboratory;
mod setting;

pub use laboratory::Manets;

use super::catalogue::{Means, Possible, Source};
use super::definition::DefinitionError;
use super::description::{Description, Measure, Parameter};
use super::laboratory::{Fault, Laboratory};
use imminent_core::Device;

/// Returns the description of the model.
///
/// # Errors
/// None.
pub fn describe(_: &Source<'_>) -> Result<Description, DefinitionError> {
    let number = |name: &str, unit: &str, most: f64, default: f64, about: &str| {
        Parameter::number(name, unit, 0.0..=most, about).default(default)
    };
    let whole = |name: &str, unit: &str, least: i64, default: i64, about: &str| {
        Parameter::integer(name, unit, least..=1 << 20, about).default(default)
    };
    let parameters = [
        whole("nodes", "", 2, 50, "Number of nodes."),
        number("width", "m", 1e6, 0.0, "Width of the field; 0 for that of Table 5-1 for as many nodes."),
        number("height", "m", 1e6, 0.0, "Height of the field; 0 for that of Table 5-1 for as many nodes."),
        number("range", "m", 1e6, 250.0, "Transmission range."),
        number("speed_least", "m/s", 4e3, 0.0, "Least speed of a node; at least 0.01 m/s."),
        number("speed_most", "m/s", 4e3, 20.0, "Greatest speed of a node."),
        number("pause_most", "s", 1e6, 20.0, "Longest pause at a waypoint."),
        number("beacon_least", "s", 1e3, 0.5, "Least time between two beacons of a node."),
        number("beacon_most", "s", 1e3, 1.5, "Greatest time between two beacons of a node."),
        number("timeout", "s", 250.0, 4.5, "Age at which a neighbour is forgotten."),
        Parameter::choice("planar", ["gabriel", "relative-neighbourhood"], "Planar graph of perimeter mode.")
            .default("gabriel"),
        whole("ttl", "", 1, 128, "Greatest number of transmissions of a packet."),
        number("bit_rate", "bit/s", 1e12, 1e6, "Transmission rate."),
        number("backoff_most", "s", 1e3, 0.02, "Longest backoff."),
        whole("queue", "", 1, 50, "Greatest number of packets that wait at a node."),
        number("rate", "1/s", 1e6, 0.0, "Packets of a node in a second; 0 for that of Table 5-1 for as many nodes."),
        whole("bytes", "B", 1, 1024, "Size of packets."),
        number("within", "m", 1e6, 0.0, "Greatest distance of a destination at the start; 0 for any."),
        number("interval", "s", 1e3, 0.0, "Clock interval; 0 for exact times."),
        number("warm_up", "s", 1e6, 0.0, "Time from which packets count."),
        number("duration", "s", 1e6, 100.0, "Simulated time."),
    ];
    let description = Description::new("manet", "1", "A mobile ad hoc network with GPSR over a shared medium.");
    let description = parameters.into_iter().fold(description, Description::parameter);
    Ok(description
        .length("duration")
        .measure(Measure::new("delivery_ratio", "", "Share of the packets that were delivered."))
        .measure(Measure::new("mean_delay", "s", "Mean delay of delivered packets."))
        .measure(Measure::new("mean_hops", "", "Mean number of transmissions of delivered packets."))
        .measure(Measure::new("unreachable", "", "Share of the packets that went around a face without an exit."))
        .measure(Measure::new("link_broken", "", "Share of the packets whose next node was out of range."))
        .measure(Measure::new("queue_full", "", "Share of the packets that found a full queue."))
        .measure(Measure::new("transmissions", "", "Transmissions of all nodes."))
        .measure(Measure::new("busy", "", "Share of the attempts that found the medium busy.")))
}

/// Creates a check whether a point can be simulated.
///
/// # Errors
/// None.
pub fn possible(_: &Source<'_>) -> Result<Possible, DefinitionError> {
    Ok(Box::new(|point| setting::network(point, 0).map(drop)))
}

/// Opens the laboratory that carries out the runs.
///
/// # Errors
/// None.
pub fn open(_: &Source<'_>, device: &Device, _: &Means) -> Result<Box<dyn Laboratory + Send>, Fault> {
    Ok(Box::new(Manets::new(device)))
}
