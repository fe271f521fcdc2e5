//! Findings for people.

use super::findings::{Device, Findings};
use crate::devices::{floats, memory};
use imminent::Int64;
use imminent::conformance::Counts;

/// Formats the findings: a block for each device, then a line for each backend.
pub(super) fn text(findings: &Findings) -> String {
    let Findings { program, system, seconds, backends } = findings;
    let mut text = format!("imminent {program}\n");
    text += &format!("{} {}, {} processors, {seconds:.0} s\n", system.os, system.architecture, system.processors);
    for device in backends.iter().flat_map(|backend| &backend.devices) {
        text += &block(device);
    }
    text += "\nVerdicts\n";
    backends.iter().for_each(|backend| text += &format!("  {}\n", backend.line));
    text
}

fn block(device: &Device) -> String {
    let info = &device.listing.info;
    let mut text = format!("\n{} {}: {}\n", info.backend, info.index, info.name);
    let mut say = |name: &str, value: String| text += &format!("  {name:<13} {value}\n");
    say("driver", info.driver.clone());
    if let Some(can) = &device.listing.capabilities {
        let int64 = if can.int64 == Int64::Native { "native" } else { "emulated" };
        say("integers", format!("of 64 bits {int64}"));
        say("f32", can.f32.as_ref().map_or_else(|| "unknown".to_owned(), floats));
        say("f64", can.f64.as_ref().map_or_else(|| "none".to_owned(), floats));
        let free = device.listing.memory.as_ref().and_then(|memory| memory.free);
        say("memory", memory(can.limits.memory_bytes, free));
    }
    if let Some(error) = &device.listing.error {
        say("error", error.clone());
    }
    if let Some(measures) = &device.measures {
        let rate =
            |bytes: Option<f64>| bytes.map_or_else(|| "unknown".to_owned(), |rate| format!("{:.1} GB/s", rate / 1e9));
        let time =
            |time: Option<f64>| time.map_or_else(|| "unknown".to_owned(), |time| format!("{:.1} µs", time * 1e6));
        say(
            "bandwidth",
            format!("{} by kernels, {} to the host", rate(measures.memory_bandwidth), rate(measures.read_bandwidth)),
        );
        say("launch", format!("{}, {} with a wait", time(measures.launch_seconds), time(measures.round_trip_seconds)));
        measures.error.iter().for_each(|error| say("not measured", error.clone()));
    }
    for known in &device.known {
        say("known fault", format!("{}: {}", known.case, known.reference));
    }
    if let Some(suite) = &device.suite {
        say(
            "quick suite",
            format!(
                "{} in {:.0} s",
                Counts::of(&suite.cases),
                suite.cases.iter().map(|case| case.seconds).sum::<f64>()
            ),
        );
    }
    if let Some(next) = &device.next {
        say("not tried", format!("{} cases, from `{next}` on", device.untried));
    }
    device.refused.iter().for_each(|refused| say("not tested", refused.clone()));
    for case in device.failures() {
        say(case.outcome.word(), format!("{}: {}: {}", case.group, case.name, case.outcome.detail()));
    }
    text
}
