//! Names of parameters and measures for people.

use imminent::models::study::description::{Measure, Parameter};

/// Returns the name of a parameter with its unit.
pub(super) fn parameter(parameter: &Parameter) -> String {
    with_unit(of_key(&parameter.name), &parameter.unit)
}

/// Returns the name of a measure with its unit.
pub(super) fn measure(measure: &Measure) -> String {
    with_unit(of_key(&measure.name), &measure.unit)
}

fn with_unit(name: String, unit: &str) -> String {
    if unit.is_empty() { name } else { format!("{name} in {unit}") }
}

/// Returns the name that a key of a file stands for: `network.node[0].service_mean` is the service mean of node 0.
pub(super) fn of_key(key: &str) -> String {
    let mut parts: Vec<String> = key.split('.').map(|part| part.replace(['_', '['], " ").replace(']', "")).collect();
    let Some(name) = parts.pop() else { return String::new() };
    // The first part is a section of the file, which tells nothing.
    parts.iter().skip(1).rev().fold(name, |name, part| format!("{name} of {part}"))
}

#[cfg(test)]
mod tests {
    use super::of_key;

    #[test]
    fn keys_become_words() {
        let keys = [
            ("queue_length", "queue length"),
            ("network.range", "range"),
            ("network.node[0].servers", "servers of node 0"),
            ("traffic.flow[12].on.mean", "mean of on of flow 12"),
        ];
        for (key, name) in keys {
            assert_eq!(of_key(key), name);
        }
    }
}
